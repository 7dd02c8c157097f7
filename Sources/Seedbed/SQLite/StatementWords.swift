/// The words of an SQL statement in their order: keywords, names and literals without their quotes.
/// Comments, numbers and signs are left out.
package struct StatementWords: Sequence, IteratorProtocol {
  private var rest: Substring.UTF8View

  package init(_ sql: String) { rest = sql[...].utf8 }

  /// The first words in upper case: enough to tell what kind of statement it is.
  package static func first(_ count: Int, of sql: String) -> [String] {
    StatementWords(sql).prefix(count).map { $0.uppercased() }
  }

  package mutating func next() -> String? {
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "-") where rest.starts(with: "--".utf8):
        rest = rest.drop { $0 != 0x0A }
      case UInt8(ascii: "/") where rest.starts(with: "/*".utf8): skipComment()
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): return quoted(until: byte)
      case UInt8(ascii: "["): return quoted(until: UInt8(ascii: "]"))
      case _ where Self.isPartOfWord(byte): return word()
      default: rest = rest.dropFirst()
      }
    }
    return nil
  }

  private mutating func skipComment() {
    rest = rest.dropFirst(2)
    while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
    rest = rest.dropFirst(2)
  }

  private mutating func word() -> String {
    let word = rest.prefix(while: Self.isPartOfWord)
    rest = rest[word.endIndex...]
    return String(decoding: word, as: UTF8.self)
  }

  /// A doubled quote stands for one.
  private mutating func quoted(until end: UInt8) -> String {
    var bytes: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.first {
      rest = rest.dropFirst()
      if byte == end {
        guard end != UInt8(ascii: "]"), rest.first == end else { break }
        rest = rest.dropFirst()
      }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
