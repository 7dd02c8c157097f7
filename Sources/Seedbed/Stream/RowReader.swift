/// Reads the records of one row file, chunk by chunk: decompressed, checked, split, decoded.
///
/// It is used by one thread at a time: the caller's for the header, then the producer's.
final class RowReader: @unchecked Sendable {
  // Sound: whoever owns the reader hands it over before the other side touches it.

  struct Limits: Sendable {
    /// For a catalog without a lock.
    var contentBytes: Int64 = 4 << 30
    var chunkBytes = 256 << 10
    /// At most so many bytes are asked of the file at once; tests read byte by byte.
    var readBytes = Int.max
    var splitter = CSVSplitter.Limits()
  }

  /// What a file turned out to hold.
  struct Totals: Equatable {
    var contentBytes: Int64 = 0
    var rows = 0
    var digest = ""
  }

  let place: String
  private let content: ContentReader
  private let limits: Limits
  private let locked: LockedFile?
  private var splitter: CSVSplitter
  private let digest = Digest()
  /// The bytes after the last whole record.
  private let carry: Chunk
  private var isAtEnd = false
  private var isFinished = false
  private(set) var totals = Totals()
  /// One for each column of the file; set before the first chunk is read. Without any, fields
  /// are not decoded.
  var decoders: [FieldDecoder] = []
  /// True for the columns that must not be NULL: the key.
  var required: [Bool] = []
  private(set) var header: [HeaderField] = []

  init(
    _ file: OpenFile, place: String, isCompressed: Bool, locked: LockedFile?,
    limits: Limits = Limits()
  ) throws {
    content = try ContentReader(file, place: place, isCompressed: isCompressed)
    self.place = place
    self.locked = locked
    self.limits = limits
    splitter = CSVSplitter(file: place, limits: limits.splitter)
    carry = Chunk(capacity: limits.chunkBytes)
    try preferringDamage { try readHeader() }
  }

  var fileBytes: Int64 { content.fileBytes }

  private func readHeader() throws {
    // A byte order mark may be cut in pieces by small reads.
    while carry.count < 3, !isAtEnd { try fill(carry, to: max(3, limits.chunkBytes)) }
    try HeaderField.refuseOtherContent(carry, place, wasCompressed: content.isCompressed)
    if HeaderField.hasByteOrderMark(carry) { carry.dropBytes(3) }
    let outcome = try split(carry)
    if let failure = outcome.failure { throw failure }
    if carry.recordCount == 0 { throw SeedbedError.csvEmpty(place) }
    if let invalid = firstInvalid(carry, upTo: outcome.taken) { throw invalid.error }
    header = try HeaderField.names(in: carry, place)
    splitter.fieldCount = header.count
    carry.dropBytes(outcome.taken)
  }

  /// Fills `chunk` with the next whole records; false at the verified end of the file.
  ///
  /// What it throws is the first error in the file, however the file is cut into chunks.
  func read(into chunk: Chunk) throws -> Bool {
    if isFinished { return false }
    return try preferringDamage {
      chunk.clear(shrinkingTo: 8 * limits.chunkBytes)
      chunk.copyBytes(of: carry, from: 0)
      let outcome = try split(chunk)
      try check(chunk, upTo: outcome.taken)
      if let failure = outcome.failure { throw failure }
      carry.clear(shrinkingTo: 8 * limits.chunkBytes)
      carry.copyBytes(of: chunk, from: outcome.taken)
      totals.rows += chunk.recordCount
      chunk.fileBytes = content.fileBytes
      if isAtEnd, carry.count == 0 { try finish() }
      return chunk.recordCount > 0
    }
  }

  // MARK: bytes

  /// Reads on until `chunk` holds at least one whole record, and splits it.
  private func split(_ chunk: Chunk) throws -> CSVSplitter.Outcome {
    var wanted = limits.chunkBytes
    while true {
      try fill(chunk, to: wanted)
      // What lies beyond is left for the next chunk: after a long record it could be millions of
      // short ones, whose fields would take many times their bytes.
      let outcome = splitter.split(chunk, before: limits.chunkBytes, isLast: isAtEnd)
      if outcome.taken > 0 || outcome.failure != nil || isAtEnd { return outcome }
      // One byte more than a record may have shows that it has too many.
      if chunk.count >= wanted { wanted = min(chunk.count * 2, limits.splitter.recordBytes + 1) }
    }
  }

  /// Reads until the chunk holds so many bytes or the content ends.
  private func fill(_ chunk: Chunk, to wanted: Int) throws {
    chunk.reserve(wanted)
    while chunk.count < wanted, !isAtEnd {
      let room = UnsafeMutableRawBufferPointer(
        start: chunk.bytes + chunk.count, count: min(wanted - chunk.count, limits.readBytes))
      let count = try content.read(into: room)
      if count == 0 { isAtEnd = true }
      digest.update(UnsafeRawBufferPointer(rebasing: room[..<count]))
      chunk.count += count
      totals.contentBytes += Int64(count)
      try checkSize()
      if limits.readBytes < Int.max { return }
    }
  }

  private func checkSize() throws {
    if let locked {
      guard totals.contentBytes <= locked.contentSize else {
        throw SeedbedError.lockMismatch(
          "content", found: "longer than \(locked.contentSize) bytes",
          expected: "\(locked.contentSize) bytes", place)
      }
    } else if totals.contentBytes > limits.contentBytes {
      throw SeedbedError.csvContentSize(limits.contentBytes, SeedbedError.Place(place))
    }
  }

  // MARK: values

  /// Checks the encoding of the chunk's records and decodes them. Where both fail, the error of
  /// the earlier record is thrown.
  private func check(_ chunk: Chunk, upTo end: Int) throws {
    let invalid = firstInvalid(chunk, upTo: end)
    try decode(chunk, records: invalid?.record ?? chunk.recordCount)
    if let invalid { throw invalid.error }
  }

  private func firstInvalid(_ chunk: Chunk, upTo end: Int) -> (record: Int, error: SeedbedError)? {
    let bytes = UnsafeRawBufferPointer(start: chunk.bytes, count: end)
    guard let offset = UTF8Check.firstInvalid(bytes) else { return nil }
    var record = 0
    while record + 1 < chunk.recordCount, chunk.records[record + 1].start <= offset { record += 1 }
    let found = chunk.records[record]
    let at = SeedbedError.Place(place, line: found.line, column: offset - found.start + 1)
    return (record, .csvEncoding(bytes[offset], at))
  }

  /// Column by column, since a column's fields take one road; each stops at the earliest record
  /// that a column before it refused.
  private func decode(_ chunk: Chunk, records: Int) throws {
    var end = records
    var refused: Int?
    for (column, decoder) in decoders.enumerated() {
      let misfit = decoder.decode(
        chunk.cells + column, stride: decoders.count, count: end, in: chunk.bytes,
        isRequired: column < required.count && required[column])
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
    if cell.kind == .null { return .csvNullKey(header[column].name, at) }
    return .csvField(
      chunk.text(cell), column: header[column].name, expected: decoders[column].expectation, at)
  }

  // MARK: the end

  private func finish() throws {
    isFinished = true
    totals.digest = digest.finish()
    guard let locked else { return }
    if totals.contentBytes != locked.contentSize {
      throw SeedbedError.lockMismatch(
        "content", found: "\(totals.contentBytes) bytes", expected: "\(locked.contentSize) bytes",
        place)
    }
    if let rows = locked.rows, rows != totals.rows {
      throw SeedbedError.lockMismatch(
        "number of rows", found: "\(totals.rows)", expected: "\(rows)", place)
    }
    if totals.digest != locked.digest {
      throw SeedbedError.lockMismatch(
        "SHA-256", found: totals.digest, expected: locked.digest, place)
    }
  }

  /// Damaged gzip hands out garbage before its CRC shows it: what the CSV rules say of that is
  /// not the cause, so the rest is read first, as far as the limits go.
  private func preferringDamage<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SeedbedError where error.code == .csv && content.isCompressed {
      let limit = locked?.contentSize ?? limits.contentBytes
      try content.skipToEnd(limit: limit - totals.contentBytes)
      throw error
    }
  }
}
