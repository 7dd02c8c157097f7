/// `ALTER TABLE t …`, as far as it concerns users' data.
package enum AlterStatement: Equatable {
  case rename(table: String, to: String)
  case add(table: String, column: String)
  case drop(table: String, column: String)

  /// - Parameter code: the statement without its comments.
  package init?(_ code: [SQLToken]) {
    var code = code[...]
    guard code.popFirst()?.isWord("ALTER") == true, code.popFirst()?.isWord("TABLE") == true,
      var table = code.popFirst()
    else { return nil }
    if code.first?.isSign(".") == true {
      guard let name = code.dropFirst().first else { return nil }
      table = name
      code = code.dropFirst(2)
    }
    guard let verb = code.popFirst() else { return nil }
    if code.first?.isWord("COLUMN") == true, code.count > 1 { code = code.dropFirst() }
    guard let next = code.first else { return nil }
    if verb.isWord("RENAME"), next.isWord("TO"), let name = code.dropFirst().first {
      self = .rename(table: table.text, to: name.text)
    } else if verb.isWord("ADD") {
      self = .add(table: table.text, column: next.text)
    } else if verb.isWord("DROP") {
      self = .drop(table: table.text, column: next.text)
    } else {
      return nil
    }
  }
}
