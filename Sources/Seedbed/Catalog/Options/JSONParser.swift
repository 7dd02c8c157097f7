/// Reads JSON exactly as RFC 8259 defines it, with each key only once, and reports where an error
/// is.
package struct JSONParser {
  /// Deeper than any of our documents, and far from exhausting the stack.
  static let depthLimit = 64

  private let file: String
  private let bytes: [UInt8]
  private let mostMembers: Int
  /// The number of the line, if the text is one of a file of JSON lines.
  private let lineNumber: Int?
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var depth = 0

  private init(_ bytes: [UInt8], file: String, line lineNumber: Int?, mostMembers: Int) {
    (self.bytes, self.file, self.lineNumber) = (bytes, file, lineNumber)
    (self.mostMembers, line) = (mostMembers, lineNumber ?? 1)
  }

  /// The only value in a text; `file` is the text's name in errors.
  ///
  /// - Parameters:
  ///   - line: its number, if the text is one of a file of JSON lines.
  ///   - mostMembers: how many keys an object may have. Each is compared with all before it, so a
  ///     text from a stranger needs a limit.
  package static func parse(
    _ bytes: [UInt8], file: String, line: Int? = nil, mostMembers: Int = .max
  ) throws -> ParsedJSON {
    var parser = JSONParser(bytes, file: file, line: line, mostMembers: mostMembers)
    try parser.checkEncoding()
    parser.skipSpace()
    if parser.index == bytes.count { throw parser.error(JSONWords.empty) }
    let value = try parser.value()
    parser.skipSpace()
    guard parser.index == bytes.count else {
      throw parser.unexpected("the end of the \(parser.noun)")
    }
    return value
  }

  private func checkEncoding() throws {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw error(JSONWords.byteOrderMark) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      || bytes.prefix(4).contains(0)
    {
      throw error(JSONWords.utf16)
    }
  }

  // MARK: values

  private mutating func value() throws -> ParsedJSON {
    let start = place
    let value: ParsedJSON.Value =
      switch peek {
      case UInt8(ascii: "{"): .object(try list(until: "}") { try $0.member(after: $1) })
      case UInt8(ascii: "["): .array(try list(until: "]") { parser, _ in try parser.value() })
      case UInt8(ascii: "\""): .string(try string())
      case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?: .number(try number())
      default: try literal()
      }
    return ParsedJSON(value: value, place: start)
  }

  /// The elements up to the closing bracket `end`; `element` gets the ones already read.
  private mutating func list<Element>(
    until end: Unicode.Scalar, _ element: (inout JSONParser, [Element]) throws -> Element
  ) throws -> [Element] {
    guard depth < Self.depthLimit else {
      throw error(
        "More than \(Self.depthLimit) brackets are open here."
          + (lineNumber == nil ? " No option is nested that deeply." : ""))
    }
    depth += 1
    index += 1
    var elements: [Element] = []
    while true {
      skipSpace()
      if take(end) { break }
      if !elements.isEmpty {
        let comma = place
        guard take(",") else { throw unexpected("',' or '\(end)'") }
        skipSpace()
        if peek == UInt8(ascii: end) {
          throw error(
            "Found a comma before '\(end)'. JSON has none after the last element: remove it.",
            comma)
        }
      }
      elements.append(try element(&self, elements))
    }
    depth -= 1
    return elements
  }

  private mutating func member(after others: [ParsedJSON.Member]) throws -> ParsedJSON.Member {
    let start = place
    guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
    let key = try string()
    guard others.count < mostMembers else {
      throw error("This object has more than \(mostMembers) keys.", start)
    }
    if let first = others.first(where: { $0.key.isSameText(as: key) }) {
      throw error(
        "The key '\(key.shortened(to: 40))' is repeated here; it is first in "
          + (lineNumber == nil ? "line \(first.place.line ?? 0)" : "the same object")
          + ". Keep one of them.", start)
    }
    skipSpace()
    guard take(":") else { throw unexpected("':' after the key") }
    skipSpace()
    return ParsedJSON.Member(key: key, place: start, value: try value())
  }

  private mutating func literal() throws -> ParsedJSON.Value {
    let from = index
    switch word() {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      index = from
      throw unexpected("a value")
    }
  }

  /// > number = [ minus ] int [ frac ] [ exp ]
  private mutating func number() throws -> String {
    let (start, from) = (place, index)
    _ = take("-")
    let leading = peek
    let digits = skip(while: \.isDigit)
    var isValid = digits == 1 || digits > 1 && leading != UInt8(ascii: "0")
    if take(".") { isValid = skip(while: \.isDigit) > 0 && isValid }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      isValid = skip(while: \.isDigit) > 0 && isValid
    }
    // Characters that follow directly, as in `1x` or `1.2.3`, belong to the same mistake.
    if skip(while: { $0.isWordByte || $0 == UInt8(ascii: ".") }) > 0 { isValid = false }
    let text = String(decoding: bytes[from..<index], as: UTF8.self)
    guard isValid else {
      throw error(
        "'\(text.shortened(to: 40))' is not a number as JSON writes it: digits without leading "
          + "zeros, a fraction, an exponent. Put text in double quotes.", start)
    }
    return text
  }

  // MARK: strings

  /// The string that begins here. Its text must be UTF-8, and its escapes whole characters.
  private mutating func string() throws -> String {
    let start = place
    index += 1
    var text: [UInt8] = []
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        // Invalid bytes must not be replaced: the text must stay the same.
        let decoded = String(decoding: text, as: UTF8.self)
        guard decoded.utf8.elementsEqual(text) else { throw error(JSONWords.encoding, start) }
        return decoded
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0x0A, 0x0D: throw error(JSONWords.unterminated, start)
      case 0..<0x20:
        let code = (byte < 0x10 ? "000" : "00") + String(byte, radix: 16, uppercase: true)
        throw error("Found a control character in a string. Write it as \\u\(code).")
      default:
        text.append(byte)
        index += 1
      }
    }
    throw error(JSONWords.unterminated, start)
  }

  private mutating func escape(into text: inout [UInt8]) throws {
    let start = place
    index += 1
    guard let byte = peek else { throw error(JSONWords.unterminated, start) }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += String(try unicodeEscape(start)).utf8
    default: throw error(JSONWords.escape, start)
    }
  }

  /// The character of `\u` and four digits, or of two of these that form a surrogate pair.
  private mutating func unicodeEscape(_ start: SeedbedError.Place) throws -> Unicode.Scalar {
    let first = try codeUnit(start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take("\\"), take("u") else { throw error(JSONWords.surrogate, start) }
    let second = try codeUnit(start)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error(JSONWords.surrogate, start) }
    return scalar
  }

  private mutating func codeUnit(_ start: SeedbedError.Place) throws -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error(JSONWords.escape, start)
      }
      unit = unit << 4 | UInt32(digit)
      index += 1
    }
    return unit
  }

  // MARK: bytes

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// Skips all bytes for which `isSuch` holds, and returns their number.
  private mutating func skip(while isSuch: (UInt8) -> Bool) -> Int {
    let from = index
    while let byte = peek, isSuch(byte) { index += 1 }
    return index - from
  }

  private mutating func word() -> String {
    let from = index
    return String(decoding: bytes[from..<from + skip(while: \.isWordByte)], as: UTF8.self)
  }

  private mutating func skipSpace() {
    while let byte = peek, [0x20, 0x09, 0x0D, 0x0A].contains(byte) {
      index += 1
      if byte == 0x0A { (line, lineStart) = (line + 1, index) }
    }
  }

  // MARK: errors

  private var place: SeedbedError.Place {
    SeedbedError.Place(file, line: line, column: index - lineStart + 1)
  }

  private func error(_ message: String, _ place: SeedbedError.Place? = nil) -> SeedbedError {
    SeedbedError(lineNumber == nil ? .catalog : .csv, message, at: place ?? self.place)
  }

  private var noun: String { lineNumber == nil ? "file" : "line" }

  /// The error for the next character, with a hint if the mistake is a common one.
  private func unexpected(_ expected: String) -> SeedbedError {
    guard let byte = peek else {
      let remedy = lineNumber == nil ? "" : " Each object has one line: jq -c . FILE >FILE.jsonl."
      return error("The \(noun) ends here, expected \(expected).\(remedy)")
    }
    var copy = self
    let word = copy.word()
    let found = word.isEmpty ? copy.character() : word
    let hint =
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "#"): " JSON has no comments: remove it."
      case UInt8(ascii: "'"): " JSON has double quotes only."
      case _ where ["True", "False", "None", "TRUE", "FALSE", "NULL", "Null"].contains(word):
        " JSON writes true, false and null."
      case _ where !word.isEmpty && (expected == "a value" || expected.hasPrefix("a key")):
        " Put text in double quotes."
      default: ""
      }
    return error("Found '\(found.shortened(to: 40))', expected \(expected).\(hint)")
  }

  /// The whole character that begins here, or its first byte if it is not UTF-8.
  private func character() -> String {
    let text = String(decoding: bytes[index...].prefix(16), as: UTF8.self)
    guard let first = text.first, first != "\u{FFFD}" else {
      return "0x" + String(bytes[index], radix: 16, uppercase: true)
    }
    return String(first)
  }
}

extension UInt8 {
  /// A letter, a digit or `_`.
  fileprivate var isWordByte: Bool { isWordCharacter && self != UInt8(ascii: "-") }
}
