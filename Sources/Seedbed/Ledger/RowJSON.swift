/// Keys and rows in the ledger's JSON.
package enum RowJSON {
  package static func object(_ columns: [String], _ values: [Value]) -> String {
    assert(columns.count == values.count, "A row has a value for each column.")
    return Migrator.Row(columns, values).json
  }

  /// A key in one spelling, the same for all keys that its columns' collations treat as equal.
  ///
  /// > NOCASE: the 26 upper case characters of ASCII are folded to their lower case equivalents.
  /// > RTRIM: trailing space characters are ignored. (Datatypes In SQLite)
  @inline(never) static func collatedKey(_ columns: [ColumnSchema], _ values: [Value]) -> String {
    assert(columns.count == values.count, "A key has a value for each column.")
    return object(columns.names, zip(columns, values).map { collated($1, $0.collation) })
  }

  static func collated(_ value: Value, _ collation: String) -> Value {
    guard case .text(var text) = value else { return value }
    switch collation.asciiLowercased() {
    case "nocase": text = text.asciiLowercased()
    case "rtrim": while text.utf8.last == UInt8(ascii: " ") { text.unicodeScalars.removeLast() }
    default: break
    }
    return .text(text)
  }
}
