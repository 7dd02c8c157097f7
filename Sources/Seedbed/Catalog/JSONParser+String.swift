extension JSONParser {
  /// The string that opens here. Its text must be UTF-8 and its escapes whole characters.
  mutating func string() throws -> String {
    let start = position
    index += 1
    var text: [UInt8] = []
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        // Repairing would change the text: what comes out must be what went in.
        let decoded = String(decoding: text, as: UTF8.self)
        guard decoded.utf8.elementsEqual(text) else {
          throw SeedbedError.json(JSONWords.encoding, place(start))
        }
        return decoded
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0x0A, 0x0D: throw SeedbedError.json(JSONWords.unterminated, place(start))
      case 0..<0x20: throw SeedbedError.jsonControlCharacter(byte, place())
      default:
        text.append(byte)
        index += 1
      }
    }
    throw SeedbedError.json(JSONWords.unterminated, place(start))
  }

  private mutating func escape(into text: inout [UInt8]) throws {
    let start = position
    index += 1
    guard let byte = peek else { throw SeedbedError.json(JSONWords.unterminated, place(start)) }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += try Array(String(unicodeEscape(start)).utf8)
    default: throw SeedbedError.json(JSONWords.escape, place(start))
    }
  }

  /// The character of `\u` and four digits, or of two of these that are a surrogate pair.
  private mutating func unicodeEscape(_ start: ParsedJSON.Position) throws -> Unicode.Scalar {
    let first = try codeUnit(start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take("\\"), take("u") else {
      throw SeedbedError.json(JSONWords.surrogate, place(start))
    }
    let second = try codeUnit(start)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw SeedbedError.json(JSONWords.surrogate, place(start)) }
    return scalar
  }

  private mutating func codeUnit(_ start: ParsedJSON.Position) throws -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw SeedbedError.json(JSONWords.escape, place(start))
      }
      unit = unit << 4 | UInt32(digit)
      index += 1
    }
    return unit
  }
}
