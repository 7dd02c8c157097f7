import CSeedbedSQLite

/// The callbacks of the virtual table. `xNext` and `xColumn` run for each row and each field.
extension RowTable {
  private struct Table {
    var base = sqlite3_vtab()
    var rows: Unmanaged<RowTable>
  }

  private struct Cursor {
    var base = sqlite3_vtab_cursor()
    var rows: Unmanaged<RowTable>
    var position: UnsafeMutablePointer<Position>
  }

  /// Sound: every cursor of this module was allocated as a `Cursor` in `xOpen`, and the `RowTable`,
  /// which owns the position, outlives the statements that read it.
  @inline(__always)
  private static func mine(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> UnsafeMutablePointer<Cursor> {
    UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: Cursor.self)
  }

  private static func rows(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> RowTable {
    mine(cursor).pointee.rows.takeUnretainedValue()
  }

  /// SQLITE_OK, or SQLITE_ERROR with the failure's message stored where SQLite looks for it.
  private static func code(
    _ isDone: Bool, _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> Int32 {
    if isDone { return SQLITE_OK }
    let words = rows(cursor).failure.map { SeedbedError.from($0).description } ?? ""
    // SQLite frees the text with sqlite3_free, so its own allocator must have made it.
    let text = sqlite3_str_new(nil)
    sqlite3_str_appendall(text, words)
    let table = cursor!.pointee.pVtab
    sqlite3_free(table?.pointee.zErrMsg)
    table?.pointee.zErrMsg = sqlite3_str_finish(text)
    return SQLITE_ERROR
  }

  @inline(__always)
  private static func answer(_ context: OpaquePointer?, _ position: Position, _ column: Int) {
    guard let cells = position.cells, let bytes = position.bytes, column < position.columnCount
    else {
      if let record = position.record { sqlite3_result_int64(context, Int64(record.pointee.line)) }
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

  /// Never freed: SQLite keeps its address as long as any connection has the module registered.
  nonisolated(unsafe) static let module: UnsafeMutablePointer<sqlite3_module> = {
    // Sound: written once here, and only read afterwards.
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
      new.initialize(to: Cursor(rows: rows, position: rows.takeUnretainedValue().position))
      cursor!.pointee = UnsafeMutableRawPointer(new)
        .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.pointee.xClose = { cursor in
      rows(cursor).stop()
      mine(cursor).deallocate()
      return SQLITE_OK
    }
    module.pointee.xFilter = { cursor, _, _, _, _ in code(rows(cursor).start(), cursor) }
    module.pointee.xNext = { cursor in
      let position = mine(cursor).pointee.position
      position.pointee.rowid += 1
      guard position.pointee.remaining > 1, let cells = position.pointee.cells,
        let record = position.pointee.record
      else { return code(rows(cursor).advance(), cursor) }
      position.pointee.remaining -= 1
      position.pointee.cells = cells + position.pointee.columnCount
      position.pointee.record = record + 1
      return SQLITE_OK
    }
    module.pointee.xEof = { cursor in mine(cursor).pointee.position.pointee.remaining == 0 ? 1 : 0 }
    module.pointee.xColumn = { cursor, context, column in
      answer(context, mine(cursor).pointee.position.pointee, Int(column))
      return SQLITE_OK
    }
    module.pointee.xRowid = { cursor, rowid in
      rowid!.pointee = mine(cursor).pointee.position.pointee.rowid
      return SQLITE_OK
    }
    return module
  }()
}
