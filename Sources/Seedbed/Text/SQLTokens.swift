/// The parts of an SQL text in order, by the lexical rules of one engine.
package struct SQLTokens: Sequence, IteratorProtocol {
  package enum Flavour: Sendable { case sqlite, postgresql }

  private let flavour: Flavour
  private let text: [UInt8]
  private let end: Int
  private(set) var position: Int

  package init(_ sql: String, _ flavour: Flavour = .sqlite) {
    let text = Array(sql.utf8)
    self.init(text, text.indices, flavour)
  }

  /// Reads a part of a longer text.
  package init(_ text: [UInt8], _ range: Range<Int>, _ flavour: Flavour = .sqlite) {
    (self.text, self.flavour) = (text, flavour)
    (position, end) = (range.lowerBound, range.upperBound)
  }

  package mutating func next() -> SQLToken? {
    while let byte = byte(0), byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
    let start = position
    guard let byte = byte(0) else { return nil }
    switch byte {
    case UInt8(ascii: "-") where self.byte(1) == byte:
      skipLine()
      return token(.comment, from: start)
    case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "*"):
      skipComment()
      return token(.comment, from: start)
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return quoted(from: start)
    case UInt8(ascii: "["), UInt8(ascii: "`"):
      if flavour == .sqlite { return quoted(from: start) }
      position += 1
      return token(.sign, from: start)
    case UInt8(ascii: "$") where flavour == .postgresql: return dollar(from: start)
    case 0x30...0x39:
      while let byte = self.byte(0), Self.continuesWord(byte) || byte == UInt8(ascii: ".") {
        position += 1
      }
      return token(.number, from: start)
    case let byte where Self.continuesWord(byte):
      skipWord()
      return prefixed(from: start) ?? token(.word, from: start)
    default:
      position += 1
      return token(.sign, from: start)
    }
  }

  // MARK: without comments

  package static func code(of sql: String, _ flavour: Flavour = .sqlite) -> [SQLToken] {
    SQLTokens(sql, flavour).filter { $0.kind != .comment }
  }

  /// The code, and that in its strings, which a function may run, and in their strings.
  static func codeWithStrings(of sql: String, _ flavour: Flavour, depth: Int = 2) -> [SQLToken] {
    code(of: sql, flavour).flatMap { token in
      guard depth > 0, token.isString else { return [token] }
      return [token] + codeWithStrings(of: token.text, flavour, depth: depth - 1)
    }
  }

  /// Keywords, names and literals, without their quotes; no signs.
  package static func words(of sql: String, _ flavour: Flavour = .sqlite) -> [String] {
    Array(lazyWords(of: sql, flavour))
  }

  /// The first words in upper case: enough to tell what kind of statement it is.
  package static func firstWords(_ count: Int, of sql: String) -> [String] {
    lazyWords(of: sql, .sqlite).prefix(count).map { $0.uppercased() }
  }

  private static func lazyWords(of sql: String, _ flavour: Flavour) -> some Sequence<String> {
    SQLTokens(sql, flavour).lazy.filter { $0.kind != .sign && $0.kind != .comment }.map(\.text)
  }

  // MARK: one token

  private func token(_ kind: SQLToken.Kind, from start: Int) -> SQLToken {
    let text = String(decoding: text[start..<position], as: UTF8.self)
    let isFolded = kind == .word && flavour == .postgresql
    return SQLToken(
      kind: kind, text: isFolded ? text.asciiLowercased() : text, range: start..<position)
  }

  private func byte(_ distance: Int) -> UInt8? {
    position + distance < end ? text[position + distance] : nil
  }

  mutating func skipLine() {
    while let byte = byte(0), byte != 0x0A, byte != 0x0D || flavour == .sqlite { position += 1 }
  }

  /// > /* comments can nest (PostgreSQL, Comments)
  ///
  /// SQLite's cannot.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if byte(0) == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += depth == 0 || flavour == .postgresql ? 1 : 0
        position += 2
      } else if byte(0) == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
      } else {
        position += 1
      }
    } while depth > 0 && position < end
  }

  private mutating func skipWord() {
    while let byte = byte(0), Self.continuesWord(byte) { position += 1 }
  }

  /// Digits and a dollar sign do so only within a word, and are asked about before.
  private static func continuesWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// A name or a string whose quote is the next byte. A doubled quote means a single one.
  private mutating func quoted(from start: Int, hasEscapes: Bool = false) -> SQLToken {
    let quote = text[position]
    let closing = quote == UInt8(ascii: "[") ? UInt8(ascii: "]") : quote
    var bytes: [UInt8] = []
    repeat {
      position += 1
      while let byte = byte(0) {
        position += 1
        if byte == closing {
          guard closing == quote, self.byte(0) == closing else { break }
          position += 1
        } else if hasEscapes, byte == UInt8(ascii: "\\"), let escaped = self.byte(0) {
          bytes.append(byte)
          position += 1
          bytes.append(escaped)
          continue
        }
        bytes.append(byte)
      }
    } while hasEscapes && goesOn()
    return SQLToken(
      kind: .quoted(quote), text: String(decoding: bytes, as: UTF8.self), range: start..<position)
  }

  // MARK: PostgreSQL

  /// The string or name of which the word is the prefix: `E'…'`, `U&"…"`.
  private mutating func prefixed(from start: Int) -> SQLToken? {
    guard flavour == .postgresql, position == start + 1 else { return nil }
    let (letter, quote) = (text[start] | 0x20, UInt8(ascii: "'"))
    if byte(0) == quote, "ebxn".utf8.contains(letter) {
      return quoted(from: start, hasEscapes: letter == UInt8(ascii: "e"))
    }
    guard letter == UInt8(ascii: "u"), byte(0) == UInt8(ascii: "&"),
      byte(1) == quote || byte(1) == UInt8(ascii: "\"")
    else { return nil }
    position += 1
    return quoted(from: start)
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

  /// A string between `$$` or `$tag$`, or a parameter such as `$1`.
  private mutating func dollar(from start: Int) -> SQLToken {
    let sign = UInt8(ascii: "$")
    position += 1
    if let byte = byte(0), !(0x30...0x39).contains(byte) {
      while let byte = self.byte(0), byte != sign, Self.continuesWord(byte) { position += 1 }
    }
    guard byte(0) == sign else {
      skipWord()
      return token(.number, from: start)
    }
    position += 1
    let (delimiter, first) = (text[start..<position], position)
    while position < end, text[position] != sign || !text[position..<end].starts(with: delimiter) {
      position += 1
    }
    let content = String(decoding: text[first..<position], as: UTF8.self)
    position = Swift.min(position + delimiter.count, end)
    return SQLToken(kind: SQLToken.body, text: content, range: start..<position)
  }
}
