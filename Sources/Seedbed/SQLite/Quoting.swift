extension String {
  /// The name as an SQL identifier: `"` doubled inside `"`.
  var quoted: String {
    "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// The text as an SQL string literal.
  var quotedLiteral: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
}

extension Sequence where Element == String {
  /// Names as SQL identifiers, separated by commas.
  var quotedList: String { map(\.quoted).joined(separator: ", ") }
}
