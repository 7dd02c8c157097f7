import CSeedbedZlib

/// A gzip file of one member that stores its content as it is: enough to be read and to be broken.
enum Gzip {
  static func of(_ content: [UInt8]) -> [UInt8] {
    let blocks = stride(from: 0, to: max(content.count, 1), by: 65535).flatMap { start in
      let block = content[start..<min(start + 65535, content.count)]
      let isLast: UInt8 = start + 65535 >= content.count ? 1 : 0
      let size = UInt16(block.count)
      return [isLast] + [size, ~size].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + block
    }
    let sum = UInt32(truncatingIfNeeded: crc32(0, content, UInt32(content.count)))
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + blocks + bytes(sum)
      + bytes(UInt32(content.count))
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
