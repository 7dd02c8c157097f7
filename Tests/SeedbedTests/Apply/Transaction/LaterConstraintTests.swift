import Testing

@testable import Seedbed

/// SQL that makes a constraint which rows of users break: whose rows they are, and what to do.
struct LaterConstraintTests {
  static let reason =
    " If a new database takes this SQL, rows that a user added or changed are in its way"
  static let remedy =
    ", or withdraw the migration, and ship one whose SQL changes such rows first."

  private func failure(_ sql: String, file: String = "up.sql") throws -> SeedbedError {
    let device = try Device([
      "0001_a/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE, b INTEGER);",
      "0001_a/t.csv": "id,a,b\n1,one,1\n2,two,2\n", "0002_b/\(file)": sql,
    ])
    try device.up(to: 1)
    try device.run("INSERT INTO t VALUES (10, 'ONE', 1), (11, 'two', 3), (12, NULL, NULL)")
    let before = try device.rows("SELECT * FROM t")
    let error = try device.failure()
    #expect(try device.rows("SELECT * FROM t") == before)
    return error
  }

  static let rows: [(sql: String, rows: String)] = [
    (
      "SELECT 1;\n  CREATE UNIQUE INDEX i ON t (a); SELECT 2;",
      #"4 rows of 't' have values in ("a") that another has, {"id":1}, {"id":10}, {"id":2}, "#
        + #"{"id":11}"#
    ),
    (
      "-- why\n  CREATE UNIQUE INDEX IF NOT EXISTS main.i ON t (\"b\", a DESC);",
      #"2 rows of 't' have values in ("b", "a") that another has, {"id":1}, {"id":10}"#
    ),
  ]

  @Test(arguments: rows.indices, ["up.sql", "after.sql"])
  func `rows that a UNIQUE index refuses are named`(_ index: Int, _ file: String) throws {
    let error = try failure(Self.rows[index].sql, file: file)
    #expect(error.code == .constraint && error.place?.line == 2 && error.place?.column == 3)
    let words = "\(Self.reason): \(Self.rows[index].rows). Change or remove the user's"
    #expect(error.message.hasSuffix(words + Self.remedy), "\(error)")
  }

  @Test(arguments: [
    "CREATE UNIQUE INDEX i ON t (lower(a))", "CREATE UNIQUE INDEX i ON t (a) WHERE id > 0",
    "CREATE TABLE n (id INTEGER PRIMARY KEY, a TEXT NOT NULL); INSERT INTO n SELECT id, a FROM t",
  ])
  func `other constraints are users' rows, too`(_ sql: String) throws {
    let error = try failure(sql)
    #expect(error.code == .constraint)
    #expect(
      error.message.hasSuffix(Self.reason + ". Change or remove them" + Self.remedy), "\(error)")
  }
}
