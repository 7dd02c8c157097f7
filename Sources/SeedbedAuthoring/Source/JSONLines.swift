import Seedbed
import SeedbedCells
import SeedbedLines

/// JSON lines: an object for each row, whose keys are the columns.
enum JSONLines {
  /// More than any row.
  static let mostLineBytes = 64 << 20

  /// The rows as CSV. A key that a line lacks is NULL, as `null` is.
  ///
  /// The first reading learns the columns and finds what is no JSON; each later one makes the CSV.
  /// `open` opens the file at its first line.
  static func convert(
    place: String, _ open: @escaping () throws -> TextLines
  ) throws -> ConvertedSource {
    let changed = SeedbedError(
      .io, "The file changed while it was read. Begin again.", at: .init(place))
    var rows = JSONRows(mostMembers: RowTable.mostColumns)
    var headerLines: [Int?] = []
    var origins = ConvertedSource.Origins()
    var firstNull: Int?
    var record: [UInt8] = []
    let lines = try open()
    while let line = try lines.next() {
      record.removeAll(keepingCapacity: true)
      guard let count = rows.append(line, to: &record) else {
        // The parser says what is wrong with the line, unless it is empty.
        if try JSONLine(line, .init(place, line: lines.number)) != nil { throw changed }
        continue
      }
      while headerLines.count < rows.keys.count { headerLines.append(lines.number) }
      origins.add(lines.number, lineCount: count)
      if rows.isNull, firstNull == nil { firstNull = lines.number }
    }
    if headerLines.isEmpty {
      throw SeedbedError(
        .csv,
        "The file has no row, so its columns are unknown. Write an object for each row, such as "
          + "{\"id\": 1}.", at: .init(place))
    }
    if let firstNull { throw SeedbedError.nullRow(.init(place, line: firstNull)) }
    let (known, names) = (rows, rows.keys.map { String(decoding: $0, as: UTF8.self) })
    return ConvertedSource(names, headerLines, texts: rows.texts, origins, place: place) {
      var rows = known
      let lines = try open()
      return { csv in
        while let line = try lines.next() {
          let isRow = rows.append(line, to: &csv) != nil
          guard isRow || JSONLine.isEmpty(line), rows.keys.count == names.count else {
            throw changed
          }
          if isRow { return true }
        }
        return false
      }
    }
  }
}

/// One line of JSON lines.
struct JSONLine {
  let members: [ParsedJSON.Member]
  private let bytes: [UInt8]

  /// nil for an empty line.
  ///
  /// - Throws: `csv` at the line, if it is no object.
  init?(_ bytes: [UInt8], _ place: SeedbedError.Place) throws {
    self.bytes = bytes
    if Self.isEmpty(bytes) { return nil }
    let json = try JSONParser.parse(
      bytes, file: place.file, line: place.line, mostMembers: RowTable.mostColumns)
    guard case .object(let members) = json.value else {
      throw SeedbedError(
        .csv,
        "Found \(json.kind), expected an object for each row. For a file with one array: jq -c "
          + "'.[]' FILE >FILE.jsonl.", at: place)
    }
    self.members = members
  }

  static func isEmpty(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  /// The line with other values in some columns; every other byte stays.
  func replacing(_ new: [(column: String, value: Value)], blobs: TableOptions?) -> [UInt8] {
    var line = bytes
    var added: [String] = []
    var changes: [(range: Range<Int>, text: String)] = []
    for (column, value) in new {
      let text = Self.text(value, column, blobs)
      if let member = members.first(where: { $0.key.isSameName(as: column) }) {
        changes.append((range(of: member), kept(text, value, member)))
      } else {
        added.append(", " + Value.text(column).json + ": " + text)
      }
    }
    if !added.isEmpty, let end = bytes.lastIndex(of: UInt8(ascii: "}")) {
      let first = members.isEmpty ? String(added.joined().dropFirst(2)) : added.joined()
      changes.append((end..<end, first))
    }
    for change in changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      line.replaceSubrange(change.range, with: Array(change.text.utf8))
    }
    return line
  }

  /// A new line with these columns.
  static func new(_ row: [(column: String, value: Value)], blobs: TableOptions?) -> [UInt8] {
    let members = row.map { Value.text($0.column).json + ": " + text($0.value, $0.column, blobs) }
    return Array(("{" + members.joined(separator: ", ") + "}").utf8)
  }

  /// A `true` or `false`, a list and an object stay what they are.
  private func kept(_ text: String, _ value: Value, _ member: ParsedJSON.Member) -> String {
    switch (member.value.value, value) {
    case (.bool, .integer(0)): return "false"
    case (.bool, .integer(1)): return "true"
    case (.array, .text(let json)), (.object, .text(let json)):
      let parsed = try? JSONParser.parse(Array(json.utf8), file: "")
      let isOneLine = !json.utf8.contains(0x0A) && !json.utf8.contains(0x0D)
      let isBare = json.first.map { "{[".contains($0) } ?? false
      let isClosed = json.last.map { "}]".contains($0) } ?? false
      return parsed?.kind == member.value.kind && isOneLine && isBare && isClosed ? json : text
    case (.string, .integer), (.string, .real): return "\"" + text + "\""
    default: return text
    }
  }

  private static func text(_ value: Value, _ column: String, _ options: TableOptions?) -> String {
    switch value {
    case .blob(let bytes):
      Value.text((options?.blob(column) ?? .base64).text(of: bytes)).json
    case .real(let number): DecimalText.text(number)
    default: value.json
    }
  }

  /// The bytes of a value.
  private func range(of member: ParsedJSON.Member) -> Range<Int> {
    JSONScan.range(of: (member.value.place.column ?? 1) - 1, in: bytes)
  }
}
