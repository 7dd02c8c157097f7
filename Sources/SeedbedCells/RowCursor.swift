package import CSeedbedSQLite

/// The row of a virtual table that SQLite is working on, in a chunk of decoded records.
package struct RowPosition {
  /// Moves to the next chunk, and returns SQLite's code.
  package typealias Advance =
    @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32

  /// The number of fields in a record.
  let columnCount: Int
  let advance: Advance
  private var bytes: UnsafePointer<UInt8>?
  private var cells: UnsafePointer<Cell>?
  package private(set) var record: UnsafePointer<RecordPlace>?
  /// The records left in the chunk, this one included; 0 at the end of the file.
  package private(set) var remaining = 0
  fileprivate var rowid: Int64 = 1

  package init(columnCount: Int, advance: @escaping Advance) {
    (self.columnCount, self.advance) = (columnCount, advance)
  }

  /// Begins with the first record of a chunk; nil at the end of the file.
  package mutating func point(to chunk: Chunk?) {
    bytes = chunk.map { UnsafePointer($0.bytes) }
    cells = chunk.map { UnsafePointer($0.cells) }
    record = chunk.map { UnsafePointer($0.records) }
    remaining = chunk?.recordCount ?? 0
  }

  /// False if the next record is in another chunk.
  @inline(__always)
  fileprivate mutating func next() -> Bool {
    rowid += 1
    guard remaining > 1, let cells, let record else { return false }
    remaining -= 1
    self.cells = cells + columnCount
    self.record = record + 1
    return true
  }

  /// Gives SQLite the value of a column. After the file's columns comes the line of the record.
  @inline(__always)
  fileprivate func answer(_ context: OpaquePointer?, _ column: Int) {
    guard let cells, let bytes, column < columnCount else {
      if let record { sqlite3_result_int64(context, Int64(record.pointee.line)) }
      return
    }
    let cell = cells[column]
    switch cell.kind {
    case .null: break
    case .integer: sqlite3_result_int64(context, Int64(bitPattern: cell.bits))
    case .real: sqlite3_result_double(context, Double(bitPattern: cell.bits))
    case .text, .escaped:
      // Static: SQLite copies the bytes into its record before it asks for the next row, and the
      // chunk is not reused until then.
      let start = UnsafeRawPointer(bytes + cell.start).assumingMemoryBound(to: CChar.self)
      sqlite3_result_text(context, start, Int32(truncatingIfNeeded: cell.length), nil)
    case .blob:
      if cell.length == 0 {
        sqlite3_result_zeroblob(context, 0)
      } else {
        let length = Int32(truncatingIfNeeded: cell.length)
        sqlite3_result_blob(context, bytes + cell.start, length, nil)
      }
    }
  }
}

/// A cursor of the virtual table, with the callbacks that run for each row and each field.
package struct RowCursor {
  private var base = sqlite3_vtab_cursor()
  /// The table that the cursor reads.
  package let rows: UnsafeMutableRawPointer
  private let position: UnsafeMutablePointer<RowPosition>

  package init(rows: UnsafeMutableRawPointer, position: UnsafeMutablePointer<RowPosition>) {
    (self.rows, self.position) = (rows, position)
  }

  /// Sound: every cursor of the module is allocated as a `RowCursor`, and the owner of the position
  /// outlives the statements that read it.
  @inline(__always)
  package static func of(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> UnsafeMutablePointer<RowCursor> {
    UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: RowCursor.self)
  }

  package static func setCallbacks(of module: UnsafeMutablePointer<sqlite3_module>) {
    module.pointee.xNext = { cursor in
      let position = RowCursor.of(cursor).pointee.position
      return position.pointee.next() ? SQLITE_OK : position.pointee.advance(cursor)
    }
    module.pointee.xEof = { RowCursor.of($0).pointee.position.pointee.remaining == 0 ? 1 : 0 }
    module.pointee.xColumn = { cursor, context, column in
      RowCursor.of(cursor).pointee.position.pointee.answer(context, Int(column))
      return SQLITE_OK
    }
    module.pointee.xRowid = { cursor, rowid in
      rowid!.pointee = RowCursor.of(cursor).pointee.position.pointee.rowid
      return SQLITE_OK
    }
  }
}
