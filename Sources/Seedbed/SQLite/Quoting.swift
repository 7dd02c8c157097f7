extension String {
  /// The name as an SQL identifier: `"` doubled inside `"`.
  package var quoted: String {
    "\"" + doubling("\"") + "\""
  }

  /// The text as an SQL string literal.
  package var quotedLiteral: String {
    "'" + doubling("'") + "'"
  }

  /// Each such scalar twice. A combining mark behind it makes another character of it, but not
  /// for SQLite or a CSV file.
  package func doubling(_ scalar: Unicode.Scalar) -> String {
    guard unicodeScalars.contains(scalar) else { return self }
    var text = String.UnicodeScalarView()
    for other in unicodeScalars {
      text.append(other)
      if other == scalar { text.append(other) }
    }
    return String(text)
  }
}

extension Sequence where Element == String {
  /// Names as SQL identifiers, separated by commas.
  package var quotedList: String { map(\.quoted).joined(separator: ", ") }
}
