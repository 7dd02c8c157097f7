/// Decodes bytes written as text in place: the result is always shorter. The whole field is checked
/// before its first byte changes, so that an error can still show it.
extension Cell {
  mutating func set(hex field: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    guard field.count % 2 == 0, field.allSatisfy({ Self.hexDigit($0) != nil }) else { return false }
    let count = field.count / 2
    for index in 0..<count {
      let (high, low) = (Self.hexDigit(field[index * 2]), Self.hexDigit(field[index * 2 + 1]))
      field[index] = (high ?? 0) << 4 | (low ?? 0)
    }
    length = UInt32(truncatingIfNeeded: count)
    kind = .blob
    return true
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// RFC 4648, section 4, strictly: full groups, padding, and no stray bits at the end.
  package mutating func set(base64 field: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    guard field.count % 4 == 0 else { return false }
    let padding = field.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let digits = field.dropLast(padding)
    guard digits.allSatisfy({ Self.base64Digit($0) != nil }) else { return false }
    // The bits that the padding cuts off, 2 or 4, must be zero.
    if padding > 0, let last = digits.last.flatMap(Self.base64Digit),
      last & (padding == 1 ? 0b11 : 0b1111) != 0
    {
      return false
    }
    var write = 0
    var bits: UInt32 = 0
    for (index, byte) in digits.enumerated() {
      bits = bits << 6 | UInt32(Self.base64Digit(byte) ?? 0)
      // The first digit of a group completes no byte. Each of the others completes one.
      guard index % 4 > 0 else { continue }
      field[write] = UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * (index % 4)))
      write += 1
    }
    length = UInt32(truncatingIfNeeded: write)
    kind = .blob
    return true
  }

  private static func base64Digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
