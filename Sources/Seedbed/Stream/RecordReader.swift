import SeedbedCells

/// Reads the records of one row file, chunk by chunk: decompressed, split, their text checked.
///
/// This part runs ahead of SQLite, on its own thread. `RowReader` is the other part.
final class RecordReader: @unchecked Sendable {
  // Sound: one thread at a time uses it: the caller's for the header, then the queue's until it is
  // stopped, then the caller's again.

  private let content: ContentReader
  private let place: String
  let limits: RowReader.Limits
  let locked: LockedFile?
  private var splitter: CSVSplitter
  /// The bytes after the last whole record.
  private let carry: Chunk
  private var contentBytes: Int64 = 0
  /// The number of bytes before the first row.
  private(set) var headerBytes = 0
  private var isAtEnd = false
  /// The error in the record after those already returned.
  private var failure: SeedbedError?

  init(
    _ content: ContentReader, place: String, locked: LockedFile?, limits: RowReader.Limits
  ) {
    (self.content, self.place, self.locked, self.limits) = (content, place, locked, limits)
    splitter = CSVSplitter(limits: limits.splitter)
    carry = Chunk(capacity: limits.chunkBytes)
  }

  /// Reads the names of the columns, and gives the bytes before the first row to `digest`.
  func header(feeding digest: Digest) throws -> [RowReader.HeaderField] {
    // Small reads may cut a byte order mark in pieces.
    while carry.count < 3, !isAtEnd { try fill(carry, to: max(3, limits.chunkBytes)) }
    try RowReader.HeaderField.refuseOtherContent(carry, place, content.isCompressed)
    if RowReader.HeaderField.hasByteOrderMark(carry) {
      digest.update(carry.content(upTo: 3))
      headerBytes += 3
      carry.dropBytes(3)
    }
    let outcome = try split(carry)
    if let fault = outcome.fault { throw SeedbedError.csv(fault, place) }
    if carry.recordCount == 0 {
      throw SeedbedError.csv(CSVWords.empty, SeedbedError.Place(place, line: 1, column: 1))
    }
    if let invalid = firstInvalid(carry, upTo: outcome.taken) { throw invalid.error }
    let fields = try RowReader.HeaderField.names(in: carry, place)
    splitter.fieldCount = fields.count
    digest.update(carry.content(upTo: outcome.taken))
    headerBytes += outcome.taken
    carry.dropBytes(outcome.taken)
    return fields
  }

  /// Fills `chunk` with the next whole records; false at the verified end of the file.
  ///
  /// An error in a record is thrown after all records before it were returned, however the file is
  /// cut into chunks: those may have errors of their own.
  func read(into chunk: Chunk) throws -> Bool {
    if let failure { throw failure }
    chunk.copyBytes(of: carry, from: 0, shrinkingTo: 8 * limits.chunkBytes)
    let outcome = try split(chunk)
    carry.copyBytes(of: chunk, from: outcome.taken, shrinkingTo: 8 * limits.chunkBytes)
    chunk.recordsEnd = outcome.taken
    chunk.fileBytes = content.fileBytes
    failure = outcome.fault.map { .csv($0, place) }
    if let invalid = firstInvalid(chunk, upTo: outcome.taken) {
      chunk.dropRecords(from: invalid.record)
      failure = invalid.error
    }
    if chunk.recordCount > 0 { return true }
    if let failure { throw failure }
    return false
  }

  /// The error to report. Damaged gzip data may look like an error in the CSV before the CRC shows
  /// the damage, so the rest of the file is read first, within the limits.
  func cause(of error: any Error) -> any Error {
    var rest = (locked?.contentSize ?? limits.contentBytes) - contentBytes
    guard let error = error as? SeedbedError, error.code == .csv, content.isCompressed, rest > 0
    else { return error }
    do {
      try content.readAll {
        rest -= Int64($0.count)
        return rest >= 0
      }
      return error
    } catch {
      return error
    }
  }

  // MARK: bytes

  /// Reads until `chunk` holds at least one whole record, and splits it.
  private func split(_ chunk: Chunk) throws -> CSVSplitter.Outcome {
    var wanted = limits.chunkBytes
    while true {
      try fill(chunk, to: wanted)
      // The rest is left for the next chunk. After a long record it could be millions of short
      // ones, whose cells would take many times as much memory as their bytes.
      let outcome = splitter.split(chunk, before: limits.chunkBytes, isLast: isAtEnd)
      if outcome.taken > 0 || outcome.fault != nil || isAtEnd { return outcome }
      // One byte more than the limit shows that a record is too long.
      if chunk.count >= wanted { wanted = min(chunk.count * 2, limits.splitter.recordBytes + 1) }
    }
  }

  /// Reads until the chunk holds `wanted` bytes or the content ends.
  private func fill(_ chunk: Chunk, to wanted: Int) throws {
    chunk.reserve(wanted)
    while chunk.count < wanted, !isAtEnd {
      let room = UnsafeMutableRawBufferPointer(
        start: chunk.bytes + chunk.count, count: min(wanted - chunk.count, limits.readBytes))
      let count = try content.read(into: room)
      if count == 0 { isAtEnd = true }
      chunk.count += count
      contentBytes += Int64(count)
      try checkSize()
      if limits.readBytes < Int.max { return }
    }
  }

  private func checkSize() throws {
    if let locked {
      guard contentBytes <= locked.contentSize else {
        throw SeedbedError.lockMismatch(
          "content", found: "longer than \(locked.contentSize) bytes",
          expected: "\(locked.contentSize) bytes", place)
      }
    } else if contentBytes > limits.contentBytes {
      throw SeedbedError.csv(CSVWords.contentSize(limits.contentBytes), SeedbedError.Place(place))
        .remedied(by: .writeLock)
    }
  }

  /// The first record that is not UTF-8.
  private func firstInvalid(_ chunk: Chunk, upTo end: Int) -> (record: Int, error: SeedbedError)? {
    let bytes = chunk.content(upTo: end)
    guard let offset = UTF8Check.firstInvalid(bytes) else { return nil }
    var record = 0
    while record + 1 < chunk.recordCount, chunk.records[record + 1].start <= offset { record += 1 }
    let found = chunk.records[record]
    let at = SeedbedError.Place(place, line: found.line, column: offset - found.start + 1)
    return (record, .csv(CSVWords.encoding(bytes[offset]), at))
  }
}
