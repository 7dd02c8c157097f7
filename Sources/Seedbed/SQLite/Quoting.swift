extension String {
  /// The name as an SQL identifier: `"` doubled inside `"`.
  package var quoted: String {
    "\"" + doubling("\"") + "\""
  }

  /// The text as an SQL string literal.
  package var quotedLiteral: String {
    "'" + doubling("'") + "'"
  }

  /// Each such sign of ASCII twice. A combining mark behind it makes another character of it, but
  /// not for SQLite or a CSV file.
  package func doubling(_ sign: Unicode.Scalar) -> String {
    let sign = UInt8(ascii: sign)
    guard utf8.contains(sign) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count + 8)
    for byte in utf8 {
      bytes.append(byte)
      if byte == sign { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Sequence where Element == String {
  /// Names as SQL identifiers, separated by commas.
  package var quotedList: String { map(\.quoted).joined(separator: ", ") }
}
