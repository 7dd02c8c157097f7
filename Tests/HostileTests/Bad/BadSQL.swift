import TestSupport

extension BadCase {
  static let sql = transactions + files + pragmas + ledger + drops + text_ + errors + verify

  /// The place is where the marker stands.
  private static func bad(
    _ text: String, in file: String = "up.sql", code: String = "sql", name: String? = nil
  ) -> BadCase {
    let parts = text.split(separator: "▸", omittingEmptySubsequences: false)
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    let place = "\(lines.count):\((lines.last?.utf8.count ?? 0) + 1)"
    return .file(
      file, name ?? "\(file): \(text.debugDescription)", parts.joined(), "\(code) \(place)")
  }

  private static let transactions =
    [
      "▸BEGIN", "▸BEGIN IMMEDIATE;", "▸begin exclusive transaction;", "▸COMMIT;",
      "▸commit transaction",
      "▸END;", "▸ROLLBACK;", "▸ROLLBACK TO here;", "▸SAVEPOINT here;", "▸RELEASE here;",
      "SELECT 1;\n  ▸COMMIT;", "/* a comment\n */ ▸ROLLBACK;", "-- COMMIT\n▸COMMIT;", ";;▸COMMIT",
      "CREATE TABLE t (a);▸COMMIT;BEGIN", "/**/▸COMMIT",
      "\u{C}▸COMMIT",
    ].map { bad($0) } + ["▸COMMIT", "SELECT 1; ▸END"].map { bad($0, in: "after.sql") }

  private static let files = [
    "▸ATTACH 'other.db' AS other;", "▸attach database ':memory:' AS m;", "▸DETACH main;",
    "▸VACUUM;",
    "▸vacuum main", "▸VACUUM INTO '/tmp/copy.db';", "SELECT 1;\n▸VACUUM",
    "▸EXPLAIN ATTACH 'other.db' AS other;",
  ].map { bad($0) }

  private static let pragmas =
    [
      "foreign_keys=OFF", "defer_foreign_keys=0", "writable_schema=1", "journal_mode=OFF",
      "synchronous=OFF", "locking_mode=EXCLUSIVE", "user_version=5", "application_id=5",
      "schema_version=5", "trusted_schema=1", "recursive_triggers=1", "ignore_check_constraints=1",
      "temp_store_directory='/tmp'", "encoding='UTF-16'", "page_size=512", "auto_vacuum=1",
      "incremental_vacuum", "wal_checkpoint", "cache_spill=0", "mmap_size=1000000000",
      "hard_heap_limit=1", "threads=8", "case_sensitive_like=1", "reverse_unordered_selects=1",
      "integrity_check", "query_only=1", "read_uncommitted=1", "secure_delete=0",
      "max_page_count=5",
      "busy_timeout=0", "database_list", "cell_size_check=0",
    ].map { bad("▸PRAGMA \($0);") } + [bad("▸SELECT * FROM pragma_user_version;")]

  private static let ledger = [
    "▸CREATE TABLE seedbed_migrations (version);", "▸CREATE VIEW seedbed_runs AS SELECT 1;",
    "▸INSERT INTO seedbed_applying VALUES (9);", "▸DELETE FROM seedbed_runs;",
    "▸UPDATE seedbed_runs SET outcome = 'applied';", "▸DROP TABLE seedbed_migrations;",
    "▸DROP TABLE IF EXISTS main.\"SEEDBED_MIGRATIONS\";",
    "▸ALTER TABLE seedbed_runs RENAME TO mine;", "▸ALTER TABLE seedbed_runs ADD COLUMN mine;",
    "▸CREATE INDEX i ON seedbed_runs (outcome);",
    "▸CREATE TRIGGER t AFTER INSERT ON seedbed_runs BEGIN SELECT 1; END;",
    "▸CREATE TEMP TABLE seedbed_migrations (version);",
    "▸WITH w AS (SELECT 1) DELETE FROM seedbed_conflicts;",
    "▸REPLACE INTO seedbed_left_to_user VALUES ('items', '1', 'keyTaken', 1);",
    "SELECT 1;\n▸CREATE TRIGGER t AFTER INSERT ON bag BEGIN DELETE FROM seedbed_runs; END;",
  ].map { bad($0) }

  /// It would delete from the table first, and every user's row that refers to it would follow.
  private static let drops = [
    "▸DROP TABLE items;", "▸drop table if exists main.[items]",
    "SELECT 1;\n ▸DROP TABLE \"items\";",
  ].map { bad($0) }

  private static let text_: [BadCase] = [
    .file(
      "up.sql", "SQL in Latin-1", Array("SELECT '".utf8) + [0xE4] + Array("';".utf8), "sql 1:9"),
    .file("up.sql", "SQL with a NUL", "SELECT 1;\n\0SELECT 2;", "sql 2:1"),
    .file("up.sql", "SQL with a NUL in a string", "SELECT 'a\0b';", "sql 1:10"),
    .file("up.sql", "SQL in UTF-16", [0x53, 0, 0x45, 0, 0x4C, 0], "sql 1:2"),
    .file("up.sql", "SQL in UTF-16, marked", [0xFF, 0xFE, 0x53, 0], "sql 1:1"),
    .file("after.sql", "SQL with an overlong letter", [0xC1, 0x81], "sql 1:1"),
    .file("up.sql", "gzip called up.sql", Gzip("SELECT 1;").bytes, "sql 1:2"),
  ]

  /// Where SQLite tells no byte, the place is the statement's first.
  private static let errors =
    [
      "▸SELECT 1 FROM itemss;", "▸SELEC 1;",
      "SELECT 1;\nSELECT\n  ▸nothing;", "▸.mode csv", "▸\\d items", "SELECT (1▸;", "SELECT ▸'open;",
      "SELECT ▸\"open;", "CREATE TABLE ▸items (a);",
      "▸INSERT INTO nowhere VALUES (1);", "▸INSERT INTO bag (a, c) VALUES (1, 2);",
      "SELECT 'a' 'b' ▸'c';", "▸GO\n",
      "DROP TABLE ▸nothing;", "▸CREATE TABLE t (a INT PRIMARY KEY, b INT PRIMARY KEY);",
      "▸CREATE TRIGGER t AFTER INSERT ON bag BEGIN SELECT 1;", "SELECT 1 ▸SELECT 2;",
      "▸SELECT load_extension('x');",
    ].map { bad($0) }
    + [bad("SELECT ▸no_such_function(1);", code: "needsConnection")]

  private static let verify =
    [
      "▸INSERT INTO bag VALUES (1, 1);", "▸DELETE FROM bag;", "▸UPDATE bag SET a = 1;",
      "▸DROP TABLE bag;", "▸CREATE TABLE t (a);", "▸CREATE TEMP TABLE t (a);", "▸COMMIT;",
      "▸PRAGMA user_version=1;", "▸ATTACH 'x' AS x;", "▸VACUUM;", "▸ANALYZE;", "▸REINDEX;",
      "▸ALTER TABLE bag ADD COLUMN c;", "SELECT 1 WHERE 0;\n▸REPLACE INTO bag VALUES (1, 1);",
      "▸INSERT INTO bag VALUES (1, 1) RETURNING a;",
    ].map { bad($0, in: "verify.sql") }
    + [
      "▸SELECT 1;", "SELECT 1 WHERE 0;\n▸SELECT id FROM items;", "▸VALUES (1);",
      "▸SELECT NULL;", "-- all is well\n\n  ▸SELECT name FROM items LIMIT 1;",
    ].map { bad($0, in: "verify.sql", code: "verify", name: "a counter-example: \($0)") }
}
