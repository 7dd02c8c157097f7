/// One field: where its bytes are, and after decoding its value.
struct Cell {
  enum Kind: UInt8 { case null, text, escaped, integer, real, blob }

  /// The offset of the field's first byte in the chunk, or the bits of its number.
  var bits: UInt64
  var length: UInt32
  var kind: Kind

  var start: Int { Int(bits) }
}

/// Where a record begins.
struct RecordPlace {
  /// In the file, from 1.
  var line: Int
  /// In the chunk.
  var start: Int
}

/// A block of whole records on its way from the file to SQLite: their bytes and their fields.
///
/// Chunks are used again and again, so a load allocates a handful however long the file is.
final class Chunk: @unchecked Sendable {
  // Sound: a chunk belongs to one thread at a time; it changes hands under the queue's lock.

  /// One byte more than `capacity`, for the sentinel of the splitter.
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private(set) var capacity: Int
  /// How many bytes are filled.
  var count = 0

  private(set) var cells: UnsafeMutablePointer<Cell>
  private var cellCapacity: Int
  private(set) var cellCount = 0

  private(set) var records: UnsafeMutablePointer<RecordPlace>
  private var recordCapacity: Int
  private(set) var recordCount = 0

  /// How many bytes of the file were read when the chunk was filled.
  var fileBytes: Int64 = 0

  init(capacity: Int) {
    self.capacity = capacity
    bytes = .allocate(capacity: capacity + 1)
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

  func clear() {
    count = 0
    clearRecords()
  }

  func clearRecords() {
    cellCount = 0
    recordCount = 0
  }

  func grow(to newCapacity: Int) {
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity + 1)
    grown.update(from: bytes, count: count)
    bytes.deallocate()
    bytes = grown
    capacity = newCapacity
  }

  @inline(__always)
  func append(_ cell: Cell) {
    if cellCount == cellCapacity { growCells() }
    (cells + cellCount).initialize(to: cell)
    cellCount += 1
  }

  @inline(__always)
  func append(_ record: RecordPlace) {
    if recordCount == recordCapacity { growRecords() }
    (records + recordCount).initialize(to: record)
    recordCount += 1
  }

  /// Forgets the fields of a record that the chunk holds only in part.
  func dropLastRecord(cellsFrom first: Int) {
    cellCount = first
    recordCount -= 1
  }

  @inline(never)
  private func growCells() {
    let grown = UnsafeMutablePointer<Cell>.allocate(capacity: cellCapacity * 2)
    grown.update(from: cells, count: cellCount)
    cells.deallocate()
    cells = grown
    cellCapacity *= 2
  }

  @inline(never)
  private func growRecords() {
    let grown = UnsafeMutablePointer<RecordPlace>.allocate(capacity: recordCapacity * 2)
    grown.update(from: records, count: recordCount)
    records.deallocate()
    records = grown
    recordCapacity *= 2
  }

  /// The text of a cell that still holds bytes of the chunk, for headers and errors.
  func text(_ cell: Cell) -> String {
    guard cell.kind != .null else { return "" }
    let field = UnsafeBufferPointer(start: bytes + cell.start, count: Int(cell.length))
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
