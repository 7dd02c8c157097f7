import TestSupport
import Testing

@testable import Seedbed

/// A file is held against what the lock says of it.
@Suite struct LockTests {
  private static let content = "a\n1\n2\n"
  private static let digest = Digest.of(content)
  private static let remedy =
    "the file changed after the lock was written. Put the file back, or, "
    + "if it was never released, write the lock again."

  private static func lock(
    contentSize: Int64 = 6, rows: Int? = 2, digest: String = digest
  ) -> LockedFile {
    LockedFile(size: 6, contentSize: contentSize, rows: rows, digest: digest)
  }

  private func outcome(_ lock: LockedFile, _ cut: Cut) throws -> [String] {
    let plain = RowText.outcome(try ScratchFile(Self.content), locked: lock, cut: cut)
    let gzip = RowText.outcome(
      try ScratchFile(Gzip(Self.content).bytes, named: "t.csv.gz"), locked: lock, cut: cut)
    #expect(gzip.map { $0.split(separator: ".gz").joined() } == plain)
    return plain
  }

  @Test(arguments: Cut.all) func `a file as the lock says is read`(_ cut: Cut) throws {
    #expect(try outcome(Self.lock(), cut) == ["'1'", "'2'"])
    #expect(try outcome(Self.lock(rows: nil), cut) == ["'1'", "'2'"])
  }

  @Test(arguments: Cut.all) func `longer content is refused`(_ cut: Cut) throws {
    #expect(
      try outcome(Self.lock(contentSize: 5), cut) == [
        "catalog t.csv: The file's content is longer than 5 bytes, but seedbed.lock says 5 bytes: "
          + Self.remedy
      ])
  }

  @Test(arguments: Cut.all) func `shorter content is refused`(_ cut: Cut) throws {
    #expect(
      try outcome(Self.lock(contentSize: 7), cut) == [
        "catalog t.csv: The file's content is 6 bytes, but seedbed.lock says 7 bytes: "
          + Self.remedy
      ])
  }

  @Test(arguments: Cut.all) func `another number of rows is refused`(_ cut: Cut) throws {
    #expect(
      try outcome(Self.lock(rows: 3), cut) == [
        "catalog t.csv: The file's number of rows is 2, but seedbed.lock says 3: " + Self.remedy
      ])
  }

  @Test(arguments: Cut.all) func `another digest is refused`(_ cut: Cut) throws {
    let other = Digest.of("a\n1\n3\n")
    #expect(
      try outcome(Self.lock(digest: other), cut) == [
        "catalog t.csv: The file's SHA-256 is \(Self.digest), but seedbed.lock says \(other): "
          + Self.remedy
      ])
  }

  @Test(arguments: [("a\n1\n2\n", 2), ("a\n1\n2", 2), ("a\n", 0), ("a,b\n1,\"\n\n\"", 1)])
  func `a summary says what a lock will hold`(_ content: String, _ rows: Int) throws {
    let bytes = Gzip(content).bytes
    let expected = LockedFile(
      size: Int64(bytes.count), contentSize: Int64(content.utf8.count), rows: rows,
      digest: Digest.of(content))
    let file = try ScratchFile(bytes, named: "t.csv.gz")
    #expect(
      try LockedFile.read(
        try file.open(), place: file.name, isCompressed: true, isRows: true) == expected)
    var other = expected
    other.rows = nil
    #expect(
      try LockedFile.read(
        try file.open(), place: file.name, isCompressed: true, isRows: false) == other)
  }
}
