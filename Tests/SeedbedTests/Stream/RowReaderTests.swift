import SeedbedCells
import Testing

@testable import Seedbed

@Suite struct RowReaderTests {
  private func reader(_ content: String, _ cut: Cut = .whole) throws -> (RowReader, ScratchFile) {
    let file = try ScratchFile(content)
    let reader = try RowReader(
      try file.open(), place: file.name, isCompressed: false, locked: nil, limits: cut.limits)
    return (reader, file)
  }

  // MARK: the header

  @Test(arguments: Cut.all) func `the header knows its names and their columns`(_ cut: Cut) throws {
    let names = (0..<40).map { "column_\($0)" }
    let line = "\u{FEFF}id,\"a,b\",ä," + names.joined(separator: ",")
    let (reader, _) = try reader(line + "\n1\n", cut)
    #expect(reader.header.map(\.name) == ["id", "a,b", "ä"] + names)
    #expect(reader.header.prefix(4).map(\.column) == [1, 4, 10, 13])
    #expect(reader.totals.contentBytes > 0)
  }

  @Test func `a header can be read without the rows`() throws {
    let (reader, _) = try reader("a,b\n1\n")
    #expect(reader.header.map(\.name) == ["a", "b"])
    #expect(reader.totals.rows == 0)
  }

  // MARK: keys

  private static let nullKey = "The key column 'k' is empty. Every row needs its key."

  @Test(
    arguments: [
      ("k,a\n1,\n,2\n", [true, false], "3:1: \(nullKey)"),
      ("a,k\n1,\n", [false, true], "2:3: \(nullKey)"),
      ("a,k\n\"x\ny\",\n", [false, true], "2:7: \(nullKey)"),
      // The empty string is a key, NULL in another column is none of a key's business.
      ("k,a\n\"\",\n", [true, false], nil),
      ("k,a\n1,\n", [true], nil),
    ] as [(String, [Bool], String?)])
  func `a key must not be NULL`(_ content: String, _ required: [Bool], _ words: String?) throws {
    let file = try ScratchFile(content)
    for cut in Cut.all {
      let reader = try RowReader(
        try file.open(), place: file.name, isCompressed: false, locked: nil, limits: cut.limits)
      reader.decoders = [.verbatim, .verbatim]
      reader.empties = required.map { $0 ? .refused : .null }
      let found = Result { try reader.forEachChunk() }
      switch found {
      case .success: #expect(words == nil)
      case .failure(let error): #expect(RowText.words(error) == words.map { "csv t.csv:" + $0 })
      }
    }
  }

  // MARK: on two threads

  /// The whole table of cases once more, with a second thread ahead.
  @Test(arguments: CSVCase.accepted + CSVCase.refused)
  func `a second thread makes no difference`(_ test: CSVCase) throws {
    let file = try ScratchFile(test.content)
    for chunkBytes in [1, 7, 64, 256 << 10] {
      let cut = Cut(chunkBytes: chunkBytes, readBytes: .max)
      let found = RowText.outcome(file, types: test.types, cut: cut, isAhead: true)
      #expect(found == test.expected, "\(cut.testDescription)")
    }
  }

  @Test(arguments: GzipCase.sound + GzipCase.broken)
  func `a second thread makes no difference to gzip`(_ test: GzipCase) throws {
    let file = try ScratchFile(test.bytes, named: "t.csv.gz")
    for chunkBytes in [1, 64, 256 << 10] {
      let cut = Cut(chunkBytes: chunkBytes, readBytes: .max)
      #expect(
        RowText.outcome(file, cut: cut, isAhead: true) == test.expected, "\(cut.testDescription)")
    }
  }

  @Test(arguments: 0...40) func `it can be stopped after any number of chunks`(_ count: Int) throws
  {
    let cut = Cut(chunkBytes: 64, readBytes: .max)
    let (reader, _) = try reader("n\n" + String(repeating: "123456789\n", count: 1000), cut)
    reader.decoders = [.integer]
    try reader.startAhead()
    var chunk: Chunk?
    for _ in 0..<count { chunk = try reader.next(returning: chunk) }
    reader.stop()
    reader.stop()
    #expect(reader.totals.rows == count * 6)
  }

  @Test func `it can be let go of while it reads ahead`() throws {
    for _ in 0..<50 {
      let (reader, _) = try reader("n\n" + String(repeating: "123456789\n", count: 10_000))
      try reader.startAhead()
    }
  }
}
