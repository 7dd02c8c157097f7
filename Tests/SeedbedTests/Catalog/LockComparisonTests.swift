import Testing
import TestSupport

@testable import Seedbed

/// What the lock lists must be what is there.
struct LockComparisonTests {
  private static let again = "Write the lock again."
  private static let only =
    "This is in seedbed.lock, but not in the folder. Put it back, or, "
    + "if it was never released, write the lock again."

  struct Change: CustomTestStringConvertible {
    var testDescription: String
    var write: [String]
    var remove: [String]
    var error: String?
    /// What is found before any migration is needed: in the catalog's own folder only.
    var errorAtStart: String?

    init(_ name: String, write: [String] = [], remove: [String] = [], _ error: String?) {
      (testDescription, self.write, self.remove, self.error) = (name, write, remove, error)
      errorAtStart = error
    }

    /// In the folder of a migration.
    static func inside(
      _ name: String, write: [String] = [], remove: [String] = [], _ error: String
    ) -> Change {
      var change = Change(name, write: write, remove: remove, error)
      change.errorAtStart = nil
      return change
    }
  }

  @Test(arguments: [
    Change("nothing", nil),
    Change(
      "what the engine does not look at",
      write: ["data/x.csv", "0001_a/.DS_Store", "0001_a/~$t.csv", ".3_c/up.sql", "README.md"], nil),
    Change(
      "a new folder", write: ["0003_c/up.sql"], "0003_c: This is not in seedbed.lock. " + again),
    .inside(
      "a new file", write: ["0001_a/down.sql"],
      "0001_a/down.sql: This is not in seedbed.lock. " + again),
    Change("a folder that is gone", remove: ["0002_b"], "0002_b: " + only),
    .inside("a file that is gone", remove: ["0001_a/t.csv"], "0001_a/t.csv: " + only),
    Change("options that are gone", remove: ["catalog.json"], "catalog.json: " + only),
    .inside(
      "two differences", write: ["0001_a/down.sql"], remove: ["0001_a/t.csv"],
      "0001_a/down.sql: This is not in seedbed.lock. There is one more such difference. " + again),
    Change(
      "a renamed folder", write: ["1_z/t.csv", "1_z/up.sql"], remove: ["0001_a"],
      "1_z: This is not in seedbed.lock. There is one more such difference. " + again),
    .inside(
      "a file that was compressed", write: ["0001_a/t.csv.gz"], remove: ["0001_a/t.csv"],
      "0001_a/t.csv.gz: This is not in seedbed.lock. There is one more such difference. " + again),
    .inside(
      "a misspelt new file says so", write: ["0001_a/u.cvs"],
      "0001_a/u.cvs: A migration's folder cannot hold a file of this name. Did you mean 'u.csv'?"),
    Change(
      "a second folder of a number says so", write: ["2_z/up.sql"],
      "2_z: '0002_b' and '2_z' have the same number, 2. Rename the folder of the one that was not "
        + "released, or make it again with another number."),
    .inside(
      "a folder where a file was", write: ["0001_a/t.csv/x"], remove: ["0001_a/t.csv"],
      "0001_a/t.csv: This is a folder. A migration's folder holds files only."),
  ])
  func `changed was`(_ change: Change) throws {
    let fixture = try LockFixture.catalog()
    for file in change.remove { try fixture.remove(file) }
    for file in change.write { try fixture.write(file, "") }
    #expect(failureText { _ = try Catalog(directory: fixture.path) } == change.errorAtStart)
    let trusted = try Catalog(locked: fixture.path)
    #expect(failureText { _ = try trusted.findings() } == change.error)
    #expect(failureText { _ = try trusted.migrations() } == change.errorAtStart)
    guard change.errorAtStart == nil else { return }
    // As it is before the migration is applied.
    let migration = try trusted.migrations()[0]
    #expect(failureText { try trusted.checkPresence(of: migration) } == change.error)
  }

  @Test func `a new catalog.json is told`() throws {
    var files = LockFixture.files
    files["catalog.json"] = nil
    let fixture = try Place(files)
    try fixture.write("seedbed.lock", LockFixture.lock(Array(LockFixture.body.dropFirst())))
    _ = try fixture.catalog()
    try fixture.write("catalog.json", "{}")
    #expect(
      failureText { _ = try fixture.catalog() }
        == "catalog.json: This is not in seedbed.lock. Write the lock again.")
  }

  @Test func `options of the catalog may change after a release`() throws {
    let error = { SeedbedError.lockMismatch("size", found: "1", expected: "2", $0).message }
    #expect(error("catalog.json").hasSuffix("if the change is meant, write the lock again."))
    #expect(error("1_a/t.csv").hasSuffix("if it was never released, write the lock again."))
  }

  @Test func `no file is read, whatever is in it`() throws {
    let fixture = try LockFixture.catalog()
    try fixture.write("catalog.json", "no JSON")
    try fixture.write("0002_b/migration.json", "no JSON")
    try fixture.write("0001_a/t.csv", [0xFF, 0x00])
    #expect(try fixture.catalog().migrations().count == 2)
  }

  @Test func `options are read where they are needed, and must be the locked ones`() throws {
    let fixture = try LockFixture.catalog()
    let catalog = try fixture.catalog()
    let migrations = try catalog.migrations()
    #expect(try catalog.options(of: migrations[0]) == MigrationOptions())
    #expect(try catalog.options(of: migrations[1]).isWithdrawn)
    try fixture.write("0002_b/migration.json", "{\"withdrawn\":  true}")
    #expect(
      failureText { _ = try catalog.options(of: migrations[1]) }
        == "0002_b/migration.json: The file's SHA-256 is "
        + "\(Digest.of("{\"withdrawn\":  true}")), but seedbed.lock says "
        + "\(Digest.of("{\"withdrawn\": true}\n")): the file changed after the lock was written. "
        + "Put the file back, or, if it was never released, write the lock again.")
    try fixture.write("0002_b/migration.json", "{}")
    #expect(
      failureText { _ = try catalog.options(of: migrations[1]) }
        == "0002_b/migration.json: The file's size is 2, but seedbed.lock says 20: the file "
        + "changed after the lock was written. Put the file back, or, "
        + "if it was never released, write the lock again.")
  }

  @Test func `presence is of the locked size`() throws {
    let fixture = try LockFixture.catalog()
    let catalog = try fixture.catalog()
    let migration = try catalog.migrations()[0]
    try catalog.checkPresence(of: migration)
    try fixture.write("0001_a/t.csv", "a\n1\n")
    #expect(
      failureText { try catalog.checkPresence(of: migration) }
        == "0001_a/t.csv: The file's size is 4, but seedbed.lock says 6: the file changed after "
        + "the lock was written. Put the file back, or, "
        + "if it was never released, write the lock again.")
  }

  @Test(arguments: [1, 2, 200])
  func `with many folders, one difference is found wherever it is`(_ count: Int) throws {
    let fixture = try Place()
    var migrations: [Migration] = []
    for version in 1...count {
      let folder = "\(version)_m"
      try fixture.write(folder + "/up.sql", "")
      migrations.append(Self.migration(folder, version: Version(version)))
    }
    let lock = Lock(
      head: LockHead(version: 1, chain: "", lines: 0, check: "", length: 0), migrations: migrations)
    let root = try Folder(fixture.path)
    let check = { try LockComparison(lock: lock, root: root).check(withFiles: true) }
    try check()
    for version in Set([1, max(1, count / 2), count]) {
      try fixture.write("\(version)_m/down.sql", "")
      #expect(
        failureText(check)
          == "\(version)_m/down.sql: This is not in seedbed.lock. Write the lock again.")
      try fixture.remove("\(version)_m/down.sql")
    }
  }

  /// A migration with one file, `up.sql`.
  private static func migration(_ folder: String, version: Version) -> Migration {
    let file = MigrationFile(name: "up.sql", kind: .up, size: 0, isCompressed: false)
    return Migration(
      version: version, name: "m", folder: folder, files: [file], isWithdrawn: false)
  }
}
