/// The encoding of bytes in a CSV file.
package enum BlobEncoding: String, Sendable, CaseIterable { case base64, hex }

/// The meaning of an empty field in one column.
package enum EmptyField: Sendable { case null, text, refused }

/// Turns the fields of one column into values. The column's declared type decides, never the data.
package enum FieldDecoder: Sendable, Equatable {
  /// TEXT, columns without a type, and ANY in STRICT tables: the field as it is.
  case verbatim
  case integer
  case real
  /// A type declared BOOL…: 0 or 1.
  case boolean
  /// A type declared NUMERIC…, DECIMAL… or NUMBER….
  case number
  /// All other types of NUMERIC affinity: DATE, TIMESTAMP, STRING.
  case numberOrText
  case base64
  case hex
  /// Another engine's types.
  case check(FieldCheck)

  /// What a field must look like, and the remedy, for the error.
  package var expectation: String {
    switch self {
    case .verbatim: "text."
    case .integer: "a whole number such as -12, within 64 bits and without leading zeros."
    case .real: "a decimal number such as 12.5 or 1.2e-3 that a 64-bit float can hold."
    case .boolean: "0 or 1."
    case .number:
      "a number that SQLite stores without loss. To keep leading zeros or more digits, declare the "
        + "column TEXT."
    case .numberOrText:
      "text, or a number that SQLite keeps as it is written. The column's type would make SQLite "
        + "change the value: declare the column TEXT."
    case .base64: "base64, with its padding."
    case .hex: "hexadecimal digits, two for each byte."
    case .check(let check): check.expectation
    }
  }

  /// Decodes the cells of one column in place, one in each `stride`. Stops at the first cell that
  /// does not fit, leaves its bytes as they were, and returns its number.
  package func decode(
    _ cells: UnsafeMutablePointer<Cell>, stride: Int, count: Int,
    in bytes: UnsafeMutablePointer<UInt8>, empty: EmptyField
  ) -> Int? {
    let column = Column(
      cells: cells, stride: stride, count: count, bytes: bytes, empty: empty)
    return switch self {
    case .verbatim: column.each { _, _ in true }
    case .integer: column.each { $0.set(NumberText.integer($1)) }
    case .real: column.each { $0.set(NumberText.real($1)) }
    case .boolean: column.each { $0.set(NumberText.boolean($1)) }
    case .number: column.each { $0.set(number: $1) }
    case .numberOrText: column.each { $0.set(numberOrText: $1) }
    case .base64: column.each { $0.set(base64: $1) }
    case .hex: column.each { $0.set(hex: $1) }
    case .check(let check): column.each(check.read)
    }
  }

  /// The same field of each record.
  private struct Column {
    var cells: UnsafeMutablePointer<Cell>
    var stride: Int
    var count: Int
    var bytes: UnsafeMutablePointer<UInt8>
    var empty: EmptyField

    /// Calls `body` with each field that is not empty; `body` returns whether it fits.
    @inline(__always)
    func each(_ body: (inout Cell, UnsafeMutableBufferPointer<UInt8>) -> Bool) -> Int? {
      var cell = cells
      for index in 0..<count {
        if cell.pointee.kind == .escaped { cell.pointee.unescape(in: bytes) }
        if cell.pointee.kind == .null {
          switch empty {
          case .null: break
          case .text: cell.pointee.kind = .text
          case .refused: return index
          }
        } else {
          let field = UnsafeMutableBufferPointer(
            start: bytes + cell.pointee.start, count: Int(cell.pointee.length))
          guard body(&cell.pointee, field) else { return index }
        }
        cell += stride
      }
      return nil
    }
  }
}

extension Cell {
  /// Replaces doubled quotes by single ones in place.
  fileprivate mutating func unescape(in bytes: UnsafeMutablePointer<UInt8>) {
    let field = UnsafeMutableRawPointer(bytes + start)
    let count = Int(length)
    var read = 0
    var write = 0
    while read < count {
      // Bytes between two quotes move eight at a time. The bytes that this overwrites were read
      // before.
      if read + 8 <= count {
        let word = field.loadUnaligned(fromByteOffset: read, as: UInt64.self)
        if !CSVSplitter.hasQuote(word) {
          field.storeBytes(of: word, toByteOffset: write, as: UInt64.self)
          read += 8
          write += 8
          continue
        }
      }
      let byte = field.load(fromByteOffset: read, as: UInt8.self)
      field.storeBytes(of: byte, toByteOffset: write, as: UInt8.self)
      write += 1
      read += byte == UInt8(ascii: "\"") ? 2 : 1
    }
    length = UInt32(truncatingIfNeeded: write)
    kind = .text
  }

  @inline(__always)
  package mutating func set(_ value: Int64?) -> Bool {
    guard let value else { return false }
    bits = UInt64(bitPattern: value)
    kind = .integer
    return true
  }

  @inline(__always)
  mutating func set(_ value: Double?) -> Bool {
    guard let value else { return false }
    bits = value.bitPattern
    kind = .real
    return true
  }
}
