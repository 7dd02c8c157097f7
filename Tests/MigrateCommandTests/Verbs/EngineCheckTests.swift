import TestSupport
import Testing

@testable import MigrateCommand
@testable import Seedbed

/// On a server it is tried in `SeedbedPostgresTests`.
struct EngineCheckTests {
  @Test func `what is missing is named with its remedy, and is a finding`() throws {
    let sandbox = try Sandbox().write(["Migrations/0001_a/up.sql": "CREATE TABLE a (b);"])
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
