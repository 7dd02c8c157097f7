import Foundation
import Testing

@testable import MigrateCommand

/// What happens to a run that is stopped, or watched.
struct InterruptedRunTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal while waiting for a lock ends it`(_ signal: Int32) throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    let before = try sandbox.sql("SELECT count(*) FROM elements")
    let outcome = try sandbox.whileLocked {
      let running = try Program.start(
        ["up", "--lock-timeout", "30", "--progress", "plain"], in: sandbox)
      #expect(running.waits(for: "waiting for the write lock"))
      running.send(signal)
      return running.wait()
    }
    #expect(outcome.code == 130 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("Interrupted. Rolling back what is in flight.\n"))
    #expect(try sandbox.sql("SELECT count(*) FROM elements") == before)
    #expect(try Program.run(["up"], in: sandbox).code == 0)
  }

  @Test func `a signal amid the rows rolls them back`() throws {
    let rows = (4...400_000).map { "\($0),element \($0)\n" }.joined()
    let sandbox = try Sandbox.atOne(["Migrations/0002_many/elements.csv": "number,name\n" + rows])
    let running = try Program.start(["up", "--progress", "plain"], in: sandbox)
    #expect(running.waits(for: "elements\n"))
    running.send(SIGINT)
    let outcome = running.wait()
    #expect(outcome.code == 130 && outcome.output.isEmpty)
    #expect(try sandbox.sql("SELECT count(*) FROM elements") == ["3"])
    #expect(try sandbox.sql("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `a bar is drawn on a terminal and erased`() throws {
    let rows = (4...50_000).map { "\($0),element \($0)\n" }.joined()
    let sandbox = try Sandbox.atOne(["Migrations/0002_many/elements.csv": "number,name\n" + rows])
    let terminal = try Terminal()
    let outcome = try Program.start(
      ["up"], in: sandbox, environment: ["TERM": "xterm"], errors: terminal.child
    ).wait()
    #expect(outcome.code == 0)
    let drawn = terminal.read()
    #expect(drawn.contains("\r\u{1B}[K[") && drawn.hasSuffix("\r\u{1B}[K"))
  }

  @Test(arguments: [[], ["--progress", "auto"], ["--progress", "none"]])
  func `without a terminal there is no progress`(_ words: [String]) throws {
    #expect(try Program.run(["up"] + words, in: try Sandbox.atOne(Sandbox.more)).errors == "")
  }

  @Test func `plain progress ends with all of it`() throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    let outcome = try Program.run(["up", "--progress", "plain"], in: sandbox)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.last?.hasPrefix("100 %  ") == true, "\(outcome)")
    #expect(lines.last?.contains("  2 rows  ") == true, "\(outcome)")
  }
}
