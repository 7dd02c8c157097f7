import CSeedbedSQLite
import SeedbedCells

/// The callbacks of the virtual table; `RowCursor` has those that run for each row and each field.
extension RowTable {
  private struct Table {
    var base = sqlite3_vtab()
    var rows: Unmanaged<RowTable>
  }

  private static func rows(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> RowTable {
    Unmanaged.fromOpaque(RowCursor.of(cursor).pointee.rows).takeUnretainedValue()
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

  /// What `xNext` does at the end of a chunk.
  static let advance: RowPosition.Advance = { code(rows($0).advance(), $0) }

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
      let new = UnsafeMutablePointer<RowCursor>.allocate(capacity: 1)
      new.initialize(
        to: RowCursor(rows: rows.toOpaque(), position: rows.takeUnretainedValue().position))
      cursor!.pointee = UnsafeMutableRawPointer(new)
        .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.pointee.xClose = { cursor in
      rows(cursor).stop()
      RowCursor.of(cursor).deallocate()
      return SQLITE_OK
    }
    module.pointee.xFilter = { cursor, _, _, _, _ in code(rows(cursor).start(), cursor) }
    RowCursor.setCallbacks(of: module)
    return module
  }()
}
