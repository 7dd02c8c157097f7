import StrangerSQLite

/// A connection that the app opens itself.
final class Handle {
  let pointer: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    expect("SQLite opens '\(path)'", sqlite3_open(path, &opened), SQLITE_OK)
    pointer = given("handle", opened)
  }

  deinit { sqlite3_close_v2(pointer) }

  func run(_ sql: String) throws {
    expect("SQLite runs '\(sql)'", sqlite3_exec(pointer, sql, nil, nil, nil), SQLITE_OK)
  }

  func number(_ query: String) -> Int64 {
    var statement: OpaquePointer?
    expect("SQLite reads '\(query)'", sqlite3_prepare_v2(pointer, query, -1, &statement, nil), 0)
    defer { sqlite3_finalize(statement) }
    expect("'\(query)' has a row", sqlite3_step(statement), SQLITE_ROW)
    return sqlite3_column_int64(statement, 0)
  }
}

/// Gives a connection the function `answer()`.
@Sendable func addAnswer(_ handle: OpaquePointer) {
  let code = sqlite3_create_function_v2(
    handle, "answer", 0, SQLITE_UTF8, nil, { context, _, _ in sqlite3_result_int(context, 42) },
    nil, nil, nil)
  expect("SQLite takes a function", code, SQLITE_OK)
}

var sourceID: String { String(cString: sqlite3_sourceid()) }
