import Seedbed

/// A source with suggestions in it. Every byte that no suggestion is about stays.
struct EditedSource {
  let file: SourceFile
  /// The number of suggestions in it.
  let count: Int
  /// What is to be written; nil for a database, which its author changes.
  private(set) var bytes: [UInt8]?
  /// What the author of a database is to run.
  private(set) var statements: [String] = []
  /// What the next release is made from, to try it: a file with these bytes and this ending.
  private(set) var trial: (bytes: [UInt8], ending: String)
  private let table: SuggestedTable
  /// New values, by the number of the row and the column.
  private var changes: [Int64: [Int: Value]] = [:]
  private var removed: Set<Int64> = []
  private var added: [[Value?]] = []

  init(_ table: SuggestedTable, _ suggestions: [Suggested]) throws {
    self.table = table
    file = try Self.file(of: table)
    count = suggestions.count
    trial = ([], "csv")
    for suggested in suggestions {
      let number = try table.current(suggested.key)?.number
      switch (suggested.kind, number) {
      case (.edit, let number?):
        guard let column = suggested.column, let mine = suggested.mine else { continue }
        changes[number, default: [:]][column] = mine
      case (.deletion, let number?): removed.insert(number)
      case (.addition, nil): added.append(suggested.row)
      case (.edit, nil), (.deletion, nil), (.addition, _?): continue
      }
    }
    switch file.form {
    case .csv:
      trial.bytes = try csv()
      bytes = trial.bytes
    case .jsonLines:
      trial = (try jsonLines(), "jsonl")
      bytes = trial.bytes
    case .database(let database):
      statements = try sql(database, of: suggestions)
      trial.bytes = try csv()
    }
  }

  // MARK: CSV

  private func csv() throws -> [UInt8] {
    var bytes = try file.head()
    let lineEnd: [UInt8] = bytes.suffix(2) == [0x0D, 0x0A] ? [0x0D, 0x0A] : [0x0A]
    let records = try file.records()
    var number: Int64 = 0
    while try records.advance() {
      number += 1
      if removed.contains(number) { continue }
      if let new = changes[number] {
        let fields = try Dictionary(
          uniqueKeysWithValues: new.map { ($0.key, try text($0.value, $0.key)) })
        bytes += RecordFields(records.bytes).replacing(fields)
      } else {
        bytes += records.bytes
      }
    }
    if !added.isEmpty, bytes.last != UInt8(ascii: "\n") { bytes += lineEnd }
    for row in added {
      let fields = try row.enumerated().map { column, value in
        try value.map { try text($0, column) } ?? ""
      }
      bytes += Array(fields.joined(separator: ",").utf8) + lineEnd
    }
    return bytes
  }

  private func text(_ value: Value, _ column: Int) throws -> String {
    try table.fields[column].field(value, of: table.target.name, key: "a suggestion")
  }

  // MARK: JSON lines

  private func jsonLines() throws -> [UInt8] {
    var bytes: [UInt8] = []
    let lines = try file.lines()
    var number: Int64 = 0
    var lineEnd: [UInt8] = [0x0A]
    while let line = try lines.next() {
      let end: [UInt8] = lines.isEnded ? [0x0A] : []
      if lines.number == 1, line.last == 0x0D { lineEnd = [0x0D, 0x0A] }
      guard let row = try JSONLine(line, SeedbedError.Place(file.place, line: lines.number)) else {
        bytes += line + end
        continue
      }
      number += 1
      if removed.contains(number) { continue }
      if let new = changes[number] {
        bytes += row.replacing(named(new), blobs: file.options) + end
      } else {
        bytes += line + end
      }
    }
    if !added.isEmpty, let last = bytes.last, last != 0x0A { bytes += lineEnd }
    for row in added {
      let new = Dictionary(
        uniqueKeysWithValues: row.enumerated().compactMap { column, value in
          value.map { (column, $0) }
        })
      bytes += JSONLine.new(named(new), blobs: file.options) + lineEnd
    }
    return bytes
  }

  /// In the order of the source's columns.
  private func named(_ values: [Int: Value]) -> [(column: String, value: Value)] {
    values.sorted { $0.key < $1.key }.map { (table.fields[$0.key].header, $0.value) }
  }

  // MARK: a database

  private func sql(_ database: SourceDatabase, of suggestions: [Suggested]) throws -> [String] {
    let name = database.selection.quoted
    var updates: [[Value]: [(column: String, value: Value)]] = [:]
    var statements: [String] = []
    for suggested in suggestions {
      let row = "WHERE \(condition(suggested.key))"
      switch suggested.kind {
      case .edit:
        guard let column = suggested.column, let mine = suggested.mine else { continue }
        updates[suggested.key, default: []].append((table.fields[column].header, mine))
      case .deletion: statements.append("DELETE FROM \(name) \(row);")
      case .addition:
        let values = zip(table.fields, suggested.row).compactMap { field, value in
          value.map { (field.header.quoted, $0.sqlLine) }
        }
        statements.append(
          "INSERT INTO \(name) (\(values.map(\.0).joined(separator: ", "))) "
            + "VALUES (\(values.map(\.1).joined(separator: ", ")));")
      }
    }
    for suggested in suggestions {
      guard let new = updates.removeValue(forKey: suggested.key) else { continue }
      statements.append(
        "UPDATE \(name) SET \(pairs(new).joined(separator: ", ")) "
          + "WHERE \(condition(suggested.key));")
    }
    if try database.isTable() { return statements }
    // Only the author of a SELECT or a view knows where its values are.
    return statements.map { "-- \($0)" }
  }

  /// A number may be text in the author's table.
  private func condition(_ key: [Value]) -> String {
    zip(table.keyNames, key).map { name, value in
      guard case .integer(let number) = value else { return pairs([(name, value)])[0] }
      return "\(name.quoted) IN (\(number), '\(number)')"
    }.joined(separator: " AND ")
  }

  private func pairs(_ values: [(column: String, value: Value)]) -> [String] {
    values.map { "\($0.column.quoted) = \($0.value.sqlLine)" }
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
        "The source of '\(name)' is not a single plain file. Change it by hand: "
          + "'suggestions' prints each value beside its key.")
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
