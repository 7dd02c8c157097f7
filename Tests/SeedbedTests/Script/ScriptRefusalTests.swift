import Testing

@testable import Seedbed

/// What SQL files may not do, with the whole text of each refusal.
@Suite struct ScriptRefusalTests {
  private let connection: Connection

  init() throws {
    connection = try Connection(":memory:", .memory, setup: nil)
    try connection.configureForWriting(foreignKeys: true)
    try connection.executeAll(
      """
      CREATE TABLE seedbed_migrations (version INTEGER PRIMARY KEY, name);
      CREATE INDEX ledger_index ON seedbed_migrations (name);
      CREATE TRIGGER ledger_trigger AFTER INSERT ON seedbed_migrations BEGIN SELECT 1; END;
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent REFERENCES parent ON DELETE CASCADE);
      CREATE TABLE other (a);
      """)
  }

  static let rules = Authorizer.Rules.script(
    ledgerTables: ["seedbed_migrations"], protectedTables: ["parent"])

  private func run(_ sql: String, _ rules: Authorizer.Rules = rules) -> String? {
    let script = Script(name: "0001_a/up.sql", bytes: Array(sql.utf8))
    do {
      try connection.execute("BEGIN IMMEDIATE")
      defer { connection.rollBack() }
      try script.run(on: connection, rules: { _ in rules })
      return nil
    } catch {
      return RowText.words(error)
    }
  }

  struct Refusal: CustomTestStringConvertible {
    var sql: String
    var words: String
    var place = "1:1"
    var testDescription: String { sql }
  }

  private static func transaction(_ sql: String, _ word: String) -> Refusal {
    Refusal(
      sql: sql,
      words: "A migration is already one transaction: remove the \(word) statement.")
  }

  static let transactions: [Refusal] = [
    transaction("BEGIN", "BEGIN"), transaction("begin immediate;", "BEGIN"),
    transaction("COMMIT", "COMMIT"), transaction("END", "COMMIT"),
    transaction("COMMIT TRANSACTION;", "COMMIT"), transaction("ROLLBACK", "ROLLBACK"),
    transaction("SAVEPOINT a", "SAVEPOINT"), transaction("RELEASE a", "RELEASE"),
    transaction("ROLLBACK TO a", "ROLLBACK"),
  ]

  static let files: [Refusal] =
    [
      Refusal(
        sql: "ATTACH 'x.db' AS x", words: "ATTACH is not allowed: one migration, one file."),
      Refusal(sql: "DETACH x", words: "DETACH is not allowed: one migration, one file."),
    ]
    + ["VACUUM", "vacuum;", "VACUUM main", "VACUUM INTO 'x.db'"].map {
      Refusal(sql: $0, words: "VACUUM is not allowed: it cannot run in a transaction. Remove it.")
    }

  static let pragmas: [Refusal] = [
    "foreign_keys", "defer_foreign_keys", "journal_mode", "synchronous", "user_version",
    "application_id", "writable_schema", "recursive_triggers", "encoding", "page_size",
    "auto_vacuum", "wal_checkpoint", "integrity_check", "quick_check", "table_list", "cache_size",
    "locking_mode", "temp_store", "mmap_size", "ignore_check_constraints", "schema_version",
    "secure_delete", "trusted_schema", "query_only", "max_page_count", "incremental_vacuum",
  ].map {
    Refusal(
      sql: "PRAGMA \($0)=1",
      words: "PRAGMA \($0) is not allowed; only foreign_key_check, index_list, legacy_alter_table, "
        + "optimize, table_info.")
  }

  private static let ledgerWords =
    "The ledger belongs to Seedbed; SQL files may only read it."

  static let ledger: [Refusal] = [
    "INSERT INTO seedbed_migrations VALUES (1, 'x')",
    "INSERT INTO main.\"SEEDBED_Migrations\" VALUES (1, 'x')",
    "REPLACE INTO seedbed_migrations VALUES (1, 'x')",
    "UPDATE seedbed_migrations SET name = 'x'", "DELETE FROM seedbed_migrations",
    "WITH w AS (SELECT 1) INSERT INTO seedbed_migrations SELECT 1, 'x' FROM w",
    "DROP TABLE seedbed_migrations", "DROP TABLE IF EXISTS seedbed_migrations",
    "ALTER TABLE seedbed_migrations RENAME TO mine",
    "ALTER TABLE seedbed_migrations ADD COLUMN mine",
    "ALTER TABLE seedbed_migrations DROP COLUMN name",
    "ALTER TABLE seedbed_migrations RENAME COLUMN name TO mine",
    "CREATE INDEX i ON seedbed_migrations (name)", "DROP INDEX ledger_index",
    "CREATE TRIGGER t AFTER INSERT ON seedbed_migrations BEGIN SELECT 1; END",
    "CREATE TEMP TRIGGER t AFTER INSERT ON main.seedbed_migrations BEGIN SELECT 1; END",
    "DROP TRIGGER ledger_trigger", "CREATE TEMP TABLE seedbed_migrations (a)",
    "CREATE TEMP VIEW seedbed_migrations AS SELECT 1",
  ].map { Refusal(sql: $0, words: ledgerWords) }

  private static let dropWords =
    "DROP TABLE 'parent' is refused while foreign keys are on: other tables refer to it, and "
    + "dropping it would delete or change their rows. Set \"foreignKeys\": \"off\" in "
    + "migration.json, or drop those tables first."

  static let drops: [Refusal] = [
    "DROP TABLE parent", "drop table if exists \"parent\"", "DROP TABLE main.[parent]",
  ].map { Refusal(sql: $0, words: dropWords) }

  /// The statement's first byte is the place, wherever it stands.
  static let places: [Refusal] = [
    Refusal(sql: "\u{FEFF}COMMIT", words: transactions[2].words, place: "1:1"),
    Refusal(sql: "SELECT 1;\n\n  COMMIT;", words: transactions[2].words, place: "3:3"),
    Refusal(sql: "SELECT 1; COMMIT", words: transactions[2].words, place: "1:11"),
    Refusal(
      sql: "-- a comment\n/* and\nanother */ COMMIT", words: transactions[2].words,
      place: "3:12"),
    Refusal(sql: "SELECT ';\n;';\nVACUUM", words: files[2].words, place: "3:1"),
    Refusal(sql: "SELECT 'ä';/**/VACUUM", words: files[2].words, place: "1:17"),
    Refusal(
      sql: "CREATE TABLE n (a);\nCREATE TRIGGER t AFTER INSERT ON n BEGIN\n"
        + "  DELETE FROM other; SELECT 1;\nEND;\nATTACH 'x' AS y", words: files[0].words,
      place: "5:1"),
    Refusal(
      sql: "CREATE TRIGGER t AFTER INSERT ON other BEGIN\n  DELETE FROM seedbed_migrations;\nEND;\n"
        + "INSERT INTO other VALUES (1)", words: ledgerWords, place: "4:1"),
  ]

  @Test(arguments: transactions + files + pragmas + ledger + drops + places)
  func `a SQL file may not`(_ test: Refusal) {
    #expect(run(test.sql) == "sql 0001_a/up.sql:\(test.place): \(test.words)")
  }

  /// Some statements look up their pragma only while they run.
  @Test func `a pragma is refused as a table too`() {
    #expect(
      run("SELECT 1;\nSELECT * FROM pragma_user_version")
        == "sql 0001_a/up.sql:2:1: PRAGMA user_version is not allowed; only foreign_key_check, "
        + "index_list, legacy_alter_table, optimize, table_info.")
  }

  @Test(arguments: [
    "", ";;;", "-- nothing", "/* nothing", "/**/", "SELECT 1", "SELECT * FROM seedbed_migrations",
    "PRAGMA table_info(other)", "PRAGMA index_list(other)", "PRAGMA foreign_key_check",
    "PRAGMA legacy_alter_table=ON", "PRAGMA main.foreign_key_check(child)", "PRAGMA optimize",
    "SELECT * FROM pragma_table_info('other')", "DROP TABLE other", "DROP TABLE child",
    "CREATE TABLE n (a); INSERT INTO n VALUES (1); DROP TABLE n",
    "ALTER TABLE other RENAME TO another", "CREATE TEMP TABLE n (a)", "ANALYZE", "REINDEX",
    "CREATE TABLE committed (rollback, \"begin\")", "SELECT 'VACUUM'", "CREATE TABLE vacuumed (a)",
    "CREATE TABLE r (seedbed_migrations); UPDATE r SET seedbed_migrations = 1",
    "CREATE VIEW v AS SELECT * FROM seedbed_migrations", "EXPLAIN SELECT 1",
    "CREATE TABLE b (a PRIMARY KEY) WITHOUT ROWID; DROP TABLE b",
    // If the table has rows, SQLite runs PRAGMA quick_check for this.
    "INSERT INTO other VALUES (1); "
      + "ALTER TABLE other ADD COLUMN q INTEGER NOT NULL DEFAULT 9 CHECK (q > 1)",
  ]) func `a SQL file may`(_ sql: String) {
    #expect(run(sql) == nil)
  }

  /// Their modules run statements and pragmas of their own behind ours.
  @Test(arguments: [
    """
    CREATE VIRTUAL TABLE f USING fts5(a, content='other', content_rowid='rowid');
    INSERT INTO f (f) VALUES ('rebuild');
    INSERT INTO f (f) VALUES ('optimize');
    INSERT INTO f (f) VALUES ('integrity-check');
    """,
    """
    CREATE VIRTUAL TABLE f USING fts4(a);
    INSERT INTO f VALUES ('x');
    INSERT INTO f (f) VALUES ('rebuild');
    SELECT * FROM f WHERE f MATCH 'x';
    """,
    """
    CREATE VIRTUAL TABLE f USING rtree(id, a, b);
    INSERT INTO f VALUES (1, 2, 3);
    SELECT * FROM f WHERE a > 1;
    DROP TABLE f;
    """,
    """
    CREATE VIRTUAL TABLE f USING fts5(a);
    INSERT INTO f VALUES ('x y');
    SELECT * FROM f WHERE f MATCH 'y';
    ALTER TABLE f RENAME TO g;
    DROP TABLE g;
    """,
  ]) func `a SQL file may use virtual tables`(_ sql: String) {
    #expect(run(sql) == nil)
  }

  @Test(arguments: [rules, .readOnly]) func `the schema's own table is SQLite's to write`(
    _ rules: Authorizer.Rules
  ) {
    #expect(
      run("UPDATE sqlite_schema SET sql = ''", rules)
        == "sql 0001_a/up.sql:1:1: SQLite error 1: table sqlite_master may not be modified.")
  }

  // MARK: verify.sql

  @Test(arguments: [
    "INSERT INTO other VALUES (1)", "UPDATE other SET a = 1", "DELETE FROM other",
    "CREATE TABLE n (a)", "CREATE TEMP TABLE n (a)", "CREATE VIEW v AS SELECT 1",
    "CREATE INDEX i ON other (a)", "DROP TABLE other", "DROP INDEX ledger_index",
    "ALTER TABLE other RENAME TO n", "ANALYZE", "REINDEX", "PRAGMA user_version=1",
    "PRAGMA optimize", "PRAGMA legacy_alter_table=1", "BEGIN", "COMMIT", "SAVEPOINT s",
    "ATTACH 'x' AS y", "PRAGMA page_size=512", "PRAGMA journal_mode",
    "DELETE FROM other WHERE 0", "REPLACE INTO parent VALUES (1)",
    "CREATE TABLE IF NOT EXISTS other (a)", "DROP TABLE IF EXISTS none",
    "INSERT INTO parent VALUES (1) RETURNING id",
    "CREATE VIRTUAL TABLE f USING fts5(a)",
    "CREATE TRIGGER t AFTER INSERT ON other BEGIN SELECT 1; END",
    "INSERT INTO other SELECT 1 WHERE 0",
  ]) func `verify.sql may not write`(_ sql: String) {
    #expect(
      run("SELECT 1;\n\(sql)", .readOnly) == "sql 0001_a/up.sql:2:1: verify.sql may only read.")
  }

  @Test(arguments: [
    "SELECT * FROM other",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5) "
      + "SELECT * FROM n WHERE i > 9", "PRAGMA foreign_key_check", "PRAGMA table_info(other)",
    "SELECT * FROM pragma_foreign_key_check", "SELECT * FROM seedbed_migrations", "VALUES (1)",
    "SELECT count(*) FROM parent JOIN child ON parent = parent.id", "EXPLAIN QUERY PLAN SELECT 1",
  ]) func `verify.sql may read`(_ sql: String) {
    #expect(run(sql, .readOnly) == nil)
  }

  /// A module's own statements and pragmas come when its table is first used.
  @Test(arguments: [
    "SELECT * FROM f5 WHERE f5 MATCH 'y'", "SELECT * FROM f4 WHERE f4 MATCH 'y'",
    "SELECT * FROM box WHERE a > 2", "SELECT * FROM json_each('[]')",
    "SELECT * FROM pragma_table_info('none')", "SELECT * FROM pragma_foreign_key_check",
  ]) func `verify.sql may use virtual tables`(_ sql: String) throws {
    let file = try ScratchFile(named: "t.sqlite")
    do {
      let writer = try Connection(file.path, .readWrite, setup: nil)
      try writer.executeAll(
        """
        CREATE VIRTUAL TABLE f5 USING fts5(a); INSERT INTO f5 VALUES ('x');
        CREATE VIRTUAL TABLE f4 USING fts4(a); INSERT INTO f4 VALUES ('x');
        CREATE VIRTUAL TABLE box USING rtree(id, a, b); INSERT INTO box VALUES (1, 2, 3);
        """)
    }
    let fresh = try Connection(file.path, .readWrite, setup: nil)
    try fresh.configureForWriting(foreignKeys: true)
    let script = Script(name: "0001_a/verify.sql", bytes: Array(sql.utf8))
    try script.run(
      on: fresh, rules: { _ in .readOnly },
      onRow: { statement, _ in Issue.record("a row: \(statement.values())") })
  }
}
