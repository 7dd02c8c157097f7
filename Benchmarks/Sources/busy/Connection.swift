import CSQLite

/// A connection as an app keeps one: its statements are prepared once.
final class Connection {
  struct Failure: Error {
    var code: Int32
    var message: String
  }

  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  init(_ path: String, timeoutMs: Int32) throws {
    guard sqlite3_open(path, &handle) == SQLITE_OK else { throw failure }
    sqlite3_busy_timeout(handle, timeoutMs)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  /// The rows of numbers that a statement returns.
  @discardableResult
  func run(_ sql: String, _ values: Int64...) throws -> [[Int64]] {
    let statement = try statement(sql)
    defer { sqlite3_reset(statement) }
    for (index, value) in values.enumerated() {
      sqlite3_bind_int64(statement, Int32(index + 1), value)
    }
    var rows: [[Int64]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(statement)).map { sqlite3_column_int64(statement, $0) })
      case SQLITE_DONE: return rows
      default: throw failure
      }
    }
  }

  func rollBack() { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }

  private func statement(_ sql: String) throws -> OpaquePointer? {
    if let known = statements[sql] { return known }
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK else { throw failure }
    statements[sql] = prepared
    return prepared
  }

  private var failure: Failure {
    Failure(code: sqlite3_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
  }
}
