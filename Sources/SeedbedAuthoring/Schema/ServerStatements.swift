/// The statements of an SQL text, as psql divides it. A command of psql ends with its line.
struct ServerStatements: Sequence, IteratorProtocol {
  private let text: [UInt8]
  private var position = 0

  init(_ text: [UInt8]) { self.text = text }

  /// The range of the next statement, without its semicolon.
  mutating func next() -> Range<Int>? {
    skipBlanks()
    guard position < text.count else { return nil }
    let start = position
    if text[position] == UInt8(ascii: "\\") {
      skipLine()
      return start..<position
    }
    var end = Ending()
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: ";"), end.isOuter {
        position += 1
        return start..<(position - 1)
      }
      step(byte, &end)
    }
    return start..<text.count
  }

  private func byte(_ distance: Int) -> UInt8? {
    position + distance < text.count ? text[position + distance] : nil
  }

  private mutating func step(_ byte: UInt8, _ end: inout Ending) {
    switch byte {
    case UInt8(ascii: "-") where self.byte(1) == byte: skipLine()
    case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "*"): skipComment()
    case UInt8(ascii: "'"), UInt8(ascii: "\""): skipQuoted(byte, hasEscapes: false)
    case UInt8(ascii: "$"): skipBody()
    case let byte where Self.isOfWord(byte): passWord(&end)
    default:
      end.pass(sign: byte)
      position += 1
    }
  }

  private mutating func passWord(_ end: inout Ending) {
    let start = position
    while let byte = byte(0), Self.isOfWord(byte) || byte == UInt8(ascii: "$") { position += 1 }
    let word = String(decoding: text[start..<position], as: UTF8.self).lowercased()
    if word == "e", byte(0) == UInt8(ascii: "'") {
      skipQuoted(UInt8(ascii: "'"), hasEscapes: true)
    } else {
      end.pass(word: word)
    }
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }

  // MARK: skipping

  private mutating func skipBlanks() {
    while let byte = byte(0) {
      switch byte {
      case 0x09...0x0D, 0x20, UInt8(ascii: ";"): position += 1
      case UInt8(ascii: "-") where self.byte(1) == byte: skipLine()
      case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "*"): skipComment()
      default: return
      }
    }
  }

  private mutating func skipLine() {
    while let byte = byte(0), byte != 0x0A { position += 1 }
  }

  /// > /* comments can nest (SQL Syntax, Comments)
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if byte(0) == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if byte(0) == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
      } else {
        position += 1
      }
    } while depth > 0 && position < text.count
  }

  /// A doubled quote begins another text, which has the same effect here.
  private mutating func skipQuoted(_ quote: UInt8, hasEscapes: Bool) {
    position += 1
    while let byte = byte(0), byte != quote {
      position += byte == UInt8(ascii: "\\") && hasEscapes ? 2 : 1
    }
    position = Swift.min(position + 1, text.count)
  }

  /// `$$…$$` or `$tag$…$tag$`; otherwise the sign alone.
  private mutating func skipBody() {
    var last = position + 1
    while last < text.count, Self.isOfWord(text[last]) { last += 1 }
    guard last < text.count, text[last] == UInt8(ascii: "$") else {
      position += 1
      return
    }
    let delimiter = text[position...last]
    position = last + 1
    while position < text.count, !text[position...].starts(with: delimiter) { position += 1 }
    position = Swift.min(position + delimiter.count, text.count)
  }

  /// Whether a semicolon ends the statement: not between parentheses, as in CREATE RULE, nor in a
  /// body of BEGIN ATOMIC … END.
  private struct Ending {
    private var depth = 0
    private var blocks = 0
    private var words = 0
    private var last = ""
    private var isRoutine = false

    var isOuter: Bool { depth == 0 && blocks == 0 }

    mutating func pass(sign: UInt8) {
      if sign == UInt8(ascii: "(") { depth += 1 }
      if sign == UInt8(ascii: ")") { depth = Swift.max(0, depth - 1) }
    }

    mutating func pass(word: String) {
      defer { last = word }
      words += 1
      if words <= 4, word == "function" || word == "procedure" { isRoutine = true }
      guard isRoutine, last != "as" else { return }
      switch word {
      case "atomic" where blocks == 0 && last == "begin": blocks = 1
      case "case" where blocks > 0: blocks += 1
      case "end" where blocks > 0: blocks -= 1
      default: break
      }
    }
  }
}
