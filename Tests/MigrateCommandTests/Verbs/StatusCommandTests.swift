import Foundation
import Testing

@testable import MigrateCommand

struct StatusCommandTests {
  @Test func `without a database all is pending`() throws {
    let sandbox = try Sandbox.withElements(Sandbox.more)
    let outcome = try Program.run(["status"], in: sandbox)
    #expect(
      outcome
        == Outcome(
          output: """
            app.sqlite is at 0 of 2
            VERSION  NAME      STATE    ROWS  APPLIED AT  TOOK  CHECKSUM
                  1  elements  pending
                  2  more      pending
            2 pending

            """,
          errors: "There is no database at 'app.sqlite' yet: 'migrate up' creates it.\n"))
    #expect(!sandbox.exists("app.sqlite"))
  }

  @Test func `applied and pending`() throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    let before = try sandbox.contents()
    let outcome = try Program.run(["status"], in: sandbox).masked(sandbox)
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "app.sqlite is at 1 of 2")
    #expect(lines[2].hasPrefix("      1  elements  applied     3  MOMENT"))
    #expect(lines[3] == "      2  more      pending")
    #expect(lines[4] == "1 applied, 1 pending")
    #expect(lines.count == 6 && outcome.errors.isEmpty && outcome.code == 0)
    #expect(try sandbox.contents() == before)
  }

  typealias Case = Named<[String: String], Int32>

  static let codes: [Case] = [
    Case("up to date", [:], 0),
    Case("pending", Sandbox.more, 1),
    Case("drifted", ["Migrations/0001_elements/elements.csv": "number,name\n1,X\n"], 3),
  ]

  @Test(arguments: codes) func `--exit-code says how it stands`(_ c: Case) throws {
    let sandbox = try Sandbox.atOne(c.given)
    #expect(
      try Program.run(["status", "--exit-code", "--quiet"], in: sandbox)
        == Outcome(code: c.expected))
    #expect(try Program.run(["status"], in: sandbox).code == 0)
  }

  // MARK: the last run

  private static let reason =
    "0002_more/verify.sql:1:1: verify.sql found a counter-example: name = 'Beryllium'. The "
    + "migration was rolled back."

  private func atOneAfterAFailure() throws -> Sandbox {
    let sandbox = try Sandbox.atOne(Sandbox.more).write([
      "Migrations/0002_more/verify.sql": "SELECT name FROM elements WHERE number = 4;\n"
    ])
    #expect(try Program.run(["up"], in: sandbox).code == 2)
    return sandbox
  }

  @Test func `a run that failed is told with its reason`() throws {
    let sandbox = try atOneAfterAFailure()
    let status = try Program.run(["status", "--exit-code"], in: sandbox).masked(sandbox)
    #expect(
      status.output.hasSuffix(
        "\n1 applied, 1 pending\nThe last run, of MOMENT, failed: \(Self.reason)\n"), "\(status)")
    #expect(status.code == 3)
    let document = try Program.run(["status", "--json"], in: sandbox).masked(sandbox).output
    #expect(
      document.hasSuffix(
        #""lastRun":{"outcome":"failed","startedAt":"MOMENT","interruptedCount":0,"#
          + "\"message\":\"\(Self.reason)\"}}\n"), "\(document)")
    try sandbox.remove("Migrations/0002_more/verify.sql")
    #expect(try Program.run(["up"], in: sandbox).code == 0)
    let after = try Program.run(["status", "--exit-code"], in: sandbox)
    #expect(after.output.hasSuffix("\n2 applied\n") && after.code == 0)
    #expect(try Program.run(["status", "--json"], in: sandbox).output.contains(#""message":null"#))
  }

  @Test func `among many it comes first`() throws {
    let sandbox = try atOneAfterAFailure()
    let failed = "tenants/z.sqlite"
    try sandbox.write(["tenants/notes.txt": ""])
    try FileManager.default.moveItem(
      atPath: "\(sandbox.path)/app.sqlite", toPath: "\(sandbox.path)/\(failed)")
    for name in ["a.sqlite", "b.sqlite"] {
      try FileManager.default.copyItem(
        atPath: "\(sandbox.path)/\(failed)", toPath: "\(sandbox.path)/tenants/\(name)")
      try sandbox.sql("DELETE FROM seedbed_runs WHERE id > 1", database: "tenants/\(name)")
    }
    let line = ["status", "--each", "tenants/", "--exit-code"]
    let status = try Program.run(line, in: sandbox).masked(sandbox)
    #expect(
      status.output == """
        3 databases: 2 pending, 1 pending after a run that failed
        tenants/z.sqlite  is at 1 of 2, pending. The last run, of MOMENT, failed: \(Self.reason)
        tenants/a.sqlite  is at 1 of 2, pending
        tenants/b.sqlite  is at 1 of 2, pending

        """)
    #expect(status.code == 3)
    let document = try Program.run(line + ["--json"], in: sandbox).masked(sandbox).output
    #expect(
      document.contains(
        #""state":"pending","lastRun":{"outcome":"failed","startedAt":"MOMENT","#
          + "\"interruptedCount\":0,\"message\":\"\(Self.reason)\"}}"), "\(document)")
    #expect(document.contains(#""lastRun":{"outcome":"applied""#))
  }

  @Test func `a wrong key of a reseed is no alarm in a database that is up to date`() throws {
    let sandbox = try Sandbox.atOne()
    #expect(try Program.run(["reseed", "elements", "99"], in: sandbox).code == 64)
    let status = try Program.run(["status", "--exit-code"], in: sandbox)
    #expect(status.output.contains("failed: The catalog has no row '99' of 'elements'"))
    #expect(status.code == 0)
  }

  @Test func `a catalog that lost a migration, and one that gained an earlier one`() throws {
    let later = ["Migrations/0003_later/elements.csv": "number,name\n6,Carbon\n"]
    let sandbox = try Sandbox.withElements(later)
    _ = try Program.run(["up"], in: sandbox)
    func code() throws -> Int32 {
      try Program.run(["status", "--exit-code", "--quiet"], in: sandbox).code
    }
    try sandbox.write(Sandbox.more)
    #expect(try code() == 3)
    #expect(try Program.run(["status"], in: sandbox).output.contains("1 out of order\nOut of"))
    try sandbox.remove("Migrations/0002_more")
    try sandbox.remove("Migrations/0001_elements")
    #expect(try code() == 3)
    #expect(try Program.run(["status"], in: sandbox).output.contains("1 missing\nMissing: "))
    try sandbox.write(Sandbox.elements)
    try sandbox.remove("Migrations/0003_later")
    #expect(try code() == 5)
    #expect(try Program.run(["status"], in: sandbox).output.contains("1 newer\nNewer: "))
  }

  @Test func `the document of --json, whole`() throws {
    let sandbox = try Sandbox.withElements()
    let outcome = try Program.run(["status", "--json", "--quiet"], in: sandbox).masked(sandbox)
    #expect(
      outcome
        == Outcome(
          output: #"""
            {"schema":1,"database":"~/app.sqlite","catalog":"~/Migrations","current":0,\#
            "target":1,"state":"pending","migrations":[{"version":1,"name":"elements",\#
            "state":"pending","rows":null,"appliedAt":null,"durationMs":null,\#
            "checksum":null}],"lastRun":null}

            """#))
  }
}
