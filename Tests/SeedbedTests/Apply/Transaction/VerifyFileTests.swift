import Testing

@testable import Seedbed

/// verify.sql: every query must return no rows.
struct VerifyFileTests {
  static let files = [
    "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY, v, w);",
    "0001_t/t.csv": "a,v,w\n1,x,\n2,a text of more than forty characters in all,y\n",
  ]

  private func device(_ verify: String, json: String? = nil) throws -> Device {
    var files = Self.files
    files["0001_t/verify.sql"] = verify
    files["0001_t/migration.json"] = json
    return try Device(files)
  }

  @Test func `queries without rows pass`() throws {
    #expect(
      try device("SELECT 1 WHERE 0;\nSELECT a FROM t WHERE a > 2").up().lines
        == ["1 t +2 ~0 -0 =0 kept 0"])
  }

  @Test func `a row is the counter-example, and rolls back`() throws {
    let device = try device("-- all is well\nSELECT 1 WHERE 0;\n  SELECT * FROM t WHERE a = 1;")
    let error = try device.failure()
    #expect(error.code == .verify)
    #expect(
      error.description == """
        0001_t/verify.sql:3:3: verify.sql found a counter-example: a = 1, v = 'x', w = NULL. The \
        migration was rolled back.
        """)
    #expect(try device.dump() == [])
  }

  @Test func `long text, reals and bytes are shown in short`() throws {
    let device = try device("SELECT v, 1.5 AS \"a real\", x'0102', w FROM t WHERE a = 2")
    #expect(
      try device.failure().message == """
        verify.sql found a counter-example: v = 'a text of more than forty characters in…', \
        a real = 1.5, x'0102' = 2 bytes, w = 'y'. The migration was rolled back.
        """)
  }

  @Test func `the option warn makes notes of counter-examples and goes on`() throws {
    let device = try device(
      "SELECT a FROM t;\nSELECT w FROM t WHERE a = 1;", json: #"{"verify":"warn"}"#)
    let report = try device.up()
    #expect(
      report.notes == [
        "0001_t/verify.sql:1:1: found a counter-example: a = 1.",
        "0001_t/verify.sql:1:1: found a counter-example: a = 2.",
        "0001_t/verify.sql:2:1: found a counter-example: w = NULL.",
      ])
    #expect(try device.ledger() == ["1|applied|2|0|0|0|0"])
  }

  @Test func `it makes 20 notes at most`() throws {
    let numbers = "SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 30"
    let device = try device(
      "WITH RECURSIVE n AS (\(numbers)) SELECT i FROM n;", json: #"{"verify":"warn"}"#)
    let notes = try device.up().notes
    #expect(notes.count == 20)
    #expect(notes.last?.hasSuffix(" found a counter-example: i = 20.") == true)
  }

  @Test func `it sees what after.sql did, and the seed that it checks`() throws {
    let device = try device("SELECT n FROM (SELECT count(*) AS n FROM t) WHERE n <> 3")
    try device.write(["0001_t/after.sql": "INSERT INTO t VALUES (3, NULL, NULL);"])
    try device.up()
  }

  static let writes = [
    "DELETE FROM t", "INSERT INTO t VALUES (9, NULL, NULL)", "CREATE TABLE x (a)",
    "CREATE TEMP TABLE x (a)", "COMMIT", "PRAGMA foreign_keys", "ATTACH ':memory:' AS m",
    "DROP TABLE t", "ANALYZE", "ALTER TABLE t RENAME TO u", "ALTER TABLE t ADD COLUMN x", "REINDEX",
    "PRAGMA legacy_alter_table", "SAVEPOINT s",
    "WITH x AS (SELECT 1) UPDATE t SET v = 1",
  ]

  @Test(arguments: writes)
  func `it may only read, so it is refused to`(_ sql: String) throws {
    let device = try device("SELECT 1 WHERE 0;\n" + sql)
    let error = try device.failure()
    #expect(error.code == .sql)
    #expect(error.description == "0001_t/verify.sql:2:1: verify.sql may only read.")
    #expect(try device.dump() == [])
  }

  @Test func `VACUUM is refused in it too`() throws {
    #expect(
      try device("VACUUM").failure().description == """
        0001_t/verify.sql:1:1: VACUUM is not allowed: it cannot run in a transaction. Remove it.
        """)
  }

  static let reads = [
    "SELECT * FROM pragma_table_info('nothing')", "PRAGMA foreign_key_check",
    "PRAGMA index_list(none)", "SELECT * FROM pragma_foreign_key_list('t')",
    "SELECT key FROM t, json_each(json_array(1, 2)) WHERE key > 1",
    "SELECT version FROM seedbed_migrations WHERE version > 1",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n LIMIT 3) SELECT i FROM n "
      + "WHERE i > 9",
  ]

  @Test(arguments: reads)
  func `it may ask`(_ sql: String) throws {
    #expect(try device(sql).up().outcome == .applied)
  }
}
