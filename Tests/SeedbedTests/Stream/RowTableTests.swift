import TestSupport
import Testing

@testable import Seedbed

@Suite struct RowTableTests {
  private let connection: Connection

  init() throws { connection = try Connection(":memory:", .memory, setup: nil) }

  private static let all = "SELECT * FROM \(RowTable.name.quoted)"

  private func reader(
    _ file: ScratchFile, types: [String], locked: LockedFile? = nil, host: Host = .real
  ) throws -> RowReader {
    let reader = try RowReader(
      try file.open(host: host), place: file.name, isCompressed: file.name.hasSuffix(".gz"),
      locked: locked)
    reader.decoders = try types.map(RowText.decoder)
    return reader
  }

  /// Runs `sql` against the rows of a file; throws what the table failed with.
  @discardableResult
  private func run(
    _ sql: String, _ file: ScratchFile, types: [String], locked: LockedFile? = nil,
    host: Host = .real
  ) throws -> RowReader.Totals {
    let declared = types.map { $0.hasPrefix("BLOB") ? "" : $0 }
    let rows = try RowTable(
      try reader(file, types: types, locked: locked, host: host), types: declared, on: connection)
    do {
      try connection.execute(sql)
    } catch {
      throw rows.failure ?? error
    }
    return rows.totals
  }

  /// What the table `t` holds, each value as an SQL literal.
  private func stored() throws -> [String] {
    let columns = try connection.rows("SELECT name FROM pragma_table_info('t')").compactMap {
      $0[0].text
    }
    let list = columns.map { "quote(\($0.quoted))" }.joined(separator: "||' '||")
    return try connection.rows("SELECT \(list) FROM t ORDER BY rowid").compactMap { $0[0].text }
  }

  // MARK: values

  static let valueTypes = ["INTEGER", "REAL", "TEXT", "BLOB hex", "BLOB base64", "DATE"]
  static let values = """
    i,r,t,h,b,d
    1,1.5,text,00ff,AAEC,2026-11-20
    -9223372036854775808,-1e-300,"a ""quoted"" word",DEADBEEF,/w==,12
    9223372036854775807,1e300,"",,"",""
    ,,,"",,
    0,0.1,"two
    lines",61,YQ==,1.25

    """
  static let storedValues = [
    "1 1.5 'text' X'00FF' X'000102' '2026-11-20'",
    "-9223372036854775808 -1.0e-300 'a \"quoted\" word' X'DEADBEEF' X'FF' 12",
    "9223372036854775807 1.0e+300 '' NULL X'' ''",
    "NULL NULL NULL X'' NULL NULL",
    "0 0.1 'two\nlines' X'61' X'61' 1.25",
  ]

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `every kind of value arrives, whatever the database's encoding`(_ encoding: String) throws {
    try connection.execute("PRAGMA encoding='\(encoding)'")
    try connection.execute("CREATE TABLE t (i INTEGER, r REAL, t TEXT, h BLOB, b BLOB, d DATE)")
    let file = try ScratchFile(Self.values)
    try run(
      "INSERT INTO t SELECT c0, c1, c2, c3, c4, c5 FROM \(RowTable.name.quoted)", file,
      types: Self.valueTypes)
    #expect(try stored() == Self.storedValues)
  }

  @Test func `text of other alphabets arrives in UTF-16 too`() throws {
    try connection.execute("PRAGMA encoding='UTF-16'")
    try connection.execute("CREATE TABLE t (a TEXT)")
    let file = try ScratchFile("a\nä€😀\n\"\u{10FFFF}\"\n")
    try run("INSERT INTO t SELECT c0 FROM \(RowTable.name.quoted)", file, types: ["TEXT"])
    #expect(try stored() == ["'ä€😀'", "'\u{10FFFF}'"])
  }

  @Test func `each row knows its number and its line`() throws {
    let file = try ScratchFile("a\nx\n\"y\nz\"\nw\n")
    try connection.execute("CREATE TABLE t (n, line, a)")
    try run(
      "INSERT INTO t SELECT rowid, line, c0 FROM \(RowTable.name.quoted)", file, types: ["TEXT"])
    #expect(try stored() == ["1 2 'x'", "2 3 'y\nz'", "3 5 'w'"])
  }

  @Test func `columns compare as their declared types do`() throws {
    let file = try ScratchFile("a,b\n7,7\n")
    try connection.execute("CREATE TABLE t (a, b)")
    try run(
      "INSERT INTO t SELECT c0 = '7', c1 = 7 FROM \(RowTable.name.quoted)", file,
      types: ["INTEGER", "TEXT"])
    #expect(try stored() == ["1 1"])
  }

  @Test func `a file of many chunks arrives whole, in its order`() throws {
    let count = 60_000
    let lines = (1...count).map { "\($0),name-\($0),\"a \"\"b\"\" \($0)\"" }
    let file = try ScratchFile("id,name,text\n" + lines.joined(separator: "\n"))
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name, text)")
    let totals = try run(
      "INSERT INTO t SELECT c0, c1, c2 FROM \(RowTable.name.quoted)", file,
      types: ["INTEGER", "TEXT", "TEXT"])
    #expect(totals.rows == count)
    #expect(connection.changes == count)
    #expect(
      try connection.value(
        """
        SELECT count(*) FROM t WHERE name = 'name-' || id AND text = 'a "b" ' || id
        """) == .integer(Int64(count)))
  }

  @Test func `a file without rows gives none`() throws {
    try connection.execute("CREATE TABLE t (a)")
    let totals = try run(
      "INSERT INTO t SELECT c0 FROM \(RowTable.name.quoted)", try ScratchFile("a\n"),
      types: ["TEXT"])
    #expect(totals == RowReader.Totals(contentBytes: 2, rows: 0, digest: Digest.of("a\n")))
    #expect(try stored() == [])
  }

  @Test func `records of a mebibyte arrive`() throws {
    let long = String(repeating: "é\"", count: 300_000)
    let field = long.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"")
    let file = try ScratchFile("a,b\n" + (0..<5).map { "\($0),\"\(field)\"\n" }.joined())
    try connection.execute("CREATE TABLE t (a, b)")
    try run(
      "INSERT INTO t SELECT c0, c1 FROM \(RowTable.name.quoted)", file, types: ["INTEGER", "TEXT"])
    #expect(
      try connection.rows("SELECT a FROM t WHERE b = ?", [.text(long)])
        == (0..<5).map { [.integer($0)] })
  }

  // MARK: errors

  @Test func `an error in the middle fails the statement and names its place`() throws {
    let lines = (1...50_000).map { $0 == 40_000 ? "x" : "\($0)" }
    let file = try ScratchFile("n\n" + lines.joined(separator: "\n") + "\n")
    try connection.execute("CREATE TABLE t (n INTEGER)")
    try connection.execute("BEGIN")
    let error = #expect(throws: SeedbedError.self) {
      try run("INSERT INTO t SELECT c0 FROM \(RowTable.name.quoted)", file, types: ["INTEGER"])
    }
    #expect(error.map(RowText.words) == "csv t.csv:40001:1: \(StreamWords.integer("x"))")
    #expect(connection.isInTransaction, "what to roll back is the caller's to say")
    #expect(try connection.value("SELECT count(*) FROM t") == 0)
  }

  @Test func `SQLite's own message holds the words of the failure`() throws {
    let rows = try RowTable(
      try reader(ScratchFile("n\nx\n"), types: ["INTEGER"]), types: ["INTEGER"], on: connection)
    let failure = #expect(throws: SQLiteFailure.self) { try connection.execute(Self.all) }
    #expect(failure?.message == "t.csv:2:1: \(StreamWords.integer("x"))")
    #expect(rows.failure.map(RowText.words) == "csv t.csv:2:1: \(StreamWords.integer("x"))")
  }

  @Test func `truncated gzip fails the statement though all rows were there`() throws {
    let whole = Gzip("a\n1\n2\n").bytes
    let file = try ScratchFile(whole.dropLast(8), named: "t.csv.gz")
    try connection.execute("CREATE TABLE t (a)")
    let error = #expect(throws: SeedbedError.self) {
      try run("INSERT INTO t SELECT c0 FROM \(RowTable.name.quoted)", file, types: ["TEXT"])
    }
    #expect(error?.code == .gzip)
    #expect(try stored() == [])
  }

  @Test func `a lock that promised another content fails the statement`() throws {
    let content = "a\n1\n2\n"
    let lock = LockedFile(size: 6, contentSize: 6, rows: 2, digest: Digest.of("a\n1\n3\n"))
    try connection.execute("CREATE TABLE t (a)")
    let error = #expect(throws: SeedbedError.self) {
      try run(
        "INSERT INTO t SELECT c0 FROM \(RowTable.name.quoted)", try ScratchFile(content),
        types: ["TEXT"], locked: lock)
    }
    #expect(error?.code == .catalog)
    #expect(try stored() == [])
  }

  @Test func `an error of the file system comes through`() throws {
    let reads = Guarded(0)
    let host = Host(failing: { call, _ in
      guard call == .read else { return 0 }
      return reads.withLock { count in
        count += 1
        return count == 3 ? 5 : 0
      }
    })
    let file = try ScratchFile("a\n" + String(repeating: "xxxxxxxxx\n", count: 100_000))
    try connection.execute("CREATE TABLE t (a)")
    let error = #expect(throws: SeedbedError.self) {
      try run(
        "INSERT INTO t SELECT c0 FROM \(RowTable.name.quoted)", file, types: ["TEXT"], host: host)
    }
    #expect(error?.code == .io)
    #expect(error?.message == "Cannot read '\(file.path)': Input/output error.")
    #expect(try stored() == [])
  }

  @Test(arguments: [2, 3, 40_000]) func `a constraint failure knows its line`(_ line: Int) throws {
    let lines = (2...50_000).map { $0 == line ? "" : "\($0)" }
    let file = try ScratchFile("a,n\n" + lines.map { "x,\($0)\n" }.joined())
    try connection.execute("CREATE TABLE t (a, n INTEGER NOT NULL)")
    let rows = try RowTable(
      try reader(file, types: ["TEXT", "INTEGER"]), types: ["TEXT", "INTEGER"], on: connection)
    let failure = #expect(throws: SQLiteFailure.self) {
      try connection.execute("INSERT INTO t SELECT c0, c1 FROM \(RowTable.name.quoted)")
    }
    #expect(failure?.message == "NOT NULL constraint failed: t.n")
    #expect(rows.failure == nil)
    #expect(rows.currentLine == line)
  }
}
