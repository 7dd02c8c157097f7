import SeedbedCells
import Testing

@testable import Seedbed

@Suite struct LimitsTests {
  // MARK: records

  private static let recordSize =
    "This record is longer than 16 MiB. An unclosed quote often causes this."

  /// The limit counts the line end.
  @Test(arguments: [(0, true), (1, false)]) func `a record has at most 16 MiB`(
    _ surplus: Int, _ isAccepted: Bool
  ) throws {
    let field = [UInt8](repeating: UInt8(ascii: "x"), count: (16 << 20) - 3 + surplus)
    let file = try ScratchFile(Array("a,b\n1,2\n3,".utf8) + field + Array("\n4,5\n".utf8))
    let found = RowText.outcome(file, types: ["INTEGER", "TEXT"])
    if isAccepted {
      #expect(found.map(\.count) == [5, field.count + 4, 5])
    } else {
      #expect(found == ["csv t.csv:3:1: \(Self.recordSize)"])
    }
  }

  @Test func `an unclosed quote is told by the size before the end`() throws {
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: 20 << 20)
    let file = try ScratchFile(Array("a\nx\n\"".utf8) + text)
    #expect(RowText.outcome(file) == ["csv t.csv:3:1: \(Self.recordSize)"])
  }

  @Test(arguments: Cut.all) func `a record too long is refused however it is cut`(
    _ cut: Cut
  ) throws {
    let file = try ScratchFile("a,b\n1,2\n123456789,1\n12345678901,\n1,2\n")
    let found = RowText.outcome(file, cut: cut) { $0.splitter.recordBytes = 12 }
    // The third record has 12 bytes, the fourth 13.
    #expect(found.first?.hasPrefix("csv t.csv:4:1: This record is longer than") == true)
  }

  @Test(arguments: Cut.all) func `a header too long is refused however it is cut`(
    _ cut: Cut
  ) throws {
    let found = RowText.outcome(try ScratchFile("abcdef,ghijkl\n1,2\n"), cut: cut) {
      $0.splitter.recordBytes = 12
    }
    #expect(found.first?.hasPrefix("csv t.csv:1:1: This record is longer than") == true)
  }

  // MARK: fields

  private static func fields(_ count: Int) -> String {
    (0..<count).map { "c\($0)" }.joined(separator: ",")
  }

  @Test func `a record has at most 4,000 fields`() throws {
    let names = Self.fields(4000)
    let rows = try RowText.rows(try ScratchFile("\(names)\n\(names)\n"))
    #expect(rows == [(0..<4000).map { "'c\($0)'" }.joined(separator: " ")])
  }

  @Test(arguments: Cut.all.filter { $0.chunkBytes > 3 && $0.readBytes > 3 })
  func `more fields are refused in the header and in a row`(_ cut: Cut) throws {
    let words =
      "This record has more than 4000 fields, the most that an update of a whole table can have: "
      + "2000 columns and their old values."
    let names = Self.fields(4001)
    let column = Self.fields(4000).utf8.count + 2
    #expect(
      RowText.outcome(try ScratchFile("\(names)\n"), cut: cut)
        == ["csv t.csv:1:\(column): \(words)"])
    let commas = String(repeating: ",", count: 5000)
    #expect(
      RowText.outcome(try ScratchFile("a,b\n1,2\n\(commas)\n"), cut: cut)
        == ["csv t.csv:3:4001: \(words)"])
  }

  // MARK: content

  @Test(arguments: Cut.all) func `content has a limit without a lock`(_ cut: Cut) throws {
    let file = try ScratchFile("a\n1\n2\n")
    #expect(RowText.outcome(file, cut: cut) { $0.contentBytes = 6 } == ["'1'", "'2'"])
    #expect(
      RowText.outcome(file, cut: cut) { $0.contentBytes = 5 } == [
        "csv t.csv: The file decompresses to more than 5 bytes, the limit for a catalog without "
          + "a lock. Write the lock, which states the size."
      ])
  }

  @Test func `a lock that states a larger size lifts the limit`() throws {
    let content = "a\n1\n2\n"
    let lock = LockedFile(size: 6, contentSize: 6, rows: 2, digest: Digest.of(content))
    let file = try ScratchFile(content)
    #expect(RowText.outcome(file, locked: lock) { $0.contentBytes = 5 } == ["'1'", "'2'"])
  }
}
