/// How the fields of one column become values: by the column's declared type, never by the data.
enum FieldDecoder: Sendable, Equatable {
  /// TEXT, typeless columns, and ANY of STRICT tables: the field as it is.
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

  /// > 3.1. Determination Of Column Affinity (Datatypes In SQLite)
  init(column: ColumnSchema, isStrict: Bool, blob: TableOptions.BlobEncoding?) throws {
    let type = column.declaredType.asciiLowercased()
    let bool = type.hasPrefix("bool")
    if isStrict, type == "any" {
      self = .verbatim
    } else if type.contains("int") {
      self = .integer
    } else if ["char", "clob", "text"].contains(where: type.contains) {
      self = .verbatim
    } else if type.isEmpty {
      self = blob.map(Self.blob) ?? .verbatim
    } else if type.contains("blob") {
      guard let blob else { throw SeedbedError.blobEncodingMissing(column.name) }
      self = Self.blob(blob)
    } else if ["real", "floa", "doub"].contains(where: type.contains) {
      self = .real
    } else if bool {
      self = .boolean
    } else if ["numeric", "decimal", "number"].contains(where: type.hasPrefix) {
      self = .number
    } else {
      self = .numberOrText
    }
  }

  private static func blob(_ encoding: TableOptions.BlobEncoding) -> FieldDecoder {
    encoding == .hex ? .hex : .base64
  }

  /// What a field must look like, for the error, and the remedy.
  var expectation: String {
    switch self {
    case .verbatim: "text."
    case .integer: "a whole number such as -12, within 64 bits and without leading zeros."
    case .real: "a decimal number such as 12.5 or 1.2e-3 that a 64-bit float can hold."
    case .boolean: "0 or 1."
    case .number:
      "a number that survives as a number. To keep leading zeros or more digits, declare the "
        + "column TEXT."
    case .numberOrText:
      "text, or a number that SQLite keeps as it is written. The column's type makes SQLite turn "
        + "this into another value: declare the column TEXT."
    case .base64: "base64, with its padding."
    case .hex: "hexadecimal digits, two for each byte."
    }
  }

  /// Decodes one cell in place; false where the field does not fit.
  func decode(_ cell: inout Cell, in bytes: UnsafeMutablePointer<UInt8>) -> Bool {
    if cell.kind == .escaped { unescape(&cell, in: bytes) }
    let text = UnsafeBufferPointer(start: bytes + cell.start, count: Int(cell.length))
    switch self {
    case .verbatim: return true
    case .integer: return set(&cell, NumberText.integer(text))
    case .real: return set(&cell, NumberText.real(text))
    case .boolean:
      guard let value = NumberText.integer(text), value == 0 || value == 1 else { return false }
      return set(&cell, value)
    case .number: return decodeNumber(&cell, text)
    case .numberOrText: return decodeNumberOrText(&cell, text)
    case .base64: return decodeBase64(&cell, bytes + cell.start)
    case .hex: return decodeHex(&cell, bytes + cell.start)
    }
  }

  /// Takes the doubled quotes out, within the field's own bytes.
  private func unescape(_ cell: inout Cell, in bytes: UnsafeMutablePointer<UInt8>) {
    let field = bytes + cell.start
    let count = Int(cell.length)
    var read = 0
    var write = 0
    while read < count {
      let byte = field[read]
      field[write] = byte
      write += 1
      read += byte == UInt8(ascii: "\"") ? 2 : 1
    }
    cell.length = UInt32(write)
    cell.kind = .text
  }

  @inline(__always)
  private func set(_ cell: inout Cell, _ value: Int64?) -> Bool {
    guard let value else { return false }
    cell.bits = UInt64(bitPattern: value)
    cell.kind = .integer
    return true
  }

  @inline(__always)
  private func set(_ cell: inout Cell, _ value: Double?) -> Bool {
    guard let value else { return false }
    cell.bits = value.bitPattern
    cell.kind = .real
    return true
  }

  private func decodeNumber(_ cell: inout Cell, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if let integer = NumberText.integer(text) { return set(&cell, integer) }
    guard let decimal = NumberText.decimal(text), !decimal.hasLeadingZeros,
      let value = NumberText.real(text), survives(text, value)
    else { return false }
    return set(&cell, value)
  }

  private func survives(_ text: UnsafeBufferPointer<UInt8>, _ value: Double) -> Bool {
    NumberText.significantDigits(text) == NumberText.significantDigits(value.description.utf8)
  }

  /// SQLite turns text that looks like a number into one here; only where that changes nothing
  /// is it let through.
  private func decodeNumberOrText(_ cell: inout Cell, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if let integer = NumberText.integer(text) { return set(&cell, integer) }
    guard looksNumeric(text) else { return true }
    guard let value = NumberText.real(text), value.description == String(decoding: text, as: UTF8.self)
    else { return false }
    // `1.0` would be stored as the integer 1.
    guard value != value.rounded() else { return false }
    return set(&cell, value)
  }

  /// Whether SQLite would take the text for a number: white space around it and a plus count.
  private func looksNumeric(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    var trimmed = text[...]
    while let first = trimmed.first, isSpace(first) { trimmed.removeFirst() }
    while let last = trimmed.last, isSpace(last) { trimmed.removeLast() }
    if trimmed.first == UInt8(ascii: "+") { trimmed.removeFirst() }
    return NumberText.decimal(UnsafeBufferPointer(rebasing: trimmed)) != nil
  }
}

extension SeedbedError {
  static func blobEncodingMissing(_ column: String) -> SeedbedError {
    SeedbedError(
      .catalog, "The column '\(column)' is a BLOB. Say in catalog.json how its bytes are written: "
        + "\"blobs\": { \"\(column)\": \"base64\" } or \"hex\".")
  }
}
