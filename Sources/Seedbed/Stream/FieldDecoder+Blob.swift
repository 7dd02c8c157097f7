/// Bytes written as text, decoded within the field's own bytes: they only get shorter.
extension FieldDecoder {
  func decodeHex(_ cell: inout Cell, _ field: UnsafeMutablePointer<UInt8>) -> Bool {
    let count = Int(cell.length)
    guard count % 2 == 0 else { return false }
    for index in 0..<(count / 2) {
      guard let high = hexDigit(field[index * 2]), let low = hexDigit(field[index * 2 + 1]) else {
        return false
      }
      field[index] = high << 4 | low
    }
    cell.length = UInt32(count / 2)
    cell.kind = .blob
    return true
  }

  private func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// RFC 4648, section 4, strictly: full groups, padding, and no stray bits at the end.
  func decodeBase64(_ cell: inout Cell, _ field: UnsafeMutablePointer<UInt8>) -> Bool {
    let count = Int(cell.length)
    guard count % 4 == 0 else { return false }
    var write = 0
    for group in stride(from: 0, to: count, by: 4) {
      let isLast = group + 4 == count
      let padding =
        !isLast || field[group + 3] != UInt8(ascii: "=")
        ? 0 : field[group + 2] == UInt8(ascii: "=") ? 2 : 1
      var bits: UInt32 = 0
      for offset in 0..<(4 - padding) {
        guard let digit = base64Digit(field[group + offset]) else { return false }
        bits |= UInt32(digit) << UInt32(18 - 6 * offset)
      }
      guard bits & (padding == 0 ? 0 : padding == 1 ? 0xFF : 0xFFFF) == 0 else { return false }
      for offset in 0..<(3 - padding) {
        field[write] = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * offset))
        write += 1
      }
    }
    cell.length = UInt32(write)
    cell.kind = .blob
    return true
  }

  private func base64Digit(_ byte: UInt8) -> UInt8? {
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
