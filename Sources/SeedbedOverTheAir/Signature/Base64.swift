import Seedbed

extension [UInt8] {
  /// The bytes of a text in base64; nil unless it is spelled as `String.base64` spells them: full
  /// groups, padding, no stray bits at the end. One text for each value leaves no room to hide.
  init?(base64 text: String) {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for character in text.utf8 where character != UInt8(ascii: "=") {
      guard let digit = Self.base64Digit(character) else { return nil }
      bits = bits << 6 | UInt32(digit)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    guard String.base64(bytes).utf8.elementsEqual(text.utf8) else { return nil }
    self = bytes
  }

  private static func base64Digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
