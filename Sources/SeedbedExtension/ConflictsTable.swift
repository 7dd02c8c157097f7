internal import CSeedbedSQLite
internal import Seedbed

/// `seedbed_conflict_columns`: the log of conflicts as a table, one row for each column of a
/// conflict. (`seedbed_conflicts` is the ledger's own table.)
///
/// It reads on the connection that asks, inside its transaction if there is one. The hidden column
/// is the argument: `seedbed_conflict_columns('other')` reads the ledger whose tables have that
/// prefix.
enum ConflictsTable {
  private static let columns = [
    "id", "version", "table", "key", "kind", "policy", "resolution", "column", "base", "mine",
    "seed", "at", "settled", "settledAt",
  ]
  private static let declaration =
    "CREATE TABLE x(\(columns.quotedList), \"ledger\" HIDDEN)"

  /// The rows that a statement reads.
  private final class Rows {
    var rows: [[Migrator.Value]] = []
    var place = 0
  }

  private struct Cursor {
    var base = sqlite3_vtab_cursor()
    let rows: Unmanaged<Rows>
  }

  /// - Returns: SQLite's code.
  static func register(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_module_v2(connection, "seedbed_conflict_columns", module, nil, nil)
  }

  /// Sound: SQLite calls with the cursors that `xOpen` gave it.
  private static func mine(_ cursor: VirtualTable.Cursor?) -> UnsafeMutablePointer<Cursor> {
    UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: Cursor.self)
  }

  private static func rows(_ cursor: VirtualTable.Cursor?) -> Rows {
    mine(cursor).pointee.rows.takeUnretainedValue()
  }

  private static func read(_ connection: OpaquePointer, _ ledger: String) throws
    -> [[Migrator.Value]]
  {
    try Migrator.Conflict.logged(on: connection, ledger: ledger).flatMap { conflict in
      let before: [Migrator.Value] = [
        .integer(conflict.id), .integer(conflict.version), .text(conflict.table),
        .text(conflict.key.json), .text(conflict.kind.rawValue),
        conflict.policy.map { .text($0) } ?? .null, .text(conflict.resolution.rawValue),
      ]
      let after: [Migrator.Value] = [
        .text(conflict.at.text), conflict.settled.map { .text($0.rawValue) } ?? .null,
        conflict.settledAt.map { .text($0.text) } ?? .null,
      ]
      let columns = conflict.columns.map {
        [.text($0.name), $0.base ?? .null, $0.mine ?? .null, $0.seed ?? .null]
      }
      return (columns.isEmpty ? [[.null, .null, .null, .null]] : columns).map {
        before + $0 + after
      }
    }
  }

  private static func answer(_ context: OpaquePointer?, _ value: Migrator.Value) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(let text): sqlite3_result_text(context, text, -1, seedbed_transient())
    case .invalidText(let bytes):
      bytes.withUnsafeBytes {
        sqlite3_result_text(
          context, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count), seedbed_transient())
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes {
        sqlite3_result_blob(context, $0.baseAddress, Int32($0.count), seedbed_transient())
      }
    }
  }

  // Sound: written once here, and only read afterwards.
  nonisolated(unsafe) private static let module = VirtualTable.module { module in
    module.pointee.xConnect = { handle, _, _, _, table, _ in
      VirtualTable.connect(handle, declaration, owner: UnsafeMutableRawPointer(handle!), table)
    }
    module.pointee.xBestIndex = { _, plan in
      let plan = plan!
      plan.pointee.estimatedCost = 1000
      for number in 0..<Int(plan.pointee.nConstraint) {
        let constraint = plan.pointee.aConstraint[number]
        guard constraint.iColumn == Int32(columns.count), constraint.usable != 0,
          constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ)
        else { continue }
        plan.pointee.aConstraintUsage[number].argvIndex = 1
        plan.pointee.aConstraintUsage[number].omit = 1
        plan.pointee.idxNum = 1
        break
      }
      return SQLITE_OK
    }
    module.pointee.xOpen = { _, cursor in
      VirtualTable.open(Cursor(rows: .passRetained(Rows())), cursor)
    }
    module.pointee.xClose = { cursor in
      mine(cursor).pointee.rows.release()
      mine(cursor).deallocate()
      return SQLITE_OK
    }
    module.pointee.xFilter = { cursor, isNamed, _, _, values in
      let table = cursor!.pointee.pVtab
      let connection = OpaquePointer(VirtualTable.owner(of: table))
      do {
        let ledger =
          isNamed == 1
          ? try SQLValue(values?[0]).text("the ledger's prefix") : Migrator.Options().ledger
        let rows = rows(cursor)
        (rows.rows, rows.place) = (try read(connection, ledger), 0)
        return SQLITE_OK
      } catch {
        return VirtualTable.fail(table, SeedbedError.from(error).description)
      }
    }
    module.pointee.xNext = { cursor in
      rows(cursor).place += 1
      return SQLITE_OK
    }
    module.pointee.xEof = { cursor in rows(cursor).place < rows(cursor).rows.count ? 0 : 1 }
    module.pointee.xColumn = { cursor, context, column in
      let rows = rows(cursor)
      let row = rows.rows[rows.place]
      if Int(column) < row.count { answer(context, row[Int(column)]) }
      return SQLITE_OK
    }
    module.pointee.xRowid = { cursor, rowid in
      rowid!.pointee = Int64(rows(cursor).place + 1)
      return SQLITE_OK
    }
  }
}
