/// A record that breaks a rule of CSV, and where. The words for it are `CSVWords`.
package struct CSVFault: Error {
  package enum Rule {
    case nul, bareCR, blankHeader, blankLine, emptyRow, conflictMark
    case afterQuote, quoteInside, unterminated
    case fieldCount(Int, expected: Int)
    case tooManyFields(Int)
    case recordSize(Int)
  }

  package let rule: Rule
  /// The line in the file, and the byte in it, both counted from 1.
  package let line: Int
  package let column: Int

  init(_ rule: Rule, line: Int, column: Int) {
    (self.rule, self.line, self.column) = (rule, line, column)
  }
}

/// The reasons for refusing a record, and the place of each. None of this runs for a valid record.
extension CSVSplitter {
  /// A fault at a byte, given as its offset and that of the record's first byte.
  func fault(_ rule: CSVFault.Rule, _ position: Int, _ start: Int) -> CSVFault {
    CSVFault(rule, line: line, column: position - start + 1)
  }

  func recordTooLong(_ start: Int) -> CSVFault {
    fault(.recordSize(limits.recordBytes), start, start)
  }

  /// The error if the chunk ends inside a record. nil asks for more bytes; there is an error if
  /// there are none, or if the record is too long.
  func unfinished(
    _ chunk: Chunk, _ start: Int, opening: Int?, _ isLast: Bool
  ) throws(CSVFault) -> Int? {
    if chunk.count - start > limits.recordBytes { throw recordTooLong(start) }
    guard isLast, let opening else { return nil }
    // Report the line and column of the opening quote.
    var line = line
    var lineStart = start
    for index in start..<opening where chunk.bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    throw CSVFault(.unterminated, line: line, column: opening - lineStart + 1)
  }

  /// The error for a byte that follows a field but neither separates fields nor ends the record.
  func strayByte(
    _ bytes: UnsafeMutablePointer<UInt8>, _ start: Int, _ position: Int
  ) -> CSVFault {
    let rule: CSVFault.Rule =
      switch bytes[position] {
      case 0: .nul
      case UInt8(ascii: "\r"): .bareCR
      // Doubled, the quote would have been an escaped one.
      case UInt8(ascii: "\""): .quoteInside
      default: .afterQuote
      }
    return fault(rule, position, start)
  }

  /// The error for a whole record whose fields are wrong; `end` is the offset of its line end.
  @inline(__always)
  func refusal(
    of cells: UnsafeMutablePointer<Cell>, _ found: Int, _ chunk: Chunk, _ start: Int, _ end: Int
  ) -> CSVFault? {
    if found == fieldCount, cells[0].kind != .null { return nil }
    return rareRefusal(of: cells, found, chunk, start, end)
  }

  /// Whether a record is a line that git writes between two versions in a merge conflict.
  private static func isConflictMark(
    _ bytes: UnsafeMutablePointer<UInt8>, from start: Int, to end: Int
  ) -> Bool {
    guard end - start >= 7, "<=>|".utf8.contains(bytes[start]) else { return false }
    let isMark = (1..<7).allSatisfy { bytes[start + $0] == bytes[start] }
    return isMark && (end - start == 7 || bytes[start + 7] == UInt8(ascii: " "))
  }

  private func rareRefusal(
    of cells: UnsafeMutablePointer<Cell>, _ found: Int, _ chunk: Chunk, _ start: Int, _ end: Int
  ) -> CSVFault? {
    if found == 1, cells[0].kind == .null {
      return fault(fieldCount == nil ? .blankHeader : .blankLine, start, start)
    }
    guard let fieldCount else { return nil }
    if (0..<found).allSatisfy({ cells[$0].kind == .null }) {
      return fault(.emptyRow, start, start)
    }
    if found == fieldCount { return nil }
    if Self.isConflictMark(chunk.bytes, from: start, to: end) {
      return fault(.conflictMark, start, start)
    }
    // Too few: where the record ends. Too many: where the first surplus field begins.
    var position = end
    if found > fieldCount {
      position = cells[fieldCount].start
      if chunk.bytes[position - 1] == UInt8(ascii: "\"") { position -= 1 }
    }
    return fault(.fieldCount(found, expected: fieldCount), position, start)
  }
}
