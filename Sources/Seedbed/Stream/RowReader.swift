/// Reads the rows of one row file: the records that `RecordReader` finds, decoded and counted,
/// the whole held against the lock.
///
/// Two threads share the work, about half of it each: beside SQLite's the first decompresses and
/// splits, and this one hashes and decodes before it feeds SQLite.
package final class RowReader {
  package struct Limits: Sendable {
    /// For a catalog without a lock.
    package var contentBytes: Int64 = 4 << 30
    var chunkBytes = 256 << 10
    /// At most so many bytes are asked of the file at once; tests read byte by byte.
    var readBytes = Int.max
    var splitter = CSVSplitter.Limits()

    /// The limit protects devices from a catalog that promises nothing, not its author.
    package static let ofAuthor = Limits(contentBytes: .max)

    /// Most files are small: no chunk is larger than the content, and the byte more that shows
    /// its end.
    mutating func fit(contentBytes size: Int64) {
      if size < Int64(chunkBytes) { chunkBytes = Int(max(size, 0)) + 1 }
    }
  }

  /// What a file turned out to hold.
  package struct Totals: Equatable {
    var contentBytes: Int64 = 0
    package var rows = 0
    var digest = ""
  }

  package let place: String
  package let header: [HeaderField]
  /// One for each column of the file; set before the first chunk is read. Without any, fields
  /// are not decoded.
  package var decoders: [FieldDecoder] = []
  /// What an empty field of each column is; NULL in those that it does not reach.
  package var empties: [EmptyField] = []
  /// So many rows from the first on are read and checked, but not handed out.
  var passedOver = 0
  package private(set) var totals = Totals()
  /// Bytes of the file, as it is on disk, up to the rows so far.
  package private(set) var fileBytes: Int64 = 0
  /// How many bytes are before the first row.
  package var headerBytes: Int { records.headerBytes }
  private let records: RecordReader
  private var queue: RowQueue?
  private let digest = Digest()

  /// Reads the header.
  @inline(never) package init(
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

  /// From here on a second thread reads ahead.
  package func startAhead() throws {
    queue = try RowQueue(records)
  }

  /// Ends the second thread, also in the middle of the file.
  package func stop() {
    queue?.stop()
    queue = nil
  }

  /// The next rows, at least one; nil at the verified end of the file. `used` is used again.
  ///
  /// What it throws is the first error in the file.
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
      if passedOver == 0 { return chunk }
      let dropped = min(passedOver, chunk.recordCount)
      passedOver -= dropped
      chunk.dropRecords(first: dropped, fields: header.count)
      return try chunk.recordCount > 0 ? chunk : next(returning: chunk)
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

  /// Column by column, since a column's fields take one road; each stops at the earliest record
  /// that a column before it refused.
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
