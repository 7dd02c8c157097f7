import CSeedbedZlib
import Seedbed

/// Compresses a new file piece by piece. The same content gives the same bytes, however it is
/// divided; there is no time or name in the file.
package final class GzipWriter {
  private let file: OpenFile
  /// zlib keeps the address of its stream, so it lives on the heap.
  private let stream: UnsafeMutablePointer<z_stream>
  private var input: [UInt8] = []
  private var output = [UInt8](repeating: 0, count: pieceBytes)
  private var outputCount = 0
  private var isAtStart = true

  private static let pieceBytes = 256 << 10

  /// Writes a new file, and removes it if that fails.
  package static func write(
    _ name: String, in folder: String, _ body: (GzipWriter) throws -> Void
  ) throws {
    let folder = try Folder(Paths.absolute(folder))
    let file = try folder.create(name, mode: 0o644)
    do {
      let writer = try GzipWriter(file)
      try body(writer)
      try writer.finish()
    } catch let error {
      // The first error is the one to report.
      try? folder.remove(name)
      throw error
    }
  }

  private init(_ file: OpenFile) throws {
    self.file = file
    stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    input.reserveCapacity(Self.pieceBytes)
    // 15 bits of window, plus 16 for a gzip header, which is all zeros except for the system's
    // number.
    guard seedbed_deflate_init(stream, 9, 15 + 16) == Z_OK else {
      throw SeedbedError(.io, "Cannot compress '\(file.path)': out of memory.")
    }
  }

  deinit {
    // > Z_STREAM_ERROR if the stream state was inconsistent: as where it never began.
    deflateEnd(stream)
    stream.deallocate()
  }

  package func append(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let taken = rest.prefix(Self.pieceBytes - input.count)
      input += taken
      rest = rest.dropFirst(taken.count)
      // zlib always gets pieces of one size, since its output might depend on the size.
      if input.count == Self.pieceBytes { try deflate(Z_NO_FLUSH) }
    }
  }

  private func finish() throws {
    try deflate(Z_FINISH)
    try writeOutput()
  }

  private func deflate(_ flush: Int32) throws {
    // Sound: zlib reads no more than `avail_in` bytes while the closure runs.
    try input.withUnsafeMutableBufferPointer { bytes in
      stream.pointee.next_in = bytes.baseAddress
      stream.pointee.avail_in = uInt(bytes.count)
      var code = Z_OK
      repeat {
        if outputCount == output.count { try writeOutput() }
        code = deflateSome(flush)
        guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
          throw SeedbedError(.io, "Cannot compress '\(file.path)': zlib answers \(code).")
        }
      } while flush == Z_FINISH ? code != Z_STREAM_END : stream.pointee.avail_in > 0
    }
    input.removeAll(keepingCapacity: true)
  }

  private func deflateSome(_ flush: Int32) -> Int32 {
    output.withUnsafeMutableBufferPointer { room in
      stream.pointee.next_out = room.baseAddress.map { $0 + outputCount }
      stream.pointee.avail_out = uInt(room.count - outputCount)
      let code = CSeedbedZlib.deflate(stream, flush)
      outputCount = room.count - Int(stream.pointee.avail_out)
      return code
    }
  }

  private func writeOutput() throws {
    // > OS: 3 - Unix, 255 - unknown. (RFC 1952)
    if isAtStart { output[9] = 255 }
    isAtStart = false
    try file.write(Array(output[..<outputCount]))
    outputCount = 0
  }
}
