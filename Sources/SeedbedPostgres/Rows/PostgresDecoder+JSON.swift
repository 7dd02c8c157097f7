import Seedbed
import SeedbedCells

/// Checks whether a field is JSON as PostgreSQL reads it (RFC 8259). The value is not used, so the
/// catalog's own parser, which keeps places and refuses repeated keys, does not fit.
struct JSONText {
  private let text: FieldCheck.Field
  private var index = 0
  /// Whether the type is jsonb, which refuses some values that json accepts.
  private let isBinary: Bool

  init(_ text: FieldCheck.Field, isBinary: Bool) {
    self.text = text
    self.isBinary = isBinary
  }

  mutating func isWhole() -> Bool {
    // The closing brackets of all open ones.
    var open: [UInt8] = []
    while true {
      skipSpace()
      if take("{") {
        skipSpace()
        if !take("}") {
          guard key() else { return false }
          open.append(UInt8(ascii: "}"))
          continue
        }
      } else if take("[") {
        skipSpace()
        if !take("]") {
          open.append(UInt8(ascii: "]"))
          continue
        }
      } else {
        guard scalar() else { return false }
      }
      // The loop goes on after a value.
      while true {
        skipSpace()
        guard let end = open.last else { return index == text.count }
        if take(",") {
          guard end == UInt8(ascii: "]") || key() else { return false }
          break
        }
        guard peek == end else { return false }
        index += 1
        open.removeLast()
      }
    }
  }

  private mutating func key() -> Bool {
    skipSpace()
    guard string() else { return false }
    skipSpace()
    return take(":")
  }

  private mutating func scalar() -> Bool {
    switch peek {
    case UInt8(ascii: "\""): string()
    case UInt8(ascii: "t"): word("true")
    case UInt8(ascii: "f"): word("false")
    case UInt8(ascii: "n"): word("null")
    default: number()
    }
  }

  private mutating func word(_ word: StaticString) -> Bool {
    let end = index + word.utf8CodeUnitCount
    guard end <= text.count else { return false }
    for place in 0..<word.utf8CodeUnitCount where text[index + place] != word.utf8Start[place] {
      return false
    }
    index = end
    return true
  }

  private mutating func number() -> Bool {
    _ = take("-")
    if take("0") {
      if peek?.isDigit == true { return false }
    } else if !digits() {
      return false
    }
    if take("."), !digits() { return false }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let start = index
    while peek?.isDigit == true { index += 1 }
    return index > start
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    // The first half of a surrogate pair, which needs the second.
    var isHalf = false
    while let byte = peek {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return !isHalf
      case ..<0x20: return false
      case UInt8(ascii: "\\"):
        guard let letter = peek else { return false }
        index += 1
        guard letter == UInt8(ascii: "u") else {
          guard !isHalf, "\"\\/bfnrt".utf8.contains(letter) else { return false }
          continue
        }
        guard let unit = unit() else { return false }
        if !isBinary { continue }
        switch unit {
        case 0: return false
        case 0xDC00...0xDFFF: guard isHalf else { return false }
        default: if isHalf { return false }
        }
        isHalf = (0xD800...0xDBFF).contains(unit)
      default: if isHalf { return false }
      }
    }
    return false
  }

  /// The number in the four digits of `\u00e9`.
  private mutating func unit() -> Int? {
    guard index + 4 <= text.count else { return nil }
    var unit = 0
    for byte in text[index..<(index + 4)] {
      guard byte.isHexDigit else { return nil }
      unit = unit << 4 | Int(byte.isDigit ? byte & 15 : (byte & 15) + 9)
    }
    index += 4
    return unit
  }

  // MARK: bytes

  private var peek: UInt8? { index < text.count ? text[index] : nil }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: sign) else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      index += 1
    }
  }
}
