import CSeedbedSQLite
import SeedbedCells

/// The callbacks of the virtual table; `RowCursor` has those that run for each row and each field.
extension RowTable {
  private static func rows(_ cursor: VirtualTable.Cursor?) -> RowTable {
    rows(RowCursor.of(cursor).pointee.rows)
  }

  private static func rows(_ owner: UnsafeMutableRawPointer) -> RowTable {
    Unmanaged.fromOpaque(owner).takeUnretainedValue()
  }

  /// SQLITE_OK, or SQLITE_ERROR with the failure's message.
  private static func code(_ isDone: Bool, _ cursor: VirtualTable.Cursor?) -> Int32 {
    if isDone { return SQLITE_OK }
    let words = rows(cursor).failure.map { SeedbedError.from($0).description } ?? ""
    return VirtualTable.fail(cursor!.pointee.pVtab, words)
  }

  /// What `xNext` does at the end of a chunk.
  static let advance: RowPosition.Advance = { code(rows($0).advance(), $0) }

  // Sound: written once here, and only read afterwards.
  nonisolated(unsafe) static let module = VirtualTable.module { module in
    module.pointee.xConnect = { handle, context, _, _, table, _ in
      VirtualTable.connect(handle, rows(context!).declaration, owner: context!, table)
    }
    module.pointee.xBestIndex = { _, plan in
      plan!.pointee.estimatedCost = 1e9
      plan!.pointee.estimatedRows = 1_000_000
      return SQLITE_OK
    }
    module.pointee.xOpen = { table, cursor in
      let owner = VirtualTable.owner(of: table)
      return VirtualTable.open(RowCursor(rows: owner, position: rows(owner).position), cursor)
    }
    module.pointee.xClose = { cursor in
      rows(cursor).stop()
      RowCursor.of(cursor).deallocate()
      return SQLITE_OK
    }
    module.pointee.xFilter = { cursor, _, _, _, _ in code(rows(cursor).start(), cursor) }
    RowCursor.setCallbacks(of: module)
  }
}
