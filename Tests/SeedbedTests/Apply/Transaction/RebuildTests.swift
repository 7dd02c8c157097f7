import Testing

@testable import Seedbed

/// Tables that up.sql rebuilds or drops, with foreign keys on and off.
struct RebuildTests {
  static let app = """
    CREATE TABLE elements (number INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE notes (
      id INTEGER PRIMARY KEY, element INTEGER REFERENCES elements (number) ON DELETE CASCADE);
    INSERT INTO elements VALUES (1, 'Hydrogen'), (2, 'Helium');
    INSERT INTO notes VALUES (10, 1), (11, 2), (12, NULL);
    """
  static let rebuild = """
    CREATE TABLE fresh (number INTEGER PRIMARY KEY, name TEXT NOT NULL, symbol TEXT);
    INSERT INTO fresh (number, name) SELECT number, name FROM elements;
    DROP TABLE elements;
    ALTER TABLE fresh RENAME TO elements;
    """
  static let off = #"{"foreignKeys":"off"}"#

  @Test func `dropping a table that others refer to is refused with foreign keys on`() throws {
    let device = try Device(["0001_rebuild/up.sql": Self.rebuild], app: Self.app)
    let before = try device.dump()
    let error = try device.failure()
    #expect(error.code == .sql)
    #expect(
      error.description == """
        0001_rebuild/up.sql:3:1: DROP TABLE 'elements' is refused while foreign keys are on: other \
        tables refer to it, and dropping it would delete or change their rows. Set "foreignKeys": \
        "off" in migration.json, or drop those tables first.
        """)
    #expect(try device.dump() == before)
  }

  static let drops = [
    "drop table if exists ELEMENTS", "DROP TABLE main.elements;",
    "/* x */DROP/**/TABLE\"elements\"",
  ]

  @Test(arguments: drops)
  func `however it is written`(_ sql: String) throws {
    let error = try Device(["0001_x/up.sql": sql], app: Self.app).failure()
    #expect(error.message.hasPrefix("DROP TABLE 'elements' is refused while foreign keys are on"))
  }

  @Test func `tables that nobody refers to may be dropped, children before parents too`() throws {
    let device = try Device(
      ["0001_drop/up.sql": "DROP TABLE tree; DROP TABLE notes;\nDROP TABLE elements;"],
      app: Self.app + "CREATE TABLE tree (id INTEGER PRIMARY KEY, up REFERENCES tree (id));"
        + "INSERT INTO tree VALUES (1, NULL), (2, 1);")
    try device.up()
    #expect(try device.dump() == [])
  }

  @Test func `with foreign keys off the table is rebuilt and the children stay`() throws {
    let device = try Device(
      [
        "0001_rebuild/up.sql": Self.rebuild, "0001_rebuild/migration.json": Self.off,
        "0001_rebuild/elements.csv": "number,name,symbol\n3,Lithium,Li\n",
      ], app: Self.app)
    #expect(try device.up().lines == ["1 elements +1 ~0 -0 =0 kept 0"])
    #expect(try device.rows("SELECT * FROM notes") == ["10|1", "11|2", "12|NULL"])
    #expect(try device.rows("SELECT number FROM elements") == ["1", "2", "3"])
  }

  @Test func `foreign keys are on again in the next migration`() throws {
    let device = try Device(
      [
        "0001_rebuild/up.sql": Self.rebuild, "0001_rebuild/migration.json": Self.off,
        "0002_gone/up.sql": "DELETE FROM elements WHERE number = 1;",
      ], app: Self.app)
    try device.up()
    // The app said CASCADE, and this is the author's own SQL.
    #expect(try device.rows("SELECT id FROM notes") == ["11", "12"])
  }

  struct Violation: CustomTestStringConvertible {
    var name: String
    /// Rows that refer to nothing before the migration.
    var orphans = ""
    var sql: String
    /// nil where nothing is wrong.
    var error: String?

    var testDescription: String { name }
  }

  static func message(_ rows: String) -> String {
    "\(rows) of 'notes' would refer to rows of 'elements' that do not exist. The migration was "
      + "rolled back."
  }

  static let violations = [
    Violation(name: "a row that leaves no orphan", sql: "DELETE FROM notes WHERE element = 2"),
    Violation(
      name: "a new orphan", sql: "DELETE FROM elements WHERE number = 2", error: message("1 row")),
    Violation(
      name: "two", sql: "DELETE FROM elements", error: message("2 rows")),
    Violation(
      name: "old orphans are not reported", orphans: "(20, 77), (21, 77), (22, 78)",
      sql: "DELETE FROM notes WHERE element = 2; DELETE FROM elements WHERE number = 2"),
    Violation(
      name: "a new one beside old ones", orphans: "(20, 77), (21, 77)",
      sql: "DELETE FROM elements WHERE number = 2", error: message("1 row")),
    Violation(
      name: "a new one while an old one is mended", orphans: "(20, 77)",
      sql: "DELETE FROM notes WHERE id = 20; DELETE FROM elements WHERE number = 2",
      error: message("1 row")),
    Violation(
      name: "an old one that moves to another missing row", orphans: "(20, 77)",
      sql: "UPDATE notes SET element = 78 WHERE id = 20", error: message("1 row")),
    Violation(
      name: "another row that refers to what was missing before", orphans: "(20, 77)",
      sql: "UPDATE notes SET element = 77 WHERE id = 11", error: message("1 row")),
    Violation(
      name: "old orphans whose table is rebuilt", orphans: "(20, 77)",
      sql: """
        CREATE TABLE fresh (
          id INTEGER PRIMARY KEY, element INTEGER REFERENCES elements (number), more TEXT);
        INSERT INTO fresh (id, element) SELECT id + 100, element FROM notes ORDER BY id DESC;
        DROP TABLE notes;
        ALTER TABLE fresh RENAME TO notes;
        """),
    Violation(
      name: "old orphans whose column is renamed", orphans: "(20, 77)",
      sql: "ALTER TABLE notes RENAME COLUMN element TO number"),
    Violation(
      name: "old orphans that get their parent", orphans: "(20, 77)",
      sql: "INSERT INTO elements VALUES (77, 'Iridium')"),
  ]

  @Test(arguments: violations)
  func `with foreign keys off`(_ example: Violation) throws {
    let device = try Device(
      ["0001_x/up.sql": example.sql, "0001_x/migration.json": Self.off], app: Self.app)
    device.mayHoldOrphans = true
    if !example.orphans.isEmpty { try device.run("INSERT INTO notes VALUES \(example.orphans)") }
    guard let message = example.error else {
      try device.up()
      return
    }
    let before = try device.dump()
    let error = try device.failure()
    #expect(error.code == .foreignKey)
    #expect(error.message == message)
    #expect(try device.dump() == before)
  }

  @Test func `with foreign keys on SQLite's own check at COMMIT names a row`() throws {
    let device = try Device(
      ["0001_x/up.sql": "INSERT INTO notes VALUES (20, 77);"], app: Self.app)
    let error = try device.failure()
    #expect(error.code == .foreignKey)
    #expect(
      error.message == """
        The SQL of this migration leaves rows that refer to rows that do not exist. One is a row \
        of 'notes' whose row of 'elements' is missing. The migration was rolled back.
        """)
    #expect(error.version == 1)
    #expect(try device.ledger() == [])
  }

  @Test func `an old orphan that is mended does not hide a missing parent of ours`() throws {
    // SQLite keeps one counter: minus one for 77, plus one for 99 would let the COMMIT pass.
    let device = try Device(
      [
        "0001_x/up.sql": "DELETE FROM notes WHERE id = 20;",
        "0001_x/notes.csv": "id,element\n30,99\n31,1\n",
      ], app: Self.app)
    try device.run("INSERT INTO notes VALUES (20, 77)")
    #expect(try device.up().lines == ["1 notes +1 ~0 -0 =0 kept 1"])
    #expect(try device.rows("SELECT id FROM notes") == ["10", "11", "12", "31"])
  }

  @Test func `old orphans are nobody's business with foreign keys on`() throws {
    let device = try Device(
      ["0001_x/notes.csv": "id,element\n30,1\n"], app: Self.app)
    device.mayHoldOrphans = true
    try device.run("INSERT INTO notes VALUES (20, 77)")
    #expect(try device.up().lines == ["1 notes +1 ~0 -0 =0 kept 0"])
  }
}
