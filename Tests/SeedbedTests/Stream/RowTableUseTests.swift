import SeedbedCells
import Testing

@testable import Seedbed

/// How statements may and may not use the table of rows.
@Suite struct RowTableUseTests {
  private let connection: Connection
  private let cancellation = Migrator.Cancellation()
  private let name = RowTable.name.quoted

  init() throws {
    connection = try Connection(":memory:", .memory, setup: nil, cancellation: cancellation)
  }

  /// A file of `count` rows of one column, the numbers from 1 on.
  private static func numbers(_ count: Int) throws -> ScratchFile {
    try ScratchFile("n\n" + (1...count).map { "\($0)\n" }.joined())
  }

  private func table(
    _ file: ScratchFile, onChunk: @escaping (Int64, Int) throws -> Void = { _, _ in }
  ) throws -> RowTable {
    let reader = try RowReader(
      try file.open(), place: file.name, isCompressed: false, locked: nil)
    reader.decoders = [.integer]
    return try RowTable(reader, types: ["INTEGER"], on: connection, onChunk: onChunk)
  }

  // MARK: triggers

  @Test func `a trigger on the target sees every row`() throws {
    try connection.executeAll(
      """
      CREATE TABLE t (n INTEGER); CREATE TABLE log (n, before);
      CREATE TRIGGER tr AFTER INSERT ON t BEGIN
        INSERT INTO log SELECT new.n, count(*) FROM t WHERE n < new.n;
      END
      """)
    let rows = try table(Self.numbers(500))
    try connection.execute("INSERT INTO t SELECT c0 FROM \(name)")
    #expect(rows.rowCount == 500)
    #expect(try connection.value("SELECT count(*) FROM log WHERE before = n - 1") == 500)
  }

  @Test func `a trigger of many chunks spools them all`() throws {
    try connection.executeAll(
      """
      CREATE TABLE t (n INTEGER); CREATE TABLE sum (n); INSERT INTO sum VALUES (0);
      CREATE TRIGGER tr AFTER INSERT ON t BEGIN UPDATE sum SET n = n + new.n; END
      """)
    let rows = try table(Self.numbers(200_000))
    try connection.execute("INSERT INTO t SELECT c0 FROM \(name)")
    #expect(rows.failure == nil)
    #expect(try connection.value("SELECT n FROM sum") == 20_000_100_000)
  }

  @Test func `a trigger that refuses a row fails the statement`() throws {
    try connection.executeAll(
      """
      CREATE TABLE t (n INTEGER);
      CREATE TRIGGER tr BEFORE INSERT ON t WHEN new.n = 77 BEGIN
        SELECT RAISE(ABORT, 'not seventy-seven');
      END
      """)
    let rows = try table(Self.numbers(500))
    let failure = #expect(throws: SQLiteFailure.self) {
      try connection.execute("INSERT INTO t SELECT c0 FROM \(name)")
    }
    #expect(failure?.message == "not seventy-seven")
    #expect(rows.failure == nil)
    #expect(try connection.value("SELECT count(*) FROM t") == 0)
  }

  @Test func `rows that a statement drops in silence still count`() throws {
    try connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY)")
    try connection.execute("INSERT INTO t VALUES (3), (5)")
    let rows = try table(Self.numbers(10))
    try connection.execute("INSERT INTO t SELECT c0 FROM \(name) WHERE true ON CONFLICT DO NOTHING")
    #expect(connection.changes == 8)
    #expect(rows.rowCount == 10)
  }

  // MARK: stopping

  @Test func `cancelling stops between two chunks`() throws {
    try connection.execute("CREATE TABLE t (n INTEGER)")
    let cancellation = cancellation
    var chunks = 0
    let rows = try table(Self.numbers(300_000)) { _, _ in
      chunks += 1
      if chunks == 2 { cancellation.cancel() }
    }
    #expect(throws: SQLiteFailure.self) {
      try connection.execute("INSERT INTO t SELECT c0 FROM \(name)")
    }
    #expect(rows.failure.map(RowText.words) == RowText.words(SeedbedError.cancelled()))
    #expect(chunks == 2)
  }

  @Test func `what hears of each chunk may stop the load`() throws {
    try connection.execute("CREATE TABLE t (n INTEGER)")
    let stop = SeedbedError(.busy, "Enough.")
    let rows = try table(Self.numbers(300_000)) { _, count in
      if count > 100_000 { throw stop }
    }
    #expect(throws: SQLiteFailure.self) {
      try connection.execute("INSERT INTO t SELECT c0 FROM \(name)")
    }
    #expect(rows.failure as? SeedbedError == stop)
    #expect(try connection.value("SELECT count(*) FROM t") == 0)
  }

  @Test func `progress ends with all bytes and all rows`() throws {
    try connection.execute("CREATE TABLE t (n INTEGER)")
    let file = try Self.numbers(200_000)
    var reports: [(bytes: Int64, rows: Int)] = []
    let rows = try table(file) { reports.append(($0, $1)) }
    try connection.execute("INSERT INTO t SELECT c0 FROM \(name)")
    #expect(reports.count > 4)
    #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.bytes <= $1.bytes })
    #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.rows <= $1.rows })
    #expect(reports.last?.bytes == (try file.open().size()))
    #expect(reports.last?.rows == 200_000)
    #expect(rows.rowCount == 200_000)
  }

  @Test(arguments: [1, 2, 100, 50_000]) func `a statement may be dropped after`(
    _ steps: Int
  ) throws {
    let file = try Self.numbers(300_000)
    for _ in 0..<3 {
      let rows = try table(file)
      do {
        let statement = try connection.prepare("SELECT c0 FROM \(name)")
        for step in 1...steps {
          #expect(try statement.step())
          if step == steps { #expect(statement.integer(0) == Int64(steps)) }
        }
      }
      #expect(rows.failure == nil)
    }
  }

  @Test func `a limit ends the reading early`() throws {
    let rows = try table(Self.numbers(300_000))
    #expect(try connection.rows("SELECT c0 FROM \(name) LIMIT 2") == [[1], [2]])
    #expect(rows.failure == nil)
    #expect(rows.rowCount == 0, "no chunk was used up")
  }

  // MARK: reading once

  @Test func `rows cannot be read a second time`() throws {
    let rows = try table(Self.numbers(10))
    #expect(try connection.rows("SELECT c0 FROM \(name)").count == 10)
    #expect(throws: SQLiteFailure.self) { try connection.execute("SELECT c0 FROM \(name)") }
    #expect(
      rows.failure.map(RowText.words)
        == "sql t.csv: The rows of a file can be read only once by a statement. This is a bug in "
        + "Seedbed: please report it.")
  }

  @Test func `rows cannot be the inner side of a loop`() throws {
    let rows = try table(Self.numbers(10))
    try connection.execute("CREATE TABLE two (n)")
    try connection.execute("INSERT INTO two VALUES (1), (2)")
    #expect(throws: SQLiteFailure.self) {
      try connection.execute("SELECT * FROM two CROSS JOIN \(name)")
    }
    #expect(rows.failure != nil)
  }

  @Test func `the table is gone with its value, and another can follow`() throws {
    do {
      let rows = try table(Self.numbers(3))
      #expect(try connection.rows("SELECT c0 FROM \(name)") == [[1], [2], [3]])
      #expect(rows.totals.rows == 3)
    }
    let failure = #expect(throws: SQLiteFailure.self) {
      try connection.execute("SELECT c0 FROM \(name)")
    }
    #expect(failure?.message == "no such table: seedbed:rows")
    let rows = try table(Self.numbers(2))
    #expect(try connection.rows("SELECT c0 FROM \(name)") == [[1], [2]])
    #expect(rows.totals.rows == 2)
  }

  @Test func `nothing of it stays in the schema`() throws {
    let rows = try table(Self.numbers(3))
    try connection.execute("CREATE TABLE t AS SELECT c0 FROM \(name)")
    #expect(rows.rowCount == 3)
    #expect(try connection.rows("SELECT name FROM sqlite_schema") == [["t"]])
  }

  @Test func `no view may read it`() throws {
    let rows = try table(Self.numbers(3))
    try connection.execute("CREATE VIEW v AS SELECT c0 FROM \(name)")
    let failure = #expect(throws: SQLiteFailure.self) { try connection.execute("SELECT * FROM v") }
    #expect(failure?.message == "unsafe use of virtual table \"seedbed:rows\"")
    #expect(rows.failure == nil)
  }
}
