import Testing
import TestSupport

@testable import Seedbed
@testable import SeedbedAuthoring

struct LockReaderTests {
  @Test func `the head is read alone`() throws {
    let fixture = try LockFixture.catalog()
    // Whatever follows the head does not matter as long as nobody asks.
    let text = LockFixture.lock()
    let head = text.split(separator: "\n", maxSplits: 3)[..<3].joined(separator: "\n") + "\n"
    try fixture.write("seedbed.lock", head)
    let catalog = try Catalog(locked: fixture.path)
    #expect(catalog.head?.version == 2)
    #expect(catalog.head?.chain == LockFixture.chains[1])
    #expect(catalog.hasLock)
    #expect(
      failureText { _ = try catalog.migrations() }
        == "seedbed.lock: The lock is truncated: it has 3 of its 10 lines. Copy it again, or write "
        + "it again.")
  }

  @Test func `both ways to open a catalog read the same`() throws {
    let fixture = try LockFixture.catalog()
    let trusted = try Catalog(locked: fixture.path).migrations()
    let checked = try Catalog(directory: fixture.path).migrations()
    #expect(trusted == checked)
    #expect(trusted.map(\.version) == [1, 2])
    #expect(trusted.map(\.name) == ["a", "b"])
    #expect(trusted.map(\.folder) == ["0001_a", "0002_b"])
    #expect(trusted.map(\.isWithdrawn) == [false, true])
    #expect(trusted.map(\.checksum) == LockFixture.checksums)
    #expect(trusted.map(\.chain) == LockFixture.chains)
    #expect(trusted.map(\.rows) == [2, 0])
    #expect(trusted[0].files.map(\.name) == ["t.csv", "up.sql"])
    #expect(trusted[0].files.map(\.kind) == [.insert(table: "t"), .up])
    #expect(
      trusted[0].files[0].locked
        == LockedFile(size: 6, contentSize: 6, rows: 2, digest: Digest.of("a\n1\n2\n")))
    #expect(trusted[0].files[1].locked?.rows == nil)
  }

  @Test func `the lock and the files agree on checksums`() throws {
    let fixture = try LockFixture.catalog()
    let locked = try fixture.catalog().migrations().map(\.checksum)
    try fixture.remove("seedbed.lock")
    let catalog = try fixture.catalog()
    #expect(catalog.head == nil)
    #expect(try catalog.migrations().map { try catalog.checksum(of: $0) } == locked)
  }

  @Test func `a name may hold spaces and what is not ASCII`() throws {
    let names = ["a b 1 2 - c.csv", "é.csv.gz"]
    let digest = Digest.of("")
    var body = LockFixture.body
    body.insert("0001_a/\(names[0]) 0 0 7 \(digest)", at: 2)
    body.insert("0001_a/\(names[1]) 20 0 0 \(digest)", at: 5)
    let lock = try LockReader.read(Array(LockFixture.lock(body).utf8))
    #expect(lock.migrations[0].files.map(\.name) == [names[0], "t.csv", "up.sql", names[1]])
    #expect(lock.migrations[0].files[0].locked?.rows == 7)
    #expect(lock.migrations[0].files[3].size == 20)
    #expect(lock.migrations[0].rows == 9)
  }

  @Test func `the ready-made database has a line of its own`() throws {
    let digest = Digest.of("x")
    let line = "data/first.sqlite 4096 1 \(LockFixture.chains[0]) \(digest)"
    func first(_ lines: [String], at index: Int = 1) throws -> FirstDatabase? {
      var body = LockFixture.body
      body.insert(contentsOf: lines, at: index)
      return try LockReader.read(Array(LockFixture.lock(body).utf8)).first
    }
    let expected = FirstDatabase(
      size: 4096, version: 1, chain: LockFixture.chains[0], digest: digest)
    #expect(try first([]) == nil)
    #expect(try first([line]) == expected)
    #expect(expected.line == line)
    let bad = [
      [line, line], [line + " more"], [line.replacing("4096", with: "-1")],
      [line.replacing(" 1 ", with: "  ")], [line.replacing("sha256:", with: "md5:")],
      [line.replacing("first", with: "second")], [String(line.dropLast())], [line.uppercased()],
      ["data/first.sqlite 99999999999999999999 1 \(LockFixture.chains[0]) \(digest)"],
    ]
    for lines in bad {
      let text = failureText { _ = try first(lines) }
      #expect(text?.contains("Write the lock again.") == true, "\(lines)")
    }
    #expect(failureText { _ = try first([line], at: 2) } != nil)
    #expect(failureText { _ = try first([line], at: 0) } != nil)
  }

  // MARK: damage

  struct Damage: CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (String) -> String
    var error: String

    init(_ name: String, _ error: String, _ change: @escaping @Sendable (String) -> String) {
      (testDescription, self.error, self.change) = (name, error, change)
    }
  }

  private static let edited =
    "The lock is not as it was written: it was edited or merged by hand. Write it again."

  @Test(arguments: [
    Damage("empty", "seedbed.lock: The file is empty. Write it again.") { _ in "" },
    Damage(
      "another file altogether",
      "seedbed.lock:1: Found '{', expected 'seedbed.lock 2'. Write the lock again."
    ) { _ in "{\n}\n" },
    Damage(
      "the next format",
      "seedbed.lock:1: The lock has the format 3, which a newer Seedbed wrote; this one reads "
        + "format 2. Use the newer one."
    ) { $0.replacing("lock 1:", with: "lock 3:") },
    Damage(
      "a conflict in the head",
      "seedbed.lock:2: Found '<<<<<<< HEAD': two branches added migrations, and git left both in "
        + "the lock. Keep the folders of both, each with its own number: make yours again "
        + "with another one, or rename it and write the lock again."
    ) { $0.replacing("head 2", with: "<<<<<<< HEAD\nhead 2") },
    Damage(
      "a conflict below the head",
      "seedbed.lock:8: Found '=======': two branches added migrations, and git left both in the "
        + "lock. Keep the folders of both, each with its own number: make yours again "
        + "with another one, or rename it and write the lock again."
    ) { $0.replacing("0002_b/ ", with: "=======\n0002_b/ ") },
    Damage(
      "line endings of Windows",
      "seedbed.lock:1: The lines end in CRLF; git does this on some systems, and then to other "
        + "files too. Put 'seedbed.lock text eol=lf' and '*.sql text eol=lf' into .gitattributes, "
        + "and check the files out again."
    ) { $0.replacing("\n", with: "\r\n") },
    Damage(
      "a line ending of Windows below the head",
      "seedbed.lock:10: The lines end in CRLF; git does this on some systems, and then to other "
        + "files too. Put 'seedbed.lock text eol=lf' and '*.sql text eol=lf' into .gitattributes, "
        + "and check the files out again."
    ) { String($0.dropLast()) + "\r\n" },
    Damage(
      "cut off between two lines",
      "seedbed.lock: The lock is truncated: it has 9 of its 10 lines. Copy it again, or write it "
        + "again."
    ) { $0.split(separator: "\n").dropLast().joined(separator: "\n") + "\n" },
    Damage(
      "cut off in a line",
      "seedbed.lock: The lock is truncated: it has 9 of its 10 lines. Copy it again, or write it "
        + "again."
    ) { String($0.dropLast(5)) },
    Damage(
      "cut off in the head",
      "seedbed.lock: The lock is truncated: it has 1 of its 3 lines. Copy it again, or write it "
        + "again."
    ) { String($0.prefix(LockFixture.title.count + 10)) },
    Damage(
      "a head without a digest",
      "seedbed.lock:2: Found 'head 2', expected 'head <version> sha256:<digest>'. Write the lock "
        + "again."
    ) { $0.replacing("head 2 \(LockFixture.chains[1])", with: "head 2") },
    Damage(
      "a number of lines that is none",
      "seedbed.lock:3: Found 'body x7 crc32:\(LockFixture.crc)', expected 'body <lines> "
        + "crc32:<digest>'. Write the lock again."
    ) { $0.replacing("body 7", with: "body x7") },
    Damage("another version in the head", "seedbed.lock:2: " + edited) {
      $0.replacing("head 2", with: "head 3")
    },
    Damage("an edited digest of a file", "seedbed.lock:5: " + edited) {
      $0.replacing(Digest.of("a\n1\n2\n"), with: Digest.of("b"))
    },
    Damage("an edited checksum", "seedbed.lock:8: " + edited) {
      $0.replacing(LockFixture.checksums[1], with: LockFixture.checksums[0])
    },
    Damage("an edited number of rows", "seedbed.lock: " + edited) {
      $0.replacing("t.csv 6 6 2", with: "t.csv 6 6 3")
    },
    Damage("a blank line", "seedbed.lock:11: " + edited) { $0 + "\n" },
    Damage("a line that is none", "seedbed.lock:7: " + edited) {
      $0.replacing("0001_a/up.sql", with: "0001_b/up.sql")
    },
  ])
  func `told is`(_ damage: Damage) throws {
    let fixture = try LockFixture.catalog(damage.change(LockFixture.lock()))
    #expect(failureText { _ = try Catalog(directory: fixture.path) } == damage.error)
    #expect(failureText { _ = try Catalog(locked: fixture.path).migrations() } == damage.error)
  }

  /// Lines that `migrate lock` does not write, under a head that says they are right.
  @Test(arguments: [
    "", "x", "/", "/ ", "0001_a", "0001_a/", "0001_a/ ", "0001_a/ sha256:", "0003_c/ sha256:1",
    "0002_b/x.csv", "0002_b/x.csv 1 1 1 1", "0009_z/x.csv 1 1 1 " + Digest.of(""),
    "0002_b/ 1 1 " + Digest.of(""), "0002_b/x.csv -1 1 1 " + Digest.of(""),
    "0002_b/x.csv 1 1 " + Digest.of(""), "0002_b/x.csv  1 1 " + Digest.of(""),
    "0002_b/x.csv 1 1 99999999999999999999 " + Digest.of(""), "0002_b/.csv 1 1 1 " + Digest.of(""),
    "0002_b/x.csv 1 1 1099511627776 " + Digest.of(""),
    "0002_b/x.csv 1 9223372036854775807 1 " + Digest.of(""),
    "0002_b/x.csv 9223372036854775807 1 1 " + Digest.of(""),
    "catalog.json 1 1 - " + Digest.of(""), "0001_a/ \(LockFixture.checksums[0]) sha256:",
    "0002_c/ \(LockFixture.checksums[0]) \(LockFixture.checksums[0])",
    "0003_c/ \(LockFixture.checksums[0]) \(LockFixture.checksums[0]) x",
    "a_b/ \(LockFixture.checksums[0]) \(LockFixture.checksums[0])",
  ])
  func `no forged line is believed, and none traps`(_ line: String) {
    let lock = LockFixture.lock(LockFixture.body + [line])
    #expect(throws: SeedbedError.self) { try LockReader.read(Array(lock.utf8)) }
  }

  @Test func `a lock cut off anywhere never traps`() {
    let bytes = Array(LockFixture.lock().utf8)
    for count in 0..<bytes.count {
      #expect(throws: SeedbedError.self) { try LockReader.read(Array(bytes[..<count])) }
    }
  }

  @Test func `a file with a tag is read from the lock`() throws {
    let line = "0002_b/t.de~.csv 1 1 1 " + Digest.of("")
    let lock = try LockReader.read(Array(LockFixture.lock(LockFixture.body + [line]).utf8))
    #expect(lock.migrations.last?.files.last?.kind == .insert(table: "t"))
  }

  @Test func `without a lock none can be trusted`() throws {
    let fixture = try Place(LockFixture.files)
    #expect(
      fixture.failure { _ = try Catalog(locked: fixture.path) }
        == "The catalog 'CATALOG' has no seedbed.lock. Write it and ship it with the catalog.")
  }

  @Test func `a lock that is replaced meanwhile is told`() throws {
    let fixture = try LockFixture.catalog()
    let catalog = try Catalog(locked: fixture.path)
    try fixture.write("seedbed.lock", LockFixture.lock(Array(LockFixture.body.dropLast())))
    #expect(
      failureText { _ = try catalog.migrations() }
        == "seedbed.lock: The lock was replaced while it was in use. Try again.")
  }
}

extension LockFixture {
  static let crc = Lock.check(of: body.map { $0 + "\n" }.joined())
}
