import Seedbed

/// A source CSV with suggestions in it. Every byte that no suggestion is about stays.
struct EditedSource {
  let file: SourceFile
  private(set) var bytes: [UInt8]
  /// The number of suggestions in it.
  let count: Int

  init(_ table: SuggestedTable, _ suggestions: [Suggested]) throws {
    file = try Self.file(of: table)
    count = suggestions.count
    var changes: [Int64: [Int: String]] = [:]
    var removed: Set<Int64> = []
    var added: [String] = []
    for suggested in suggestions {
      let number = try table.current(suggested.key)?.number
      switch (suggested.kind, number) {
      case (.edit, let number?):
        guard let column = suggested.column, let mine = suggested.mine else { continue }
        changes[number, default: [:]][column] = try Self.text(mine, column, table)
      case (.deletion, let number?): removed.insert(number)
      case (.addition, nil):
        let values = try zip(table.fields.indices, suggested.row).map { column, value in
          try value.map { try Self.text($0, column, table) } ?? ""
        }
        added.append(values.joined(separator: ","))
      case (.edit, nil), (.deletion, nil), (.addition, _?): continue
      }
    }
    bytes = try file.head()
    let lineEnd: [UInt8] = bytes.suffix(2) == [0x0D, 0x0A] ? [0x0D, 0x0A] : [0x0A]
    let records = try file.records()
    var number: Int64 = 0
    while try records.advance() {
      number += 1
      if removed.contains(number) { continue }
      if let fields = changes[number] {
        bytes += RecordFields(records.bytes).replacing(fields)
      } else {
        bytes += records.bytes
      }
    }
    if !added.isEmpty, bytes.last != UInt8(ascii: "\n") { bytes += lineEnd }
    for row in added { bytes += Array(row.utf8) + lineEnd }
  }

  private static func text(_ value: Value, _ column: Int, _ table: SuggestedTable) throws -> String
  {
    try table.fields[column].field(value, of: table.target.name, key: "a suggestion")
  }

  /// - Throws: if the source is not a single plain file.
  private static func file(of table: SuggestedTable) throws -> SourceFile {
    let name = table.target.name
    guard let file = table.files.first else {
      throw SeedbedError(
        .usage,
        "'\(name)' has no source CSV to write into. Write one with 'export', and name it by "
          + "'source' in catalog.json.")
    }
    if table.files.count > 1 || file.path.hasSuffix(".gz") {
      throw SeedbedError(
        .usage,
        "The source of '\(name)' is not a single plain file. Change it by hand, at the lines that "
          + "'suggestions' names.")
    }
    return file
  }
}

/// The fields of one record of a CSV file, as they are written.
struct RecordFields {
  private let bytes: [UInt8]
  private let fields: [Range<Int>]

  /// - Parameter record: with its line end, as `RecordTexts` has checked it.
  init(_ record: UnsafeRawBufferPointer) {
    bytes = Array(record)
    var end = bytes.count
    if end > 0, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    var fields: [Range<Int>] = []
    var start = 0
    var isQuoted = false
    for index in 0..<end {
      if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if bytes[index] == UInt8(ascii: ","), !isQuoted {
        fields.append(start..<index)
        start = index + 1
      }
    }
    self.fields = fields + [start..<end]
  }

  /// The record with other fields in some places. A field that was in quotes stays so, except for
  /// NULL.
  func replacing(_ new: [Int: String]) -> [UInt8] {
    var result: [UInt8] = []
    var done = 0
    for (index, range) in fields.enumerated() {
      guard let text = new[index] else { continue }
      result += bytes[done..<range.lowerBound]
      let quote = UInt8(ascii: "\"")
      let wasQuoted = !range.isEmpty && bytes[range.lowerBound] == quote
      let isPlain = !text.isEmpty && text.utf8.first != quote
      result += wasQuoted && isPlain ? [quote] + Array(text.utf8) + [quote] : Array(text.utf8)
      done = range.upperBound
    }
    return result + bytes[done...]
  }
}
