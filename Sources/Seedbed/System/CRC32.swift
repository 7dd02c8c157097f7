import CSeedbedZlib

/// The CRC-32 of the lock's text. It detects accidents, not forgeries, and costs next to nothing.
/// zlib checks the CRC-32 of gzip files, in `ContentReader`.
package enum CRC32 {
  /// The CRC-32 as 8 hexadecimal digits.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> String {
    let pointer = bytes.bindMemory(to: Bytef.self).baseAddress
    let digits = String(crc32_z(0, pointer, bytes.count), radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }
}
