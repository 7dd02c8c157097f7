/// A part of an SQL text.
package struct SQLToken: Equatable {
  package enum Kind: Equatable, Sendable {
    /// A keyword, or a name without quotes.
    case word
    case number, sign, comment
    /// A name or a string, by the byte that opens it. A string between dollar signs is often the
    /// body of a function.
    case quoted(UInt8)
  }

  package var kind: Kind
  /// The text without its quotes. PostgreSQL folds a word to lower case, and so is it here. A
  /// comment is kept whole.
  package var text: String
  /// The range in bytes from the start of the text, with quotes included.
  package var range: Range<Int>

  package static let string = Kind.quoted(UInt8(ascii: "'"))
  package static let name = Kind.quoted(UInt8(ascii: "\""))
  package static let body = Kind.quoted(UInt8(ascii: "$"))

  /// A keyword, or a name without quotes.
  package func isWord(_ word: String) -> Bool { kind == .word && text.isSameName(as: word) }

  package func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

  package var isString: Bool { kind == Self.string || kind == Self.body }

  package var isName: Bool {
    if case .quoted = kind { return !isString }
    return kind == .word
  }

  /// By how much it changes the depth of brackets.
  package var nesting: Int {
    guard kind == .sign else { return 0 }
    switch text {
    case "(", "[": return 1
    case ")", "]": return -1
    default: return 0
    }
  }
}

// Tokens without comments.
extension RandomAccessCollection<SQLToken> {
  /// The position of a word outside all brackets.
  func outer(_ word: String) -> Index? {
    var depth = 0
    return firstIndex { token in
      depth += token.nesting
      return depth == 0 && token.isWord(word)
    }
  }

  package func hasOuter(_ word: String) -> Bool { outer(word) != nil }

  /// Whether these words and signs follow each other somewhere.
  package func has(_ parts: [String]) -> Bool {
    indices.contains { self[$0...].starts(with: parts) { $0.isWord($1) || $0.isSign($1) } }
  }

  /// What the next brackets hold, which are closed at its end; nil if there are none.
  package func brackets(from start: Index) -> SubSequence? {
    guard let open = self[start...].firstIndex(where: { $0.isSign("(") }) else { return nil }
    var depth = 0
    let close = self[open...].firstIndex { token in
      depth += token.nesting
      return depth == 0
    }
    return close.map { self[index(after: open)..<$0] }
  }

  /// The parts between commas outside brackets.
  package var items: [SubSequence] {
    var depth = 0
    return split(omittingEmptySubsequences: false) { token in
      depth += token.nesting
      return depth == 0 && token.isSign(",")
    }
  }
}
