import SeedbedLines
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// `JSONRows` reads lines, and `JSONParser` says what is wrong with those that it refuses: both
/// must take the same.
struct JSONRowsTests {
  /// What a line says.
  private struct Row: Equatable {
    var columns: [String]
    var texts: Set<Int>
    var csv: String
    var lineCount: Int
  }

  private static func read(_ line: [UInt8]) -> Row? {
    var rows = JSONRows(mostMembers: RowTable.mostColumns)
    var csv: [UInt8] = []
    guard let count = rows.append(line, to: &csv) else { return nil }
    return Row(
      columns: rows.keys.map { String(decoding: $0, as: UTF8.self) }, texts: rows.texts,
      csv: String(decoding: csv, as: UTF8.self),
      lineCount: count)
  }

  private static func parsed(_ line: [UInt8]) -> Row? {
    guard let row = try? JSONLine(line, SeedbedError.Place("t.jsonl", line: 1)) else { return nil }
    var texts: Set<Int> = []
    let fields = row.members.enumerated().map { index, member in
      switch member.value.value {
      case .null: return ""
      case .bool(let isTrue): return isTrue ? "1" : "0"
      case .number(let number): return number
      case .string(let text):
        texts.insert(index)
        return text.quotedField
      case .array, .object:
        texts.insert(index)
        // Its end is the first one with which it is JSON.
        let start = (member.value.place.column ?? 1) - 1
        let end = (start...line.count).first {
          (try? JSONParser.parse(Array(line[start..<$0]), file: "")) != nil
        }
        return String(decoding: line[start..<(end ?? start)], as: UTF8.self).quotedField
      }
    }
    let csv = fields.joined(separator: ",") + "\n"
    return Row(
      columns: row.members.map(\.key), texts: texts, csv: csv,
      lineCount: csv.utf8.count { $0 == 0x0A })
  }

  private static func expectSame(_ line: [UInt8]) {
    let (read, parsed) = (read(line), parsed(line))
    #expect(read == parsed, "\(String(decoding: line, as: UTF8.self).prefix(200))")
  }

  static let good = [
    #"{"id": 1, "word": "", "rank": 1.5, "common": false, "none": null}"#,
    " \t{ \"id\" : -0 ,\"a\":1E+5 , \"b\" : 10.250e-3 , \"c\":true}\r",
    #"{"a\nb": "x, \"y\"\nz", "q\"": "\u0022\"", "é": "\u00e9\/\\\b\f\r\t"}"#,
    #"{"pair": "\ud83c\udf31", "nul": "\u0000", "": "empty"}"#,
    #"{"list": ["a", {"b": [1, -2.0], "c": "]}"}, [], {}], "o": { "a" : "\"" , "b":null}, "n": 1}"#,
    "{}", #"{"Ok": 1, "ok": 2}"#,
  ]

  static let bad = [
    "", " ", "[1]", "1", "null", #"{"id": 1"#, #"{"id": 1,}"#, #"{"id": 1} 2"#, #"{"id" 1}"#,
    #"{"a": 1, "a": 2}"#, #"{"a": 1, "\u0061": 2}"#, #"{"a": {"b": 1, "\u0062": 2}}"#,
    #"{"a": 01}"#, #"{"a": 1.}"#, #"{"a": .5}"#, #"{"a": 1e}"#, #"{"a": -}"#, #"{"a": +1}"#,
    #"{"a": 1x}"#, #"{"a": nullx}"#, #"{"a": nul}"#, #"{"a": True}"#, #"{"a": }"#, #"{"a": "b}"#,
    #"{"a": "\x"}"#, #"{"a": "\u00g0"}"#, #"{"a": "\u00"#, #"{"a": "\ud83c"}"#,
    #"{"a": "\udf31\ud83c"}"#, #"{"a": "\ud83c\u0041"}"#, "{\"a\": \"\t\"}", "\u{FEFF}{}",
    #"{"a": [1 2]}"#, #"{"a": [1,]}"#, #"{"a": {"b"}}"#, #"{"a": [}"#, #"{'a': 1}"#, #"{a: 1}"#,
    "{\"a\": \"\\",
  ]

  @Test(arguments: good) func `a line is read as it is parsed`(_ line: String) {
    #expect(Self.parsed(Array(line.utf8)) != nil)
    Self.expectSame(Array(line.utf8))
  }

  @Test(arguments: bad) func `a line that is no object is read by neither`(_ line: String) {
    #expect(Self.parsed(Array(line.utf8)) == nil)
    Self.expectSame(Array(line.utf8))
  }

  @Test func `both have the same limits`() {
    for depth in 62...66 {
      let lists = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      Self.expectSame(Array("{\"a\": \(lists)}".utf8))
    }
    for count in [RowTable.mostColumns, RowTable.mostColumns + 1] {
      let object = "{" + (0..<count).map { "\"k\($0)\": 1" }.joined(separator: ", ") + "}"
      Self.expectSame(Array(object.utf8))
      let nested = Array("{\"a\": \(object)}".utf8)
      let isTaken = (try? JSONLine(nested, SeedbedError.Place("t.jsonl", line: 1))) != nil
      #expect((Self.read(nested) != nil) == isTaken)
    }
  }

  /// Changed at random, most lines are no JSON any more.
  @Test func `both take the same of 4,000 damaged lines`() {
    var dice = Dice(seed: 20_261_129)
    let bytes = Array(#"{}[]",:\ntfu0159.-+eE d8c"#.utf8) + [0x00, 0x09, 0x1F, 0x80, 0xC3, 0xED]
    var taken = 0
    for _ in 0..<4_000 {
      var line = Array(dice.pick(Self.good).utf8)
      for _ in 0...dice.below(3) {
        let index = dice.below(line.count)
        switch dice.below(3) {
        case 0: line[index] = dice.pick(bytes)
        case 1: line.insert(dice.pick(bytes), at: index)
        default: if line.count > 1 { line.remove(at: index) }
        }
      }
      Self.expectSame(line)
      if Self.read(line) != nil { taken += 1 }
    }
    #expect((200..<3_800).contains(taken), "\(taken) of 4,000 lines were taken")
  }

  @Test func `a file that changes between two readings is refused`() throws {
    for (first, second) in [
      (#"{"id": 1}"#, #"{"id": 1, "new": 2}"#), (#"{"id": 1}"#, "[1]"), (#"{"id": 1}"#, #"{"id"#),
    ] {
      var texts = [second, first]
      let converted = try JSONLines.convert(place: "t.jsonl") {
        var bytes = Array((texts.popLast() ?? "").utf8)
        return TextLines(place: "t.jsonl", mostBytes: 1 << 20) { buffer in
          defer { bytes = [] }
          buffer.copyBytes(from: bytes)
          return bytes.count
        }
      }
      let error = #expect(throws: SeedbedError.self) {
        var bytes = [UInt8](repeating: 0, count: 1 << 10)
        _ = try bytes.withUnsafeMutableBytes { try converted.file().read(into: $0) }
      }
      #expect(error?.message.contains("changed while it was read") == true, "\(second)")
    }
  }
}
