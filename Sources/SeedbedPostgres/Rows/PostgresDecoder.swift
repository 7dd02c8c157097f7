import Seedbed
import SeedbedCells

/// How the fields of a column are checked, according to its declared type, before they are sent to
/// the server. So an error has its place in the file.
///
/// Arrays, ranges, intervals, addresses and all other types go to the server as they are, and the
/// server checks them.
extension FieldDecoder {
  init(postgres column: ColumnSchema, blob: BlobEncoding?) throws {
    let type = TypeName(column.baseType ?? column.declaredType)
    if type.name == "bytea" {
      guard let blob else { throw SeedbedError.byteaEncodingMissing(column.name) }
      self = blob == .hex ? .hex : .base64
    } else if blob != nil {
      throw SeedbedError.notBytea(column.name, column.declaredType)
    } else if !column.labels.isEmpty {
      self = .check(.oneOf(column.labels, column.declaredType))
    } else {
      self = Self.scalar(type)
    }
  }

  private static func scalar(_ type: TypeName) -> FieldDecoder {
    switch type.name {
    case "bigint": .integer
    case "integer": .check(.integer(type.text, Int64(Int32.min)...Int64(Int32.max)))
    case "smallint": .check(.integer(type.text, Int64(Int16.min)...Int64(Int16.max)))
    case "double precision": .real
    case "real": .check(.float)
    case "numeric": .check(.numeric(type))
    case "boolean": .check(.boolean)
    case "character varying", "character":
      type.arguments.first.map { .check(.text(type.text, atMost: $0)) } ?? .verbatim
    case "uuid": .check(.uuid)
    case "json", "jsonb": .check(.json(type.text))
    case "date": .check(.date)
    case "time without time zone": .check(.time(type, hasZone: false))
    case "time with time zone": .check(.time(type, hasZone: true))
    case "timestamp without time zone": .check(.timestamp(type, hasZone: false))
    case "timestamp with time zone": .check(.timestamp(type, hasZone: true))
    default: .verbatim
    }
  }
}

/// A type as `format_type` spells it: `numeric(10,2)`, `timestamp(3) with time zone`.
struct TypeName {
  var text: String
  /// The name without the part in parentheses.
  var name: String
  var arguments: [Int] = []

  init(_ text: String) {
    (self.text, name) = (text, text)
    guard let open = text.firstIndex(of: "("), let close = text[open...].firstIndex(of: ")") else {
      return
    }
    let arguments = text[text.index(after: open)..<close].split(separator: ",").map { Int($0) }
    if arguments.contains(nil) { return }
    self.arguments = arguments.compactMap(\.self)
    name = String(text[..<open] + text[text.index(after: close)...])
  }
}

extension FieldCheck {
  static func integer(_ type: String, _ range: ClosedRange<Int64>) -> FieldCheck {
    FieldCheck(
      type,
      expectation: "a whole number from \(range.lowerBound) to \(range.upperBound), without "
        + "leading zeros."
    ) { cell, field in
      guard let value = NumberText.integer(field), range.contains(value) else { return false }
      return cell.set(value)
    }
  }

  /// The value stays text: through a double, it would be rounded twice.
  static let float = FieldCheck(
    "real", expectation: "a decimal number such as 12.5 or 1.2e-3 that a 32-bit float can hold."
  ) { _, field in
    guard let value = NumberText.real(field) else { return false }
    let float = Float(value)
    return float.isFinite && (float != 0 || value == 0)
  }

  /// The forms that people, SQLite and PostgreSQL write.
  static let boolean = FieldCheck("boolean", expectation: "0, 1, t, f, true or false.") {
    cell, field in
    switch field.count {
    case 1:
      switch field[0] {
      case UInt8(ascii: "0"), UInt8(ascii: "f"): cell.set(0)
      case UInt8(ascii: "1"), UInt8(ascii: "t"): cell.set(1)
      default: false
      }
    case 4: field.elementsEqual("true".utf8) && cell.set(1)
    case 5: field.elementsEqual("false".utf8) && cell.set(0)
    default: false
    }
  }

  /// Without this check PostgreSQL would cut off spaces at the end.
  static func text(_ type: String, atMost limit: Int) -> FieldCheck {
    FieldCheck(
      type, expectation: "at most \(limit) \(limit == 1 ? "character" : "characters") of text."
    ) { _, field in
      if field.count <= limit { return true }
      // Count only the first byte of each character.
      var count = 0
      for byte in field where byte & 0xC0 != 0x80 { count += 1 }
      return count <= limit
    }
  }

  /// With its dashes or without any: where no type is for UUIDs, such as in SQLite, programs write
  /// 32 digits, and one file of rows is for both.
  static let uuid = FieldCheck(
    "uuid",
    expectation: "a UUID such as 123e4567-e89b-12d3-a456-426614174000, or its 32 digits alone."
  ) { _, field in
    guard field.count == 36 else { return field.count == 32 && field.allSatisfy(\.isHexDigit) }
    for index in 0..<36 {
      let byte = field[index]
      let isFine =
        switch index {
        case 8, 13, 18, 23: byte == UInt8(ascii: "-")
        default: byte.isHexDigit
        }
      if !isFine { return false }
    }
    return true
  }

  static func json(_ type: String) -> FieldCheck {
    let isBinary = type == "jsonb"
    return FieldCheck(
      type, expectation: "JSON" + (isBinary ? ", without \\u0000 and half surrogates." : ".")
    ) { _, field in
      var text = JSONText(field, isBinary: isBinary)
      return text.isWhole()
    }
  }

  static func oneOf(_ labels: [String], _ type: String) -> FieldCheck {
    let known = labels.map { Array($0.utf8) }
    let shown = labels.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
    let more = labels.count > 8 ? " and \(labels.count - 8) more" : ""
    return FieldCheck(
      "\(type): \(labels)", expectation: "one of the values of \(type): \(shown)\(more)."
    ) { _, field in
      known.contains { $0.count == field.count && $0.elementsEqual(field) }
    }
  }
}

extension UInt8 {
  var isDigit: Bool { (0x30...0x39).contains(self) }

  var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }
}

extension SeedbedError {
  static func byteaEncodingMissing(_ column: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The column '\(column)' is bytea. State in catalog.json how its bytes are written: "
        + "\"blobs\": { \"\(column)\": \"base64\" } or \"hex\".")
  }

  static func notBytea(_ column: String, _ type: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The option 'blobs' names the column '\(column)', which is \(type) on PostgreSQL. Declare it "
        + "bytea there, or remove it from the option.")
  }
}
