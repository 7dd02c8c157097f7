import Foundation
import Testing

@testable import MigrateCommand

/// `migrate down` as a process.
struct DownCommandTests {
  @Test func `the files are read backwards, after a backup`() throws {
    let sandbox = try Sandbox.toldStory()
    let before = try sandbox.rows()
    _ = try Program.run(["up", "--no-backup"], in: sandbox)
    #expect(
      try Program.run(["down", "--to", "1"], in: sandbox).masked(sandbox)
        == Outcome(
          output: """
            Backup   app.sqlite.backups/app.v2.TIME.sqlite  (SIZE, verified)
            0002 next elements   ~2 changed, 2 unchanged, 2 kept  (1 edited by the user, 2 left to \
            the user) N ms
                      isotopes   2 unchanged
            Reverted 1 migration. Database is at 1.  1 conflict, the user's edit was kept: migrate \
            conflicts

            """))
    #expect(try sandbox.rows() == before)
  }

  @Test func `the document of --json, whole`() throws {
    let sandbox = try Sandbox.withElements([
      "Migrations/0002_more/elements.csv": "number,name\n4,Beryllium\n5,Boron\n"
    ])
    _ = try Program.run(["up"], in: sandbox)
    try sandbox.sql("UPDATE elements SET name = 'Mine' WHERE number = 5")
    let outcome = try Program.run(["down", "--to", "1", "--no-backup", "--json"], in: sandbox)
    #expect(
      outcome.masked(sandbox)
        == Outcome(
          output: #"""
            {"schema":1,"database":"~/app.sqlite","from":2,"to":1,"backup":null,\#
            "outcome":"reverted","migrations":[{"version":2,"name":"more","durationMs":N,\#
            "tables":[{"table":"elements","inserted":0,"updated":0,"deleted":1,"unchanged":0,\#
            "kept":1}],"conflicts":[{"id":1,"version":2,"table":"elements","key":{"number":5},\#
            "kind":"editedRetired","policy":"keepEdits","resolution":"keptUser","movedTo":null,\#
            "base":{"number":5,"name":"Boron"},"mine":{"number":5,"name":"Mine"},"seed":null,\#
            "at":"MOMENT","settled":null,"settledAt":null}],"conflictCount":1}],\#
            "touchedTables":["elements"]}

            """#))
    #expect(!sandbox.exists("app.sqlite.backups"))
    #expect(
      try Program.run(["down", "--to", "1", "--json"], in: sandbox).masked(sandbox)
        == Outcome(
          output: #"""
            {"schema":1,"database":"~/app.sqlite","from":1,"to":1,"backup":null,\#
            "outcome":"upToDate","migrations":[],"touchedTables":[]}

            """#))
    #expect(
      try Program.run(["down", "--to", "1"], in: sandbox)
        == Outcome(output: "Nothing to do. Database is at 1.\n"))
  }

  @Test func `--to must be given`() throws {
    let outcome = try Program.run(["down"], in: try Sandbox.atOne())
    #expect(
      outcome
        == Outcome(
          errors: """
            'down' needs '--to N'. It is the version to go back to: 'migrate status' lists them, \
            and 0 undoes everything.
            See 'migrate help down'.

            """, code: 64))
    #expect(
      try Program.run(["down", "3"], in: try Sandbox.atOne()).errors.hasPrefix(
        "'down' takes no operand '3'. Did you mean '--to 3'?"))
  }

  @Test func `what cannot be taken back is refused, and nothing is touched`() throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    _ = try Program.run(["up", "--no-backup"], in: sandbox)
    let before = try sandbox.contents()
    let message =
      "Migration 1 'elements' cannot be undone: it has an up.sql and no down.sql that undoes it. "
      + "Nothing was changed. Restore a backup, or ship a new migration that corrects the data."
    #expect(
      try Program.run(["down", "--to", "0"], in: sandbox)
        == Outcome(errors: message + "\n", code: 2))
    #expect(
      try Program.run(["down", "--to", "0", "--json"], in: sandbox)
        == Outcome(
          output: #"""
            {"schema":1,"error":{"code":"catalog","message":"\#(message)","file":null,\#
            "line":null,"column":null,"version":1},"databaseUnchanged":true,"applied":[]}

            """#, code: 2))
    #expect(try sandbox.contents() == before)
  }

  @Test func `tables with rows of users are dropped only where it is said`() throws {
    let sandbox = try Sandbox.toldStory()
    _ = try Program.run(["up", "--no-backup"], in: sandbox)
    let before = try sandbox.contents()
    #expect(
      try Program.run(["down", "--to", "0"], in: sandbox)
        == Outcome(
          errors: """
            Migrations/0001_base/down.sql:1:1: This DROP TABLE would delete users' rows with \
            'notes'. The migration was not undone. Move them first, or discard them: \
            --discard-user-rows.

            """, code: 2))
    #expect(try sandbox.contents() == before)
    let outcome = try Program.run(["down", "--to", "0", "--discard-user-rows"], in: sandbox)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("\nReverted 2 migrations. Database is at 0.  4 conflicts"))
    let tables = "SELECT name FROM sqlite_schema WHERE name NOT GLOB 's*_*' AND type = 'table'"
    #expect(try sandbox.sql(tables) == [])
  }

  @Test func `what was taken back before an error is said`() throws {
    var files = Sandbox.more
    files["Migrations/0001_elements/down.sql"] = "DROP TABLE elements; DROP TABLE missing;"
    files["Migrations/0001_elements/migration.json"] = #"{"foreignKeys": "off"}"#
    let sandbox = try Sandbox.withElements(files)
    _ = try Program.run(["up", "--no-backup"], in: sandbox)
    let outcome = try Program.run(["down", "--to", "0", "--no-backup"], in: sandbox)
    #expect(
      outcome.errors.hasSuffix(
        "no such table: missing.\nTaken back before that: 2. See 'migrate status'.\n"), "\(outcome)"
    )
    let status = try Program.run(["status"], in: sandbox)
    #expect(status.output.hasPrefix("app.sqlite is at 1 of 2\n"), "\(status)")
  }

  typealias Case = Named<[String], (code: Int32, errors: String)>

  static let failures: [Case] = [
    Case(
      "an unknown version", ["--to", "7"],
      (
        64,
        """
        There is no migration 7 to go down to; the database is at 2. List the migrations: \
        migrate status.
        See 'migrate help down'.

        """
      )),
    Case(
      "no number", ["--to", "one"],
      (
        64,
        """
        Option '--to' takes a whole number from 0, not 'one'.
        See 'migrate help down'.

        """
      )),
    Case(
      "no database", ["--to", "1", "--database", "none.sqlite"],
      (
        2,
        """
        There is no database at 'none.sqlite'. Name it with --database PATH; only 'migrate up' \
        creates one.

        """
      )),
  ]

  @Test(arguments: failures) func `a mistake is named`(_ c: Case) throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    _ = try Program.run(["up", "--no-backup"], in: sandbox)
    let before = try sandbox.contents()
    #expect(
      try Program.run(["down"] + c.given, in: sandbox)
        == Outcome(errors: c.expected.errors, code: c.expected.code))
    #expect(try sandbox.contents() == before)
  }

  @Test func `drift, missing, newer and busy have their exit codes`() throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    _ = try Program.run(["up", "--no-backup"], in: sandbox)
    let busy = try sandbox.whileLocked {
      try Program.run(["down", "--to", "1", "--lock-timeout", "0.05"], in: sandbox)
    }
    #expect(busy.code == 4)
    try sandbox.write(["Migrations/0002_more/elements.csv": "number,name\n4,X\n"])
    #expect(try Program.run(["down", "--to", "1"], in: sandbox).code == 3)
    try FileManager.default.removeItem(atPath: sandbox.path + "/Migrations/0002_more")
    #expect(try Program.run(["down", "--to", "1"], in: sandbox).code == 5)
    try sandbox.write(["Migrations/0003_later/elements.csv": "number,name\n6,Carbon\n"])
    #expect(try Program.run(["down", "--to", "1"], in: sandbox).code == 3)
  }

  @Test func `the first half of its help`() throws {
    #expect(
      try Program.run(["down", "--help"], in: try Sandbox()).output.hasPrefix(
        """
        Usage:
          migrate down [options]

        Undoes every migration above N, the newest first, each in one transaction. Rows
        and values of users stay. Values that a policy overwrote do not come back: they
        are in the log of conflicts and in the backup. The database is backed up before
        the first change. If something cannot be undone, nothing is changed; only if a
        migration needs "foreignKeys": "off", those above it may already be undone.

        Examples:
          migrate down --to 3                 undo everything above version 3
          migrate down --to 0                 undo everything
          migrate down --to 1 --discard-user-rows
                                              and discard users' rows and values
          migrate down --to 3 --each tenants/ --canary 10
                                              many databases, ten of them first

        Options:
          --to N               the version to go back to; 0 takes everything back
                               (required)
          --discard-user-rows  let down.sql drop or empty tables and columns that hold
                               users' data
          --no-backup          do not back up the database first

        """))
  }
}

extension Sandbox {
  fileprivate func rows() throws -> [String] {
    try sql("SELECT number || symbol || name || favourite FROM elements ORDER BY number")
      + sql("SELECT id || ' ' || element FROM isotopes ORDER BY id")
      + sql("SELECT id || ' ' || element FROM notes ORDER BY id")
  }
}
