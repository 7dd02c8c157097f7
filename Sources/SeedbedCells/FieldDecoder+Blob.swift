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

  mutating func set(base64 field: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    guard let count = Base64.decode(field) else { return false }
    length = UInt32(truncatingIfNeeded: count)
    kind = .blob
    return true
  }
}
