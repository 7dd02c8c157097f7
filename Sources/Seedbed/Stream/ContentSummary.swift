/// What the lock records of a file: its content's digest and size, and its rows.
package struct ContentSummary: Sendable, Equatable {
  /// SHA-256 of the decompressed content, 64 hexadecimal digits.
  package var digest: String
  package var contentSize: Int64
  /// The records of a CSV file, its header not counted; nil for other files.
  var rows: Int?

  /// Reads the whole file. A row file is checked as far as that goes without a schema.
  package static func read(
    _ file: any ReadableFile, place: String, isCompressed: Bool, isRows: Bool,
    limits: RowReader.Limits = RowReader.Limits()
  ) throws -> ContentSummary {
    if isRows {
      let reader = try RowReader(
        file, place: place, isCompressed: isCompressed, locked: nil, limits: limits)
      var chunk: Chunk?
      repeat { chunk = try reader.next(returning: chunk) } while chunk != nil
      let totals = reader.totals
      return ContentSummary(
        digest: totals.digest, contentSize: totals.contentBytes, rows: totals.rows)
    }
    let content = try ContentReader(file, place: place, isCompressed: isCompressed)
    let digest = Digest()
    var size: Int64 = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try content.read(into: buffer)
      if count == 0 { break }
      digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      size += Int64(count)
    }
    return ContentSummary(digest: digest.finish(), contentSize: size, rows: nil)
  }
}

extension LockedFile {
  package init(size: Int64, _ summary: ContentSummary) {
    self.init(
      size: size, contentSize: summary.contentSize, rows: summary.rows, digest: summary.digest)
  }
}
