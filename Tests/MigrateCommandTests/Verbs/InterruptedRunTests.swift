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
      #expect(running.waits(for: "waiting for the write lock\n"))
      running.send(signal)
      return running.wait()
    }
    #expect(outcome.code == 130 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("Interrupted. Rolling back.\n"))
    #expect(try sandbox.sql("SELECT count(*) FROM elements") == before)
    #expect(try Program.run(["up"], in: sandbox).code == 0)
  }

  /// A migration that inserts a row and then never ends.
  private static let endless = Sandbox.more.merging([
    "Migrations/0002_more/after.sql": """
    CREATE TABLE numbers AS
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT i FROM n WHERE i > 1;
    """
  ]) { $1 }

  /// Started, and past the run's own row: what it writes now is the migration's.
  private func startedEndless(in sandbox: Sandbox) throws -> Program.Running {
    let running = try Program.start(["up"], in: sandbox)
    let isAmid = running.waits {
      let runs = try? sandbox.sql("SELECT id FROM seedbed_runs")
      return runs?.count == 2 && sandbox.exists("app.sqlite-journal")
    }
    #expect(isAmid)
    return running
  }

  @Test func `a signal amid the work rolls it back`() throws {
    let sandbox = try Sandbox.atOne(Self.endless)
    let running = try startedEndless(in: sandbox)
    running.send(SIGINT)
    let outcome = running.wait()
    #expect(outcome.code == 130 && outcome.output.isEmpty, "\(outcome)")
    #expect(try sandbox.sql("SELECT count(*) FROM elements") == ["3"])
    #expect(try sandbox.sql("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `after a kill status says so, and up goes on`() throws {
    let sandbox = try Sandbox.atOne(Self.endless)
    let running = try startedEndless(in: sandbox)
    running.send(SIGKILL)
    #expect(running.wait().code == -SIGKILL)
    let status = try Program.run(["status"], in: sandbox).masked(sandbox)
    let remark = "The run of MOMENT was interrupted. It left nothing half done.\n"
    #expect(status.output.hasSuffix("\n1 applied, 1 pending\n" + remark))
    try sandbox.remove("Migrations/0002_more/after.sql")
    #expect(try Program.run(["up"], in: sandbox).code == 0)
    #expect(try Program.run(["status"], in: sandbox).output.hasSuffix("\n2 applied\n"))
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
