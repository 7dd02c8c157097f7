/// Finds records and fields in the bytes of a chunk, by the ten rules of the reference page.
///
/// A record that is cut off by the chunk's end is left for the next chunk, which begins with it.
package struct CSVSplitter {
  package struct Limits: Equatable, Sendable {
    /// Includes the line end.
    package var recordBytes = 16 << 20
    /// As many as an update file needs for a table of 2,000 columns: each with its old value.
    var fields = 4000

    package init() {}
  }

  /// How far a chunk was split.
  package struct Outcome {
    /// The bytes of the chunk's whole records.
    package var taken: Int
    /// The fault of the record after them.
    package var fault: CSVFault?
  }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  let limits: Limits
  /// The number of fields that each record must have; nil while the header is being read.
  package var fieldCount: Int?
  /// The line on which the next record begins.
  private(set) var line = 1

  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Splits the whole records that begin before `end`. `isLast` says that the content ends with the
  /// chunk. Without a `fieldCount`, only the first record, the header, is split.
  package mutating func split(_ chunk: Chunk, before end: Int = .max, isLast: Bool) -> Outcome {
    chunk.clearRecords()
    // The sentinel ends every scan, and is the final line feed that a file may leave out.
    chunk.bytes[chunk.count] = Self.lineFeed
    let end = min(end, chunk.count)
    var position = 0
    do throws(CSVFault) {
      while position < end, let next = try record(chunk, from: position, isLast: isLast) {
        position = next
        if fieldCount == nil { break }
      }
      return Outcome(taken: position)
    } catch {
      return Outcome(taken: position, fault: error)
    }
  }

  /// Reads one record. Returns the position after it, or nil if the chunk ends first.
  @inline(__always)
  private mutating func record(
    _ chunk: Chunk, from start: Int, isLast: Bool
  ) throws(CSVFault) -> Int? {
    let bytes = UnsafePointer(chunk.bytes)
    let count = chunk.count
    let first = chunk.roomForCells(limits.fields)
    var found = 0
    var position = start
    // The line of the scan; a quoted field may hold several.
    var scanned = line
    while true {
      let cell: Cell
      if bytes[position] == Self.quote {
        let field = Self.quotedField(bytes, count, after: position, &scanned)
        let end = field.start + Int(field.length)
        guard end < count else { return try unfinished(chunk, start, opening: position, isLast) }
        if bytes[end] == 0 { throw fault(.nul, end, start) }
        cell = field
        position = end + 1
      } else {
        let end = Self.endOfPlainField(bytes, from: position)
        let length = UInt32(truncatingIfNeeded: end - position)
        cell = Cell(
          bits: UInt64(truncatingIfNeeded: position), length: length,
          kind: length == 0 ? .null : .text)
        position = end
      }
      (first + found).initialize(to: cell)
      found += 1
      guard bytes[position] == Self.comma else { break }
      position += 1
      if found == limits.fields {
        throw fault(.tooManyFields(found), position, start)
      }
    }
    guard let next = try endOfRecord(chunk, start, position, isLast) else {
      return try unfinished(chunk, start, opening: nil, isLast)
    }
    if next - start > limits.recordBytes { throw recordTooLong(start) }
    if let fault = refusal(of: first, found, chunk, start, position) { throw fault }
    chunk.append(RecordPlace(line: line, start: start), cells: found)
    line = scanned + 1
    return next
  }

  /// The position after a record whose last field ends at `position`; nil if the chunk ends before
  /// the line end is complete.
  @inline(__always)
  private func endOfRecord(
    _ chunk: Chunk, _ start: Int, _ position: Int, _ isLast: Bool
  ) throws(CSVFault) -> Int? {
    let (bytes, count) = (chunk.bytes, chunk.count)
    if position == count { return isLast ? count : nil }
    if bytes[position] == Self.lineFeed { return position + 1 }
    if bytes[position] == Self.carriageReturn {
      if position + 1 == count, !isLast { return nil }
      if position + 1 < count, bytes[position + 1] == Self.lineFeed { return position + 2 }
    }
    throw strayByte(bytes, start, position)
  }

  // MARK: fields

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// The high bit of each byte that is less than `limit`, which is at most 128. The lowest set bit
  /// is exact. Higher bits may be false, because a borrow runs upwards.
  @inline(__always)
  private static func less(_ word: UInt64, _ limit: UInt64) -> UInt64 {
    (word &- (ones &* limit)) & ~word
  }

  /// Marks, in a word of eight bytes, those that end a plain field, and other control characters.
  @inline(__always)
  private static func plainMarks(_ word: UInt64) -> UInt64 {
    let commas = less(word ^ (ones &* UInt64(comma)), 1)
    return (less(word, 0x0E) | commas | less(word ^ (ones &* UInt64(quote)), 1)) & highBits
  }

  /// Marks the bytes with a meaning inside quotes, and other control characters.
  @inline(__always)
  private static func quotedMarks(_ word: UInt64) -> UInt64 {
    (less(word, 0x0E) | less(word ^ (ones &* UInt64(quote)), 1)) & highBits
  }

  static func hasQuote(_ word: UInt64) -> Bool {
    less(word ^ (ones &* UInt64(quote)), 1) & highBits != 0
  }

  @inline(__always)
  private static func word(_ bytes: UnsafePointer<UInt8>, _ position: Int) -> UInt64 {
    // Sound: no position is beyond the sentinel, and the chunk has a margin after it.
    UInt64(littleEndian: UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self))
  }

  /// The first byte from `start` on that a plain field cannot hold. The sentinel is such a byte.
  @inline(__always)
  private static func endOfPlainField(_ bytes: UnsafePointer<UInt8>, from start: Int) -> Int {
    var position = start
    while true {
      let marks = plainMarks(word(bytes, position))
      if marks == 0 {
        position += 8
        continue
      }
      position += marks.trailingZeroBitCount >> 3
      let byte = bytes[position]
      if byte >= Self.quote || byte == lineFeed || byte == carriageReturn || byte == 0 {
        return position
      }
      // A tab, for example, is an ordinary character.
      position += 1
    }
  }

  /// The field after an opening quote, up to its closing quote, a NUL, or the chunk's end.
  @inline(__always)
  private static func quotedField(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, after opening: Int, _ line: inout Int
  ) -> Cell {
    let first = opening + 1
    var position = first
    var kind = Cell.Kind.text
    scan: while true {
      let marks = quotedMarks(word(bytes, position))
      if marks == 0 {
        position += 8
        continue
      }
      position += marks.trailingZeroBitCount >> 3
      switch bytes[position] {
      case quote:
        guard position + 1 < count, bytes[position + 1] == quote else { break scan }
        kind = .escaped
        position += 1
      case lineFeed:
        if position == count { break scan }
        line += 1
      case 0: break scan
      default: break
      }
      position += 1
    }
    return Cell(
      bits: UInt64(truncatingIfNeeded: first),
      length: UInt32(truncatingIfNeeded: position - first), kind: kind)
  }
}
