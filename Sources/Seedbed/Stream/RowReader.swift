package import SeedbedCells

/// Reads the rows of one row file: decodes and counts the records that `RecordReader` finds, and
/// compares the whole file with the lock.
///
/// Two threads share the work about equally: one decompresses and splits; SQLite's hashes and
/// decodes before it hands rows to SQLite.
package final class RowReader {
  package struct Limits: Sendable {
    /// The limit for a catalog without a lock.
    package var contentBytes: Int64 = 4 << 30
    var chunkBytes = 256 << 10
    /// The most bytes to read from the file at once. Tests read byte by byte.
    var readBytes = Int.max
    var splitter = CSVSplitter.Limits()

    /// The limit protects devices from a catalog without a lock, not authors from their own files.
    package static let ofAuthor = Limits(contentBytes: .max)

    /// Most files are small, so no chunk is made larger than the content and the one byte more that
    /// shows its end.
    mutating func fit(contentBytes size: Int64) {
      if size < Int64(chunkBytes) { chunkBytes = Int(max(size, 0)) + 1 }
    }
  }

  /// The counts and digest of a file that was read.
  package struct Totals: Equatable {
    var contentBytes: Int64 = 0
    package var rows = 0
    var digest = ""
  }

  package let place: String
  package let header: [HeaderField]
  /// One for each column of the file, set before the first chunk is read. If it is empty, fields
  /// are not decoded.
  package var decoders: [FieldDecoder] = []
  /// The meaning of an empty field in each column. Columns after the last entry get NULL.
  package var empties: [EmptyField] = []
  package private(set) var totals = Totals()
  /// The number of bytes of the file on disk up to the rows so far.
  package private(set) var fileBytes: Int64 = 0
  /// The number of bytes before the first row.
  package var headerBytes: Int { records.headerBytes }
  private let records: RecordReader
  private var queue: RowQueue?
  private let digest = Digest()

  /// Reads the header.
  package init(
    _ file: any ReadableFile, place: String, isCompressed: Bool, locked: LockedFile?,
    limits: Limits = Limits()
  ) throws {
    self.place = place
    var limits = limits
    if let size = try locked?.contentSize ?? (isCompressed ? nil : file.size()) {
      limits.fit(contentBytes: size)
    }
    let content = try ContentReader(file, place: place, isCompressed: isCompressed)
    let records = RecordReader(content, place: place, locked: locked, limits: limits)
    let digest = digest
    do {
      header = try records.header(feeding: digest)
    } catch {
      throw records.cause(of: error)
    }
    self.records = records
    totals.contentBytes = Int64(records.headerBytes)
  }

  /// Starts the second thread, which reads ahead.
  package func startAhead() throws {
    queue = try RowQueue(records)
  }

  /// Ends the second thread, even in the middle of the file.
  package func stop() {
    queue?.stop()
    queue = nil
  }

  /// The next rows, at least one; nil at the verified end of the file. `used` is used again.
  ///
  /// It throws the first error in the file.
  package func next(returning used: Chunk?) throws -> Chunk? {
    do {
      guard let chunk = try nextRecords(used) else {
        try finish()
        return nil
      }
      let content = chunk.content(upTo: chunk.recordsEnd)
      digest.update(content)
      totals.contentBytes += Int64(content.count)
      totals.rows += chunk.recordCount
      fileBytes = chunk.fileBytes
      try decode(chunk)
      return chunk
    } catch {
      stop()
      throw records.cause(of: error)
    }
  }

  private func nextRecords(_ used: Chunk?) throws -> Chunk? {
    if let queue { return try queue.next(returning: used) }
    let chunk = used ?? Chunk(capacity: records.limits.chunkBytes)
    return try records.read(into: chunk) ? chunk : nil
  }

  // MARK: values

  /// Decodes column by column, since all fields of a column are decoded the same way. Each column
  /// stops at the first record that an earlier column refused.
  private func decode(_ chunk: Chunk) throws {
    var end = chunk.recordCount
    var refused: Int?
    for (column, decoder) in decoders.enumerated() {
      let misfit = decoder.decode(
        chunk.cells + column, stride: decoders.count, count: end, in: chunk.bytes,
        empty: column < empties.count ? empties[column] : .null)
      guard let misfit else { continue }
      (end, refused) = (misfit, column)
    }
    if let refused { throw fieldError(chunk, end, refused) }
  }

  private func fieldError(_ chunk: Chunk, _ record: Int, _ column: Int) -> SeedbedError {
    let found = chunk.records[record]
    let cell = chunk.cells[record * decoders.count + column]
    let at = SeedbedError.Place(
      place, line: found.line, column: chunk.fieldPosition(cell) - found.start + 1)
    if cell.kind == .null { return .csv(CSVWords.nullKey(header[column].name), at) }
    return .csv(
      CSVWords.field(chunk.text(cell), header[column].name, decoders[column].expectation), at)
  }

  // MARK: the end

  private func finish() throws {
    totals.digest = digest.finish()
    guard let locked = records.locked else { return }
    try LockedFile.require(
      "content", "\(totals.contentBytes) bytes", "\(locked.contentSize) bytes", place)
    try LockedFile.require("number of rows", totals.rows, locked.rows ?? totals.rows, place)
    try LockedFile.require("SHA-256", totals.digest, locked.digest, place)
  }
}
