/// One field: the place of its bytes, and after decoding its value.
package struct Cell {
  package enum Kind: UInt8 { case null, text, escaped, integer, real, blob }

  /// The offset of the field's first byte in the chunk, or the bits of its number.
  package var bits: UInt64
  package var length: UInt32
  package var kind: Kind

  package init(bits: UInt64, length: UInt32, kind: Kind) {
    (self.bits, self.length, self.kind) = (bits, length, kind)
  }

  package var start: Int { Int(bits) }
}

/// The place where a record begins.
package struct RecordPlace {
  /// The line in the file, counted from 1.
  package var line: Int
  /// The offset in the chunk.
  package var start: Int
}

/// A block of whole records on its way from the file to SQLite: their bytes and their fields.
///
/// Chunks are used again, so a load allocates a handful of them, however long the file is.
package final class Chunk: @unchecked Sendable {
  // Sound: a chunk belongs to one thread at a time; it changes hands under the queue's lock.

  /// Space after the last byte: one byte for the splitter's sentinel and seven more, since the
  /// splitter reads eight at a time.
  private static let margin = 8

  package private(set) var bytes: UnsafeMutablePointer<UInt8>
  package private(set) var capacity: Int
  /// The number of bytes filled.
  package var count = 0

  package private(set) var cells: UnsafeMutablePointer<Cell>
  private var cellCapacity: Int
  package private(set) var cellCount = 0

  package private(set) var records: UnsafeMutablePointer<RecordPlace>
  private var recordCapacity: Int
  package private(set) var recordCount = 0

  /// The number of these bytes that are whole records.
  package var recordsEnd = 0
  /// The number of bytes of the file that were read when the chunk was filled.
  package var fileBytes: Int64 = 0

  package init(capacity: Int) {
    self.capacity = capacity
    bytes = Self.allocate(capacity)
    cellCapacity = 1024
    cells = .allocate(capacity: cellCapacity)
    recordCapacity = 256
    records = .allocate(capacity: recordCapacity)
  }

  deinit {
    bytes.deallocate()
    cells.deallocate()
    records.deallocate()
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + margin)
    bytes.initialize(repeating: 0, count: capacity + margin)
    return bytes
  }

  func clearRecords() {
    cellCount = 0
    recordCount = 0
  }

  /// Makes room for `wanted` bytes in all, and keeps the filled ones.
  package func reserve(_ wanted: Int) {
    if wanted > capacity { resize(wanted) }
  }

  private func resize(_ wanted: Int) {
    let resized = Self.allocate(wanted)
    resized.update(from: bytes, count: count)
    bytes.deallocate()
    (bytes, capacity) = (resized, wanted)
  }

  /// Replaces the content with the bytes of another chunk from `start` on. If a long record made
  /// the chunk larger than `limit`, its memory is released.
  package func copyBytes(of other: Chunk, from start: Int, shrinkingTo limit: Int) {
    let rest = other.count - start
    count = 0
    clearRecords()
    if capacity > limit { resize(limit) }
    reserve(rest)
    bytes.update(from: other.bytes + start, count: rest)
    count = rest
  }

  /// Removes the first bytes.
  package func dropBytes(_ dropped: Int) { copyBytes(of: self, from: dropped, shrinkingTo: .max) }

  // MARK: records

  /// The place for the cells of the next record, with room for `wanted` of them.
  @inline(__always)
  func roomForCells(_ wanted: Int) -> UnsafeMutablePointer<Cell> {
    if cellCapacity - cellCount < wanted { growCells(wanted) }
    return cells + cellCount
  }

  /// Adds a record whose cells were written at `roomForCells`.
  @inline(__always)
  func append(_ record: RecordPlace, cells: Int) {
    if recordCount == recordCapacity { growRecords() }
    (records + recordCount).initialize(to: record)
    recordCount += 1
    cellCount += cells
  }

  private func growCells(_ wanted: Int) {
    cellCapacity = max(cellCapacity * 2, cellCount + wanted)
    cells = Self.grown(cells, cellCount, to: cellCapacity)
  }

  private func growRecords() {
    recordCapacity *= 2
    records = Self.grown(records, recordCount, to: recordCapacity)
  }

  /// A larger allocation with the same elements.
  private static func grown<Element>(
    _ old: UnsafeMutablePointer<Element>, _ count: Int, to capacity: Int
  ) -> UnsafeMutablePointer<Element> {
    let grown = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    grown.moveInitialize(from: old, count: count)
    old.deallocate()
    return grown
  }

  /// Forgets the record with this number and all after it.
  package func dropRecords(from first: Int) {
    recordsEnd = records[first].start
    // The fields need no counting: they are found by the record's number.
    recordCount = first
  }

  // MARK: text

  /// The bytes as in the file. Not valid after fields were decoded in place.
  package func content(upTo end: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes, count: end)
  }

  /// A record and its line end. Not valid after fields were decoded in place.
  package func content(ofRecord record: Int) -> UnsafeRawBufferPointer {
    let start = records[record].start
    let end = record + 1 < recordCount ? records[record + 1].start : recordsEnd
    return UnsafeRawBufferPointer(start: bytes + start, count: end - start)
  }

  /// The offset at which a field begins, its opening quote included.
  package func fieldPosition(_ cell: Cell) -> Int {
    let isQuoted = cell.start > 0 && bytes[cell.start - 1] == UInt8(ascii: "\"")
    return cell.start - (isQuoted ? 1 : 0)
  }

  /// The bytes of a cell that was not decoded. Doubled quotes are still doubled.
  package func bytes(_ cell: Cell) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + cell.start, count: Int(cell.length))
  }

  /// The text of a cell that was not decoded.
  package func text(_ cell: Cell) -> String {
    guard cell.kind != .null else { return "" }
    let field = bytes(cell)
    guard cell.kind == .escaped else { return String(decoding: field, as: UTF8.self) }
    var plain: [UInt8] = []
    var index = 0
    while index < field.count {
      plain.append(field[index])
      index += field[index] == UInt8(ascii: "\"") ? 2 : 1
    }
    return String(decoding: plain, as: UTF8.self)
  }
}
