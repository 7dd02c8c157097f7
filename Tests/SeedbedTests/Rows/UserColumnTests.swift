import TestSupport
import Testing

@testable import Seedbed

/// A user column is at its default only if it holds what the DEFAULT makes, byte for byte.
struct UserColumnTests {
  /// As in the schema, with a value that a user may put in its place unseen.
  static let constants = [
    ("", "'x'"), ("TEXT DEFAULT ''", "' '"), ("TEXT DEFAULT (''||'')", "'x'"),
    ("TEXT DEFAULT 'draft' COLLATE NOCASE", "'DRAFT'"),
    ("TEXT DEFAULT 'draft' COLLATE RTRIM", "'draft '"), ("TEXT DEFAULT draft", "'x'"),
    ("TEXT DEFAULT \"to\"\"do\"", "'to'"), ("TEXT DEFAULT [rowid]", "'1'"),
    ("TEXT DEFAULT 5", "'5.0'"), ("TEXT DEFAULT (lower('X'))", "'X'"),
    ("TEXT DEFAULT (json_array())", "'[ ]'"), ("TEXT DEFAULT X'41'", "'A'"),
    ("TEXT DEFAULT (datetime('2020-01-01'))", "'2020-01-01'"),
    ("TEXT DEFAULT (char(0))", "''"), ("TEXT DEFAULT 'CURRENT_TIMESTAMP'", "CURRENT_TIMESTAMP"),
    ("TEXT DEFAULT \"CURRENT_TIMESTAMP\"", "CURRENT_TIMESTAMP"),
    ("INTEGER DEFAULT (- 5)", "5"), ("INTEGER DEFAULT '5'", "6"), ("INT DEFAULT (NOT 0)", "0"),
    ("INTEGER DEFAULT (5 /* x */)", "NULL"), ("INTEGER DEFAULT (5 -- x\n)", "50"),
    ("INTEGER DEFAULT 0x10", "0"), ("INTEGER NOT NULL DEFAULT (1 IS NOT NULL)", "5"),
    ("REAL DEFAULT 1", "1.5"), ("REAL DEFAULT (1.0 / 3)", "0.3333"), ("NUMERIC DEFAULT '1'", "'a'"),
    ("DEFAULT 1", "1.0"), ("DEFAULT 1", "'1'"), ("BLOB DEFAULT '1'", "X'31'"),
    ("BLOB DEFAULT (CAST('1' AS INTEGER))", "'1'"), ("DEFAULT TRUE", "5"), ("DEFAULT (true)", "2"),
    ("DEFAULT FALSE", "'mine'"), ("DEFAULT NULL", "0"),
  ]

  /// Other each time, or on each connection.
  static let open = [
    "TEXT DEFAULT CURRENT_TIMESTAMP", "TEXT DEFAULT current_date", "TEXT DEFAULT (datetime('now'))",
    "INTEGER DEFAULT (random())", "BLOB DEFAULT (randomblob(4))", "TEXT DEFAULT (- CURRENT_TIME)",
    "INTEGER DEFAULT (strftime('%s', 'now'))", "TEXT DEFAULT (coalesce(NULL, date()))",
    "INTEGER DEFAULT (last_insert_rowid())",
  ]

  private static func device(_ column: String, catalog: String = "{}") throws -> Device {
    let device = try Device([
      "catalog.json": catalog,
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT, mine \(column));",
      "0001_t/t.csv": "id,word\n1,one\n2,two\n",
      "0002_t/t.delete.csv": "id,word\n1,one\n2,two\n", "0002_t/t.csv": "id,word\n3,three\n",
    ])
    _ = try device.migrator().up(to: 1)
    return device
  }

  @Test(arguments: constants)
  func `a retired row stays if a user column is not what its DEFAULT makes, and goes if it is`(
    column: String, mine: String
  ) throws {
    let device = try Self.device(column)
    try device.run("UPDATE t SET mine = \(mine) WHERE id = 1")
    let report = try device.migrator().up()
    #expect(try device.rows("SELECT id FROM t") == ["1", "3"])
    #expect(report.migrations[0].conflicts.map(\.key) == [#"{"id":1}"#])
    // What came with the release goes with it, under the same rule.
    try device.run("UPDATE t SET mine = \(mine) WHERE id = 3")
    _ = try device.migrator().down(to: 1)
    #expect(try device.rows("SELECT id FROM t") == ["1", "2", "3"])
  }

  @Test(arguments: open)
  func `a default from the clock or from chance keeps no row, and what goes is logged`(
    column: String
  ) throws {
    let device = try Self.device(column, catalog: #"{"tables": {"t": {"onEdited": "fail"}}}"#)
    try device.run("UPDATE t SET mine = 'my note' WHERE id = 1")
    let report = try device.migrator().up()
    #expect(try device.rows("SELECT id FROM t") == ["3"])
    let conflicts = report.migrations[0].conflicts
    #expect(conflicts.map(\.kind) == [.editedRetired, .editedRetired])
    #expect(conflicts.map(\.resolution) == [.tookSeed, .tookSeed])
    #expect(conflicts.map(\.policy) == [nil, nil])
    #expect(conflicts[0].mine == #"{"id":1,"word":"one","mine":"my note"}"#)

    try device.run("UPDATE t SET mine = 'another' WHERE id = 3")
    let down = try device.migrator().down(to: 1)
    #expect(try device.rows("SELECT word FROM t WHERE id = 1 AND mine IS NOT 'my note'") == ["one"])
    #expect(try device.rows("SELECT id FROM t") == ["1", "2"])
    #expect(
      down.migrations[0].conflicts.map(\.mine) == [#"{"id":3,"word":"three","mine":"another"}"#])
  }

  @Test func `under 'ignore' such a column is nothing to log`() throws {
    let device = try Self.device(
      "TEXT DEFAULT CURRENT_TIMESTAMP", catalog: #"{"tables": {"t": {"ignore": ["mine"]}}}"#)
    try device.run("UPDATE t SET mine = 'my note' WHERE id = 1")
    #expect(try device.migrator().up().migrations[0].conflicts.isEmpty)
    #expect(try device.rows("SELECT id FROM t") == ["3"])
  }

  @Test func `a bare word refers to a parent, as a default`() throws {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE langs (code TEXT PRIMARY KEY);
      CREATE TABLE t (id INTEGER PRIMARY KEY, lang TEXT DEFAULT en REFERENCES langs (code));
      INSERT INTO langs VALUES ('en');
      """,
      "0002_t/t.csv": "id\n1\n", "0003_t/t.csv": "id\n2\n",
    ])
    _ = try device.migrator().up(to: 2)
    #expect(try device.rows("SELECT * FROM t") == ["1|en"])
    try device.run("DELETE FROM t; DELETE FROM langs")
    let report = try device.migrator().up()
    #expect(report.migrations[0].conflicts.map(\.kind) == [.parentDeleted])
  }

  /// > SQLITE_LOCKED: a DROP TABLE while another statement of the connection reads.
  @Test func `a row that breaks a rule is judged while others are read`() throws {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, low INTEGER, high INTEGER,
        fav INTEGER DEFAULT (1 - 1), CHECK (low <= high));
      """,
      "0001_t/t.csv": "id,low,high\n1,1,5\n2,1,5\n",
      "0002_t/t.update.csv": "id,low,was:low\n1,4,1\n2,4,1\n",
    ])
    _ = try device.migrator().up(to: 1)
    try device.run("UPDATE t SET high = 2, fav = 1 WHERE id = 1")
    let report = try device.migrator().up()
    #expect(report.migrations[0].conflicts.map(\.kind) == [.edited])
    #expect(try device.rows("SELECT * FROM t") == ["1|1|2|1", "2|4|5|0"])
  }

  @Test func `nothing is left of what asks SQLite`() throws {
    let device = try Self.device("TEXT DEFAULT (datetime('now'))")
    let connection = try device.open()
    for column in try connection.schema(of: "t").columns {
      _ = try connection.constantDefault(of: column)
    }
    #expect(try connection.rows("SELECT name FROM temp.sqlite_schema").isEmpty)
  }
}
