/// What `ALTER TABLE t …` does, as far as it concerns users' data.
package enum AlterStatement: Equatable {
  case rename(table: String, to: String)
  case renameColumn(table: String, from: String, to: String)
  case add(table: String, column: String)
  case drop(table: String, column: String)

  /// Its actions in order, of which PostgreSQL allows several; none in a statement of another kind.
  ///
  /// - Parameter code: the statement without its comments.
  package static func actions(of code: some Collection<SQLToken>) -> [AlterStatement] {
    var code = Array(code)[...]
    guard code.popFirst()?.isWord("ALTER") == true, code.popFirst()?.isWord("TABLE") == true else {
      return []
    }
    code.skip("IF", "EXISTS")
    if code.dropFirst().first.map({ !$0.isWord("RENAME") && $0.isName }) == true {
      code.skip("ONLY")
    }
    guard var table = code.popFirst() else { return [] }
    if code.first?.isSign(".") == true {
      guard let name = code.dropFirst().first else { return [] }
      table = name
      code = code.dropFirst(2)
    }
    if code.first?.isSign("*") == true { code = code.dropFirst() }
    return code.items.compactMap { AlterStatement(table.text, $0) }
  }

  private init?(_ table: String, _ action: ArraySlice<SQLToken>) {
    guard let verb = action.first else { return nil }
    var action = action.dropFirst()
    let isColumn = action.first?.isWord("COLUMN") == true
    if isColumn, action.count > (verb.isWord("RENAME") ? 3 : 1) { action = action.dropFirst() }
    action.skip("IF", "EXISTS")
    action.skip("IF", "NOT", "EXISTS")
    guard let name = action.popFirst() else { return nil }
    if verb.isWord("RENAME") {
      if name.isWord("TO"), let new = action.first {
        self = .rename(table: table, to: new.text)
      } else if action.popFirst()?.isWord("TO") == true, let new = action.first {
        self = .renameColumn(table: table, from: name.text, to: new.text)
      } else {
        return nil
      }
      return
    }
    // `ADD CHECK (…)`, and not `ADD COLUMN check`.
    if !isColumn, Self.constraints.contains(where: name.isWord) { return nil }
    if verb.isWord("ADD") {
      self = .add(table: table, column: name.text)
    } else if verb.isWord("DROP") {
      self = .drop(table: table, column: name.text)
    } else {
      return nil
    }
  }

  private static let constraints = [
    "CONSTRAINT", "CHECK", "UNIQUE", "PRIMARY", "FOREIGN", "EXCLUDE",
  ]
}

extension ArraySlice<SQLToken> {
  /// Skips the words if they come first.
  fileprivate mutating func skip(_ words: String...) {
    if starts(with: words, by: { $0.isWord($1) }) { self = dropFirst(words.count) }
  }
}
