import CSeedbedZlib

/// gzip members, written byte by byte so that each part can be broken.
package struct Gzip {
  package var magic: [UInt8] = [0x1F, 0x8B]
  package var method: UInt8 = 8
  package var flags: UInt8 = 0
  package var time: [UInt8] = [0, 0, 0, 0]
  /// What the flags announce: extra field, name, comment, header CRC.
  package var optional: [UInt8] = []
  package var data: [UInt8]
  package var crc: [UInt8]
  package var length: [UInt8]

  package init(_ content: [UInt8], level: Int32 = 6) {
    data = Self.deflated(content, level)
    crc = Self.bytes(UInt32(truncatingIfNeeded: crc32(0, content, UInt32(content.count))))
    length = Self.bytes(UInt32(truncatingIfNeeded: content.count))
  }

  package init(_ text: String) { self.init(Array(text.utf8)) }

  package var header: [UInt8] { magic + [method, flags] + time + [0, 3] + optional }
  package var trailer: [UInt8] { crc + length }
  package var bytes: [UInt8] { header + data + trailer }

  /// Flags of RFC 1952.
  package static let headerCRC: UInt8 = 2
  package static let extra: UInt8 = 4
  package static let name: UInt8 = 8
  package static let comment: UInt8 = 16

  /// The header's checksum: the lower half of the CRC-32 of all before it.
  package mutating func addHeaderCRC(wrongBy difference: UInt16 = 0) {
    flags |= Self.headerCRC
    let sum = crc32(0, header, UInt32(header.count))
    let value = UInt16(truncatingIfNeeded: sum) &+ difference
    optional += [UInt8(value & 0xFF), UInt8(value >> 8)]
  }

  package static func bytes(_ value: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Deflate data alone, without a header; level 0 stores.
  private static func deflated(_ content: [UInt8], _ level: Int32) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    _ = seedbed_deflate_init(stream, level, -15)
    defer { deflateEnd(stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(stream, UInt(content.count))))
    var input = content
    let room = output.count
    input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        stream.pointee.next_in = source.baseAddress
        stream.pointee.avail_in = UInt32(source.count)
        stream.pointee.next_out = target.baseAddress
        stream.pointee.avail_out = UInt32(room)
        _ = deflate(stream, Z_FINISH)
      }
    }
    output.removeLast(Int(stream.pointee.avail_out))
    return output
  }
}
