import Foundation
import SeedbedCells
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// Peaks are a process's own, so each of these runs in one of its own.
@Suite struct MemoryTests {
  /// How far a child may grow, in MiB: four chunks, and what zlib and the test itself take.
  private static let bound = 24

  /// Content that is 100 or 1,000 times as large as its gzip.
  private enum Bomb: String {
    case shortRecords = "1\n2\n3\n4\n"
    case longRecords
    case oneRecord

    func file(mebibytes: Int) throws -> ScratchFile {
      let piece: [UInt8]
      switch self {
      case .shortRecords:
        piece = [[UInt8]](repeating: Array(rawValue.utf8), count: 1 << 17).flatMap { $0 }
      case .longRecords:
        piece = [UInt8](repeating: UInt8(ascii: "x"), count: (1 << 20) - 1) + [0x0A]
      case .oneRecord: piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
      }
      let member = Gzip(piece).bytes
      let start = Gzip(self == .oneRecord ? "a\n\"" : "a\n").bytes
      return try ScratchFile(
        start + (0..<mebibytes).flatMap { _ in member }, named: "t.csv.gz")
    }
  }

  /// The peak of this process, in MiB.
  private static func peak() -> Int {
    #if canImport(Darwin)
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss >> 20
    #else
      // Linux hands `ru_maxrss` on from the process that started this one, however large it is.
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
      return (Int(line.filter(\.isNumber)) ?? 0) >> 10
    #endif
  }

  /// Reads a bomb to its end or its error, and ends the process: with 0 where the outcome is the
  /// expected one and the process did not grow beyond the bound, with 1 or 2 otherwise.
  private static func read(
    _ bomb: Bomb, mebibytes: Int, expecting code: SeedbedError.Code?, isLocked: Bool = false,
    adjusting: (inout RowReader.Limits) -> Void = { _ in }
  ) -> Never {
    end {
      let file = try bomb.file(mebibytes: mebibytes)
      let size = try file.open().size()
      let lock = LockedFile(
        size: size, contentSize: 10 << 20, rows: nil, digest: Digest.of(""))
      var limits = RowReader.Limits()
      adjusting(&limits)
      let before = peak()
      var found: SeedbedError.Code?
      do {
        let reader = try RowReader(
          try file.open(), place: "t.csv.gz", isCompressed: true, locked: isLocked ? lock : nil,
          limits: limits)
        reader.decoders = [.verbatim]
        try reader.forEachChunk()
      } catch let error as SeedbedError {
        found = error.code
      }
      guard found == code else { return 1 }
      return peak() - before <= bound ? 0 : 2
    }
  }

  /// Ends this process with what `body` returns, or with 4 if files of the test are left by then:
  /// `exit` runs no `deinit`.
  private static func end(_ body: () throws -> Int32) -> Never {
    do {
      let status = try body()
      let left = try Place.left()
      for folder in left { try FileManager.default.removeItem(atPath: folder) }
      exit(left.isEmpty ? status : 4)
    } catch {
      exit(3)
    }
  }

  @Test func `a file of 96 mebibytes is compressed in the memory of a few pieces`() async {
    await #expect(processExitsWith: .success) {
      MemoryTests.end {
        let file = try ScratchFile()
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        let before = MemoryTests.peak()
        try GzipWriter.write("t.gz", in: file.folder) { writer in
          for _ in 0..<96 { try writer.append(piece) }
        }
        return MemoryTests.peak() - before <= MemoryTests.bound ? 0 : 2
      }
    }
  }

  @Test func `a bomb of records of a mebibyte is read in the memory of a few`() async {
    await #expect(processExitsWith: .success) {
      MemoryTests.read(.longRecords, mebibytes: 96, expecting: nil)
    }
  }

  @Test func `a bomb of short records is read in the memory of a few chunks`() async {
    await #expect(processExitsWith: .success) {
      MemoryTests.read(.shortRecords, mebibytes: 8, expecting: nil)
    }
  }

  @Test func `a bomb without a lock stops at the limit`() async {
    await #expect(processExitsWith: .success) {
      MemoryTests.read(.longRecords, mebibytes: 96, expecting: .csv) {
        $0.contentBytes = 64 << 20
      }
    }
  }

  @Test func `a bomb with a lock stops at the size that the lock states`() async {
    await #expect(processExitsWith: .success) {
      MemoryTests.read(.longRecords, mebibytes: 96, expecting: .catalog, isLocked: true)
    }
  }

  @Test func `JSON lines are read in the memory of a few chunks`() async {
    await #expect(processExitsWith: .success) {
      MemoryTests.end {
        let text = String(repeating: "x", count: 1 << 10)
        let line = "{\"id\": 1, \"text\": \"\(text)\"}\n"
        let member = Gzip(String(repeating: line, count: 1 << 10)).bytes
        let file = try ScratchFile((0..<48).flatMap { _ in member }, named: "t.jsonl.gz")
        let before = MemoryTests.peak()
        let reader = try SourceFile(file.path, place: file.name).reader()
        reader.decoders = [.integer, .verbatim]
        try reader.forEachChunk()
        guard reader.totals.rows == 48 << 10 else { return 1 }
        return MemoryTests.peak() - before <= MemoryTests.bound ? 0 : 2
      }
    }
  }

  /// Their fields would take many times their bytes.
  @Test func `a long record does not let a chunk hold millions of short ones`() throws {
    let long = String(repeating: "x", count: 3 << 20)
    let file = try ScratchFile("a\n" + long + "\n" + String(repeating: "1\n", count: 400_000))
    let reader = try RowReader(
      try file.open(), place: file.name, isCompressed: false, locked: nil)
    reader.decoders = [.verbatim]
    let limits = RowReader.Limits()
    var capacity = 0
    try reader.forEachChunk { chunk in
      #expect(chunk.recordCount <= limits.chunkBytes / 2)
      capacity = chunk.capacity
    }
    #expect(reader.totals.rows == 400_001)
    #expect(capacity <= 8 * limits.chunkBytes, "what the long record needed is given back")
  }

  @Test func `the harness sees a folder that is left behind`() async {
    await #expect(processExitsWith: .exitCode(4)) {
      let file = try ScratchFile()
      withExtendedLifetime(file) { MemoryTests.end { 0 } }
    }
  }

  @Test func `the harness sees memory that grows`() async {
    await #expect(processExitsWith: .exitCode(2)) {
      MemoryTests.read(.oneRecord, mebibytes: 96, expecting: .csv) {
        $0.splitter.recordBytes = 1 << 30
      }
    }
  }
}
