import CSeedbedSQLite

/// A prepared statement; finalized when its owner releases it.
package struct Statement: ~Copyable {
  let handle: OpaquePointer
  private let connection: Connection

  init(_ handle: OpaquePointer, of connection: Connection) {
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Steps once: true if a row is there to be read, false at the end.
  package func step() throws -> Bool {
    try connection.cancellation?.check()
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw connection.failure(sql)
    }
  }

  /// Binds, runs to the end, and is ready to run again.
  func run(_ values: Value...) throws { try run(values) }

  package func run(_ values: [Value]) throws {
    bind(values)
    defer { reset() }
    while try step() {}
  }

  /// Binds again; the first parameter is `values[0]`.
  package func bind(_ values: [Value]) {
    reset()
    for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1)) }
  }

  func reset() { sqlite3_reset(handle) }

  func bind(_ value: Value, at index: Int32) {
    let transient = seedbed_transient()
    switch value {
    case .null: sqlite3_bind_null(handle, index)
    case .integer(let number): sqlite3_bind_int64(handle, index, number)
    case .real(let number): sqlite3_bind_double(handle, index, number)
    case .text(var text):
      text.withUTF8 { bind(text: $0, at: index) }
    case .invalidText(let bytes): bytes.withUnsafeBufferPointer { bind(text: $0, at: index) }
    case .blob(let bytes):
      if bytes.isEmpty {
        sqlite3_bind_zeroblob(handle, index, 0)
      } else {
        sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), transient)
      }
    }
  }

  private func bind(text: UnsafeBufferPointer<UInt8>, at index: Int32) {
    text.withMemoryRebound(to: CChar.self) { characters in
      let count = UInt64(characters.count)
      // An empty buffer may have no address, which SQLite would read as NULL.
      "".withCString { empty in
        _ = sqlite3_bind_text64(
          handle, index, characters.baseAddress ?? empty, count, seedbed_transient(),
          UInt8(SQLITE_UTF8))
      }
    }
  }

  // MARK: the current row

  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  package func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }

  package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  package func text(_ column: Int) -> String? {
    guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func columnName(_ column: Int) -> String {
    String(cString: sqlite3_column_name(handle, Int32(column)))
  }

  package subscript(column: Int) -> Value {
    let index = Int32(column)
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      let start = sqlite3_column_text(handle, index)
      let bytes = UnsafeBufferPointer(
        start: start, count: Int(sqlite3_column_bytes(handle, index)))
      return UTF8Check.isValid(UnsafeRawBufferPointer(bytes))
        ? .text(String(decoding: bytes, as: UTF8.self)) : .invalidText(Array(bytes))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(handle, index)
      let count = Int(sqlite3_column_bytes(handle, index))
      return .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
    default: return .null
    }
  }

  /// The values of the current row from `first` on.
  package func values(from first: Int = 0, count: Int? = nil) -> [Value] {
    (first..<(first + (count ?? columnCount - first))).map { self[$0] }
  }

  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }
}

extension Statement {
  /// Whether a column of the current row holds the same value as one of another statement's: by
  /// storage class and bytes, and two reals even if they agree in 15 significant digits.
  package func isSame(_ first: Int, as other: borrowing Statement, _ second: Int) -> Bool {
    let (first, second) = (Int32(first), Int32(second))
    let kind = sqlite3_column_type(handle, first)
    guard kind == sqlite3_column_type(other.handle, second) else { return false }
    switch kind {
    case SQLITE_NULL: return true
    case SQLITE_INTEGER:
      return sqlite3_column_int64(handle, first) == sqlite3_column_int64(other.handle, second)
    case SQLITE_FLOAT:
      return RealComparison.isSame(
        sqlite3_column_double(handle, first), sqlite3_column_double(other.handle, second))
    default:
      let count = sqlite3_column_bytes(handle, first)
      guard count == sqlite3_column_bytes(other.handle, second) else { return false }
      let left = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(handle, first), count: Int(count))
      let right = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(other.handle, second), count: Int(count))
      return left.elementsEqual(right)
    }
  }
}

/// A statement that a closure or a property may hold, since it cannot be copied itself.
final class Prepared {
  let statement: Statement
  init(_ statement: consuming Statement) { self.statement = statement }
}
