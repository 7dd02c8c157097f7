/// The records of a row file as text, one after the other and in constant memory: for who shows
/// them, or writes them down the other way round.
package final class RecordTexts {
  private let reader: RowReader
  private var chunk: Chunk?
  private var record = 0

  package var place: String { reader.place }
  package var header: [String] { reader.header.map(\.name) }

  init(_ reader: RowReader) { self.reader = reader }

  /// The fields of the next record, nil for NULL; nil at the end of the file.
  package func next() throws -> [String?]? {
    if chunk == nil || record == chunk?.recordCount {
      chunk = try reader.next(returning: chunk)
      record = 0
    }
    guard let chunk else { return nil }
    let count = reader.header.count
    let fields = (0..<count).map { index -> String? in
      let cell = chunk.cells[record * count + index]
      return cell.kind == .null ? nil : chunk.text(cell)
    }
    record += 1
    return fields
  }

  /// Reads what is left, and returns how many records the file has.
  package func count() throws -> Int {
    repeat { chunk = try reader.next(returning: chunk) } while chunk != nil
    return reader.totals.rows
  }
}
