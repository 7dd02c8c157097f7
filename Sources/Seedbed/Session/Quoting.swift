extension String {
  /// The name as an SQL identifier, in double quotes. A `"` in it is doubled.
  @inline(never) package var quoted: String {
    "\"" + doubling("\"") + "\""
  }

  /// The text as an SQL string literal.
  package var quotedLiteral: String {
    "'" + doubling("'") + "'"
  }

  /// Doubles each occurrence of an ASCII sign. With a combining mark after it, the sign is part of
  /// another character for Swift, but not for SQLite or a CSV file.
  @inline(never) package func doubling(_ sign: Unicode.Scalar) -> String {
    let sign = UInt8(ascii: sign)
    guard utf8.contains(sign) else { return self }
    let parts = utf8.split(separator: sign, omittingEmptySubsequences: false)
    return String(decoding: Array(parts.joined(separator: [sign, sign])), as: UTF8.self)
  }
}

extension Sequence where Element == String {
  /// Names as SQL identifiers, separated by commas.
  package var quotedList: String { map(\.quoted).listed }

  /// `"a" = ?` or `t."a" = ?` for each name.
  package func equalsParameters(of table: String? = nil) -> [String] {
    map { (table.map { $0 + "." } ?? "") + $0.quoted + " = ?" }
  }

  /// Parts of a statement, separated by commas.
  var listed: String { joined(separator: ", ") }
}

extension Collection<String> {
  /// A condition that holds if all of these do; true if there are none.
  package var allTrue: String { chain("AND", ifEmpty: "true") }

  /// A condition that holds if one of these does; false if there are none.
  package var anyTrue: String { chain("OR", ifEmpty: "false") }

  /// > SQLite parses expressions into a tree for processing; the maximum depth of the tree is 1000.
  /// > (Limits In SQLite) A chain is as deep as it is long, so a long one is cut into parts.
  private func chain(_ word: String, ifEmpty: String) -> String {
    if isEmpty { return ifEmpty }
    let most = 64
    guard count > most else { return joined(separator: " \(word) ") }
    let all = Array(self)
    let parts = stride(from: 0, to: all.count, by: most).map { start in
      "(\(all[start..<Swift.min(start + most, all.count)].joined(separator: " \(word) ")))"
    }
    return parts.chain(word, ifEmpty: ifEmpty)
  }
}
