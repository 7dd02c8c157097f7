/// Goes through one line of JSON, whose bytes are UTF-8.
package struct JSONScan {
  /// The line is no JSON as `JSONParser` takes it.
  struct Fault: Error {}

  let bytes: [UInt8]
  private(set) var index: Int
  private let mostMembers: Int
  private var depth = 0

  /// As many open brackets as `JSONParser` takes.
  private static let depthLimit = 64
  private static let escapes = Array("\"\\/bfnrt".utf8)
  private static let escaped = Array("\"\\/\u{08}\u{0C}\n\r\t".unicodeScalars)

  init(_ bytes: [UInt8], from index: Int = 0, mostMembers: Int = .max) {
    (self.bytes, self.index, self.mostMembers) = (bytes, index, mostMembers)
  }

  /// The place of a value that begins at `start`.
  package static func range(of start: Int, in bytes: [UInt8]) -> Range<Int> {
    var scan = JSONScan(bytes, from: start)
    // The parser has taken the value.
    try? scan.skipValue()
    return start..<scan.index
  }

  /// The next byte; 0 at the end, since no JSON has that byte.
  var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  mutating func require(_ character: Unicode.Scalar) throws(Fault) {
    guard take(character) else { throw Fault() }
  }

  mutating func skipSpace() {
    while byte == 0x20 || byte == 0x09 || byte == 0x0D { index += 1 }
  }

  /// Goes past a list or an object, whose elements `element` takes.
  mutating func list(
    from start: Unicode.Scalar, to end: Unicode.Scalar,
    _ element: (inout JSONScan) throws(Fault) -> Void
  ) throws(Fault) {
    try require(start)
    guard depth < Self.depthLimit else { throw Fault() }
    depth += 1
    skipSpace()
    if !take(end) {
      repeat {
        skipSpace()
        try element(&self)
        skipSpace()
      } while take(",")
      try require(end)
    }
    depth -= 1
  }

  /// Goes past a key and its colon.
  mutating func key(into key: inout [UInt8]) throws(Fault) {
    key.removeAll(keepingCapacity: true)
    try string(into: &key)
    skipSpace()
    try require(":")
    skipSpace()
  }

  mutating func skipValue() throws(Fault) {
    var text: [UInt8] = []
    switch byte {
    case UInt8(ascii: "{"):
      var keys: Set<[UInt8]> = []
      try list(from: "{", to: "}") { (scan: inout JSONScan) throws(Fault) in
        try scan.key(into: &text)
        guard keys.count < scan.mostMembers, keys.insert(text).inserted else { throw Fault() }
        try scan.skipValue()
      }
    case UInt8(ascii: "["):
      try list(from: "[", to: "]") { (scan: inout JSONScan) throws(Fault) in try scan.skipValue() }
    case UInt8(ascii: "\""): try string(into: &text)
    case UInt8(ascii: "n"): for letter in "null".unicodeScalars { try require(letter) }
    case UInt8(ascii: "t"): for letter in "true".unicodeScalars { try require(letter) }
    case UInt8(ascii: "f"): for letter in "false".unicodeScalars { try require(letter) }
    default: try number()
    }
  }

  /// > number = [ minus ] int [ frac ] [ exp ]
  private mutating func number() throws(Fault) {
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    guard take("e") || take("E") else { return }
    if !take("+") { _ = take("-") }
    try digits()
  }

  private mutating func digits() throws(Fault) {
    let start = index
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    guard index > start else { throw Fault() }
  }

  /// Appends the text of the string that begins here, each quote twice if `isDoubling`.
  mutating func string(into text: inout [UInt8], isDoubling: Bool = false) throws(Fault) {
    try require("\"")
    while true {
      let start = index
      while byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { index += 1 }
      text += bytes[start..<index]
      if take("\"") { return }
      let character = try escape()
      text += String(character).utf8
      if isDoubling, character == "\"" { text.append(UInt8(ascii: "\"")) }
    }
  }

  private mutating func escape() throws(Fault) -> Unicode.Scalar {
    try require("\\")
    if let plain = Self.escapes.firstIndex(of: byte) {
      index += 1
      return Self.escaped[plain]
    }
    let first = try codeUnit()
    if let character = Unicode.Scalar(first) { return character }
    try require("\\")
    let second = try codeUnit()
    guard first < 0xDC00, (0xDC00...0xDFFF).contains(second),
      let character = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw Fault() }
    return character
  }

  /// The number in a `u` and four digits.
  private mutating func codeUnit() throws(Fault) -> UInt32 {
    try require("u")
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw Fault() }
      unit = unit << 4 | UInt32(digit)
      index += 1
    }
    return unit
  }
}
