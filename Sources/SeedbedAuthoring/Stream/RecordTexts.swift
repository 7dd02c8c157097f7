import Seedbed
import SeedbedCells

/// The records of a row file as text, one after the other and in constant memory, to show or to
/// invert them.
final class RecordTexts {
  private let reader: RowReader
  private var chunk: Chunk?
  private var record = 0

  var place: String { reader.place }
  var header: [String] { reader.header.map(\.name) }

  init(_ reader: RowReader) { self.reader = reader }

  /// Goes to the next record; false at the end of the file.
  func advance() throws -> Bool {
    if chunk != nil { record += 1 }
    if chunk == nil || record == chunk?.recordCount {
      chunk = try reader.next(returning: chunk)
      record = 0
    }
    return chunk != nil
  }

  /// A field of the current record; nil for NULL.
  subscript(field: Int) -> String? {
    guard let chunk else { return nil }
    let cell = chunk.cells[record * reader.header.count + field]
    return cell.kind == .null ? nil : chunk.text(cell)
  }

  /// Whether two fields of the current record have the same bytes.
  func isSame(_ first: Int, _ second: Int) -> Bool {
    guard let chunk else { return true }
    let row = chunk.cells + record * reader.header.count
    let (one, other) = (row[first], row[second])
    if one.kind == .null || other.kind == .null { return one.kind == other.kind }
    // Only fields with quotes in them can be written in two ways. Comparing Strings would treat two
    // forms of a letter as the same, which no device does.
    if one.kind == .escaped || other.kind == .escaped {
      return chunk.text(one).utf8.elementsEqual(chunk.text(other).utf8)
    }
    return chunk.bytes(one).elementsEqual(chunk.bytes(other))
  }

  /// The current record as it is in the file, with its line end. Valid until the next one is read.
  var bytes: UnsafeRawBufferPointer {
    guard let chunk else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return chunk.content(ofRecord: record)
  }

  /// The line of the current record.
  var line: Int? { chunk?.records[record].line }

  /// Reads the rest, and returns the number of records in the file.
  func count() throws -> Int {
    repeat { chunk = try reader.next(returning: chunk) } while chunk != nil
    return reader.totals.rows
  }
}
