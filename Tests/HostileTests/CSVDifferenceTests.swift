import Foundation
import SeedbedCells
import TestSupport
import Testing

@testable import Seedbed

/// The same tables, read by us and by Python's csv module in strict mode.
@Suite struct CSVDifferenceTests {
  static let count = 1500
  static let seed: UInt64 = 20_261_122

  /// What Python takes and we refuse, by the rules of the reference page.
  static let stricter = [
    "blank line": "a row of no field is no row",
    "Every field of this record is empty": "a spreadsheet's leftover, not a row of NULLs",
    "The first line is blank": "the header is required",
    "The file is empty": "the header is required",
    "expected": "each record has as many fields as the header",
    "quote inside an unquoted field": "Python keeps it as a letter",
    "carriage return": "Python ends a line there", "NUL byte": "SQLite's text cannot hold one",
    "not UTF-8": "Python is given Latin-1, in which every byte is a letter",
    "UTF-16": "told by the zero bytes, before the rest is looked at",
    "column without a name": "the header's names are columns",
    "twice": "the header's names are columns",
    "looks separated by": "a header of one name with a semicolon, a tab or a bar",
  ]

  @Test func `what we take, Python reads as the same rows, and what it refuses we refuse`() throws {
    let place = try Place(in: Place.memory)
    var dice = Dice(seed: Self.seed)
    let files = (0..<Self.count).map { _ in Self.table(&dice) }
    let answers = try Self.python(files, in: place)
    try #require(answers.count == files.count)
    var counts: [String: Int] = [:]
    var unexplained: [String] = []
    for (index, bytes) in files.enumerated() {
      let (rows, error) = try Self.ours(bytes, in: place)
      let verdict: String?
      if let error {
        verdict =
          answers[index] == nil
          ? "both refuse it" : Self.stricter.first { error.message.contains($0.key) }?.value
      } else {
        verdict = answers[index] == rows ? "the same rows" : nil
      }
      counts[verdict ?? "?", default: 0] += 1
      if verdict == nil {
        let we = error?.description ?? "\(rows)"
        let python = answers[index].map { "\($0)" } ?? "refuses"
        unexplained.append("seed \(Self.seed), table \(index): \(bytes) we \(we), Python \(python)")
      }
    }
    print("Python's csv and we, \(Self.count) tables: \(counts.sorted { $0.key < $1.key })")
    #expect(unexplained.prefix(10) == [])
    for reason in Self.stricter.values { #expect(counts[reason] != nil, "\(reason)") }
    #expect((counts["the same rows"] ?? 0) > 250)
    #expect((counts["both refuse it"] ?? 0) > 25)
  }

  /// Reads one file a line, in hexadecimal; answers with rows as JSON, or null. Latin-1, so that
  /// its letters are our bytes.
  private static let program = """
    import csv, io, json, sys
    for line in sys.stdin:
        text = bytes.fromhex(line.strip()).decode('latin-1')
        try:
            print(json.dumps(list(csv.reader(io.StringIO(text, newline=''), strict=True))))
        except csv.Error:
            print('null')
    """

  private static func python(_ files: [[UInt8]], in place: Place) throws -> [[[String]]?] {
    let lines = files.map { bytes in
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\n"
    }
    let output = try Tool.run(
      "python3", ["-c", program], in: place, input: Array(lines.joined().utf8))
    return try output.split(separator: "\n").map { line in
      try JSONDecoder().decode([[String]]?.self, from: Data(line.utf8))
    }
  }

  /// The header and the rows, each byte as the letter that Latin-1 has for it. Python cannot tell
  /// NULL from an empty text.
  private static func ours(
    _ bytes: [UInt8], in place: Place
  ) throws -> (rows: [[String]], error: SeedbedError?) {
    let path = place.path + "/table.csv"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let file = try Folder(place.path, host: .real).open("table.csv")
    var rows: [[String]] = []
    do {
      let reader = try RowReader(file, place: "table.csv", isCompressed: false, locked: nil)
      reader.decoders = reader.header.map { _ in .verbatim }
      rows.append(reader.header.map { latin(Array($0.name.utf8)) })
      var chunk: Chunk?
      while let next = try reader.next(returning: chunk) {
        for record in 0..<next.recordCount {
          rows.append(
            reader.header.indices.map { column in
              let cell = next.cells[record * reader.header.count + column]
              let field = UnsafeBufferPointer(
                start: next.bytes + cell.start, count: Int(cell.length))
              return cell.kind == .null ? "" : latin(Array(field))
            })
        }
        chunk = next
      }
      return (rows, nil)
    } catch let error as SeedbedError {
      return (rows, error)
    }
  }

  private static func latin(_ bytes: [UInt8]) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  // MARK: tables

  private static func table(_ dice: inout Dice) -> [UInt8] {
    let columns = dice.below(4) + 1
    let end = dice.pick(["\n", "\r\n"])
    var text = (0..<columns).map { "c\($0)" }.joined(separator: ",")
    for _ in 0..<dice.below(6) {
      text += end + (0..<columns).map { _ in field(&dice) }.joined(separator: ",")
    }
    if dice.below(3) > 0 { text += end }
    var bytes = Array(text.utf8)
    // Half of the tables stay as they are.
    for _ in 0..<(dice.below(2) * dice.below(4)) where !bytes.isEmpty {
      let place = dice.below(bytes.count)
      switch dice.below(5) {
      case 0: bytes[place] = UInt8(dice.below(256))
      case 1: bytes.insert(dice.pick(Array("\",\n\r \0;".utf8)), at: place)
      case 2: bytes.remove(at: place)
      case 3: bytes.removeLast(bytes.count - place)
      default: bytes[place] = dice.pick(Array("\",\n\r".utf8))
      }
    }
    return bytes
  }

  private static func field(_ dice: inout Dice) -> String {
    let text = (0..<dice.below(6)).map { _ in
      dice.pick(["a", "7", ",", "\"", "\n", "\r\n", " ", "ä", "€"])
    }
    .joined()
    let mustQuote = text.contains { ",\"\n\r\r\n".contains($0) }
    guard mustQuote || dice.below(3) == 0 else { return text }
    return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }
}
