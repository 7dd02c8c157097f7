import CSeedbedSQLite

/// Registers `RealComparison` as an SQL function, as long as this value lives. It is false unless
/// both arguments are reals.
final class RealFunction {
  static let name = "seedbed:same"
  private let connection: Connection

  init(on connection: Connection) throws {
    self.connection = connection
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    let code = sqlite3_create_function_v2(
      connection.handle, Self.name, 2, flags, nil,
      { context, _, values in
        guard let values else { return }
        let isSame =
          sqlite3_value_type(values[0]) == SQLITE_FLOAT
          && sqlite3_value_type(values[1]) == SQLITE_FLOAT
          && RealComparison.isSame(sqlite3_value_double(values[0]), sqlite3_value_double(values[1]))
        sqlite3_result_int(context, isSame ? 1 : 0)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw connection.failure(nil) }
  }

  deinit {
    // > To delete an existing SQL function or aggregate, pass NULL pointers for all three function
    // > callbacks.
    sqlite3_create_function_v2(
      connection.handle, Self.name, 2, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }
}
