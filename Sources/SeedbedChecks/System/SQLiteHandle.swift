import CSeedbedSQLite

/// A handle such as an app opens, with a mutex of its own.
final class SQLiteHandle {
  static let busy = SQLITE_BUSY
  let pointer: OpaquePointer

  static var version: (number: Int32, text: String, sourceID: String) {
    (
      sqlite3_libversion_number(), String(cString: sqlite3_libversion()),
      String(cString: sqlite3_sourceid())
    )
  }

  init(_ path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX
    let status = sqlite3_open_v2(path, &handle, flags, nil)
    guard let handle else { throw DeviceError("'\(path)' was not opened: there is no memory.") }
    guard status == SQLITE_OK else {
      sqlite3_close(handle)
      throw DeviceError("'\(path)' was not opened: \(status).")
    }
    pointer = handle
  }

  deinit { sqlite3_close(pointer) }

  func status(of sql: String) -> Int32 { sqlite3_exec(pointer, sql, nil, nil, nil) }

  func execute(_ sql: String) throws {
    let status = status(of: sql)
    guard status == SQLITE_OK else {
      throw DeviceError("\(sql): \(status), \(String(cString: sqlite3_errmsg(pointer)))")
    }
  }

  /// The first column of all rows.
  func texts(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(pointer, sql, -1, &statement, nil) == SQLITE_OK else {
      throw DeviceError("\(sql): \(String(cString: sqlite3_errmsg(pointer)))")
    }
    defer { sqlite3_finalize(statement) }
    var texts: [String] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
      case SQLITE_DONE: return texts
      default: throw DeviceError("\(sql): \(String(cString: sqlite3_errmsg(pointer)))")
      }
    }
  }

  func integer(_ sql: String) throws -> Int64 {
    guard let number = try Int64(texts(sql).first ?? "") else {
      throw DeviceError("\(sql): no row")
    }
    return number
  }

  func checkIntegrity() throws {
    let found = try texts("PRAGMA integrity_check")
    guard found == ["ok"] else { throw DeviceError(found.joined(separator: "; ")) }
  }
}
