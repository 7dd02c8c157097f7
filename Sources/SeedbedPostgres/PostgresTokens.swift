import Seedbed

/// The parts of an SQL text in order, by PostgreSQL's lexical rules. Comments are left out.
struct PostgresTokens: Sequence, IteratorProtocol {
  struct Token: SQLToken, Equatable {
    enum Kind {
      /// A keyword, or a name without quotes.
      case word
      /// A name in double quotes.
      case name
      /// A string in single quotes, with any prefix.
      case string
      /// A string between dollar signs, often the body of a function.
      case body
      case number, sign
    }

    var kind: Kind
    /// A word in lower case, as PostgreSQL folds it; a name without its quotes; a sign. Empty for
    /// the others.
    var text: String
    /// The range in bytes from the start of the text, with quotes included.
    var range: Range<Int>

    func isWord(_ word: String) -> Bool { kind == .word && text == word }

    func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

    var isIdentifier: Bool { kind == .word || kind == .name }
  }

  private let text: [UInt8]
  private let end: Int
  private var position: Int

  init(_ sql: String) {
    let text = Array(sql.utf8)
    self.init(text, text.indices)
  }

  /// Reads a part of a longer text.
  init(_ text: [UInt8], _ range: Range<Int>) {
    (self.text, position, end) = (text, range.lowerBound, range.upperBound)
  }

  mutating func next() -> Token? {
    while position < end {
      let start = position
      switch text[position] {
      case 0x09...0x0D, 0x20: position += 1
      case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"): skipLine()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipComment()
      case UInt8(ascii: "'"):
        skipString()
        return token(.string, from: start)
      case UInt8(ascii: "\""): return name(from: start)
      case UInt8(ascii: "$"):
        if let delimiter = delimiter() {
          skipBody(delimiter)
          return token(.body, from: start)
        }
        position += 1
        skipWord()
        return token(.number, from: start)
      case 0x30...0x39:
        while position < end, Self.continuesWord(text[position]) || byte(0) == UInt8(ascii: ".") {
          position += 1
        }
        return token(.number, from: start)
      case let byte where Self.beginsWord(byte): return word(from: start)
      default:
        position += 1
        return token(.sign, from: start)
      }
    }
    return nil
  }

  /// The tokens between the delimiters of a body.
  func inside(_ body: Token) -> PostgresTokens {
    let range = body.range
    let size =
      (text[(range.lowerBound + 1)..<range.upperBound].firstIndex(of: UInt8(ascii: "$"))
        ?? range.lowerBound) - range.lowerBound + 1
    let last = Swift.max(range.lowerBound + size, range.upperBound - size)
    return PostgresTokens(text, Swift.min(range.lowerBound + size, last)..<last)
  }

  private func token(_ kind: Token.Kind, from start: Int) -> Token {
    let isShown = kind == .word || kind == .sign
    return Token(
      kind: kind,
      text: isShown
        ? String(decoding: text[start..<position], as: UTF8.self).asciiLowercased() : "",
      range: start..<position)
  }

  private func byte(_ distance: Int) -> UInt8? {
    position + distance < end ? text[position + distance] : nil
  }

  // MARK: comments

  private mutating func skipLine() {
    while let byte = byte(0), byte != 0x0A, byte != 0x0D { position += 1 }
  }

  /// > /* comments can nest (SQL Syntax, Comments)
  private mutating func skipComment() {
    var depth = 0
    while position < end {
      if byte(0) == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if byte(0) == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
        if depth == 0 { return }
      } else {
        position += 1
      }
    }
  }

  // MARK: words and names

  private mutating func skipWord() {
    while position < end, Self.continuesWord(text[position]) { position += 1 }
  }

  /// A word, or the string or name that it is the prefix of: `E'…'`, `U&"…"`.
  private mutating func word(from start: Int) -> Token {
    skipWord()
    guard position == start + 1 else { return token(.word, from: start) }
    let (letter, quote) = (text[start] | 0x20, byte(0))
    if quote == UInt8(ascii: "'"), "ebxn".utf8.contains(letter) {
      skipString(hasEscapes: letter == UInt8(ascii: "e"))
      return token(.string, from: start)
    }
    guard letter == UInt8(ascii: "u"), quote == UInt8(ascii: "&") else {
      return token(.word, from: start)
    }
    switch byte(1) {
    case UInt8(ascii: "'"):
      position += 1
      skipString()
      return token(.string, from: start)
    case UInt8(ascii: "\""):
      position += 1
      return name(from: start)
    default: return token(.word, from: start)
    }
  }

  private mutating func name(from start: Int) -> Token {
    var bytes: [UInt8] = []
    position += 1
    while position < end {
      let byte = text[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        guard self.byte(0) == byte else { break }
        position += 1
      }
      bytes.append(byte)
    }
    return Token(
      kind: .name, text: String(decoding: bytes, as: UTF8.self), range: start..<position)
  }

  static func beginsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }

  private static func continuesWord(_ byte: UInt8) -> Bool {
    beginsWord(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "$")
  }

  // MARK: strings

  /// `''` is an escaped quote, and so is `\'` in `E'…'`. The string may continue on the next line
  /// with `'…'`.
  private mutating func skipString(hasEscapes: Bool = false) {
    repeat {
      position += 1
      while let byte = byte(0) {
        position += byte == UInt8(ascii: "\\") && hasEscapes ? 2 : 1
        guard byte == UInt8(ascii: "'") else { continue }
        guard self.byte(0) == byte else { break }
        position += 1
      }
      position = Swift.min(position, end)
    } while hasEscapes && goesOn()
  }

  /// > Two string constants that are only separated by whitespace with at least one newline are
  /// > concatenated (SQL Syntax, String Constants). Comments to the end of the line count.
  private mutating func goesOn() -> Bool {
    let before = position
    var hasNewline = false
    while let byte = byte(0) {
      if byte == UInt8(ascii: "-"), self.byte(1) == byte {
        skipLine()
      } else if byte == 0x20 || (0x09...0x0D).contains(byte) {
        if byte == 0x0A || byte == 0x0D { hasNewline = true }
        position += 1
      } else {
        break
      }
    }
    if hasNewline, byte(0) == UInt8(ascii: "'") { return true }
    position = before
    return false
  }

  /// The delimiter `$$` or `$tag$` at this position; nil for a parameter such as `$1`.
  private func delimiter() -> ArraySlice<UInt8>? {
    var last = position + 1
    if last < end, Self.beginsWord(text[last]) {
      while last < end, Self.continuesWord(text[last]), text[last] != UInt8(ascii: "$") {
        last += 1
      }
    }
    guard last < end, text[last] == UInt8(ascii: "$") else { return nil }
    return text[position...last]
  }

  private mutating func skipBody(_ delimiter: ArraySlice<UInt8>) {
    position += delimiter.count
    while position < end {
      if text[position] == UInt8(ascii: "$"), text[position..<end].starts(with: delimiter) {
        position += delimiter.count
        return
      }
      position += 1
    }
  }
}
