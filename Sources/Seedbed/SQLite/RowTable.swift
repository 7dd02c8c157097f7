import CSeedbedSQLite

/// A row file as a table that one `SELECT` can read once, from its first row to its last.
///
/// Rows enter SQLite through it, never one `bind` at a time. It is an eponymous virtual table of
/// our own connection, so nothing of it stays in the database. The `SELECT` must be done with a
/// row before it asks for the next: values point into a chunk, so what keeps them across rows, an
/// aggregate such as `max`, is not for this table.
package final class RowTable {
  /// The name in SQL; no table of a user is called like that.
  package static let name = "seedbed:rows"

  private let connection: Connection
  private let reader: RowReader
  let declaration: String
  private let onChunk: (Int64, Int) throws -> Void
  private var hasStarted = false
  private var chunk: Chunk?
  /// On the heap, since the callbacks read it without counting references.
  let position: UnsafeMutablePointer<Position>
  /// Rows of the chunks before this one.
  package private(set) var rowCount = 0
  package private(set) var failure: (any Error)?

  /// The row that SQLite is working on.
  struct Position {
    /// The fields of a record.
    let columnCount: Int
    var bytes: UnsafePointer<UInt8>?
    var cells: UnsafePointer<Cell>?
    var record: UnsafePointer<RecordPlace>?
    /// Records of the chunk from this one on; 0 at the end of the file.
    var remaining = 0
    var rowid: Int64 = 1
  }

  /// > SQLITE_MAX_COLUMN: the number of columns in a table, in the result set of a SELECT, in the
  /// > SET clause of an UPDATE statement; 2000. (Limits In SQLite)
  package static let mostColumns = 2000

  /// `types` are the declared types of the columns `c0`, `c1`, …, so that comparisons follow the
  /// target's affinities. After them is `line`, if there is room. `onChunk` gets how many bytes of
  /// the file and rows went by, and may throw to stop. The table can be read until the value
  /// returned is released.
  package init(
    _ reader: RowReader, types: [String], on connection: Connection,
    onChunk: @escaping (_ fileBytes: Int64, _ rows: Int) throws -> Void = { _, _ in }
  ) throws {
    self.connection = connection
    self.reader = reader
    self.onChunk = onChunk
    var columns = types.enumerated().map { "c\($0) \($1)" }
    if columns.count < Self.mostColumns { columns.append("line INTEGER") }
    declaration = "CREATE TABLE x(\(columns.joined(separator: ", ")))"
    position = .allocate(capacity: 1)
    position.initialize(to: Position(columnCount: types.count))
    let code = sqlite3_create_module_v2(
      connection.handle, Self.name, Self.module, Unmanaged.passUnretained(self).toOpaque(), nil)
    guard code == SQLITE_OK else { throw connection.failure(nil) }
  }

  deinit {
    // Every statement that reads the table was finalized before; the module goes first.
    sqlite3_create_module_v2(connection.handle, Self.name, nil, nil, nil)
    position.deallocate()
  }

  /// What the file turned out to hold, once it was read to its end.
  package var totals: RowReader.Totals { reader.totals }

  /// The line of the record that SQLite was working on: where a constraint failed.
  package var currentLine: Int? {
    position.pointee.remaining > 0 ? position.pointee.record?.pointee.line : nil
  }

  // MARK: what the callbacks call; no error may cross them, so it is kept for the caller

  func start() -> Bool {
    attempt {
      // A second look at the rows would begin in their middle.
      if hasStarted { throw SeedbedError.rowsReadTwice(reader.place) }
      hasStarted = true
      try reader.startAhead()
      try advanceChunk()
    }
  }

  func advance() -> Bool { attempt { try advanceChunk() } }

  func stop() { reader.stop() }

  private func advanceChunk() throws {
    try connection.cancellation?.check()
    rowCount += chunk?.recordCount ?? 0
    let used = chunk
    chunk = nil
    point(to: nil)
    let next = try reader.next(returning: used)
    chunk = next
    point(to: next)
    try onChunk(reader.fileBytes, rowCount + (next?.recordCount ?? 0))
    if next == nil { stop() }
  }

  private func point(to chunk: Chunk?) {
    position.pointee.bytes = chunk.map { UnsafePointer($0.bytes) }
    position.pointee.cells = chunk.map { UnsafePointer($0.cells) }
    position.pointee.record = chunk.map { UnsafePointer($0.records) }
    position.pointee.remaining = chunk?.recordCount ?? 0
  }

  private func attempt(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      failure = error
      return false
    }
  }
}
