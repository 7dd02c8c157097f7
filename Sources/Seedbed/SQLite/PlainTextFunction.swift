import CSeedbedSQLite

/// Registers `PlainText` as an SQL function, as long as this value lives. A value that is no text
/// stays as it is.
final class PlainTextFunction {
  static let name = "seedbed:text"
  private let connection: Connection

  init(on connection: Connection) throws {
    self.connection = connection
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    let code = sqlite3_create_function_v2(
      connection.handle, Self.name, 1, flags, nil,
      { context, _, values in
        guard let values else { return }
        guard sqlite3_value_type(values[0]) == SQLITE_TEXT, let text = sqlite3_value_text(values[0])
        else { return sqlite3_result_value(context, values[0]) }
        let count = Int(sqlite3_value_bytes(values[0]))
        // An empty array has no address, which would mean NULL.
        let plain = PlainText.bytes(UnsafeBufferPointer(start: text, count: count)) + [0]
        plain.withUnsafeBytes { bytes in
          sqlite3_result_text64(
            context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
            UInt64(bytes.count - 1), seedbed_transient(), UInt8(SQLITE_UTF8))
        }
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw connection.failure(nil) }
  }

  deinit {
    sqlite3_create_function_v2(
      connection.handle, Self.name, 1, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }
}
