extension String {
  /// The name in lower case as SQLite compares names: ASCII letters only.
  @inline(never) package func asciiLowercased() -> String {
    String(decoding: utf8.map { $0.inLowerCase }, as: UTF8.self)
  }

  /// Whether both name the same table or column in SQLite.
  package func isSameName(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8) { $0.inLowerCase == $1.inLowerCase }
  }
}

extension Sequence<String> {
  /// The names in the form in which they are compared.
  package var inLowerCase: Set<String> { Set(map { $0.asciiLowercased() }) }
}

extension UInt8 {
  fileprivate var inLowerCase: UInt8 { self >= 65 && self <= 90 ? self + 32 : self }
}
