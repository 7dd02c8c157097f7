import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

/// The program as the system sees it: descriptors, folders and files that are not there.
struct ProcessTests {
  static let verbsOnADatabase = ["verify", "conflicts", "backups", "restore"]

  @Test(arguments: verbsOnADatabase) func `a missing database is named`(_ verb: String) throws {
    let sandbox = try Sandbox().write(["Migrations/0001_a/up.sql": "CREATE TABLE a (b);"])
    let outcome = try Program.run([verb], in: sandbox)
    let message =
      "There is no database at 'app.sqlite'. Name it with --database PATH; only 'migrate up' "
      + "creates one.\n"
    #expect(outcome == Outcome(errors: message, code: 2))
    #expect(!sandbox.exists("app.sqlite"))
  }

  @Test func `a database that is nearly there is suggested`() throws {
    let sandbox = try Sandbox().write(["data/app.db": "", "Migrations/0001_a/up.sql": ""])
    let outcome = try Program.run(["verify", "--database", "data/ap.db"], in: sandbox)
    #expect(outcome.errors.hasSuffix("creates one. Did you mean 'data/app.db'?\n"))
  }

  @Test func `--must-exist creates no database`() throws {
    let sandbox = try Sandbox().write(["Migrations/0001_a/up.sql": "CREATE TABLE a (b);"])
    let outcome = try Program.run(["up", "--must-exist"], in: sandbox)
    #expect(outcome.code == 2 && outcome.errors.hasPrefix("There is no database at 'app.sqlite'."))
    #expect(!sandbox.exists("app.sqlite"))
  }

  @Test(arguments: ["up", "status"]) func `a missing catalog is named`(_ verb: String) throws {
    let sandbox = try Sandbox().write(["Migrations/0001_a/up.sql": "CREATE TABLE a (b);"])
    let outcome = try Program.run([verb, "--migrations", "Migratons"], in: sandbox)
    let message =
      "There is no catalog folder at 'Migratons'. Name the folder of all migrations with "
      + "--migrations DIR, or make the first migration: migrate new NAME, or migrate make NAME "
      + "TABLE=FILE.csv --create. Did you mean 'Migrations'?\n"
    #expect(outcome == Outcome(errors: message, code: 2))
    #expect(!sandbox.exists("app.sqlite"))
  }

  @Test func `under --json a missing database is a document`() throws {
    let outcome = try Program.run(["backups", "--json", "--quiet"], in: try Sandbox())
    #expect(outcome.code == 2 && outcome.errors.isEmpty)
    #expect(outcome.output.hasPrefix(#"{"schema":1,"error":{"code":"io","message":"There is no"#))
  }

  @Test func `a closed stdout ends it quietly`() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let running = try Program.start(["help"], in: try Sandbox(), output: ends[1])
    #expect(running.wait() == Outcome())
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `a full disk behind stdout is an error`() throws {
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let running = try Program.start(["help"], in: try Sandbox(), output: full)
    let message = "Cannot write to standard output: No space left on device.\n"
    #expect(running.wait() == Outcome(errors: message, code: 2))
  }

  @Test func `by its other name it says so in its hints`() throws {
    let sandbox = try Sandbox()
    let name = sandbox.path + "/seedbed"
    try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: Child.migrate)
    let outcome = try Program.start(["stats"], in: sandbox, program: name).wait()
    #expect(
      outcome.errors == "Unknown verb 'stats'. Did you mean 'status'?\nSee 'seedbed help'.\n")
  }

  @Test(arguments: [["TERM": "xterm"], ["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb"]])
  func `errors are red on a terminal that wants colour`(_ environment: [String: String]) throws {
    let terminal = try Terminal()
    let running = try Program.start(
      ["up", "--bogus"], in: try Sandbox(), environment: environment, errors: terminal.child)
    #expect(running.wait().code == 64)
    let isRed = environment == ["TERM": "xterm"]
    let line = "Unknown option '--bogus'."
    let expected = isRed ? "\u{1B}[31m\(line)\u{1B}[0m" : line
    #expect(terminal.read() == "\(expected)\r\nSee 'migrate help up'.\r\n")
  }
}
