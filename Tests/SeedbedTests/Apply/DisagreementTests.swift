import Foundation
import Testing

@testable import Seedbed

/// Where catalog and ledger disagree, through `up`, `status` and `verify`.
struct DisagreementTests {
  static let files = [
    "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY, v TEXT);\n",
    "0001_t/t.csv": "a,v\n1,x\n", "0002_more/t.csv": "a,v\n2,y\n",
    "0003_most/t.csv": "a,v\n3,z\n", "0003_most/after.sql": "SELECT 1;\n",
  ]

  struct Case: CustomTestStringConvertible {
    var name: String
    /// Files to write again, and those to remove.
    var change: [String: String] = [:]
    var gone: [String] = []
    var code: SeedbedError.Code
    var error: String
    var state: Migrator.Status.State

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "rows that changed", change: ["0002_more/t.csv": "a,v\n2,other\n"], code: .drift,
      error: """
        0002_more: Migration 2 (more) was changed after it was applied: its checksum is \
        sha256:…, the ledger has sha256:…. Put its files back as they were, and ship the \
        change as a new migration.
        """, state: .drifted),
    Case(
      name: "SQL that changed, in two",
      change: [
        "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY);",
        "0003_most/after.sql": "SELECT 2;\n",
      ], code: .drift,
      error: """
        0001_t: Migration 1 (t) was changed after it was applied: its checksum is sha256:…, the \
        ledger has sha256:…. The same holds for 3 (most). Put its files back as they were, and \
        ship the change as a new migration.
        """, state: .drifted),
    Case(
      name: "CRLF in a CSV file", change: ["0002_more/t.csv": "a,v\r\n2,y\r\n"], code: .drift,
      error: """
        0002_more: Migration 2 (more) was changed after it was applied: its files differ from what \
        was applied only by line endings, LF or CRLF, which git converts on some systems. Put \
        '*.csv text eol=lf' into .gitattributes, and check the files out again.
        """, state: .drifted),
    Case(
      name: "CRLF in both kinds of file",
      change: [
        "0003_most/t.csv": "a,v\r\n3,z\r\n", "0003_most/after.sql": "SELECT 1;\r\n",
      ], code: .drift,
      error: """
        0003_most: Migration 3 (most) was changed after it was applied: its files differ from what \
        was applied only by line endings, LF or CRLF, which git converts on some systems. Put \
        '*.sql text eol=lf' and '*.csv text eol=lf' into .gitattributes, and check the files out \
        again.
        """, state: .drifted),
    Case(
      name: "a folder that is gone", gone: ["0002_more"], code: .missing,
      error: "Migration 2 (more) is in the ledger, but not in the catalog. Put its folder back.",
      state: .missing),
    Case(
      name: "a folder that is gone, and another that changed",
      change: ["0001_t/t.csv": "a,v\n"], gone: ["0002_more"], code: .drift,
      error: """
        0001_t: Migration 1 (t) was changed after it was applied: its checksum is sha256:…, the \
        ledger has sha256:…. Put its files back as they were, and ship the change as a new \
        migration.
        """, state: .drifted),
    Case(
      name: "a database that is newer",
      gone: ["0003_most", "0002_more"], code: .newer,
      error: """
        The database is at 3, newer than this catalog, which ends at 1. Use the program that \
        migrated it, or a newer one.
        """, state: .newer),
    Case(
      name: "a database that another catalog took further",
      change: ["0001_t/t.csv": "a,v\n"], gone: ["0003_most", "0002_more"], code: .drift,
      error: """
        Another catalog migrated this database: it is at 3, and its migration 1 (t) is not the one \
        of this catalog, which ends at 1. Use the catalog that made this database.
        """, state: .drifted),
  ]

  private func masked(_ text: String) -> String {
    text.replacing(/sha256:[0-9a-f]{6}…/, with: "sha256:…")
  }

  @Test(arguments: cases, [true, false])
  func `up refuses`(_ example: Case, _ isLocked: Bool) throws {
    let device = try Device(Self.files)
    try device.up()
    try device.write(example.change)
    for file in example.gone { try device.remove(file) }
    try device.write(["0009_new/up.sql": "CREATE TABLE new (a);"])
    if example.gone.count == 2 { try device.remove("0009_new") }
    if isLocked { try device.lock() }
    let before = try device.dump()
    let error = try device.failure()
    #expect(error.code == example.code)
    #expect(masked(error.description) == example.error)
    #expect(error.applied == [])
    #expect(error.isDatabaseUnchanged)
    #expect(try device.dump() == before)
    #expect(try device.rows("SELECT count(*) FROM seedbed_runs") == ["1"])
    #expect(try device.migrator().status().state == example.state)
    #expect(try device.migrator().verify().map(\.code).contains(example.code))
  }

  static let harmless: [[String: String]] = [
    ["0001_t/down.sql": "DROP TABLE t;"], ["0001_t/verify.sql": "SELECT 1;"],
    ["0001_t/migration.json": #"{"description":"The first"}"#],
    ["0001_t/schema.sql": "CREATE TABLE t (a);"], ["0003_most/after.down.sql": "SELECT 1;"],
    ["catalog.json": #"{"tables":{"t":{"onTaken":"fail"}}}"#],
    ["0001_t/.DS_Store": "x"], ["data/t.csv": "a\n"],
  ]

  @Test(arguments: harmless)
  func `this is no drift:`(_ files: [String: String]) throws {
    let device = try Device(Self.files)
    try device.up()
    try device.write(files)
    #expect(try device.up().outcome == .upToDate)
    #expect(try device.migrator().verify() == [])
  }

  @Test func `a folder that was put back is told from a lock that was not`() throws {
    let device = try Device(Self.files)
    try device.lock()
    try device.up()
    try device.write(["0002_more/t.csv": "a,v\n2,other\n"])
    try device.lock()
    try device.write(["0002_more/t.csv": Self.files["0002_more/t.csv"] ?? ""])
    let error = #expect(throws: SeedbedError.self) { try device.migrator(locked: true).up() }
    #expect(
      error?.description == "0002_more: Its files are as they were when it was applied, but "
        + "seedbed.lock names others. Write the lock again.")
    #expect(error?.code == .drift)
    try device.lock()
    #expect(try device.migrator(locked: true).up().outcome == .upToDate)
  }

  @Test func `a folder may be renamed, and keeps its number`() throws {
    let device = try Device(Self.files)
    try device.up()
    try FileManager.default.moveItem(
      atPath: device.catalog + "/0002_more", toPath: device.catalog + "/2_better-words")
    #expect(try device.up().outcome == .upToDate)
    #expect(try device.migrator().status().migrations[1].name == "better-words")
  }

  static let targets: [(Version, String)] = [
    (7, "There is no migration 7 in this catalog, which goes from 1 to 3."),
    (0, "There is no migration 0 in this catalog, which goes from 1 to 3."),
    (
      1,
      "The database is already at 2, and 'up' only goes forward. Undo the later ones."
    ),
  ]

  @Test(arguments: targets)
  func `up cannot go to`(_ target: Version, _ message: String) throws {
    let device = try Device(Self.files)
    try device.up(to: 2)
    let error = try device.failure(to: target)
    #expect(error.code == .usage)
    #expect(error.message == message)
  }

  @Test func `a failure in the third tells that two are applied`() throws {
    var files = Self.files
    files["0003_most/t.csv"] = "a,v\n3\n"
    let device = try Device(files)
    let error = try device.failure()
    #expect(error.code == .csv)
    #expect(error.applied == [1, 2])
    #expect(error.version == 3)
    #expect(!error.isDatabaseUnchanged)
    #expect(
      error.description == """
        0003_most/t.csv:2:2: found 1 field, expected 2. Every record needs a value, even an empty \
        one, for each header column.
        """)
    #expect(try device.migrator().status().state == .pending)
  }
}
