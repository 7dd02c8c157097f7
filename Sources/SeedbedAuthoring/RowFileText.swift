import Seedbed

/// The text of a row file in the engine's dialect, passed on piece by piece.
struct RowFileText {
  private(set) var rows = 0
  private var bytes: [UInt8] = []
  private let lineEnd: [UInt8]
  private let write: ([UInt8]) throws -> Void

  private static let pieceBytes = 64 << 10

  init(header: [String], to write: @escaping ([UInt8]) throws -> Void) throws {
    (lineEnd, self.write) = ([UInt8(ascii: "\n")], write)
    try append(header.map(Self.name))
  }

  /// - Parameter head: the bytes before the first record, as they are.
  init(
    head: [UInt8], lineEnd: [UInt8], to write: @escaping ([UInt8]) throws -> Void
  ) throws {
    (self.lineEnd, self.write) = (lineEnd, write)
    bytes = head
    endLine()
  }

  mutating func add(_ fields: [String]) throws {
    try append(fields)
    rows += 1
  }

  /// Adds a record as it is.
  mutating func add(record: UnsafeRawBufferPointer) throws {
    bytes.append(contentsOf: record)
    endLine()
    rows += 1
    if bytes.count >= Self.pieceBytes { try finish() }
  }

  /// Adds a line end if the last line of a file has none.
  private mutating func endLine() {
    if bytes.last != UInt8(ascii: "\n") { bytes += lineEnd }
  }

  /// Passes on the rest.
  mutating func finish() throws {
    try write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// The name of a file with a table's rows; nil if no name means exactly that.
  static func fileName(of table: String, _ operation: String = "") -> String? {
    let name = table + operation + ".csv.gz"
    let kind: MigrationFile.Kind =
      switch operation {
      case ".update": .update(table: table)
      case ".delete": .delete(table: table)
      default: .insert(table: table)
      }
    let isWritable = name.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0xFFFD && $0 != "/"
    }
    guard FileName(name) == .legal(kind, isCompressed: true), isWritable, name.utf8.count < 250
    else { return nil }
    return name
  }

  private mutating func append(_ fields: [String]) throws {
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: field.utf8)
    }
    bytes += lineEnd
    if bytes.count >= Self.pieceBytes { try finish() }
  }

  /// The name, in quotes if a reader might misread it as another delimiter, or as a byte order mark
  /// at the start of the file.
  private static func name(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"),
        UInt8(ascii: "."), UInt8(ascii: " "), UInt8(ascii: "-"):
        true
      default: byte >= 0x80
      }
    }
    let hasMark = name.unicodeScalars.first == "\u{FEFF}"
    return isPlain && !hasMark ? name : "\"" + name.doubling("\"") + "\""
  }
}

extension SourceField {
  /// - Throws: if no CSV field means exactly that value, for example a number that SQL put into a
  ///   column of text.
  func field(
    _ value: Value, of table: String, key: @autoclosure () throws -> String
  ) throws -> String {
    if let text = text(of: value) { return text }
    let why = value.isNull ? "where an empty field is the empty text" : "in a column of its type"
    throw SeedbedError(
      .csv,
      "'\(table)' holds \(value.display) in the column '\(header)', for \(try key()), which no CSV "
        + "field can represent \(why). Correct that value by SQL in an up.sql.")
  }
}
