import CSeedbedSQLite
import SeedbedCells

/// A prepared statement, finalized when its owner releases it.
package final class Statement: Cursor {
  let handle: OpaquePointer
  private let connection: Connection

  init(_ handle: OpaquePointer, of connection: Connection) {
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Steps once: true if there is a row to read, false at the end.
  package func step() throws -> Bool {
    try connection.cancellation?.check()
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw connection.failure(sql)
    }
  }

  /// Binds values, runs to the end, and is ready to run again.
  package func run(_ values: [Value]) throws {
    bind(values)
    defer { reset() }
    while try step() {}
  }

  /// Binds new values; the first parameter is `values[0]`.
  package func bind(_ values: [Value]) {
    assert(
      values.count <= sqlite3_bind_parameter_count(handle), "More values than places for them.")
    reset()
    for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1)) }
  }

  func reset() { sqlite3_reset(handle) }

  func bind(_ value: Value, at index: Int32) {
    switch value {
    case .null: sqlite3_bind_null(handle, index)
    case .integer(let number): sqlite3_bind_int64(handle, index, number)
    case .real(let number): sqlite3_bind_double(handle, index, number)
    case .text(let text): text.withCString { bind(text: $0, text.utf8.count, at: index) }
    case .invalidText(let bytes):
      bytes.withUnsafeBytes {
        bind(text: $0.bindMemory(to: CChar.self).baseAddress, bytes.count, at: index)
      }
    case .blob(let bytes):
      if bytes.isEmpty {
        sqlite3_bind_zeroblob(handle, index, 0)
      } else {
        sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), seedbed_transient())
      }
    }
  }

  /// An empty text needs an address too: SQLite reads a null pointer as NULL.
  private func bind(text: UnsafePointer<CChar>?, _ count: Int, at index: Int32) {
    sqlite3_bind_text64(
      handle, index, text, UInt64(count), seedbed_transient(), UInt8(SQLITE_UTF8))
  }

  // MARK: the current row

  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  package func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }

  package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  package func text(_ column: Int) -> String? {
    if isNull(column) { return nil }
    return String(
      decoding: bytes(column, sqlite3_column_text(handle, Int32(column))), as: UTF8.self)
  }

  /// Valid until the statement steps. `sqlite3_column_bytes` must be called after the column was
  /// read.
  private func bytes(_ column: Int, _ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  package func columnName(_ column: Int) -> String {
    String(cString: sqlite3_column_name(handle, Int32(column)))
  }

  package subscript(column: Int) -> Value {
    let index = Int32(column)
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      let bytes = bytes(column, sqlite3_column_text(handle, index))
      return UTF8Check.isValid(bytes)
        ? .text(String(decoding: bytes, as: UTF8.self)) : .invalidText(Array(bytes))
    case SQLITE_BLOB: return .blob(Array(bytes(column, sqlite3_column_blob(handle, index))))
    default: return .null
    }
  }

  /// The values of the current row from `first` on.
  package func values(from first: Int = 0) -> [Value] {
    assert((0...columnCount).contains(first), "There is no column \(first).")
    return (first..<columnCount).map { self[$0] }
  }

  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }
}

extension Statement {
  /// Whether a column of the current row has the same value as a column of another statement's: the
  /// same storage class and bytes, or two reals that agree in 15 significant digits.
  package func isSame(_ first: Int, as other: Statement, _ second: Int) -> Bool {
    let kind = sqlite3_column_type(handle, Int32(first))
    guard kind == sqlite3_column_type(other.handle, Int32(second)) else { return false }
    if kind == SQLITE_TEXT || kind == SQLITE_BLOB {
      // Compared in place, since they may be long.
      let left = bytes(first, sqlite3_column_blob(handle, Int32(first)))
      let right = other.bytes(second, sqlite3_column_blob(other.handle, Int32(second)))
      return left.elementsEqual(right)
    }
    if case (.real(let first), .real(let second)) = (self[first], other[second]) {
      return RealComparison.isSame(first, second)
    }
    return self[first] == other[second]
  }
}
