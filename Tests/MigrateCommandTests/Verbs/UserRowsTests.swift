import Foundation
import Testing

@testable import MigrateCommand

/// `conflicts`, `verify`, `backups` and `restore` as processes.
struct UserRowsTests {
  /// The user took the key 4 before the seed came to it.
  private func taken() throws -> Sandbox {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    try sandbox.sql("INSERT INTO elements VALUES (4, 'Mine')")
    return sandbox
  }

  @Test func `a taken key is kept, logged and shown`() throws {
    let sandbox = try taken()
    let up = try Program.run(["up"], in: sandbox).masked(sandbox)
    #expect(
      up.output == """
        Backup   app.sqlite.backups/app.v1.TIME.sqlite  (SIZE, verified)
        0002 more elements   +1 added, 1 kept  (1 key taken by the user) N ms
        Applied 1 migration. Database is at 2.  1 conflict, the user's row was kept: \
        migrate conflicts

        """)
    let conflicts = try Program.run(["conflicts"], in: sandbox).masked(sandbox)
    #expect(
      conflicts
        == Outcome(
          output: """
            1  keyTaken: elements number=4  (version 2, MOMENT)
               the user's row stays; the seed's was skipped (keepUser)
                     SEED         MINE
               name  "Beryllium"  "Mine"
            1 conflict

            """))
  }

  @Test func `a row that was left to the user before is kept for that reason`() throws {
    let sandbox = try taken()
    _ = try Program.run(["up"], in: sandbox)
    try sandbox.write([
      "Migrations/0003_last/elements.update.csv":
        "number,was:name,name\n1,Hydrogen,Protium\n4,Beryllium,Glucinium\n"
    ])
    let up = try Program.run(["up", "--no-backup"], in: sandbox).masked(sandbox)
    #expect(
      up.output == """
        0003 last elements   ~1 changed, 1 kept  (1 left to the user) N ms
        Applied 1 migration. Database is at 3.

        """)
  }

  @Test func `conflicts can be forgotten`() throws {
    let sandbox = try taken()
    _ = try Program.run(["up"], in: sandbox)
    #expect(
      try Program.run(["conflicts", "--prune"], in: sandbox)
        == Outcome(output: "Forgot 1 conflict.\n"))
    #expect(try Program.run(["conflicts"], in: sandbox) == Outcome(output: "No conflicts.\n"))
  }

  @Test func `--on-taken replaceUser takes the seed`() throws {
    let sandbox = try taken()
    let outcome = try Program.run(["up", "--on-taken", "replaceUser"], in: sandbox)
    #expect(outcome.output.contains("1 conflict, the seed's value was taken"))
    #expect(try sandbox.sql("SELECT name FROM elements WHERE number = 4") == ["Beryllium"])
  }

  @Test func `--on-taken fail keeps all as it was`() throws {
    let sandbox = try taken()
    let outcome = try Program.run(["up", "--on-taken", "fail"], in: sandbox)
    #expect(outcome.code == 2 && outcome.output.isEmpty)
    #expect(try sandbox.sql("SELECT count(*) FROM elements") == ["4"])
  }

  @Test func `verify finds nothing where nothing is wrong, and changes nothing`() throws {
    let sandbox = try Sandbox.atOne()
    let before = try sandbox.contents()
    let outcome = try Program.run(["verify"], in: sandbox)
    #expect(
      outcome
        == Outcome(
          output:
            "Nothing is wrong: files and ledger agree, and the database is sound. There is no "
            + "lock: migrate lock.\n"))
    #expect(try sandbox.contents() == before)
  }

  @Test func `verify finds a file that changed`() throws {
    let sandbox = try Sandbox.atOne([
      "Migrations/0001_elements/elements.csv": "number,name\n1,X\n"
    ])
    let outcome = try Program.run(["verify"], in: sandbox)
    #expect(outcome.code == 3 && outcome.output.hasSuffix("1 finding\n"))
    let json = try Program.run(["verify", "--json"], in: sandbox)
    #expect(json.code == 3 && json.output.contains(#""findings":[{"code":"drift","message":"#))
  }

  @Test func `verify finds a ledger with a table missing, and up says what to do`() throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    try sandbox.sql("DROP TABLE seedbed_migrations")
    let found = try Program.run(["verify"], in: sandbox)
    #expect(found.code == 2 && found.output.hasSuffix("1 finding\n"))
    let up = try Program.run(["up"], in: sandbox)
    #expect(up.code == 2 && found.output.hasPrefix(up.errors))
    #expect(up.errors.hasPrefix("The ledger is broken: "))
  }

  @Test func `backups are listed and put back`() throws {
    let sandbox = try Sandbox.atOne()
    #expect(try Program.run(["backups"], in: sandbox) == Outcome(output: "No backups.\n"))
    try sandbox.write(Sandbox.more)
    _ = try Program.run(["up"], in: sandbox)
    #expect(
      try Program.run(["backups"], in: sandbox).masked(sandbox)
        == Outcome(
          output: """
            VERSION  TAKEN AT              SIZE     FILE
                  1  MOMENT  SIZE  app.sqlite.backups/app.v1.TIME.sqlite
            1 backup

            """))
    #expect(
      try Program.run(["restore"], in: sandbox).masked(sandbox)
        == Outcome(
          output: """
            Backup   app.sqlite.backups/app.v2.TIME.sqlite  (SIZE, verified)
            Restored app.sqlite.backups/app.v1.TIME.sqlite
            Database is at 1; it was at 2.

            """))
    #expect(try sandbox.sql("SELECT count(*) FROM elements") == ["3"])
  }

  @Test func `putting one back shows how far it is`() throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    _ = try Program.run(["up"], in: sandbox)
    let lines = try Program.run(["restore", "--progress", "plain"], in: sandbox).errors
      .split(separator: "\n")
    #expect(lines.first == "  0 %  restoring")
    #expect(lines.last == "100 %  restoring")
    #expect(try Program.run(["restore", "--progress", "none"], in: sandbox).errors.isEmpty)
  }

  @Test func `a backup may be named, nearly or not at all`() throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    _ = try Program.run(["up"], in: sandbox)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: sandbox.path + "/app.sqlite.backups")
    let name = try #require(names.first { $0.hasSuffix(".sqlite") })
    let misspelt = String(name.dropLast(3)) + "ite"
    let wrong = "x" + misspelt.dropFirst()
    #expect(
      try Program.run(["restore", wrong], in: sandbox).errors == """
        There is no backup '\(wrong)'. 'migrate backups' lists them. Did you mean '\(name)'?
        See 'migrate help restore'.

        """)
    #expect(try Program.run(["restore", name], in: sandbox).code == 0)
  }

  @Test func `there may be no backup to restore`() throws {
    #expect(try Program.run(["restore"], in: try Sandbox.atOne()).code == 6)
  }
}
