import CSeedbedZlib

/// The content of a file, decompressed if it is gzip, read piece by piece.
///
/// A gzip reader returns data before it sees that the file is truncated or that its CRC is wrong:
/// nothing may be committed before `read` has returned 0.
package final class ContentReader {
  private let file: any ReadableFile
  private let place: String
  private let input: UnsafeMutableRawBufferPointer
  /// zlib keeps the address of its stream, so it lives on the heap.
  private let stream: UnsafeMutablePointer<z_stream>?
  let isCompressed: Bool
  private var isInsideMember = true
  private var members = 0
  private var isAtEnd = false
  /// The number of bytes read from the file so far, as they are on disk.
  private(set) var fileBytes: Int64 = 0

  static let inputBytes = 256 << 10

  /// `place` is the file's name in errors.
  package init(_ file: any ReadableFile, place: String, isCompressed: Bool) throws {
    self.file = file
    self.place = place
    self.isCompressed = isCompressed
    input = .allocate(byteCount: isCompressed ? Self.inputBytes : 0, alignment: 16)
    guard isCompressed else {
      stream = nil
      return
    }
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    self.stream = stream
    // 15 bits of window, plus 16 for gzip only. zlib then checks CRC-32 and ISIZE itself.
    guard seedbed_inflate_init(stream, 15 + 16) == Z_OK else {
      throw SeedbedError(.io, "Cannot decompress '\(place)': out of memory.")
    }
  }

  deinit {
    if let stream {
      inflateEnd(stream)
      stream.deallocate()
    }
    input.deallocate()
  }

  /// Fills `buffer` with as much of the content as fits; returns 0 at its verified end.
  @inline(never) package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let stream else {
      let count = try file.read(into: buffer)
      fileBytes += Int64(count)
      return count
    }
    stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_out = uInt(buffer.count)
    while stream.pointee.avail_out > 0, !isAtEnd {
      if stream.pointee.avail_in == 0, try refill(stream) == 0 {
        try endOfFile()
        break
      }
      if isInsideMember { try inflateSome(stream) } else { try beginMember(stream) }
    }
    return buffer.count - Int(stream.pointee.avail_out)
  }

  /// Reads piece by piece to the verified end, or until `body` returns false.
  func readAll(_ body: (UnsafeRawBufferPointer) -> Bool) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try read(into: buffer)
      guard count > 0, body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return }
    }
  }

  private func inflateSome(_ stream: UnsafeMutablePointer<z_stream>) throws {
    switch inflate(stream, Z_NO_FLUSH) {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END:
      isInsideMember = false
      members += 1
    case Z_MEM_ERROR: throw SeedbedError(.io, "Cannot decompress '\(place)': out of memory.")
    default:
      let message = stream.pointee.msg.map { String(cString: $0) } ?? "invalid data"
      if members > 0, message == "incorrect header check" {
        throw SeedbedError.gzip(GzipWords.garbage, place)
      }
      throw SeedbedError.gzip(GzipWords.damaged(message), place)
    }
  }

  /// Reads the bytes after a gzip member: another member, or an error.
  private func beginMember(_ stream: UnsafeMutablePointer<z_stream>) throws {
    let next = stream.pointee.next_in.pointee
    if next == 0 { throw SeedbedError.gzip(GzipWords.padding, place) }
    guard next == 0x1F else { throw SeedbedError.gzip(GzipWords.garbage, place) }
    inflateReset(stream)
    isInsideMember = true
  }

  private func refill(_ stream: UnsafeMutablePointer<z_stream>) throws -> Int {
    let count = try file.read(into: input)
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_in = uInt(count)
    if fileBytes == 0, count > 0, input[0] != 0x1F || count > 1 && input[1] != 0x8B {
      throw SeedbedError.gzip(GzipWords.notGzip, place)
    }
    fileBytes += Int64(count)
    return count
  }

  private func endOfFile() throws {
    if fileBytes == 0 { throw SeedbedError.gzip(GzipWords.empty, place) }
    if isInsideMember { throw SeedbedError.gzip(GzipWords.truncated(fileBytes), place) }
    isAtEnd = true
  }
}
