import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct ReleasedChangesTests {
  private static let files = [
    "catalog.json": "{}", "0001_words/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY);",
    "0001_words/words.csv": "id\n1\n", "0003_more/words.csv": "id\n2\n",
    "0003_more/verify.sql": "SELECT 1 WHERE 0;",
  ]

  /// What differs from the lock of `files` once these were written, and others taken away.
  private static func changes(
    _ files: [String: String] = [:], without names: [String] = []
  ) throws -> ReleasedChanges {
    let bench = try Workbench(Self.files)
    _ = try CatalogLock.write(directory: bench.catalog)
    let released = try bench.bytes("seedbed.lock")
    let now = try Workbench(
      Self.files.merging(files) { $1 }.filter { !names.contains($0.key) })
    return try ReleasedChanges(directory: now.catalog, released: released, place: "v1")
  }

  @Test func `the same files, and a new migration behind them, change nothing`() throws {
    let changes = try Self.changes(["0004_new/words.csv": "id\n3\n"])
    #expect(changes.rewritten == [] && changes.harmless == [])
  }

  @Test(arguments: [
    (["0001_words/words.csv": "id\n5\n"], "words.csv changed"),
    (["0001_words/after.sql": "SELECT 1;"], "after.sql added"),
    (["0003_more/words.delete.csv": "id\n1\n"], "words.delete.csv added"),
  ])
  func `other data is found, with the file`(_ files: [String: String], _ words: String) throws {
    let changes = try Self.changes(files)
    #expect(changes.rewritten.count == 1 && changes.harmless == [])
    let finding = try #require(changes.rewritten.first)
    #expect(finding.code == .drift && finding.message.contains("different data: \(words)."))
  }

  @Test func `mends are told and allowed`() throws {
    let changes = try Self.changes(
      [
        "catalog.json": #"{"verify": "warn"}"#, "0001_words/down.sql": "DROP TABLE words;",
        "0003_more/migration.json": #"{"description": "More.", "withdrawn": true}"#,
      ], without: ["0003_more/verify.sql"])
    #expect(changes.rewritten == [])
    #expect(
      changes.harmless == [
        .init(name: "0001_words", changes: ["down.sql added"]),
        .init(
          name: "0003_more",
          changes: ["migration.json added", "verify.sql removed", "withdrawn"]),
        .init(name: "catalog.json", changes: ["changed"]),
      ])
  }

  @Test func `another name of the folder is a mend`() throws {
    let changes = try Self.changes(
      ["0003_much/words.csv": "id\n2\n", "0003_much/verify.sql": "SELECT 1 WHERE 0;"],
      without: ["0003_more/words.csv", "0003_more/verify.sql"])
    #expect(changes.rewritten == [])
    #expect(changes.harmless == [.init(name: "0003_much", changes: ["was called '0003_more'"])])
  }

  @Test func `a number that was released is neither gone nor another nor taken before`() throws {
    let gone = try Self.changes(without: ["0003_more/words.csv", "0003_more/verify.sql"])
    #expect(gone.rewritten.map(\.code) == [.missing])
    let moved = try Self.changes(
      ["0005_more/words.csv": "id\n2\n"], without: ["0003_more/words.csv", "0003_more/verify.sql"])
    #expect(moved.rewritten.first?.message.contains("released and now has the number 5") == true)
    let between = try Self.changes(["0002_new/words.csv": "id\n3\n"])
    #expect(between.rewritten.map(\.code) == [.outOfOrder])
    #expect(between.rewritten.first?.place?.file == "0002_new")
  }

  @Test func `how files are compressed changes nothing`() throws {
    let bench = try Workbench(Self.files)
    _ = try CatalogLock.write(directory: bench.catalog)
    let released = try bench.bytes("seedbed.lock")
    let now = try Workbench(Self.files.filter { $0.key != "0001_words/words.csv" })
    try now.write("0001_words/words.csv.gz", Gzip("id\n1\n").bytes)
    let changes = try ReleasedChanges(directory: now.catalog, released: released, place: "v1")
    #expect(changes.rewritten == [] && changes.harmless == [])
  }

  @Test func `a lock that two branches wrote is told as that, with the release`() throws {
    let bench = try Workbench(Self.files)
    let lock = "seedbed.lock 1: x\n<<<<<<< ours\nhead 1 sha256:x\n"
    let failure = bench.failure {
      _ = try ReleasedChanges(
        directory: bench.catalog, released: Array(lock.utf8), place: "v1:seedbed.lock")
    }
    #expect(failure.hasPrefix("v1:seedbed.lock:2: The lock of the release: Found '<<<<<<< ours'"))
    #expect(failure.contains("two branches added migrations"))
  }
}
