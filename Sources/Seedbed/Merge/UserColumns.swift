/// The columns that no seed file sets, and whether the user has touched them.
package enum UserColumns {
  /// A condition that holds where each of them is still at its constant default.
  ///
  /// A default that SQLite computes (`CURRENT_TIMESTAMP`, an expression) says nothing about edits,
  /// so such columns do not count.
  static func atDefault(_ file: RowFile, table: String) -> String {
    let conditions = file.userColumns.compactMap { column -> String? in
      guard let literal = constantDefault(column) else { return nil }
      return "\(table).\(column.name.quoted) IS \(literal)"
    }
    return "(\(conditions.allTrue))"
  }

  /// The default's SQL where it is a literal, `NULL` where there is none; nil where it is computed.
  package static func constantDefault(_ column: ColumnSchema) -> String? {
    guard let sql = column.defaultSQL else { return "NULL" }
    var text = Substring(sql)
    while text.first == "(", text.last == ")" { text = text.dropFirst().dropLast() }
    let trimmed = String(text.drop { $0 == " " })
    // > The "IS TRUE" operator: behind IS these words ask whether a value is true, and 2 is.
    switch trimmed.uppercased() {
    case "TRUE": return "1"
    case "FALSE": return "0"
    default: return isLiteral(trimmed) ? trimmed : nil
    }
  }

  private static func isLiteral(_ text: String) -> Bool {
    let upper = text.uppercased()
    if upper == "NULL" { return true }
    if text.hasPrefix("'") || upper.hasPrefix("X'") { return isQuoted(text, "'") }
    // SQLite takes a string in double quotes for a literal here.
    if text.hasPrefix("\"") { return isQuoted(text, "\"") }
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : Substring(text)
    if digits.uppercased().hasPrefix("0X") { return digits.dropFirst(2).allSatisfy(\.isHexDigit) }
    var bytes = Array(digits.utf8)
    return bytes.withUnsafeMutableBufferPointer { NumberText.decimal($0) != nil }
  }

  /// One literal and nothing behind it: quotes inside are doubled.
  private static func isQuoted(_ text: String, _ quote: Character) -> Bool {
    var body = Substring(text)
    if body.first != quote { body = body.dropFirst() }
    guard body.count >= 2, body.last == quote else { return false }
    var inside = body.dropFirst().dropLast()
    while let index = inside.firstIndex(of: quote) {
      let next = inside.index(after: index)
      guard next < inside.endIndex, inside[next] == quote else { return false }
      inside = inside[inside.index(after: next)...]
    }
    return true
  }
}
