import SeedbedCells

extension RowReader {
  /// One name in a row file's first record.
  package struct HeaderField: Equatable {
    package var name: String
    /// The byte in the first line at which the name begins.
    package var column: Int

    package init(name: String, column: Int) { (self.name, self.column) = (name, column) }
  }
}

extension RowReader.HeaderField {
  static func hasByteOrderMark(_ chunk: Chunk) -> Bool {
    chunk.count >= 3 && chunk.bytes[0] == 0xEF && chunk.bytes[1] == 0xBB && chunk.bytes[2] == 0xBF
  }

  /// Refuses a file whose first bytes show that it is not UTF-8 text.
  static func refuseOtherContent(
    _ chunk: Chunk, _ file: String, _ wasCompressed: Bool
  ) throws(SeedbedError) {
    guard chunk.count >= 2 else { return }
    let (first, second) = (chunk.bytes[0], chunk.bytes[1])
    let start = SeedbedError.Place(file, line: 1, column: 1)
    if first == 0x1F, second == 0x8B {
      throw wasCompressed ? .gzip(GzipWords.twice, file) : .csv(CSVWords.isGzip, start)
    }
    let isMarked = (first == 0xFF && second == 0xFE) || (first == 0xFE && second == 0xFF)
    // ASCII text in UTF-16 has a zero in every pair of bytes.
    guard isMarked || first == 0 || second == 0 else { return }
    throw .csv(CSVWords.utf16, start)
  }

  /// The names in the only record of the chunk.
  static func names(in chunk: Chunk, _ file: String) throws(SeedbedError) -> [Self] {
    let fields = UnsafeBufferPointer(start: chunk.cells, count: chunk.cellCount).map {
      Self(name: chunk.text($0), column: chunk.fieldPosition($0) + 1)
    }
    let delimiters = [(";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")]
    if fields.count == 1, chunk.bytes[0] != UInt8(ascii: "\""),
      let found = delimiters.first(where: { fields[0].name.contains($0.0) })
    {
      throw .csv(CSVWords.delimiter(found.1), SeedbedError.Place(file, line: 1, column: 1))
    }
    var seen: Set<Name> = []
    for field in fields {
      let place = SeedbedError.Place(file, line: 1, column: field.column)
      if field.name.isEmpty { throw .csv(CSVWords.headerEmptyName, place) }
      guard seen.insert(field.name) else {
        throw .csv(CSVWords.headerTwice(field.name), place)
      }
    }
    return fields
  }
}
