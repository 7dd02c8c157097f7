import SeedbedCells
import TestSupport
import Testing

@testable import Seedbed

/// Random files: nothing traps, and what is said of them does not depend on how they are cut.
@Suite struct RandomCSVTests {
  private static let cuts = [
    Cut.whole, Cut(chunkBytes: 1, readBytes: 1), Cut(chunkBytes: 3, readBytes: 2),
    Cut(chunkBytes: 7, readBytes: .max), Cut(chunkBytes: 64, readBytes: 5),
  ]

  /// Bytes that mean something, more often than chance.
  private static let alphabet: [[UInt8]] = [
    [0x2C], [0x2C], [0x0A], [0x0A], [0x22], [0x22, 0x22], [0x0D, 0x0A], [0x0D], [0x61],
    [0x62, 0x63],
    [0x09], [0x20], [0xC3, 0xA9], [0xE2, 0x82, 0xAC], [0xE9], [0x00], [0x31],
    Array("abcdefgh".utf8),
  ]

  private static let records = [
    "1,2\n", ",2\r\n", "\"x,y\",\n", "\"a\nb\",\"c\"\"d\"\n", "\"\",é\n", "abcdefghij,k\n",
  ].map { Array($0.utf8) }

  /// Sound records, and in most files something between them that need not be.
  private static func file(_ random: inout Dice) -> [UInt8] {
    let header = Array((random.next() % 4 > 0 ? "a,b\n" : "abc\n").utf8)
    let count = Int.random(in: 0...8, using: &random)
    var body = (0..<count).flatMap { _ in records[Int(random.next() % UInt64(records.count))] }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let piece = alphabet[Int(random.next() % UInt64(alphabet.count))]
      body.insert(contentsOf: piece, at: Int.random(in: 0...body.count, using: &random))
    }
    return header + body
  }

  @Test(arguments: 1...8) func `random bytes are read as the plain rules say`(_ seed: Int) throws {
    var random = Dice(seed: UInt64(seed))
    let file = try ScratchFile()
    var accepted = 0
    for _ in 0..<400 {
      let bytes = Self.file(&random)
      try file.replace(with: bytes)
      let expected = PlainCSV.outcome(bytes)
      if case .rows(let rows) = expected, !rows.isEmpty { accepted += 1 }
      for cut in Self.cuts {
        let text = String(decoding: bytes, as: UTF8.self).debugDescription
        #expect(
          try Self.outcome(file, cut) == expected, "seed \(seed), \(cut.testDescription): \(text)")
      }
    }
    #expect((20...380).contains(accepted), "the files must be neither all sound nor all broken")
  }

  private static func outcome(_ file: ScratchFile, _ cut: Cut) throws -> PlainCSV.Outcome {
    do {
      var rows: [[String?]] = []
      let reader = try RowReader(
        try file.open(), place: file.name, isCompressed: false, locked: nil, limits: cut.limits)
      reader.decoders = reader.header.map { _ in .verbatim }
      try reader.forEachChunk { chunk in
        let width = reader.header.count
        rows += (0..<chunk.recordCount).map { record in
          (0..<width).map { column in
            let cell = chunk.cells[record * width + column]
            return cell.kind == .null ? nil : chunk.text(cell)
          }
        }
      }
      return .rows(rows)
    } catch let error as SeedbedError {
      let place = try #require(error.place)
      return .wrong(line: try #require(place.line), column: try #require(place.column))
    }
  }

  @Test(arguments: 1...4) func `what is written as CSV is read again`(_ seed: Int) throws {
    var random = Dice(seed: UInt64(seed))
    let file = try ScratchFile()
    let pieces = [
      "\"", ",", "\n", "\r", "\r\n", "é", "😀", " ", "a", "bcd", "efghijklmnop", "\t",
    ]
    for _ in 0..<150 {
      let rows: [[String?]] = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        ["key"]
          + (0..<3).map { _ in
            if random.next() % 6 == 0 { return nil }
            let count = Int.random(in: 0...12, using: &random)
            return (0..<count).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
              .joined()
          }
      }
      let lines = rows.map { row in row.map(Self.field).joined(separator: ",") }
      try file.replace(with: Array((["k,a,b,c"] + lines).joined(separator: "\r\n").utf8))
      for cut in Self.cuts {
        #expect(try Self.outcome(file, cut) == .rows(rows), "seed \(seed), \(cut.testDescription)")
      }
    }
  }

  /// A field as any writer of CSV would quote it.
  private static func field(_ text: String?) -> String {
    guard let text else { return "" }
    if !text.isEmpty, text.utf8.allSatisfy({ ![0x22, 0x2C, 0x0A, 0x0D].contains($0) }) {
      return text
    }
    let doubled = text.utf8.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] }
    return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
  }
}
