import CSeedbedSQLite

/// A function that SQL of this connection can call as long as this value lives.
final class RegisteredFunction {
  typealias Body =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  private let connection: Connection
  private let name: String
  private let count: Int32

  fileprivate init(
    _ name: String, arguments count: Int32, on connection: Connection, _ body: Body
  ) throws {
    (self.connection, self.name, self.count) = (connection, name, count)
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    let code = sqlite3_create_function_v2(
      connection.handle, name, count, flags, nil, body, nil, nil, nil)
    // One of an earlier call stays if a statement's own function makes the calls: SQLite neither
    // replaces nor deletes functions while any statement runs.
    guard code == SQLITE_OK || code == SQLITE_BUSY else { throw connection.failure(nil) }
  }

  deinit {
    // > To delete an existing SQL function or aggregate, pass NULL pointers for all three function
    // > callbacks.
    sqlite3_create_function_v2(
      connection.handle, name, count, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }
}

extension RegisteredFunction {
  static let sameReal = "seedbed:same"
  static let plainText = "seedbed:text"
  static let mixed = "seedbed:mixed"

  /// `RealComparison`. It is false unless both arguments are reals.
  static func sameReal(on connection: Connection) throws -> RegisteredFunction {
    try RegisteredFunction(sameReal, arguments: 2, on: connection) { context, _, values in
      guard let values else { return }
      let isSame =
        sqlite3_value_type(values[0]) == SQLITE_FLOAT
        && sqlite3_value_type(values[1]) == SQLITE_FLOAT
        && RealComparison.isSame(sqlite3_value_double(values[0]), sqlite3_value_double(values[1]))
      sqlite3_result_int(context, isSame ? 1 : 0)
    }
  }

  /// `PlainText`. A value that is no text stays as it is.
  static func plainText(on connection: Connection) throws -> RegisteredFunction {
    try RegisteredFunction(plainText, arguments: 1, on: connection) { context, _, values in
      guard let values else { return }
      guard sqlite3_value_type(values[0]) == SQLITE_TEXT, let text = sqlite3_value_text(values[0])
      else { return sqlite3_result_value(context, values[0]) }
      let count = Int(sqlite3_value_bytes(values[0]))
      RegisteredFunction.answer(
        context, PlainText.bytes(UnsafeBufferPointer(start: text, count: count)))
    }
  }

  /// The id of an owner's copy, from the owner and the file's id: a UUID of version 8, written like
  /// the file's.
  static func mixed(on connection: Connection) throws -> RegisteredFunction {
    try RegisteredFunction(mixed, arguments: 2, on: connection) { context, _, values in
      guard let values, sqlite3_value_type(values[1]) != SQLITE_NULL else { return }
      let id = RegisteredFunction.text(values[1]).asciiLowercased()
      var digits = Array(Digest.of(RegisteredFunction.text(values[0]) + ":" + id).utf8.prefix(32))
      (digits[12], digits[16]) = (UInt8(ascii: "8"), UInt8(ascii: "8"))
      if id.utf8.count == 36 {
        for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
      }
      RegisteredFunction.answer(context, digits)
    }
  }

  private static func text(_ value: OpaquePointer?) -> String {
    guard let text = sqlite3_value_text(value) else { return "" }
    let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func answer(_ context: OpaquePointer?, _ text: [UInt8]) {
    // An empty array has no address, which would mean NULL.
    (text + [0]).withUnsafeBytes { bytes in
      sqlite3_result_text64(
        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count - 1), seedbed_transient(), UInt8(SQLITE_UTF8))
    }
  }
}
