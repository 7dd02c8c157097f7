/// The words of an SQL statement in their order: keywords, names and literals without their quotes.
/// Comments and signs are left out.
package enum StatementWords {
  @inline(never) package static func all(of sql: String) -> [String] { Array(words(of: sql)) }

  /// The first words in upper case: enough to tell what kind of statement it is.
  @inline(never) package static func first(_ count: Int, of sql: String) -> [String] {
    words(of: sql).prefix(count).map { $0.uppercased() }
  }

  private static func words(of sql: String) -> some Sequence<String> {
    StatementTokens(sql).lazy.filter { $0.kind != .sign && $0.kind != .comment }.map(\.text)
  }
}
