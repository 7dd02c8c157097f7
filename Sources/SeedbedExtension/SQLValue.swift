internal import CSeedbedSQLite
internal import Seedbed
internal import SeedbedOptions

/// An argument of an SQL function.
struct SQLValue {
  private let value: OpaquePointer?

  init(_ value: OpaquePointer?) { self.value = value }

  var isNull: Bool { sqlite3_value_type(value) == SQLITE_NULL }

  private var kind: String {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER, SQLITE_FLOAT: "a number"
    case SQLITE_BLOB: "a blob"
    case SQLITE_NULL: "NULL"
    default: "a text"
    }
  }

  func text(_ what: String) throws -> String {
    guard let text = try optionalText(what) else { throw unexpected(what) }
    return text
  }

  func optionalText(_ what: String) throws -> String? {
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return nil
    case SQLITE_TEXT: return try decoded(what)
    default: throw unexpected(what)
    }
  }

  /// The argument as the value of an option.
  func option(_ option: VerbOption) throws -> OptionValue {
    let name = option.name
    let parsed: ParsedJSON.Value
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: parsed = .number(String(sqlite3_value_int64(value)))
    case SQLITE_FLOAT: parsed = .number(String(sqlite3_value_double(value)))
    case SQLITE_TEXT:
      let text = try decoded("'\(name)'")
      let mayBeJSON = option.kind.value == .key || option.kind.count == .several
      let isJSON = mayBeJSON && (text.hasPrefix("[") || text.hasPrefix("{"))
      parsed =
        isJSON
        ? try CallOptions.parse(text, as: "the argument '\(name)'").value : .string(text)
    default:
      throw SeedbedError(.usage, "The argument '\(name)' is \(kind). Give a text or a number.")
    }
    return OptionValue(name: name, value: parsed)
  }

  private func decoded(_ what: String) throws -> String {
    // The order is SQLite's: the text first, then its length in bytes.
    guard let start = sqlite3_value_text(value) else { throw unexpected(what) }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    guard bytes.count <= CallOptions.sizeLimit else {
      throw SeedbedError(.usage, "\(what.capitalized) has \(bytes.count) bytes: too many.")
    }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw SeedbedError(.usage, "\(what.capitalized) is no valid text. Give text in UTF-8.")
    }
    return text
  }

  private func unexpected(_ what: String) -> SeedbedError {
    SeedbedError(.usage, "\(what.capitalized) is \(kind). Give a text.")
  }
}

extension String {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
