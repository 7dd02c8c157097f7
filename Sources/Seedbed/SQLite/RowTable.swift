import CSeedbedSQLite
import SeedbedCells

/// A row file as a table that one `SELECT` can read once, from its first row to its last.
///
/// All rows enter SQLite through it, instead of one `bind` at a time. It is an eponymous virtual
/// table of our own connection, so it leaves nothing in the database. The `SELECT` must be finished
/// with a row before it asks for the next, since values point into a chunk. An aggregate such as
/// `max` keeps values across rows, and must not be used on this table.
package final class RowTable {
  /// The name in SQL. No user's table has such a name.
  package static let name = "seedbed:rows"

  private let connection: Connection
  private let reader: RowReader
  let declaration: String
  private let onChunk: (Int64, Int) throws -> Void
  private var hasStarted = false
  private var chunk: Chunk?
  /// On the heap, since the callbacks read it without reference counting.
  let position: UnsafeMutablePointer<RowPosition>
  /// The number of rows in the chunks before this one.
  package private(set) var rowCount = 0
  package private(set) var failure: (any Error)?

  /// > SQLITE_MAX_COLUMN: the number of columns in a table, in the result set of a SELECT, in the
  /// > SET clause of an UPDATE statement; 2000. (Limits In SQLite)
  package static let mostColumns = 2000

  /// `types` are the declared types of the columns `c0`, `c1`, …, so that comparisons use the
  /// target's affinities. After them comes `line`, if there is room. `onChunk` gets the number of
  /// bytes of the file and of rows that were read, and may throw to stop. The table can be read
  /// until the returned value is released.
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
    position.initialize(to: RowPosition(columnCount: types.count, advance: Self.advance))
    let code = sqlite3_create_module_v2(
      connection.handle, Self.name, Self.module, Unmanaged.passUnretained(self).toOpaque(), nil)
    guard code == SQLITE_OK else { throw connection.failure(nil) }
  }

  deinit {
    // Every statement that reads the table was finalized before: the module must be removed first.
    sqlite3_create_module_v2(connection.handle, Self.name, nil, nil, nil)
    position.deallocate()
  }

  /// The counts and digest of the file, after it was read to its end.
  package var totals: RowReader.Totals { reader.totals }

  /// The line of the record that SQLite was working on when a constraint failed.
  package var currentLine: Int? {
    position.pointee.remaining > 0 ? position.pointee.record?.pointee.line : nil
  }

  // MARK: what the callbacks call; no error may cross them, so it is kept for the caller

  func start() -> Bool {
    attempt {
      // Reading the rows a second time would begin in their middle.
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
    position.pointee.point(to: nil)
    let next = try reader.next(returning: used)
    chunk = next
    position.pointee.point(to: next)
    try onChunk(reader.fileBytes, rowCount + (next?.recordCount ?? 0))
    if next == nil { stop() }
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
