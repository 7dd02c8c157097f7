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
