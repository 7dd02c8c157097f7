import CSeedbedSQLite

/// A connection as an app keeps one: its statements are prepared once and used again and again,
/// also where somebody else has changed the schema since.
final class AppConnection {
  struct Failure: Error, CustomStringConvertible {
    var code: Int32
    var message: String
    var description: String { "\(code): \(message)" }
  }

  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  init(_ path: String, busyTimeoutMs: Int32) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open(path, &opened)
    guard code == SQLITE_OK, let opened else { throw Failure(code: code, message: path) }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, busyTimeoutMs)
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
        let columns = 0..<sqlite3_column_count(statement)
        rows.append(columns.map { sqlite3_column_int64(statement, $0) })
      case SQLITE_DONE: return rows
      default: throw failure
      }
    }
  }

  /// Does `body` in a transaction that is rolled back where it fails.
  func transaction<Result>(_ begin: String, _ body: () throws -> Result) throws -> Result {
    try run(begin)
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      if sqlite3_get_autocommit(handle) == 0 { try run("ROLLBACK") }
      throw error
    }
  }

  private func statement(_ sql: String) throws -> OpaquePointer {
    if let known = statements[sql] { return known }
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else {
      throw failure
    }
    statements[sql] = prepared
    return prepared
  }

  private var failure: Failure {
    Failure(
      code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
  }
}
