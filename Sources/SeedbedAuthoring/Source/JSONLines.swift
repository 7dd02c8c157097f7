import Seedbed
import SeedbedCells

/// JSON lines: an object for each row, whose keys are the columns.
enum JSONLines {
  /// More than any row.
  static let mostLineBytes = 64 << 20

  /// The rows as CSV. A key that a line lacks is NULL, as `null` is.
  static func convert(_ lines: TextLines, place: String) throws -> ConvertedSource {
    var header: [(name: String, line: Int?)] = []
    var indexes: [ExactText: Int] = [:]
    var texts: Set<Int> = []
    var records: [ConvertedSource.Record] = []
    while let line = try lines.next() {
      guard let row = try JSONLine(line, SeedbedError.Place(place, line: lines.number)) else {
        continue
      }
      var fields = [String](repeating: "", count: header.count)
      for member in row.members {
        let index = indexes[ExactText(member.key)] ?? header.count
        if index == header.count {
          indexes[ExactText(member.key)] = index
          header.append((member.key, lines.number))
          fields.append("")
        }
        fields[index] = row.field(of: member)
        if row.isText(member) { texts.insert(index) }
      }
      records.append((Array(fields.joined(separator: ",").utf8), fields.count, lines.number))
    }
    if header.isEmpty {
      throw SeedbedError(
        .csv,
        "The file has no row, so its columns are unknown. Write an object for each row, such as "
          + "{\"id\": 1}.", at: .init(place))
    }
    return try ConvertedSource(header, texts: texts, records, place: place)
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
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
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

  /// A value as a CSV field. Lists and objects are text: their JSON, as it is written.
  func field(of member: ParsedJSON.Member) -> String {
    switch member.value.value {
    case .null: ""
    case .bool(let isTrue): isTrue ? "1" : "0"
    case .number(let number): number
    case .string(let text): text.quotedField
    case .array, .object:
      String(decoding: bytes[range(of: member)], as: UTF8.self).quotedField
    }
  }

  func isText(_ member: ParsedJSON.Member) -> Bool {
    switch member.value.value {
    case .string, .array, .object: true
    case .null, .bool, .number: false
    }
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
    let start = (member.value.place.column ?? 1) - 1
    var depth = 0
    var index = start
    var isString = false
    while index < bytes.count {
      let byte = bytes[index]
      if isString {
        if byte == UInt8(ascii: "\\") { index += 1 }
        if byte == UInt8(ascii: "\"") { isString = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}") where depth > 0, UInt8(ascii: "]") where depth > 0: depth -= 1
        case UInt8(ascii: "}"), UInt8(ascii: ","), 0x20, 0x09, 0x0D:
          if depth == 0 { return start..<index }
        default: break
        }
      }
      index += 1
    }
    return start..<bytes.count
  }
}
