/// Texts as browsers and frameworks pass them on: line ends of any kind, and white space at the end
/// of lines and of the text that comes and goes.
package enum PlainText {
  /// Whether two texts differ in nothing else.
  package static func isSame(_ first: String, _ second: String) -> Bool {
    bytes(first.utf8) == bytes(second.utf8)
  }

  /// The text with LF as line ends, and without spaces, tabs, vertical tabs and form feeds before
  /// them and at its end, nor line ends there.
  static func bytes(_ text: some Sequence<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    var isAfterReturn = false
    for byte in text {
      defer { isAfterReturn = byte == 0x0D }
      switch byte {
      case 0x0A where isAfterReturn: continue
      case 0x0A, 0x0D:
        plain.dropBlanks { $0.isBlank }
        plain.append(0x0A)
      default: plain.append(byte)
      }
    }
    plain.dropBlanks { $0.isBlank || $0 == 0x0A }
    return plain
  }
}

extension [UInt8] {
  fileprivate mutating func dropBlanks(_ isBlank: (UInt8) -> Bool) {
    while let last, isBlank(last) { removeLast() }
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0B || self == 0x0C }
}
