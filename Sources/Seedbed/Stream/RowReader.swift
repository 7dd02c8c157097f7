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

  private let content: ContentReader
  private let place: String
  private let limits: Limits
  private let locked: LockedFile?
  private var splitter: CSVSplitter
  private let digest = Digest()
  /// The bytes after the last whole record.
  private var carry: Chunk
  private var isAtEnd = false
  private var isFinished = false
  private(set) var totals = Totals()
  /// One for each column of the file; set before the first chunk is read.
  var decoders: [FieldDecoder] = []
  /// True for the columns that must not be NULL: the key.
  var required: [Bool] = []
  private(set) var header: [HeaderField] = []

  struct HeaderField: Equatable {
    var name: String
    /// In bytes, in the first line.
    var column: Int
  }

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
    try readHeader()
  }

  var fileBytes: Int64 { content.fileBytes }

  // MARK: the header

  private func readHeader() throws {
    // A byte order mark may be cut in pieces by small reads.
    while carry.count < 3, !isAtEnd { try fill(carry) }
    var skipped = 0
    if let mark = byteOrderMark(carry) { skipped = mark }
    if skipped == carry.count {
      while !isAtEnd, skipped == carry.count { try fill(carry) }
    }
    if carry.count == skipped { throw SeedbedError.csvEmpty(SeedbedError.Place(place, line: 1)) }
    try refuseUTF16(carry)
    drop(skipped, of: carry)
    while true {
      let taken = try splitter.split(carry, isLast: isAtEnd, onlyOne: true)
      if taken > 0 {
        try checkText(carry, upTo: taken)
        header = try names(in: carry)
        splitter.fieldCount = header.count
        drop(taken, of: carry)
        return
      }
      carry.clearRecords()
      try fill(carry)
    }
  }

  private func byteOrderMark(_ chunk: Chunk) -> Int? {
    let bytes = chunk.bytes
    guard chunk.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF else { return nil }
    return 3
  }

  private func refuseUTF16(_ chunk: Chunk) throws {
    guard chunk.count >= 2 else { return }
    let (first, second) = (chunk.bytes[0], chunk.bytes[1])
    let isMarked = (first == 0xFF && second == 0xFE) || (first == 0xFE && second == 0xFF)
    guard isMarked || first == 0 || second == 0 else { return }
    throw SeedbedError.csvUTF16(SeedbedError.Place(place, line: 1, column: 1))
  }

  private func names(in chunk: Chunk) throws -> [HeaderField] {
    var fields: [HeaderField] = []
    for index in 0..<chunk.cellCount {
      let cell = chunk.cells[index]
      let isQuoted = cell.start > 0 && chunk.bytes[cell.start - 1] == UInt8(ascii: "\"")
      fields.append(
        HeaderField(name: chunk.text(cell), column: cell.start + (isQuoted ? 0 : 1)))
    }
    try refuseOtherDelimiters(fields)
    var seen: Set<String> = []
    for field in fields {
      let at = SeedbedError.Place(place, line: 1, column: field.column)
      if field.name.isEmpty { throw SeedbedError.csvHeaderEmptyName(at) }
      guard seen.insert(field.name.asciiLowercased()).inserted else {
        throw SeedbedError.csvHeaderTwice(field.name, at)
      }
    }
    return fields
  }

  private func refuseOtherDelimiters(_ fields: [HeaderField]) throws {
    guard fields.count == 1 else { return }
    for (character, name) in [(";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")]
    where fields[0].name.contains(Character(character)) {
      throw SeedbedError.csvDelimiter(name, SeedbedError.Place(place, line: 1, column: 1))
    }
  }

  // MARK: the records

  /// Fills `chunk` with the next whole records; false at the verified end of the file.
  func read(into chunk: Chunk) throws -> Bool {
    if isFinished { return false }
    chunk.clear()
    if chunk.capacity < carry.count { chunk.grow(to: carry.count) }
    chunk.bytes.update(from: carry.bytes, count: carry.count)
    chunk.count = carry.count
    carry.clear()
    while true {
      if !isAtEnd { try fill(chunk) }
      chunk.clearRecords()
      let taken = try splitter.split(chunk, isLast: isAtEnd)
      if taken > 0 || isAtEnd {
        try checkText(chunk, upTo: taken)
        try decode(chunk)
        keep(chunk, from: taken)
        totals.rows += chunk.recordCount
        chunk.fileBytes = content.fileBytes
        if isAtEnd { try finish() }
        return chunk.recordCount > 0 || !isAtEnd
      }
      if chunk.count == chunk.capacity { chunk.grow(to: chunk.capacity * 2) }
    }
  }

  /// Reads until the chunk is full or the content ends.
  private func fill(_ chunk: Chunk) throws {
    if chunk.count == chunk.capacity { chunk.grow(to: chunk.capacity * 2) }
    while chunk.count < chunk.capacity {
      let wanted = min(chunk.capacity - chunk.count, limits.readBytes)
      let rest = UnsafeMutableRawBufferPointer(start: chunk.bytes + chunk.count, count: wanted)
      let count = try content.read(into: rest)
      if count == 0 {
        isAtEnd = true
        return
      }
      digest.update(UnsafeRawBufferPointer(rebasing: rest[..<count]))
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

  private func checkText(_ chunk: Chunk, upTo end: Int) throws {
    let bytes = UnsafeRawBufferPointer(start: chunk.bytes, count: end)
    guard let offset = UTF8Check.firstInvalid(bytes) else { return }
    var record = RecordPlace(line: 1, start: 0)
    for index in 0..<chunk.recordCount where chunk.records[index].start <= offset {
      record = chunk.records[index]
    }
    throw SeedbedError.csvEncoding(
      bytes[offset],
      SeedbedError.Place(place, line: record.line, column: offset - record.start + 1))
  }

  private func decode(_ chunk: Chunk) throws {
    let width = decoders.count
    guard width > 0 else { return }
    for column in 0..<width {
      let decoder = decoders[column]
      let isRequired = column < required.count && required[column]
      var index = column
      for record in 0..<chunk.recordCount {
        let cell = chunk.cells + index
        index += width
        if cell.pointee.kind == .null {
          if isRequired { throw nullKey(chunk, record, column) }
          continue
        }
        if decoder == .verbatim, cell.pointee.kind == .text { continue }
        guard decoder.decode(&cell.pointee, in: chunk.bytes) else {
          throw fieldError(chunk, record, column)
        }
      }
    }
  }

  private func fieldError(_ chunk: Chunk, _ record: Int, _ column: Int) -> SeedbedError {
    let place = chunk.records[record]
    let cell = chunk.cells[record * decoders.count + column]
    // A quoted field's place is its quote.
    let isQuoted = cell.start > place.start && chunk.bytes[cell.start - 1] == UInt8(ascii: "\"")
    let offset = cell.start - place.start + (isQuoted ? 0 : 1)
    return SeedbedError.csvField(
      chunk.text(cell), column: header[column].name, expected: decoders[column].expectation,
      SeedbedError.Place(self.place, line: place.line, column: offset))
  }

  private func nullKey(_ chunk: Chunk, _ record: Int, _ column: Int) -> SeedbedError {
    let place = chunk.records[record]
    let cell = chunk.cells[record * decoders.count + column]
    return SeedbedError.csvNullKey(
      header[column].name,
      SeedbedError.Place(self.place, line: place.line, column: cell.start - place.start + 1))
  }

  private func keep(_ chunk: Chunk, from start: Int) {
    let rest = chunk.count - start
    if carry.capacity < rest { carry.grow(to: rest) }
    carry.bytes.update(from: chunk.bytes + start, count: rest)
    carry.count = rest
  }

  private func drop(_ count: Int, of chunk: Chunk) {
    chunk.bytes.update(from: chunk.bytes + count, count: chunk.count - count)
    chunk.count -= count
    chunk.clearRecords()
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
}
