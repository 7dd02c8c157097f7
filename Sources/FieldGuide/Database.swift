import CSeedbedSQLite

/// The guide's own connection, which it opens after the update. Any library for SQLite would do.
final class Database {
  private let handle: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw Trouble("Cannot open '\(path)': \(String(cString: sqlite3_errstr(code))).")
    }
    handle = opened
    // One guide can then read while another updates the data. If another program has the database
    // open now, the next start tries again.
    _ = try? rows("PRAGMA journal_mode=WAL")
    sqlite3_busy_timeout(handle, 5000)
    try rows("PRAGMA foreign_keys=1")
  }

  deinit { sqlite3_close(handle) }

  /// Runs one statement. Its values are returned as text, NULL as an empty text.
  @discardableResult
  func rows(_ sql: String, _ values: String...) throws -> [[String]] { try rows(sql, values) }

  @discardableResult
  func rows(_ sql: String, _ values: [String]) throws -> [[String]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
    defer { sqlite3_finalize(statement) }
    // > SQLITE_TRANSIENT: the content will likely change in the near future, make a copy.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, value) in values.enumerated() {
      sqlite3_bind_text(statement, Int32(index + 1), value, -1, transient)
    }
    var rows: [[String]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(statement)).map { column in
            sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
          })
      case SQLITE_DONE: return rows
      default: throw failure
      }
    }
  }

  /// All of it or nothing.
  func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try rows("BEGIN IMMEDIATE")
    do {
      let value = try body()
      try rows("COMMIT")
      return value
    } catch {
      // The first error is the one to show.
      _ = try? rows("ROLLBACK")
      throw error
    }
  }

  private var failure: Trouble {
    Trouble("The database says: \(String(cString: sqlite3_errmsg(handle))).")
  }
}
