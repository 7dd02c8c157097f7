import SeedbedAuthoring
import TestSupport
import Testing

@testable import Seedbed

struct GzipWriterTests {
  /// More than a few of the pieces that zlib gets, and hard to compress.
  private static let content: [UInt8] = {
    var dice = Dice(seed: 5)
    return (0..<700_000).map { _ in UInt8.random(in: 0..<40, using: &dice) }
  }()

  private static func written(_ pieces: [[UInt8]]) throws -> [UInt8] {
    let file = try ScratchFile()
    try GzipWriter.write("t.gz", in: file.folder) { writer in
      for piece in pieces { try writer.append(piece) }
    }
    return try Folder(file.folder).open("t.gz").content(limit: .max)
  }

  @Test(arguments: [1_000, 1 << 18, 300_001])
  func `the same content gives the same bytes, however it is handed over`(_ size: Int) throws {
    let starts = stride(from: 0, to: Self.content.count, by: size)
    let pieces = starts.map { Array(Self.content[$0..<min($0 + size, Self.content.count)]) }
    // The best level, no time, no name, no system.
    let gzip = Gzip(Self.content, level: 9)
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255]
    #expect(try Self.written(pieces) == header + gzip.data + gzip.trailer)
  }

  @Test(arguments: [[], [[]], [Array("id\n".utf8)]])
  func `a small file is whole, too`(_ pieces: [[UInt8]]) throws {
    let file = try ScratchFile(try Self.written(pieces), named: "t.csv.gz")
    let reader = try ContentReader(file.open(), place: "t", isCompressed: true)
    var buffer = [UInt8](repeating: 0, count: 100)
    let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
    #expect(Array(buffer[..<count]) == Array(pieces.joined()))
  }

  @Test func `where writing fails no file is left, and another is not touched`() throws {
    struct Stop: Error {}
    let file = try ScratchFile("mine", named: "t.csv")
    #expect(throws: Stop.self) {
      try GzipWriter.write("new.gz", in: file.folder) { writer in
        try writer.append(Self.content)
        throw Stop()
      }
    }
    #expect(throws: SeedbedError.self) {
      try GzipWriter.write("t.csv", in: file.folder) { try $0.append([1]) }
    }
    #expect(try Folder(file.folder).entries().map(\.name) == ["t.csv"])
    #expect(try file.open().content(limit: .max) == Array("mine".utf8))
  }
}
