/// Checks whether bytes are UTF-8 as the standard defines it: no overlong forms, no surrogates,
/// nothing above U+10FFFF.
package enum UTF8Check {
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    firstInvalid(bytes) == nil
  }

  /// The offset of the first byte that is not UTF-8. A sequence cut off by the end counts.
  package static func firstInvalid(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let count = bytes.count
    var index = 0
    while index < count {
      // Most text is ASCII: 8 bytes at a time. `loadUnaligned` stays within `count`.
      while index + 8 <= count,
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
      }
      if index >= count { break }
      if bytes[index] < 0x80 {
        index += 1
        continue
      }
      guard let length = sequenceLength(bytes, at: index) else { return index }
      index += length
    }
    return nil
  }

  /// The length of the well-formed sequence at `index`; nil if there is none.
  private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int? {
    let first = bytes[index]
    let second: ClosedRange<UInt8>
    let length: Int
    // Table 3-7 of the Unicode standard.
    switch first {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return nil }
    for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return nil }
    return length
  }
}
