/// One field: where its bytes are, and after decoding its value.
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

/// Where a record begins.
package struct RecordPlace {
  /// In the file, from 1.
  package var line: Int
  /// In the chunk.
  package var start: Int
}

/// A block of whole records on its way from the file to SQLite: their bytes and their fields.
///
/// Chunks are used again and again, so a load allocates a handful however long the file is.
package final class Chunk: @unchecked Sendable {
  // Sound: a chunk belongs to one thread at a time; it changes hands under the queue's lock.

  /// Room after the last byte: the splitter's sentinel, and seven bytes more, since it looks at
  /// eight at a time.
  private static let margin = 8

  package private(set) var bytes: UnsafeMutablePointer<UInt8>
  private(set) var capacity: Int
  /// How many bytes are filled.
  var count = 0

  package private(set) var cells: UnsafeMutablePointer<Cell>
  private var cellCapacity: Int
  private(set) var cellCount = 0

  package private(set) var records: UnsafeMutablePointer<RecordPlace>
  private var recordCapacity: Int
  package private(set) var recordCount = 0

  /// How many of the bytes are whole records.
  var recordsEnd = 0
  /// How many bytes of the file were read when the chunk was filled.
  var fileBytes: Int64 = 0

  init(capacity: Int) {
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

  /// Makes room for so many bytes in all; those that are filled stay.
  func reserve(_ wanted: Int) {
    if wanted > capacity { resize(wanted) }
  }

  private func resize(_ wanted: Int) {
    let resized = Self.allocate(wanted)
    resized.update(from: bytes, count: count)
    bytes.deallocate()
    (bytes, capacity) = (resized, wanted)
  }

  /// Takes over the bytes of another chunk from `start` on, in place of all that it has; if a long
  /// record made it larger than `limit`, it gives that memory back.
  func copyBytes(of other: Chunk, from start: Int, shrinkingTo limit: Int) {
    let rest = other.count - start
    count = 0
    clearRecords()
    if capacity > limit { resize(limit) }
    reserve(rest)
    bytes.update(from: other.bytes + start, count: rest)
    count = rest
  }

  /// Takes the first bytes out.
  func dropBytes(_ dropped: Int) { copyBytes(of: self, from: dropped, shrinkingTo: .max) }

  // MARK: records

  /// Where the cells of the next record go; there is room for so many.
  @inline(__always)
  func roomForCells(_ wanted: Int) -> UnsafeMutablePointer<Cell> {
    if cellCapacity - cellCount < wanted { growCells(wanted) }
    return cells + cellCount
  }

  /// Adds a record, whose cells were written where `roomForCells` said.
  @inline(__always)
  func append(_ record: RecordPlace, cells: Int) {
    if recordCount == recordCapacity { growRecords() }
    (records + recordCount).initialize(to: record)
    recordCount += 1
    cellCount += cells
  }

  @inline(never) private func growCells(_ wanted: Int) {
    cellCapacity = max(cellCapacity * 2, cellCount + wanted)
    cells = Self.grown(cells, cellCount, to: cellCapacity)
  }

  @inline(never) private func growRecords() {
    recordCapacity *= 2
    records = Self.grown(records, recordCount, to: recordCapacity)
  }

  /// The same elements where there is room for more.
  private static func grown<Element>(
    _ old: UnsafeMutablePointer<Element>, _ count: Int, to capacity: Int
  ) -> UnsafeMutablePointer<Element> {
    let grown = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    grown.moveInitialize(from: old, count: count)
    old.deallocate()
    return grown
  }

  /// Forgets so many records from the first on, of so many fields each.
  func dropRecords(first dropped: Int, fields: Int) {
    recordCount -= dropped
    cellCount -= dropped * fields
    records.update(from: records + dropped, count: recordCount)
    cells.update(from: cells + dropped * fields, count: cellCount)
  }

  /// Forgets the record of that number and those after it.
  func dropRecords(from first: Int) {
    recordsEnd = records[first].start
    // The fields need no counting: they are found by the record's number.
    recordCount = first
  }

  // MARK: text

  /// The bytes as they are in the file, until fields are decoded in place.
  func content(upTo end: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes, count: end)
  }

  /// A record and the end of its line, until fields are decoded in place.
  package func content(ofRecord record: Int) -> UnsafeRawBufferPointer {
    let start = records[record].start
    let end = record + 1 < recordCount ? records[record + 1].start : recordsEnd
    return UnsafeRawBufferPointer(start: bytes + start, count: end - start)
  }

  /// Where a field begins, its opening quote counted.
  func fieldPosition(_ cell: Cell) -> Int {
    let isQuoted = cell.start > 0 && bytes[cell.start - 1] == UInt8(ascii: "\"")
    return cell.start - (isQuoted ? 1 : 0)
  }

  /// The bytes of a cell that still holds some of the chunk; doubled quotes are doubled.
  package func bytes(_ cell: Cell) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + cell.start, count: Int(cell.length))
  }

  /// The text of a cell that still holds bytes of the chunk.
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
