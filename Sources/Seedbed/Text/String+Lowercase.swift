extension String {
  /// Lowercase as SQLite compares names: ASCII letters only.
  package func asciiLowercased() -> String {
    String(decoding: utf8.map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }, as: UTF8.self)
  }
}

extension Sequence<String> {
  /// The names as they are compared.
  package var inLowerCase: Set<String> { Set(map { $0.asciiLowercased() }) }
}
