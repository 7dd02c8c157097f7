import CSeedbedSQLite

/// A user's database: what an app does with it between two releases.
final class Device: Database {
  private let handle: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
      throw Failure(message: "cannot open \(path)")
    }
    handle = opened
    sqlite3_busy_timeout(handle, 5000)
    try run("PRAGMA synchronous=OFF")
  }

  deinit { sqlite3_close_v2(handle) }

  struct Failure: Error {
    var message: String
  }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(message: "\(String(cString: sqlite3_errmsg(handle))): \(sql)")
    }
  }

  /// What breaks a rule is not done, as in an app that shows an error.
  func attempt(_ sql: String) -> Bool {
    sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
  }

  func rows(_ sql: String) throws -> [[Cell]] {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK else {
      throw Failure(message: "\(String(cString: sqlite3_errmsg(handle))): \(sql)")
    }
    defer { sqlite3_finalize(prepared) }
    var rows: [[Cell]] = []
    while sqlite3_step(prepared) == SQLITE_ROW {
      rows.append((0..<sqlite3_column_count(prepared)).map { Self.cell(prepared, $0) })
    }
    return rows
  }

  /// The statements that run on the connection meanwhile.
  func statements(_ body: (OpaquePointer) throws -> Void) rethrows -> Set<String> {
    let heard = Heard()
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT),
      { _, heard, statement, _ in
        guard let heard, let sql = sqlite3_sql(OpaquePointer(statement)) else { return 0 }
        Unmanaged<Heard>.fromOpaque(heard).takeUnretainedValue().all.insert(String(cString: sql))
        return 0
      }, Unmanaged.passUnretained(heard).toOpaque())
    defer { sqlite3_trace_v2(handle, 0, nil, nil) }
    try body(handle)
    return heard.all
  }

  private final class Heard { var all: Set<String> = [] }

  private static func cell(_ statement: OpaquePointer?, _ column: Int32) -> Cell {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      return .text(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "")
    case SQLITE_BLOB:
      let count = Int(sqlite3_column_bytes(statement, column))
      return .blob(
        Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count)))
    default: return .null
    }
  }

  func has(_ table: String) throws -> Bool {
    try !rows("SELECT 1 FROM sqlite_master WHERE name = '\(table)'").isEmpty
  }
}
