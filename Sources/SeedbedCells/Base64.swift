/// RFC 4648, section 4, strictly: full groups, padding, and no stray bits at the end. So each value
/// has one text.
package enum Base64 {
  /// Decodes in place, and returns the number of bytes; nil if it is not base64, and then nothing
  /// has changed.
  package static func decode(_ text: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let digits = text.dropLast(padding)
    guard digits.allSatisfy({ value($0) != nil }) else { return nil }
    // The bits that the padding cuts off, 2 or 4, must be zero.
    if padding > 0, let last = digits.last.flatMap(value),
      last & (padding == 1 ? 0b11 : 0b1111) != 0
    {
      return nil
    }
    var write = 0
    var bits: UInt32 = 0
    for (index, byte) in digits.enumerated() {
      bits = bits << 6 | UInt32(value(byte) ?? 0)
      // The first digit of a group completes no byte. Each of the others completes one.
      guard index % 4 > 0 else { continue }
      text[write] = UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * (index % 4)))
      write += 1
    }
    return write
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
