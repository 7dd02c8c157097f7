import Foundation
import Testing

@testable import MigrateCommand

/// `migrate up` as a process.
struct UpCommandTests {
  @Test func `the first run creates and fills the database`() throws {
    let sandbox = try Sandbox.withElements(Sandbox.more)
    let outcome = try Program.run(["up"], in: sandbox).masked(sandbox)
    #expect(
      outcome
        == Outcome(
          output: """
            0001 elements elements   +3 added N ms
            0002 more     elements   +2 added N ms
            Applied 2 migrations. Database is at 2.

            """, errors: "Created app.sqlite\n"))
    #expect(
      try sandbox.sql("SELECT group_concat(name) FROM elements") == [
        "Hydrogen,Helium,Lithium,Beryllium,Boron"
      ])
  }

  static let refusals: [String: (files: [String: String], arguments: [String])] = [
    "a version that there is not": ([:], ["--to", "9"]),
    "an option that cannot be": (["Migrations/0001_elements/migration.json": "{\"x\": 1}"], []),
  ]

  @Test(arguments: refusals.keys.sorted())
  func `a database that is not there is not made for what is refused:`(_ name: String) throws {
    let refusal = try #require(Self.refusals[name])
    let sandbox = try Sandbox.withElements(refusal.files)
    let outcome = try Program.run(["up"] + refusal.arguments, in: sandbox)
    #expect(outcome.code != 0 && !outcome.errors.isEmpty)
    #expect(!outcome.errors.contains("Created"))
    #expect(!sandbox.exists("app.sqlite"))
  }

  @Test func `a second run has nothing to do`() throws {
    let outcome = try Program.run(["up"], in: try Sandbox.atOne())
    #expect(outcome == Outcome(output: "Nothing to do. Database is at 1.\n"))
  }

  @Test func `a database with content is backed up first`() throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    let outcome = try Program.run(["up"], in: sandbox).masked(sandbox)
    #expect(
      outcome
        == Outcome(
          output: """
            Backup   app.sqlite.backups/app.v1.TIME.sqlite  (SIZE, verified)
            0002 more elements   +2 added N ms
            Applied 1 migration. Database is at 2.

            """))
  }

  @Test func `--no-backup makes none`() throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    let outcome = try Program.run(["up", "--no-backup"], in: sandbox).masked(sandbox)
    #expect(outcome.output.hasPrefix("0002 more elements   +2 added N ms\n"))
    #expect(!sandbox.exists("app.sqlite.backups"))
  }

  @Test func `--to stops there`() throws {
    let sandbox = try Sandbox.withElements(Sandbox.more)
    let outcome = try Program.run(["up", "--to", "0001"], in: sandbox)
    #expect(outcome.output.hasSuffix("Applied 1 migration. Database is at 1.\n"))
  }

  @Test func `the document of --json, whole`() throws {
    let sandbox = try Sandbox.withElements()
    let outcome = try Program.run(["up", "--json"], in: sandbox).masked(sandbox)
    let document = #"""
      {"schema":1,"database":"~/app.sqlite","from":0,"to":1,"backup":null,"outcome":"applied",\#
      "migrations":[{"version":1,"name":"elements","durationMs":N,"tables":[\#
      {"table":"elements","inserted":3,"updated":0,"deleted":0,"unchanged":0,"kept":0}],\#
      "conflicts":[],"conflictCount":0}],"touchedTables":["elements"]}

      """#
    #expect(outcome == Outcome(output: document, errors: "Created app.sqlite\n"))
    #expect(
      try Program.run(["up", "--json"], in: sandbox).masked(sandbox)
        == Outcome(
          output: #"""
            {"schema":1,"database":"~/app.sqlite","from":1,"to":1,"backup":null,\#
            "outcome":"upToDate","migrations":[],"touchedTables":[]}

            """#))
  }

  @Test func `--quiet says nothing when all is well`() throws {
    #expect(try Program.run(["up", "--quiet"], in: try Sandbox.withElements()) == Outcome())
  }

  @Test func `a broken file is named, and nothing is kept`() throws {
    let broken = ["Migrations/0002_more/elements.csv": "number,name\n4,Beryllium\n5\n"]
    let sandbox = try Sandbox.withElements(broken)
    let outcome = try Program.run(["up"], in: sandbox)
    #expect(
      outcome
        == Outcome(
          errors: """
            Created app.sqlite
            Migrations/0002_more/elements.csv:3:2: found 1 field, expected 2. Every record needs \
            a value, \
            even an empty one, for each header column.
            Applied before that, and kept: 1. Database is at 1.

            """, code: 2))
    #expect(try sandbox.sql("SELECT count(*) FROM elements") == ["3"])
  }

  @Test func `under --json the error tells what was applied`() throws {
    let broken = ["Migrations/0002_more/elements.csv": "number,name\n4,Beryllium\n5\n"]
    let outcome = try Program.run(
      ["up", "--json", "--quiet"], in: try Sandbox.withElements(broken))
    #expect(
      outcome
        == Outcome(
          output: #"""
            {"schema":1,"error":{"code":"csv","message":"found 1 field, expected 2. Every \#
            record needs a value, even an empty one, for each header column.",\#
            "file":"0002_more/elements.csv","line":3,"column":2,"version":2},\#
            "databaseUnchanged":false,"applied":[1]}

            """#, code: 2))
  }

  @Test func `a database that another program writes to is busy`() throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    let outcome = try sandbox.whileLocked {
      try Program.run(["up", "--lock-timeout", "0.05"], in: sandbox)
    }
    #expect(outcome.code == 4 && outcome.output.isEmpty && !outcome.errors.isEmpty)
    #expect(try Program.run(["up"], in: sandbox).code == 0)
  }

  @Test(arguments: [2, 8]) func `of several that race each migration is applied once`(
    _ count: Int
  ) throws {
    let sandbox = try Sandbox.withElements(Sandbox.more)
    let racers = try (0..<count).map { _ in
      try Program.start(["up", "--lock-timeout", "20"], in: sandbox)
    }
    let outcomes = racers.map { $0.wait() }
    for outcome in outcomes {
      #expect(outcome.code == 0 && outcome.output.hasSuffix("Database is at 2.\n"), "\(outcome)")
    }
    let lines = outcomes.flatMap { $0.output.split(separator: "\n") }
    #expect(lines.count { $0.hasPrefix("0001 ") } == 1)
    #expect(lines.count { $0.hasPrefix("0002 ") } == 1)
    #expect(try sandbox.sql("SELECT count(*) FROM elements") == ["5"])
    #expect(try sandbox.sql("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `files that changed after they were applied are drift`() throws {
    let change = ["Migrations/0001_elements/elements.csv": "number,name\n1,Hydrogenium\n"]
    let sandbox = try Sandbox.atOne(change)
    let outcome = try Program.run(["up"], in: sandbox)
    #expect(outcome.code == 3 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("0001_elements") || outcome.errors.contains("1"))
  }

  @Test func `a database above the catalog is newer`() throws {
    let sandbox = try Sandbox.withElements(Sandbox.more)
    _ = try Program.run(["up"], in: sandbox)
    try sandbox.remove("Migrations/0002_more")
    #expect(try Program.run(["up"], in: sandbox).code == 5)
  }

  @Test func `a migration below the last applied one must be allowed`() throws {
    let sandbox = try Sandbox.withElements([
      "Migrations/0003_later/elements.csv": "number,name\n6,Carbon\n"
    ])
    _ = try Program.run(["up"], in: sandbox)
    try sandbox.write(Sandbox.more)
    let refused = try Program.run(["up"], in: sandbox)
    #expect(refused.code == 3 && refused.errors.contains("--allow-out-of-order"))
    let allowed = try Program.run(["up", "--allow-out-of-order"], in: sandbox)
    #expect(allowed.output.hasSuffix("Applied 1 migration. Database is at 3.\n"))
  }
}
