import Testing

@testable import Seedbed

struct ChecksumTests {
  private let a = String(repeating: "a", count: 64)
  private let b = String(repeating: "b", count: 64)

  @Test func `it is the SHA-256 of what sha256sum prints for the sorted files`() {
    // printf '%s  %s\n' aaa… elements.csv bbb… up.sql | sha256sum
    let expected = "sha256:59b0dc8c0ed14802f3df4b64b67195ea8ee5a1cae9f34aa9e375242e1e13b263"
    #expect(Checksum.of([("up.sql", b), ("elements.csv", a)]) == expected)
  }

  @Test func `compressing a file is no change`() {
    #expect(Checksum.of([("t.csv", a)]) == Checksum.of([("t.csv.gz", a)]))
  }

  @Test func `a file's name counts`() {
    #expect(Checksum.of([("t.csv", a)]) != Checksum.of([("u.csv", a)]))
  }

  @Test func `the chain is the SHA-256 of three lines`() {
    let first = Checksum.chain(after: nil, version: 1, checksum: "sha256:" + a)
    #expect(first == "sha256:" + Digest.of("\n1\nsha256:\(a)\n"))
    let second = Checksum.chain(after: first, version: 20, checksum: "sha256:" + b)
    #expect(second == "sha256:" + Digest.of("\(first)\n20\nsha256:\(b)\n"))
  }

  @Test(arguments: [
    (MigrationFile.Kind.up, true), (.after, true), (.insert(table: "t"), true),
    (.schema, false), (.afterDown, false), (.down, false), (.verify, false), (.options, false),
  ])
  func `what changes data counts, what does not is no drift`(
    _ kind: MigrationFile.Kind, _ counts: Bool
  ) {
    let file = MigrationFile(name: "x", kind: kind, size: 0, isCompressed: false)
    #expect(file.changesData == counts)
  }
}
