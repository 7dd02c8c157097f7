/// Finds records and fields in the bytes of a chunk, by the ten rules of the reference page.
///
/// A record that the chunk holds only in part is left for the next one, which begins with it.
struct CSVSplitter {
  struct Limits: Equatable {
    var recordBytes = 16 << 20
    var fields = 2000
  }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  let file: String
  let limits: Limits
  /// How many fields each record must have; nil while the header is being read.
  var fieldCount: Int?
  /// The line on which the next record begins.
  private(set) var line = 1

  init(file: String, limits: Limits = Limits()) {
    self.file = file
    self.limits = limits
  }

  /// How a field ended.
  private enum End {
    case comma, record, chunk
  }

  /// Splits whole records and returns how many bytes they took; `isLast` where the content ends
  /// with the chunk. With `onlyOne` it stops after the first record, the header.
  mutating func split(_ chunk: Chunk, isLast: Bool, onlyOne: Bool = false) throws -> Int {
    let count = chunk.count
    // The sentinel ends every scan, and is the final line feed that a file may leave out.
    chunk.bytes[count] = Self.lineFeed
    var position = 0
    while position < count {
      let start = position
      let firstCell = chunk.cellCount
      let firstLine = line
      chunk.append(RecordPlace(line: line, start: start))
      guard try record(chunk, &position, start: start, isLast: isLast) else {
        chunk.dropLastRecord(cellsFrom: firstCell)
        line = firstLine
        if count - start > limits.recordBytes {
          throw SeedbedError.csvRecordSize(limits.recordBytes, at(start, start, firstLine))
        }
        return start
      }
      let found = chunk.cellCount - firstCell
      if found != fieldCount {
        if let fieldCount {
          throw fieldCountError(chunk, found, fieldCount, firstCell, start, firstLine, position)
        }
      }
      if onlyOne { return position }
    }
    return position
  }

  /// One record from `position` on; false where the chunk ends before it.
  @inline(__always)
  private mutating func record(
    _ chunk: Chunk, _ position: inout Int, start: Int, isLast: Bool
  ) throws -> Bool {
    let bytes = chunk.bytes
    let count = chunk.count
    if bytes[position] == Self.lineFeed || bytes[position] == Self.carriageReturn {
      try blankLine(chunk, position, start, isLast)
    }
    let cellLimit = chunk.cellCount + limits.fields
    while true {
      let end: End
      if bytes[position] == Self.quote, position < count {
        end = try quotedField(chunk, &position, start, isLast)
      } else {
        end = try plainField(chunk, &position, start, isLast)
      }
      switch end {
      case .comma: break
      case .record: return true
      case .chunk: return false
      }
      if chunk.cellCount >= cellLimit {
        throw SeedbedError.csvTooManyFields(limits.fields, at(position, start, line))
      }
    }
  }

  @inline(__always)
  private mutating func plainField(
    _ chunk: Chunk, _ position: inout Int, _ start: Int, _ isLast: Bool
  ) throws -> End {
    let bytes = chunk.bytes
    let first = position
    // The five bytes that mean something are all below `-`, and so few others are that a
    // second look at those costs nothing.
    while true {
      while bytes[position] > Self.comma { position += 1 }
      let byte = bytes[position]
      if byte == Self.comma || byte == Self.lineFeed || byte == Self.quote
        || byte == Self.carriageReturn || byte == 0
      {
        break
      }
      position += 1
    }
    let length = position - first
    chunk.append(
      Cell(bits: UInt64(first), length: UInt32(length), kind: length == 0 ? .null : .text))
    if bytes[position] == Self.comma {
      position += 1
      return .comma
    }
    return try endOfField(chunk, &position, start, isLast)
  }

  @inline(__always)
  private mutating func quotedField(
    _ chunk: Chunk, _ position: inout Int, _ start: Int, _ isLast: Bool
  ) throws -> End {
    let bytes = chunk.bytes
    let count = chunk.count
    let opening = position
    let openingLine = line
    var isEscaped = false
    position += 1
    let first = position
    while true {
      while bytes[position] > Self.quote { position += 1 }
      let byte = bytes[position]
      if position >= count {
        guard isLast else { return .chunk }
        line = openingLine
        throw SeedbedError.csvUnterminated(quotePlace(chunk, opening, start))
      }
      if byte == Self.lineFeed { line += 1 }
      if byte == 0 { throw SeedbedError.csvNUL(at(position, start, recordLine(chunk))) }
      position += 1
      guard byte == Self.quote else { continue }
      if position == count, !isLast { return .chunk }
      guard position < count, bytes[position] == Self.quote else { break }
      isEscaped = true
      position += 1
    }
    chunk.append(
      Cell(
        bits: UInt64(first), length: UInt32(position - 1 - first),
        kind: isEscaped ? .escaped : .text))
    if bytes[position] == Self.comma, position < count {
      position += 1
      return .comma
    }
    return try endOfField(chunk, &position, start, isLast, afterQuote: true)
  }

  /// At a byte that ends a field and is no comma: the end of the record, or an error.
  private mutating func endOfField(
    _ chunk: Chunk, _ position: inout Int, _ start: Int, _ isLast: Bool, afterQuote: Bool = false
  ) throws -> End {
    let count = chunk.count
    let byte = chunk.bytes[position]
    if position == count {
      guard isLast else { return .chunk }
      return .record
    }
    let place = at(position, start, recordLine(chunk))
    switch byte {
    case Self.lineFeed: position += 1
    case Self.carriageReturn:
      if position + 1 == count, !isLast { return .chunk }
      guard position + 1 < count, chunk.bytes[position + 1] == Self.lineFeed else {
        throw SeedbedError.csvBareCR(place)
      }
      position += 2
    case 0: throw SeedbedError.csvNUL(place)
    default: throw afterQuote ? SeedbedError.csvAfterQuote(place) : .csvQuoteInside(place)
    }
    line += 1
    return .record
  }

  // MARK: places and rare errors

  /// A place by its record's first line, in bytes from the record's first byte.
  private func at(_ position: Int, _ start: Int, _ line: Int) -> SeedbedError.Place {
    SeedbedError.Place(file, line: line, column: position - start + 1)
  }

  private func recordLine(_ chunk: Chunk) -> Int { chunk.records[chunk.recordCount - 1].line }

  /// The opening quote by its own line and its column there.
  private func quotePlace(_ chunk: Chunk, _ opening: Int, _ start: Int) -> SeedbedError.Place {
    var lineStart = opening
    while lineStart > start, chunk.bytes[lineStart - 1] != Self.lineFeed { lineStart -= 1 }
    return SeedbedError.Place(file, line: line, column: opening - lineStart + 1)
  }

  private func blankLine(_ chunk: Chunk, _ position: Int, _ start: Int, _ isLast: Bool) throws {
    if chunk.bytes[position] == Self.carriageReturn {
      // A bare CR has its own error, and a CR at the chunk's end is not decided yet.
      guard position + 1 < chunk.count, chunk.bytes[position + 1] == Self.lineFeed else { return }
    }
    throw SeedbedError.csvBlankLine(at(position, start, line))
  }

  private func fieldCountError(
    _ chunk: Chunk, _ found: Int, _ expected: Int, _ firstCell: Int, _ start: Int, _ line: Int,
    _ end: Int
  ) -> SeedbedError {
    let cells = firstCell..<chunk.cellCount
    if cells.allSatisfy({ chunk.cells[$0].kind == .null }) {
      return .csvEmptyRow(at(start, start, line))
    }
    // Too many: where the first surplus field begins. Too few: where the record ends.
    var column = end
    if found > expected {
      let cell = chunk.cells[firstCell + expected]
      column = cell.start
      if column > start, chunk.bytes[column - 1] == Self.quote { column -= 1 }
    } else {
      while column > start, [Self.lineFeed, Self.carriageReturn].contains(chunk.bytes[column - 1]) {
        column -= 1
      }
    }
    return .csvFieldCount(found, expected: expected, at(column, start, line))
  }
}
