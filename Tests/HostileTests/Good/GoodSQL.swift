extension GoodCase {
  private static func sql(
    _ text: String, in file: String = "up.sql", _ query: String = "SELECT 1",
    _ expected: String = "1"
  ) -> GoodCase {
    GoodCase(
      "\(file): \(text.debugDescription)", Bundle(file: file, Array(text.utf8)), query, expected)
  }

  static let sql: [GoodCase] = [
    sql(""), sql(";;;"), sql("-- nothing"), sql("/* not closed"), sql("\u{FEFF}SELECT 1"),
    sql("SELECT 'COMMIT; VACUUM; \u{1F331}';"), sql("SELECT * FROM seedbed_migrations;"),
    sql("PRAGMA table_info(items);"), sql("PRAGMA foreign_key_check;"), sql("PRAGMA optimize;"),
    sql("PRAGMA index_list(items);"), sql("PRAGMA legacy_alter_table=ON;"), sql("ANALYZE;"),
    sql("REINDEX;"),
    sql("DROP TABLE bag;", "SELECT count(*) FROM sqlite_schema WHERE name = 'bag'", "0"),
    sql("INSERT INTO bag VALUES (3, 'a;b');", "SELECT b FROM bag WHERE a = 3", "a;b"),
    sql(
      "CREATE TRIGGER t AFTER INSERT ON bag BEGIN UPDATE bag SET b = 9; SELECT 1; END;\n"
        + "INSERT INTO bag VALUES (3, 4);", "SELECT DISTINCT b FROM bag", "9"),
    sql("ALTER TABLE bag ADD COLUMN c DEFAULT 5;", "SELECT DISTINCT c FROM bag", "5"),
    sql(
      "CREATE VIRTUAL TABLE v USING fts5(a);\nINSERT INTO v VALUES ('x');", "SELECT a FROM v", "x"),
    sql(
      "CREATE TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000)"
        + " SELECT i FROM n;", "SELECT sum(i) FROM t", "500500"),
    sql(
      "UPDATE items SET note = 'by SQL' WHERE id = 10;", in: "after.sql",
      "SELECT note FROM items WHERE id = 10", "by SQL"),
    sql("SELECT 1 WHERE 0;\nSELECT id FROM items WHERE id < 0;", in: "verify.sql"),
    sql("PRAGMA foreign_key_check;", in: "verify.sql"),
    sql("SELECT words FROM search WHERE search MATCH 'nothing';", in: "verify.sql"),
    // Another program's: it runs only in `down`, or never.
    sql("COMMIT;", in: "down.sql"), sql("nonsense", in: "schema.sql"),
  ]
}
