import CSeedbedPostgres
package import Seedbed

/// The server's answer to one statement.
package final class PostgresResult {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  var status: ExecStatusType { PQresultStatus(handle) }

  /// A part of an error, by its letter in the protocol, since Swift does not import C's names.
  enum Field: Unicode.Scalar {
    case sqlState = "C"
    case message = "M"
    case detail = "D"
    case hint = "H"
    case position = "P"
    case context = "W"
    case table = "t"
    case column = "c"
  }

  func field(_ field: Field) -> String? {
    PQresultErrorField(handle, Int32(field.rawValue.value)).map { String(cString: $0) }
  }

  /// For example `INSERT 0 3`.
  var commandTag: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

  var affectedRows: Int64 {
    PQcmdTuples(handle).flatMap { Int64(String(cString: $0)) } ?? 0
  }

  // MARK: rows

  package var rowCount: Int { Int(PQntuples(handle)) }
  package var columnCount: Int { Int(PQnfields(handle)) }

  package func columnName(_ column: Int) -> String {
    PQfname(handle, Int32(column)).map { String(cString: $0) } ?? ""
  }

  package func values(_ row: Int, from first: Int = 0) -> [Value] {
    (first..<max(first, columnCount)).map { value(row, $0) }
  }

  package func isNull(_ row: Int, _ column: Int) -> Bool {
    PQgetisnull(handle, Int32(row), Int32(column)) == 1
  }

  /// The bytes of a value as the server writes it.
  func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8> {
    // Sound: the bytes belong to the result, which the caller keeps while it reads them.
    let start = UnsafeRawPointer(PQgetvalue(handle, Int32(row), Int32(column)))
    return UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self),
      count: Int(PQgetlength(handle, Int32(row), Int32(column))))
  }

  package func text(_ row: Int, _ column: Int) -> String? {
    isNull(row, column) ? nil : String(decoding: bytes(row, column), as: UTF8.self)
  }

  /// The number at the start of the text. TRUE is 1.
  package func integer(_ row: Int, _ column: Int) -> Int64 {
    if isNull(row, column) { return 0 }
    if PQftype(handle, Int32(column)) == PostgresType.boolean {
      return bytes(row, column).first == UInt8(ascii: "t") ? 1 : 0
    }
    let text = String(decoding: bytes(row, column), as: UTF8.self)
    return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) } ?? 0
  }

  package func value(_ row: Int, _ column: Int) -> Value {
    if isNull(row, column) { return .null }
    let bytes = bytes(row, column)
    let text = { String(decoding: bytes, as: UTF8.self) }
    switch PQftype(handle, Int32(column)) {
    case PostgresType.boolean: return .integer(bytes.first == UInt8(ascii: "t") ? 1 : 0)
    case PostgresType.int2, PostgresType.int4, PostgresType.int8, PostgresType.oid:
      return Int64(text()).map { .integer($0) } ?? .text(text())
    case PostgresType.float4, PostgresType.float8:
      return Double(text()).map { .real($0) } ?? .text(text())
    case PostgresType.bytea: return .blob(Self.decoded(bytes))
    // > Trailing spaces are semantically insignificant in values of type character. (8.3)
    case PostgresType.bpchar:
      let blanks = bytes.reversed().prefix { $0 == UInt8(ascii: " ") }.count
      return .text(String(decoding: bytes.dropLast(blanks), as: UTF8.self))
    default: return .text(text())
    }
  }

  /// The bytes of `\x48656c6c6f`, or of the older form that a server may be set to.
  private static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var count = 0
    guard let start = text.baseAddress, let plain = PQunescapeBytea(start, &count) else {
      return []
    }
    defer { PQfreemem(plain) }
    return Array(UnsafeBufferPointer(start: plain, count: count))
  }
}

/// The oids of types, which PostgreSQL never changes (`pg_type.dat`).
enum PostgresType {
  static let boolean: Oid = 16
  static let bytea: Oid = 17
  static let int8: Oid = 20
  static let int2: Oid = 21
  static let int4: Oid = 23
  static let oid: Oid = 26
  static let float4: Oid = 700
  static let float8: Oid = 701
  static let bpchar: Oid = 1042
}
