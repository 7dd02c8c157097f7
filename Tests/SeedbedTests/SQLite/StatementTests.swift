import Testing

@testable import Seedbed

@Suite struct StatementTests {
  private let connection: Connection

  init() throws { connection = try Connection(":memory:", .memory, setup: nil) }

  @Test(
    arguments: [
      (.null, "null"), (.integer(.min), "integer"), (.integer(.max), "integer"),
      (.real(-0.5), "real"),
      (.real(.leastNonzeroMagnitude), "real"), (.text(""), "text"), (.text("ä\0€😀"), "text"),
      (.invalidText([0x61, 0xE9]), "text"), (.blob([]), "blob"), (.blob([0, 1, 255]), "blob"),
    ] as [(Value, String)]) func `a value goes in and comes out`(_ value: Value, _ type: String)
    throws
  {
    #expect(try connection.rows("SELECT ?1, typeof(?1)", [value]) == [[value, .text(type)]])
  }

  @Test func `a statement runs again with other values`() throws {
    try connection.execute("CREATE TABLE t (a, b)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?, ?)")
    try insert.run([1, "x"])
    try insert.run([2, .null])
    try insert.run([3])
    // What is not bound again keeps its value.
    #expect(try connection.rows("SELECT * FROM t") == [[1, "x"], [2, .null], [3, .null]])
    #expect(connection.changes == 1)
  }

  @Test func `a failure leaves the statement ready`() throws {
    try connection.execute("CREATE TABLE t (a UNIQUE)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?)")
    try insert.run([1])
    #expect(throws: SQLiteFailure.self) { try insert.run([1]) }
    try insert.run([2])
    #expect(try connection.value("SELECT count(*) FROM t") == 2)
  }

  @Test func `columns are read by their number`() throws {
    let statement = try connection.prepare("SELECT 7 AS a, NULL AS \"b c\", 'x', 1.5")
    #expect(try statement.step())
    let count = statement.columnCount
    #expect(count == 4)
    #expect(statement.columnName(1) == "b c")
    #expect(statement.integer(0) == 7)
    #expect(statement.isNull(1) && !statement.isNull(0))
    #expect(statement.text(2) == "x")
    #expect(statement.values(from: 1) == [.null, "x", .real(1.5)])
    #expect(try !statement.step())
  }

  @Test func `a statement says whether it writes`() throws {
    try connection.execute("CREATE TABLE t (a)")
    let reads = try connection.prepare("SELECT * FROM t")
    let readsOnly = reads.isReadOnly
    #expect(readsOnly)
    let writes = try connection.prepare("DELETE FROM t")
    let (writesNot, sql) = (writes.isReadOnly, writes.sql)
    #expect(!writesNot)
    #expect(sql == "DELETE FROM t")
  }

  @Test(arguments: [
    ("plain", "\"plain\""), ("", "\"\""), ("a\"b", "\"a\"\"b\""), ("\"", "\"\"\"\""),
    ("select", "\"select\""), ("größe 1", "\"größe 1\""), ("a'b`[c]", "\"a'b`[c]\""),
  ]) func `an identifier is quoted as`(_ name: String, _ quoted: String) throws {
    #expect(name.quoted == quoted)
    if !name.isEmpty {
      try connection.execute("CREATE TABLE \(quoted) (\(quoted))")
      #expect(try connection.rows("SELECT name FROM sqlite_schema") == [[.text(name)]])
    }
  }

  @Test(arguments: ["", "plain", "a'b", "'", "''", "ä\"", "two\nlines"])
  func `a literal is the text that was quoted`(_ text: String) throws {
    #expect(try connection.value("SELECT \(text.quotedLiteral)") == .text(text))
  }

  @Test func `names are listed between commas`() {
    #expect(["a", "b\"c"].quotedList == "\"a\", \"b\"\"c\"")
    #expect([String]().quotedList.isEmpty)
  }
}
