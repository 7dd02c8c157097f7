/// The words of an SQL statement in their order: keywords, names and literals without their quotes.
/// Comments and signs are left out.
package struct StatementWords: Sequence, IteratorProtocol {
  private var tokens: StatementTokens

  package init(_ sql: String) { tokens = StatementTokens(sql) }

  /// The first words in upper case: enough to tell what kind of statement it is.
  package static func first(_ count: Int, of sql: String) -> [String] {
    StatementWords(sql).prefix(count).map { $0.uppercased() }
  }

  package mutating func next() -> String? {
    while let token = tokens.next() {
      switch token.kind {
      case .word, .quoted: return token.text
      case .sign, .comment: continue
      }
    }
    return nil
  }
}
