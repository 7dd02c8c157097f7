import TestSupport
import Testing

@testable import MigrateCommand
@testable import Seedbed

/// On a server it is tried in `SeedbedPostgresTests`.
struct EngineCheckTests {
  private static func sandbox() throws -> Sandbox {
    try Sandbox().write(["Migrations/0001_a/up.sql": "CREATE TABLE a (b);"])
  }

  @Test func `on SQLite its version counts, and no database is made`() throws {
    let sandbox = try Self.sandbox()
    let before = try sandbox.contents()
    let outcome = try Program.run(["verify", "--engine-check"], in: sandbox)
    let lines = outcome.output.split(separator: "\n")
    #expect(outcome.code == 0 && lines.count == 3, "\(outcome)")
    #expect(lines.first?.hasPrefix("NEED ") == true && lines.last == "Nothing is missing.")
    #expect(lines[1].hasPrefix("SQLite 3.38 or later  there  SQLite 3."))
    #expect(try sandbox.contents() == before)
  }

  @Test func `what is missing is named with its remedy, and is a finding`() throws {
    let sandbox = try Self.sandbox()
    let (code, output) = try Child.run(
      [Child.migrate, "verify", "--engine-check"], in: sandbox.path,
      environment: OldSQLite.environment(in: sandbox.path))
    #expect(
      output == """
        NEED                  STATE    FOUND
        SQLite 3.38 or later  missing  SQLite 3.37.2
        SQLite 3.38 or later: Update the system, or link the program to a newer SQLite.
        1 need missing.

        """)
    #expect(code == 3)
  }

  @Test func `it looks at one database`() throws {
    let outcome = try Program.run(["verify", "--engine-check", "--each", "*"], in: Self.sandbox())
    #expect(outcome.code == 64)
    #expect(
      outcome.errors.hasPrefix("'--engine-check' looks at one database. Leave out '--each'."))
  }

  @Test func `its document`() {
    let needs = [
      EngineNeed("writes", found: "works"),
      EngineNeed("new tables", found: "not allowed", remedy: "Grant it."),
    ]
    #expect(
      EngineCheck.document(needs, of: "postgresql:///words").text == #"""
        {"schema":1,"database":"postgresql:///words","needs":[{"name":"writes","isMet":true,\#
        "found":"works","remedy":null},{"name":"new tables","isMet":false,\#
        "found":"not allowed","remedy":"Grant it."}]}
        """#)
  }
}
