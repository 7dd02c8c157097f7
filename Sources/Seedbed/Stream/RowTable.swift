import CSQLite

/// A row file as a table that one `SELECT` can read once, from its first row to its last.
///
/// Rows enter SQLite through it, never one `bind` at a time. It is an eponymous virtual table of
/// our own connection, so nothing of it stays in the database.
final class RowTable {
  /// The name in SQL; no table of a user is called like that.
  static let name = "seedbed:rows"

  private let connection: Connection
  private let reader: RowReader
  private let columnCount: Int
  private let declaration: String
  private let onChunk: (Int64, Int) throws -> Void
  private var queue: RowQueue?
  private var chunk: Chunk?
  private var record = 0
  private var isAtEnd = false
  /// Rows handed to SQLite so far.
  private(set) var rowCount = 0
  private(set) var failure: (any Error)?

  /// `types` are the declared types of the columns `c0`, `c1`, …, so that comparisons follow the
  /// target's affinities. `onChunk` hears how many bytes of the file and rows went by, and may
  /// throw to stop. The table can be read until the value returned is released.
  init(
    _ reader: RowReader, types: [String], on connection: Connection,
    onChunk: @escaping (_ fileBytes: Int64, _ rows: Int) throws -> Void = { _, _ in }
  ) throws {
    self.connection = connection
    self.reader = reader
    self.onChunk = onChunk
    columnCount = types.count
    let columns = types.enumerated().map { "c\($0.offset) \($0.element)" } + ["line INTEGER"]
    declaration = "CREATE TABLE x(\(columns.joined(separator: ", ")))"
    let code = sqlite3_create_module_v2(
      connection.handle, Self.name, Self.module, Unmanaged.passUnretained(self).toOpaque(), nil)
    guard code == SQLITE_OK else { throw connection.failure(nil) }
  }

  deinit {
    // Every statement that reads the table was finalized before; the module goes first.
    sqlite3_create_module_v2(connection.handle, Self.name, nil, nil, nil)
  }

  /// What the file turned out to hold, once it was read to its end.
  var totals: RowReader.Totals { reader.totals }

  /// The line of the record that SQLite was working on: where a constraint failed.
  var currentLine: Int? {
    guard let chunk, record < chunk.recordCount else { return nil }
    return chunk.records[record].line
  }

  // MARK: what the callbacks call; no error may cross them, so it is kept for the caller

  fileprivate func start() -> Bool {
    attempt {
      queue = try RowQueue(reader)
      try advanceChunk()
    }
  }

  fileprivate var isDone: Bool { isAtEnd }

  @inline(__always)
  fileprivate func next() -> Bool {
    record += 1
    if let chunk, record < chunk.recordCount { return true }
    return attempt { try advanceChunk() }
  }

  private func advanceChunk() throws {
    try connection.cancellation?.check()
    if let chunk { rowCount += chunk.recordCount }
    let used = chunk
    let next = try queue?.next(returning: used)
    chunk = next
    record = 0
    isAtEnd = next == nil
    try onChunk(next?.fileBytes ?? reader.fileBytes, rowCount + (next?.recordCount ?? 0))
    if isAtEnd { queue?.stop() }
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

  fileprivate func stop() {
    queue?.stop()
    queue = nil
  }

  @inline(__always)
  fileprivate func answer(_ context: OpaquePointer?, _ column: Int) {
    guard let chunk else { return }
    if column == columnCount {
      sqlite3_result_int64(context, Int64(chunk.records[record].line))
      return
    }
    let cell = chunk.cells[record * columnCount + column]
    switch cell.kind {
    case .null: break
    case .integer: sqlite3_result_int64(context, Int64(bitPattern: cell.bits))
    case .real: sqlite3_result_double(context, Double(bitPattern: cell.bits))
    case .text, .escaped:
      // Static: SQLite copies the bytes into the record before it asks for the next row, and the
      // chunk is not given back until then.
      let start = UnsafeRawPointer(chunk.bytes + cell.start).assumingMemoryBound(to: CChar.self)
      sqlite3_result_text(context, start, Int32(cell.length), nil)
    case .blob:
      if cell.length == 0 {
        sqlite3_result_zeroblob(context, 0)
      } else {
        sqlite3_result_blob(context, chunk.bytes + cell.start, Int32(cell.length), nil)
      }
    }
  }

  fileprivate var rowid: Int64 { Int64(rowCount + record + 1) }
}

// MARK: the module

extension RowTable {
  private struct Table {
    var base = sqlite3_vtab()
    var rows: Unmanaged<RowTable>
  }

  private struct Cursor {
    var base = sqlite3_vtab_cursor()
    var rows: Unmanaged<RowTable>
  }

  @inline(__always)
  private static func rows(of cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> RowTable {
    // Sound: every cursor of this module was allocated as a `Cursor` in `open`.
    UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: Cursor.self).pointee.rows
      ._withUnsafeGuaranteedRef { $0 }
  }

  /// Never freed: SQLite keeps its address for as long as any connection knows the module.
  private nonisolated(unsafe) static let module: UnsafeMutablePointer<sqlite3_module> = {
    // Sound: written once here, only read afterwards.
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    module.initialize(to: sqlite3_module())
    // No xCreate: the table exists under the module's name and nowhere else.
    module.pointee.xConnect = { handle, context, _, _, table, _ in
      let rows = Unmanaged<RowTable>.fromOpaque(context!)
      // > SQLITE_VTAB_DIRECTONLY prohibits that virtual table from being used from within
      // > triggers and views.
      let declaration = rows.takeUnretainedValue().declaration
      let code = sqlite3_declare_vtab(handle, declaration)
      guard code == SQLITE_OK else { return code }
      seedbed_vtab_direct_only(handle)
      let new = UnsafeMutablePointer<Table>.allocate(capacity: 1)
      new.initialize(to: Table(rows: rows))
      table!.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab.self)
      return SQLITE_OK
    }
    module.pointee.xDisconnect = { table in
      UnsafeMutableRawPointer(table!).assumingMemoryBound(to: Table.self).deallocate()
      return SQLITE_OK
    }
    module.pointee.xBestIndex = { _, plan in
      plan!.pointee.estimatedCost = 1e9
      plan!.pointee.estimatedRows = 1_000_000
      return SQLITE_OK
    }
    module.pointee.xOpen = { table, cursor in
      let rows = UnsafeMutableRawPointer(table!).assumingMemoryBound(to: Table.self).pointee.rows
      let new = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
      new.initialize(to: Cursor(rows: rows))
      cursor!.pointee = UnsafeMutableRawPointer(new)
        .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.pointee.xClose = { cursor in
      rows(of: cursor).stop()
      UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: Cursor.self).deallocate()
      return SQLITE_OK
    }
    module.pointee.xFilter = { cursor, _, _, _, _ in
      rows(of: cursor).start() ? SQLITE_OK : SQLITE_ERROR
    }
    module.pointee.xNext = { cursor in rows(of: cursor).next() ? SQLITE_OK : SQLITE_ERROR }
    module.pointee.xEof = { cursor in rows(of: cursor).isDone ? 1 : 0 }
    module.pointee.xColumn = { cursor, context, column in
      rows(of: cursor).answer(context, Int(column))
      return SQLITE_OK
    }
    module.pointee.xRowid = { cursor, rowid in
      rowid!.pointee = rows(of: cursor).rowid
      return SQLITE_OK
    }
    return module
  }()
}
