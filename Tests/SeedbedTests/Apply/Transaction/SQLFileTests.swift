import Foundation
import Testing

@testable import Seedbed

/// What up.sql, after.sql and verify.sql may contain.
struct SQLFileTests {
  struct Case: CustomTestStringConvertible {
    var sql: String
    var error: String

    var testDescription: String { sql.replacing("\n", with: " ") }
  }

  static let transaction = "A migration is already one transaction: remove the"
  static let ledger = "The ledger belongs to Seedbed; SQL files may only read it."
  static let ofSeedbed =
    ", which belongs to Seedbed. Drop the trigger, or change it so that it does not touch the "
    + "ledger."
  static let pragmas =
    "is not allowed; only foreign_key_check, index_list, legacy_alter_table, optimize, table_info."
  static let vacuum = "VACUUM is not allowed: it cannot run in a transaction. Remove it."

  static let refusals = [
    Case(sql: "BEGIN", error: "1:1: \(transaction) BEGIN statement."),
    Case(sql: "SELECT 1;\n\n  COMMIT;", error: "3:3: \(transaction) COMMIT statement."),
    Case(sql: "-- why\nEND", error: "2:1: \(transaction) COMMIT statement."),
    Case(sql: "/* why */ ROLLBACK", error: "1:11: \(transaction) ROLLBACK statement."),
    Case(sql: "SAVEPOINT x", error: "1:1: \(transaction) SAVEPOINT statement."),
    Case(sql: "RELEASE x", error: "1:1: \(transaction) RELEASE statement."),
    Case(
      sql: "ATTACH ':memory:' AS x", error: "1:1: ATTACH is not allowed: one migration, one file."),
    Case(sql: "DETACH x", error: "1:1: DETACH is not allowed: one migration, one file."),
    Case(sql: "VACUUM", error: "1:1: " + vacuum),
    Case(sql: ";;\n vacuum INTO 'x.sqlite'", error: "2:2: " + vacuum),
    Case(sql: "PRAGMA foreign_keys = OFF", error: "1:1: PRAGMA foreign_keys \(pragmas)"),
    Case(sql: "PRAGMA user_version = 3", error: "1:1: PRAGMA user_version \(pragmas)"),
    Case(sql: "PRAGMA page_size = 512", error: "1:1: PRAGMA page_size \(pragmas)"),
    Case(
      sql: "SELECT 1; SELECT * FROM pragma_journal_mode",
      error: "1:11: PRAGMA journal_mode \(pragmas)"),
    Case(sql: "DELETE FROM seedbed_conflicts", error: "1:1: " + ledger),
    Case(sql: "INSERT INTO Seedbed_Applying VALUES (3)", error: "1:1: " + ledger),
    Case(sql: "UPDATE seedbed_migrations SET chain = ''", error: "1:1: " + ledger),
    Case(sql: "DROP TABLE seedbed_runs", error: "1:1: " + ledger),
    Case(sql: "ALTER TABLE seedbed_runs RENAME TO own", error: "1:1: " + ledger),
    Case(sql: "ALTER TABLE seedbed_runs ADD COLUMN mine", error: "1:1: " + ledger),
    Case(sql: "CREATE INDEX own ON seedbed_runs (id)", error: "1:1: " + ledger),
    Case(
      sql: "CREATE TRIGGER mine AFTER INSERT ON seedbed_runs BEGIN SELECT 1; END",
      error: "1:1: " + ledger),
    Case(
      sql: "CREATE TEMP TRIGGER mine AFTER INSERT ON main.seedbed_runs BEGIN SELECT 1; END",
      error: "1:1: " + ledger),
    Case(
      sql: """
        CREATE TABLE t (a);
        CREATE TRIGGER sly AFTER INSERT ON t BEGIN DELETE FROM seedbed_runs; END;
        INSERT INTO t VALUES (1);
        """, error: "2:1: The trigger 'sly' writes 'seedbed_runs'" + ofSeedbed),
    Case(
      sql: "CREATE VIEW v AS SELECT 1 AS a; CREATE TRIGGER sly INSTEAD OF INSERT ON v"
        + " BEGIN INSERT INTO seedbed_applying VALUES (9); END;\nINSERT INTO v VALUES (1)",
      error: "1:33: The trigger 'sly' writes 'seedbed_applying'" + ofSeedbed),
    Case(
      sql: "CREATE TABLE t (a);\nSELEC 1;",
      error: #"2:1: SQLite error 1: near "SELEC": syntax error."#),
    Case(
      sql: "CREATE TABLE t (a);\n\nINSERT INTO t\nVALUES (unknown);",
      error: "4:9: SQLite error 1: no such column: unknown."),
    Case(
      sql: "\u{FEFF}SELECT\n  * FROM missing",
      error: "1:1: SQLite error 1: no such table: missing."),
    Case(
      sql: "CREATE TABLE t (a UNIQUE);\nINSERT INTO t VALUES (1),\n (1);",
      error: "2:1: SQLite error 19: UNIQUE constraint failed: t.a."),
    Case(sql: "SELECT 'open", error: #"1:8: SQLite error 1: unrecognized token: "'open"."#),
    Case(
      sql: "CREATE TABLE t (a);\nINSERT INTO t VALUES ('\u{0}');",
      error: "2:24: Found a NUL byte. SQL files are text."),
    Case(
      sql: "SELECT app_function(1)",
      error: "1:8: The database needs something that its app provides: no such function: "
        + "app_function. Register it in onConnection, or apply the "
        + "migrations on the app's own handle, with up(on:)."),
    Case(
      sql: "SELECT load_extension('x')",
      error: AppHandle.canLoadExtensions
        ? "1:1: SQLite error 1: not authorized."
        : "1:8: The database needs something that its app provides: no such function: "
          + "load_extension. Register it in onConnection, or apply the "
          + "migrations on the app's own handle, with up(on:)."),
    Case(
      sql: "DELETE FROM sqlite_schema",
      error: "1:1: SQLite error 1: table sqlite_master may not be modified."),
  ]

  @Test(arguments: refusals, ["up.sql", "after.sql"])
  func `a SQL file is refused`(_ example: Case, _ file: String) throws {
    let device = try Device(
      ["0001_t/\(file)": example.sql], app: "CREATE TABLE mine (a); INSERT INTO mine VALUES (7);")
    let before = try device.dump()
    let error = try device.failure()
    #expect(error.description == "0001_t/\(file):" + example.error)
    #expect(error.version == 1)
    #expect(error.isDatabaseUnchanged)
    #expect(try device.dump() == before)
    #expect(try device.ledger() == [])
  }

  @Test func `a file that is not UTF-8 is refused at its place`() throws {
    let device = try Device()
    try device.write(
      "0001_t/up.sql", Data("SELECT 1;\nSELECT 'caf".utf8) + [0xE9] + Data("';".utf8))
    #expect(
      try device.failure().description
        == "0001_t/up.sql:2:12: This is not UTF-8. Save the file as UTF-8.")
  }

  static let allowed = [
    "", "-- nothing but words", "/* open", ";;;", "SELECT 1", "SELECT ';' -- ; \n;",
    "PRAGMA table_info(mine)", "PRAGMA main.index_list('mine')", "PRAGMA foreign_key_check",
    "PRAGMA optimize", "SELECT name FROM pragma_table_info('mine')", "ANALYZE", "REINDEX",
    "SELECT count(*) FROM seedbed_migrations", "CREATE TEMP TABLE scratch AS SELECT * FROM mine",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT * FROM n",
    "CREATE VIEW v AS SELECT * FROM mine; DROP VIEW v", "EXPLAIN SELECT 1",
    "CREATE TRIGGER g AFTER INSERT ON mine BEGIN SELECT 1; SELECT 2; END; DROP TRIGGER g;",
    "CREATE TABLE t AS SELECT * FROM mine; ALTER TABLE t RENAME a TO b; "
      + "ALTER TABLE t DROP COLUMN c;",
    "CREATE INDEX i ON mine (lower(a)); DROP INDEX i; DROP TABLE mine;",
    "\u{FEFF}\r\nCREATE TABLE t (a);\r\nINSERT INTO t VALUES ('a\r\nb');\r\n",
  ]

  @Test(arguments: allowed)
  func `a SQL file may say`(_ sql: String) throws {
    let device = try Device(
      ["0001_t/up.sql": sql], app: "CREATE TABLE mine (a, c); INSERT INTO mine VALUES (7, 8);")
    #expect(try device.up().outcome == .applied)
  }

  @Test func `a long file is run in a time that follows its length`() throws {
    let rows = (1...20_000).map { "INSERT INTO t VALUES (\($0), 'some words for the row');\n" }
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (a, b);\n" + rows.joined()])
    let started = Clock.monotonic()
    try device.up()
    // Counting lines from the start for each statement took 40 times as long.
    #expect(Clock.monotonic() - started < 8)
    #expect(try device.rows("SELECT count(*) FROM t") == ["20000"])
  }

  @Test func `legacy_alter_table ends with its file`() throws {
    // With it on, renaming a table leaves the views that name it alone.
    let device = try Device([
      "0001_t/up.sql": """
      PRAGMA legacy_alter_table = ON;
      CREATE TABLE a (x); CREATE VIEW v AS SELECT x FROM a;
      ALTER TABLE a RENAME TO b; CREATE TABLE a (x);
      """,
      "0001_t/after.sql": "CREATE TABLE c (x); CREATE VIEW w AS SELECT x FROM c;",
      "0002_t/up.sql": "ALTER TABLE c RENAME TO d;",
    ])
    try device.up()
    #expect(
      try device.rows("SELECT sql FROM sqlite_schema WHERE type = 'view' ORDER BY name")
        == ["CREATE VIEW v AS SELECT x FROM a", "CREATE VIEW w AS SELECT x FROM \"d\""])
  }

  @Test func `after.sql sees the rows, and its tables count as touched`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY); CREATE TABLE total (n);",
      "0001_t/t.csv": "a\n1\n2\n",
      "0001_t/after.sql": "INSERT INTO total SELECT count(*) FROM t;",
    ])
    #expect(try device.up().touchedTables == ["t", "total"])
    #expect(try device.rows("SELECT n FROM total") == ["2"])
  }

  @Test func `an app's setting and version stay its own`() throws {
    let device = try Device(
      ["0001_t/up.sql": "CREATE TABLE t (a);"],
      app: "PRAGMA user_version = 42; PRAGMA application_id = 7; CREATE TABLE mine (a);")
    try device.up()
    #expect(try device.rows("PRAGMA user_version") == ["42"])
    #expect(try device.rows("PRAGMA application_id") == ["7"])
    #expect(try device.rows("PRAGMA journal_mode") == ["delete"])
  }

  @Test func `a TEMP table of the same name does not shadow the target`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY); CREATE TEMP TABLE t (a);",
      "0001_t/t.csv": "a\n1\n",
    ])
    try device.up()
    #expect(try device.rows("SELECT * FROM t") == ["1"])
  }
}
