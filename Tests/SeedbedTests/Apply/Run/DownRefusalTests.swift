import Foundation
import Testing

@testable import Seedbed

/// What cannot be taken back is refused, with the reason, before anything is touched.
struct DownRefusalTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var files: [String: String]
    /// Runs when the second release is applied.
    var then: @Sendable (Device) throws -> Void = { _ in }
    var reason: String
    var code = SeedbedError.Code.catalog

    var testDescription: String { name }
  }

  static func refused(_ migration: String, _ reason: String) -> String {
    "Migration \(migration) cannot be undone: \(reason). Nothing was changed. Restore a backup, or "
      + "ship a new migration that corrects the data."
  }

  static let overwrite = [
    "catalog.json": #"{"tables": {"elements": {"onEdited": "overwriteRow"}}}"#
  ]

  static let cases = [
    Case(
      name: "up.sql alone", files: ["0002_next/up.sql": "CREATE TABLE t (a);"],
      reason: refused("2 'next'", "it has an up.sql and no down.sql that undoes it")),
    Case(
      name: "after.sql alone", files: ["0002_next/after.sql": "CREATE TABLE t (a);"],
      reason: refused("2 'next'", "it has an after.sql and no after.down.sql that undoes it")),
    Case(
      name: "after.sql with the twin of up.sql",
      files: ["0002_next/after.sql": "CREATE TABLE t (a);", "0002_next/down.sql": "DROP TABLE t;"],
      reason: refused("2 'next'", "it has an after.sql and no after.down.sql that undoes it")),
    Case(
      name: "an update without old values",
      files: overwrite.merging([
        "0002_next/elements.update.csv": "number,symbol,name,was:name\n1,D,Deuterium,Hydrogen\n"
      ]) { $1 },
      reason: refused(
        "2 'next'",
        "elements.update.csv has no old values, so the earlier state is unknown")),
    Case(
      name: "a delete with the key alone",
      files: overwrite.merging(["0002_next/elements.delete.csv": "number\n4\n"]) { $1 },
      reason: refused(
        "2 'next'",
        "elements.delete.csv has no old values, so the earlier state is unknown")),
    Case(
      name: "a baseline", files: [:],
      then: { try $0.run("UPDATE seedbed_migrations SET state = 'baseline' WHERE version = 2") },
      reason: refused(
        "2 'next'", "a snapshot or a baseline marked it as applied; it never ran here")),
    Case(
      name: "a table with rows of users",
      files: [
        "0002_next/up.sql": "CREATE TABLE scores (id INTEGER PRIMARY KEY);",
        "0002_next/down.sql": "-- back\nDROP TABLE IF EXISTS scores;",
      ],
      then: { try $0.run("INSERT INTO scores VALUES (7)") },
      reason: "0002_next/down.sql:2:1: This DROP TABLE would delete users' rows with 'scores'. The "
        + "migration was not undone. Move them first, or discard them.",
      code: .conflict),
    Case(
      name: "a table dropped by after.down.sql",
      files: [
        "0002_next/after.sql": "CREATE TABLE scores (id INTEGER PRIMARY KEY);",
        "0002_next/after.down.sql": "DROP TABLE main.\"scores\";",
      ],
      then: { try $0.run("INSERT INTO scores VALUES (7)") },
      reason: "0002_next/after.down.sql:1:1: This DROP TABLE would delete users' rows with "
        + "'scores'. The migration was not undone. Move them first, or discard them.",
      code: .conflict),
    Case(
      name: "all rows deleted of a table with rows of users",
      files: [
        "0002_next/up.sql": "CREATE TABLE scores (id INTEGER PRIMARY KEY);",
        "0002_next/down.sql":
          "WITH x AS (SELECT 1 WHERE 1)\nDELETE FROM scores; DROP TABLE scores;",
      ],
      then: { try $0.run("INSERT INTO scores VALUES (7)") },
      reason: "0002_next/down.sql:1:1: This DELETE would delete users' rows with 'scores'. The "
        + "migration was not undone. Move them first, or discard them.",
      code: .conflict),
    Case(
      name: "a column dropped that holds values of users",
      files: [
        "0002_next/up.sql": "ALTER TABLE elements ADD COLUMN note TEXT DEFAULT 'x' COLLATE NOCASE;",
        "0002_next/down.sql": "SELECT 1;\nALTER TABLE main.elements DROP \"Note\";",
      ],
      then: { try $0.run("UPDATE elements SET note = 'X' WHERE number = 1") },
      reason: "0002_next/down.sql:2:1: This DROP COLUMN would delete users' values in 'note' of "
        + "'elements'. The migration was not undone. Move them first, or discard them.",
      code: .conflict),
    Case(
      name: "drift", files: [:],
      then: { try $0.write(["0002_next/isotopes.csv": "id,element,name\n12,20,Other\n"]) },
      reason: "0002_next: Migration 2 (next) was changed after it was applied: its checksum is ",
      code: .drift),
    Case(
      name: "a missing folder", files: [:],
      then: {
        try $0.remove("0002_next")
        try $0.write(["0009_later/elements.csv": "number\n90\n"])
      },
      reason: "Migration 2 (next) is in the ledger, but not in the catalog. Put its folder back.",
      code: .missing),
    Case(
      name: "a newer database", files: [:], then: { try $0.remove("0002_next") },
      reason: "The database is at 2, newer than this catalog, which ends at 1. Use the program "
        + "that migrated it, or a newer one.", code: .newer),
    Case(
      name: "a down.sql that fails",
      files: [
        "0002_next/up.sql": "SELECT 1;", "0002_next/down.sql": "SELECT 1;\nDROP TABLE none;",
      ],
      reason: "0002_next/down.sql:2:1: SQLite error 1: no such table: none.", code: .sql),
    Case(
      name: "a down.sql that commits",
      files: ["0002_next/up.sql": "SELECT 1;", "0002_next/down.sql": "COMMIT;"],
      reason: "0002_next/down.sql:1:1: ", code: .sql),
  ]

  @Test(arguments: cases) func `refused, with the reason`(_ c: Case) throws {
    try check(c, more: [:], to: 1)
  }

  @Test(arguments: cases) func `and when later versions could be taken back`(_ c: Case) throws {
    // A catalog without the second has no place for a third.
    if c.code == .newer { return }
    try check(
      c, more: ["0003_more/elements.csv": "number,symbol\n30,Zn\n31,Ga\n"], to: 1)
  }

  private func check(_ c: Case, more: [String: String], to version: Version) throws {
    let device = try Releases.atFirst(
      c.files.merging(more) { $1 },
      user: "UPDATE elements SET name = 'Mine' WHERE number = 1;")
    try device.up()
    try c.then(device)
    let before = try device.bytes()
    let files = try FileManager.default.subpathsOfDirectory(atPath: device.path)
    let error = #expect(throws: SeedbedError.self) { try device.down(to: version) }
    let found = try #require(error)
    #expect(found.description.hasPrefix(c.reason), "\(found)")
    #expect(found.code == c.code)
    #expect(found.isDatabaseUnchanged && found.applied.isEmpty)
    #expect(try device.bytes() == before)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: device.path) == files)
  }

  @Test func `rows of users go where the app says so`() throws {
    let device = try Device(Releases.first)
    try device.up()
    try device.run("INSERT INTO elements (number) VALUES (9); INSERT INTO notes VALUES (1, 9)")
    #expect(throws: SeedbedError.self) { try device.down(to: 0) }
    #expect(
      try device.migrator().down(to: 0, discardsUserRows: true).lines == [
        "1 elements +0 ~0 -4 =0 kept 0", "1 isotopes +0 ~0 -2 =0 kept 0",
      ])
    #expect(try device.dump() == [])
    #expect(try device.up().to == 1)
  }

  /// What takes nothing of users, and what it says where nobody can tell.
  static let passing: [(String, String, String, String, [String])] = [
    ("an empty table", "CREATE TABLE s (a);", "", "DELETE FROM s; DROP TABLE s;", []),
    (
      "some rows", "CREATE TABLE s (a); INSERT INTO s VALUES (1), (2);", "INSERT INTO s VALUES (2)",
      "DELETE FROM s WHERE a = 1;\nDELETE FROM s WHERE a = 9;\nDELETE FROM s WHERE a > 1;",
      [
        "0002_next/down.sql:1:1: deleted 1 row of 's'; users' rows may be among them.",
        "0002_next/down.sql:3:1: deleted 2 rows of 's'; users' rows may be among them.",
      ]
    ),
    (
      "a column that nobody set", "ALTER TABLE elements ADD COLUMN note DEFAULT none;", "",
      "ALTER TABLE elements DROP COLUMN note;", []
    ),
    (
      "a column that only the seed set",
      "ALTER TABLE notes ADD COLUMN shown AS (id + 1);", "", "ALTER TABLE notes DROP shown;", []
    ),
    (
      "a column of the clock",
      "CREATE TABLE s (a, b DEFAULT CURRENT_TIMESTAMP); INSERT INTO s (a) VALUES (1);", "",
      "ALTER TABLE s DROP COLUMN b; DELETE FROM s WHERE a = 1; DROP TABLE s;",
      [
        "0002_next/down.sql:1:1: users' values may be lost with the column 'b' of 's'.",
        "0002_next/down.sql:1:30: deleted 1 row of 's'; users' rows may be among them.",
      ]
    ),
    (
      "children that go by a foreign key",
      "CREATE TABLE s (a PRIMARY KEY); CREATE TABLE c (b REFERENCES s (a) ON DELETE CASCADE);",
      "INSERT INTO c VALUES (NULL)", "DELETE FROM s;", []
    ),
  ]

  @Test(arguments: passing) func `taken back, with a note where that cannot be told`(
    name: String, up: String, user: String, down: String, notes: [String]
  ) throws {
    let device = try Releases.atFirst(["0002_next/up.sql": up, "0002_next/down.sql": down])
    try device.up()
    try device.run(user)
    let report = try device.down(to: 1)
    #expect(report.outcome == .reverted)
    #expect(report.notes == notes)
  }

  @Test func `nothing is noted where users' rows may go`() throws {
    let device = try Releases.atFirst([
      "0002_next/up.sql": "CREATE TABLE s (a);",
      "0002_next/down.sql": "DELETE FROM s WHERE a = 1; DELETE FROM s; DROP TABLE s;",
    ])
    try device.up()
    try device.run("INSERT INTO s VALUES (1), (2)")
    #expect(try device.migrator().down(to: 1, discardsUserRows: true).notes == [])
  }

  @Test func `a logged conflict of an insert is no reason`() throws {
    let device = try Releases.atFirst(
      user: "INSERT INTO elements (number, symbol) VALUES (20, 'X'), (51, 'Sc')")
    try device.up()
    #expect(try device.down(to: 1).outcome == .reverted)
  }

  @Test func `pruned conflicts are no reason`() throws {
    let device = try Releases.atFirst(user: "UPDATE elements SET name = 'Mine' WHERE number = 1")
    try device.up()
    #expect(try device.migrator().pruneConflicts() == 1)
    #expect(try device.down(to: 1).outcome == .reverted)
  }

  @Test func `no version, no database, no lock`() throws {
    let device = try Device(Releases.both)
    #expect(throws: SeedbedError.self) { try device.down(to: 0) }
    #expect(!FileManager.default.fileExists(atPath: device.database))
    try device.up()
    let unknown = #expect(throws: SeedbedError.self) { try device.down(to: 7) }
    #expect(unknown?.code == .usage)
    #expect(
      unknown?.description
        == "There is no migration 7 to go down to; the database is at 2. List the migrations.")
    device.options.lockTimeout = .seconds(0)
    let other = try device.open()
    try other.execute("BEGIN IMMEDIATE")
    let busy = #expect(throws: SeedbedError.self) { try device.down(to: 1) }
    #expect(busy?.code == .busy)
    try other.execute("ROLLBACK")
  }
}
