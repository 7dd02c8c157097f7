import TestSupport
import Testing

@testable import Seedbed

@Suite struct GzipTests {
  /// Reads of one byte put every part of the format on a border.
  private static let cuts = [Cut.whole] + Cut.all.filter { $0.chunkBytes == $0.readBytes }

  @Test(arguments: GzipCase.sound) func `a gzip file is read as`(_ test: GzipCase) throws {
    try check(test)
  }

  @Test(arguments: GzipCase.broken) func `a gzip file is refused with`(_ test: GzipCase) throws {
    try check(test)
  }

  @Test func `there are at least 40 broken files, each with a name of its own`() {
    #expect(GzipCase.broken.count >= 40)
    #expect(Set(GzipCase.broken.map(\.name)).count == GzipCase.broken.count)
  }

  private func check(_ test: GzipCase) throws {
    let file = try ScratchFile(test.bytes, named: "t.csv.gz")
    for cut in Self.cuts {
      #expect(RowText.outcome(file, cut: cut) == test.expected, "\(cut.testDescription)")
    }
  }

  /// Files other than rows go the same way.
  @Test(arguments: GzipCase.broken.filter { $0.name != "gzip in gzip" })
  func `a summary refuses the same files`(_ test: GzipCase) throws {
    let file = try ScratchFile(test.bytes, named: "t.csv.gz")
    let error = #expect(throws: SeedbedError.self) {
      try LockedFile.read(
        try file.open(), place: file.name, isCompressed: true, isRows: false)
    }
    #expect(error.map(RowText.words) == test.expected.first)
  }

  /// No single wrong bit may pass: neither as other rows nor in silence.
  @Test func `every flipped bit is seen, or says nothing of the content`() throws {
    let sound = Gzip(GzipCase.text).bytes
    let rows = RowText.outcome(try ScratchFile(sound, named: "t.csv.gz"))
    for index in sound.indices {
      for bit in 0..<8 {
        var bytes = sound
        bytes[index] ^= 1 << bit
        let found = RowText.outcome(try ScratchFile(bytes, named: "t.csv.gz"))
        // The time, the level and the system say nothing of the content, nor do the text flag and
        // the bits that fill the last byte of the data.
        let isSmallTalk =
          (4...9).contains(index) || (index == 3 && bit == 0) || index == sound.count - 9
        #expect(
          found.first?.hasPrefix("gzip t.csv.gz: ") == true || (isSmallTalk && found == rows),
          "byte \(index), bit \(bit)")
      }
    }
  }

  @Test func `every truncation is seen`() throws {
    let sound = Gzip(GzipCase.text).bytes
    for count in 1..<sound.count {
      let file = try ScratchFile(Array(sound.prefix(count)), named: "t.csv.gz")
      #expect(
        RowText.outcome(file) == ["gzip t.csv.gz: \(GzipWords.truncated(count))"])
    }
  }
}
