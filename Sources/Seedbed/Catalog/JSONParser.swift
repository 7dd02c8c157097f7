/// Reads JSON exactly as RFC 8259 has it, each key once, and says where an error is.
package struct JSONParser {
  /// Deeper than any document of ours, and far from the end of the stack.
  static let depthLimit = 64

  let file: String
  let bytes: [UInt8]
  var index = 0
  private var line = 1
  private var lineStart = 0
  private var depth = 0

  private init(_ bytes: [UInt8], file: String) {
    (self.bytes, self.file) = (bytes, file)
  }

  /// The one value of a whole text; `file` is its name in errors.
  package static func parse(_ bytes: [UInt8], file: String) throws -> ParsedJSON {
    var parser = JSONParser(bytes, file: file)
    try parser.checkEncoding()
    parser.skipSpace()
    if parser.index == bytes.count { throw SeedbedError.json(JSONWords.empty, parser.place()) }
    let value = try parser.value()
    parser.skipSpace()
    guard parser.index == bytes.count else {
      throw parser.unexpected("the end of the file")
    }
    return value
  }

  private func checkEncoding() throws {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw SeedbedError.json(JSONWords.byteOrderMark, place())
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      || bytes.prefix(4).contains(0)
    {
      throw SeedbedError.json(JSONWords.utf16, place())
    }
  }

  // MARK: places

  var position: ParsedJSON.Position {
    ParsedJSON.Position(line: line, column: index - lineStart + 1)
  }

  func place(_ position: ParsedJSON.Position? = nil) -> SeedbedError.Place {
    SeedbedError.Place(file, at: position ?? self.position)
  }

  // MARK: values

  private mutating func value() throws -> ParsedJSON {
    let start = position
    guard index < bytes.count else { throw unexpected("a value") }
    switch bytes[index] {
    case UInt8(ascii: "{"):
      return ParsedJSON(value: .object(try nested { try $0.members() }), position: start)
    case UInt8(ascii: "["):
      return ParsedJSON(value: .array(try nested { try $0.elements() }), position: start)
    case UInt8(ascii: "\""): return ParsedJSON(value: .string(try string()), position: start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return ParsedJSON(value: .number(try number()), position: start)
    default:
      let word = word()
      switch word {
      case "null": return ParsedJSON(value: .null, position: start)
      case "true": return ParsedJSON(value: .bool(true), position: start)
      case "false": return ParsedJSON(value: .bool(false), position: start)
      default:
        index -= word.utf8.count
        throw unexpected("a value")
      }
    }
  }

  private mutating func nested<Result>(
    _ body: (inout JSONParser) throws -> Result
  ) throws -> Result {
    guard depth < Self.depthLimit else {
      throw SeedbedError.jsonDepth(Self.depthLimit, place())
    }
    depth += 1
    index += 1
    let result = try body(&self)
    depth -= 1
    return result
  }

  private mutating func members() throws -> [ParsedJSON.Member] {
    var members: [ParsedJSON.Member] = []
    skipSpace()
    if take("}") { return members }
    while true {
      let start = position
      guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
      let key = try string()
      if let first = members.first(where: { $0.key == key }) {
        throw SeedbedError.jsonKeyTwice(key, firstLine: first.position.line, place(start))
      }
      skipSpace()
      guard take(":") else { throw unexpected("':' after the key") }
      skipSpace()
      members.append(ParsedJSON.Member(key: key, position: start, value: try value()))
      if try isLast(before: "}") { return members }
    }
  }

  private mutating func elements() throws -> [ParsedJSON] {
    var elements: [ParsedJSON] = []
    skipSpace()
    if take("]") { return elements }
    while true {
      elements.append(try value())
      if try isLast(before: "]") { return elements }
    }
  }

  /// Takes the comma or the closing bracket after an element.
  private mutating func isLast(before end: Unicode.Scalar) throws -> Bool {
    skipSpace()
    if take(end) { return true }
    let comma = position
    guard take(",") else { throw unexpected("',' or '\(end)'") }
    skipSpace()
    if peek == UInt8(ascii: end) { throw SeedbedError.jsonTrailingComma(end, place(comma)) }
    return false
  }

  /// > number = [ minus ] int [ frac ] [ exp ]
  private mutating func number() throws -> String {
    let start = position
    let from = index
    _ = take("-")
    let leading = peek
    let digits = digits()
    var isValid = digits == 1 || digits > 1 && leading != UInt8(ascii: "0")
    if take(".") { isValid = self.digits() > 0 && isValid }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      isValid = self.digits() > 0 && isValid
    }
    // What runs on, such as `1x` or `1.2.3`, belongs to the same mistake.
    while let byte = peek, byte.isWordByte || byte == UInt8(ascii: ".") {
      index += 1
      isValid = false
    }
    let text = String(decoding: bytes[from..<index], as: UTF8.self)
    guard isValid else { throw SeedbedError.jsonNumber(text, place(start)) }
    return text
  }

  private mutating func digits() -> Int {
    let from = index
    while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { index += 1 }
    return index - from
  }

  private mutating func word() -> String {
    let from = index
    while let byte = peek, byte.isWordByte { index += 1 }
    return String(decoding: bytes[from..<index], as: UTF8.self)
  }

  // MARK: bytes

  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek {
      switch byte {
      case 0x20, 0x09, 0x0D: index += 1
      case 0x0A:
        index += 1
        line += 1
        lineStart = index
      default: return
      }
    }
  }

  /// The error for what is found here, with a hint if the mistake is a common one.
  func unexpected(_ expected: String) -> SeedbedError {
    guard let byte = peek else { return SeedbedError.jsonEnds(expected: expected, place()) }
    var copy = self
    let word = copy.word()
    let found = word.isEmpty ? copy.character() : word
    let hint: String? =
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "#"): "JSON has no comments: remove it."
      case UInt8(ascii: "'"): "JSON has double quotes only."
      case _ where ["True", "False", "None", "TRUE", "FALSE", "NULL", "Null"].contains(word):
        "JSON writes true, false and null."
      case _ where !word.isEmpty && (expected == "a value" || expected.hasPrefix("a key")):
        "Put text in double quotes."
      default: nil
      }
    return SeedbedError.jsonUnexpected(found, expected: expected, hint: hint, place())
  }

  /// The whole character that begins here, or its byte if it is not UTF-8.
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
  fileprivate var isWordByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
    default: false
    }
  }
}

extension SeedbedError.Place {
  init(_ file: String, at position: ParsedJSON.Position) {
    self.init(file, line: position.line, column: position.column)
  }
}
