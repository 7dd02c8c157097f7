import CSeedbedZlib

/// Compresses whole files: the same content gives the same bytes, without time or name.
package enum GzipWriter {
  package static func compressed(_ content: [UInt8]) throws -> [UInt8] {
    // zlib keeps the address of its stream (SQLITE.md 28), so it lives on the heap.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    // 15 bits of window, and 16 for a gzip header: all zeros but for the system's number.
    guard seedbed_deflate_init(stream, 9, 15 + 16) == Z_OK else {
      throw SeedbedError(.io, "Cannot compress: out of memory.")
    }
    defer { deflateEnd(stream) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var offset = 0
    var code = Z_OK
    while code != Z_STREAM_END {
      // zlib counts in 32 bits: a file of many gigabytes goes in piece by piece.
      let piece = min(content.count - offset, 1 << 30)
      let isLast = offset + piece == content.count
      try content.withUnsafeBufferPointer { bytes in
        stream.pointee.next_in = bytes.baseAddress.map {
          UnsafeMutablePointer(mutating: $0 + offset)
        }
        stream.pointee.avail_in = uInt(piece)
        repeat {
          code = buffer.withUnsafeMutableBufferPointer { room in
            stream.pointee.next_out = room.baseAddress
            stream.pointee.avail_out = uInt(room.count)
            return deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
          }
          guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
            throw SeedbedError(.io, "Cannot compress: zlib answers \(code).")
          }
          output += buffer[..<(buffer.count - Int(stream.pointee.avail_out))]
        } while stream.pointee.avail_out == 0
      }
      offset += piece
    }
    // > OS: 3 - Unix, 255 - unknown. (RFC 1952)
    output[9] = 255
    return output
  }
}
