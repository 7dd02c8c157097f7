/// What a record can be refused for, and where. None of it runs for a record that is right.
extension CSVSplitter {
  /// A place by its record's first line, in bytes from the record's first byte.
  func place(_ position: Int, _ start: Int) -> SeedbedError.Place {
    SeedbedError.Place(file, line: line, column: position - start + 1)
  }

  func recordTooLong(_ start: Int) -> SeedbedError {
    .csv(CSVWords.recordSize(limits.recordBytes), place(start, start))
  }

  /// The chunk ended inside a record: nil asks for more bytes, unless there are none, or too many.
  @inline(never) func unfinished(
    _ chunk: Chunk, _ start: Int, opening: Int?, _ isLast: Bool
  ) throws(SeedbedError) -> Int? {
    if chunk.count - start > limits.recordBytes { throw recordTooLong(start) }
    guard isLast, let opening else { return nil }
    // By the line of the opening quote, and its column there.
    var line = line
    var lineStart = start
    for index in start..<opening where chunk.bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    throw .csv(
      CSVWords.unterminated,
      SeedbedError.Place(file, line: line, column: opening - lineStart + 1))
  }

  /// The error for a byte after a field that neither separates fields nor ends the record.
  @inline(never) func strayByte(
    _ bytes: UnsafeMutablePointer<UInt8>, _ start: Int, _ position: Int
  ) -> SeedbedError {
    let words =
      switch bytes[position] {
      case 0: CSVWords.nul
      case UInt8(ascii: "\r"): CSVWords.bareCR
      // A quote after a closing quote would have been an escaped one.
      case UInt8(ascii: "\""): CSVWords.quoteInside
      default: CSVWords.afterQuote
      }
    return .csv(words, place(position, start))
  }

  /// Why a whole record is refused by its fields; `end` is where its line end begins.
  @inline(__always)
  func refusal(
    of cells: UnsafeMutablePointer<Cell>, _ found: Int, _ chunk: Chunk, _ start: Int, _ end: Int
  ) -> SeedbedError? {
    if found == fieldCount, cells[0].kind != .null { return nil }
    return rareRefusal(of: cells, found, chunk, start, end)
  }

  /// Whether a record is a line that git puts between two branches.
  private static func isConflictMark(
    _ bytes: UnsafeMutablePointer<UInt8>, from start: Int, to end: Int
  ) -> Bool {
    guard end - start >= 7, "<=>|".utf8.contains(bytes[start]) else { return false }
    let isMark = (1..<7).allSatisfy { bytes[start + $0] == bytes[start] }
    return isMark && (end - start == 7 || bytes[start + 7] == UInt8(ascii: " "))
  }

  @inline(never) private func rareRefusal(
    of cells: UnsafeMutablePointer<Cell>, _ found: Int, _ chunk: Chunk, _ start: Int, _ end: Int
  ) -> SeedbedError? {
    if found == 1, cells[0].kind == .null {
      return .csv(
        fieldCount == nil ? CSVWords.blankHeader : CSVWords.blankLine, place(start, start))
    }
    guard let fieldCount else { return nil }
    if (0..<found).allSatisfy({ cells[$0].kind == .null }) {
      return .csv(CSVWords.emptyRow, place(start, start))
    }
    if found == fieldCount { return nil }
    if Self.isConflictMark(chunk.bytes, from: start, to: end) {
      return .csv(CSVWords.conflictMark, place(start, start))
    }
    // Too few: where the record ends. Too many: where the first surplus field begins.
    var position = end
    if found > fieldCount {
      position = cells[fieldCount].start
      if chunk.bytes[position - 1] == UInt8(ascii: "\"") { position -= 1 }
    }
    return .csv(CSVWords.fieldCount(found, expected: fieldCount), place(position, start))
  }
}
