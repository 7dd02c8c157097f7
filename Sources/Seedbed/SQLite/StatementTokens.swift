package protocol SQLToken {
  @inline(never) func isWord(_ word: String) -> Bool
  func isSign(_ sign: String) -> Bool
}

/// The parts of an SQL text in order: words, quoted text, signs and comments.
package struct StatementTokens: Sequence, IteratorProtocol {
  package struct Token: SQLToken, Equatable {
    package enum Kind: Equatable {
      case word, sign, comment
      /// Identified by the byte that opens it.
      case quoted(UInt8)
    }

    package var kind: Kind
    /// The text without its quotes. A comment is kept whole.
    package var text: String
    /// The offset in bytes from the start of the text.
    package var offset: Int

    /// A keyword, or a name without quotes.
    @inline(never)
    package func isWord(_ word: String) -> Bool { kind == .word && text.uppercased() == word }

    package func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }
  }

  private let text: [UInt8]
  private var position: Int

  package init(_ sql: String) { self.init(Array(sql.utf8), from: 0) }

  /// Starts at a byte of a longer text.
  init(_ text: [UInt8], from start: Int) { (self.text, position) = (text, start) }

  package mutating func next() -> Token? {
    while position < text.count {
      let start = position
      switch text[position] {
      case 0x09...0x0D, 0x20: position += 1
      case UInt8(ascii: "-") where isNext("-"):
        while position < text.count, text[position] != 0x0A { position += 1 }
        return token(.comment, from: start)
      case UInt8(ascii: "/") where isNext("*"):
        skipComment()
        return token(.comment, from: start)
      case UInt8(ascii: "["):
        return Token(
          kind: .quoted(text[start]), text: quoted(until: UInt8(ascii: "]")), offset: start)
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        return Token(kind: .quoted(text[start]), text: quoted(until: text[start]), offset: start)
      case let byte where Self.isPartOfWord(byte):
        while position < text.count, Self.isPartOfWord(text[position]) { position += 1 }
        return token(.word, from: start)
      default:
        position += 1
        return token(.sign, from: start)
      }
    }
    return nil
  }

  // MARK: without comments

  package static func code(of sql: String) -> [Token] {
    StatementTokens(sql).filter { $0.kind != .comment }
  }

  /// Keywords, names and literals, without their quotes; no signs.
  package static func words(of sql: String) -> [String] {
    Array(lazyWords(of: sql))
  }

  /// The first words in upper case: enough to tell what kind of statement it is.
  package static func firstWords(_ count: Int, of sql: String) -> [String] {
    lazyWords(of: sql).prefix(count).map { $0.uppercased() }
  }

  private static func lazyWords(of sql: String) -> some Sequence<String> {
    StatementTokens(sql).lazy.filter { $0.kind != .sign && $0.kind != .comment }.map(\.text)
  }

  // MARK: one token

  private func token(_ kind: Token.Kind, from start: Int) -> Token {
    Token(kind: kind, text: String(decoding: text[start..<position], as: UTF8.self), offset: start)
  }

  private func isNext(_ sign: Unicode.Scalar) -> Bool {
    position + 1 < text.count && text[position + 1] == UInt8(ascii: sign)
  }

  private mutating func skipComment() {
    position += 2
    while position < text.count, !(text[position] == UInt8(ascii: "*") && isNext("/")) {
      position += 1
    }
    position = Swift.min(position + 2, text.count)
  }

  /// A doubled quote means a single one.
  private mutating func quoted(until end: UInt8) -> String {
    var bytes: [UInt8] = []
    position += 1
    while position < text.count {
      let byte = text[position]
      position += 1
      if byte == end {
        guard end != UInt8(ascii: "]"), position < text.count, text[position] == end else { break }
        position += 1
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
