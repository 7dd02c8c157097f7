/// The name of a table, column or index as the engines compare it: by its bytes, with ASCII letters
/// in either case. Swift compares by meaning, so an é of one scalar and an é of two would be one
/// name.
///
/// PostgreSQL also distinguishes case. Columns that differ in nothing else are refused there.
/// Tables are not, so what may be a server's table is an `ExactText`.
package struct Name: TextKey {
  /// The name as it was written.
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: Self, other: Self) -> Bool { one.text.isSameName(as: other.text) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte.inLowerCase) }
  }

  package static func < (one: Self, other: Self) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8) { $0.inLowerCase < $1.inLowerCase }
  }
}

extension String {
  /// The name in lower case as SQLite compares names: ASCII letters only.
  @inline(never) package func asciiLowercased() -> String {
    String(decoding: utf8.map { $0.inLowerCase }, as: UTF8.self)
  }

  /// Whether both name the same table or column.
  package func isSameName(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8) { $0.inLowerCase == $1.inLowerCase }
  }
}

extension Sequence<String> {
  /// The names in the form in which they are compared.
  package var asNames: Set<Name> { Set(map { Name($0) }) }

  package func contains(name: String) -> Bool { contains { $0.isSameName(as: name) } }

  /// Whether both have the same names, in the same order.
  package func hasSameNames(as others: some Sequence<String>) -> Bool {
    elementsEqual(others) { $0.isSameName(as: $1) }
  }
}

extension UInt8 {
  fileprivate var inLowerCase: UInt8 { self >= 65 && self <= 90 ? self + 32 : self }
}
