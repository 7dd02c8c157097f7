import Foundation
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct CatalogLockTests {
  /// `printf 'number,symbol\n1,H\n2,He\n' | gzip -n9`
  private static let gzip: [UInt8] = Array(
    Data(base64Encoded: "H4sIAAAAAAACA8srzU1KLdIprsxNys/hMtTx4DLS8UjlAgAsCX0GFwAAAA==") ?? Data())

  private func fixture() throws -> Place {
    let fixture = try Place([
      "catalog.json": "{}\n", "data/elements.csv": "not the engine's",
      "0001_elements/up.sql": "CREATE TABLE elements (number INTEGER PRIMARY KEY, symbol TEXT);\n",
      "0001_elements/.DS_Store": "", "0002_notes/up.sql": "CREATE TABLE notes (id);\n",
      "0002_notes/notes.csv": "id\n1\n", "0002_notes/down.sql": "DROP TABLE notes;\n",
    ])
    try fixture.write("0001_elements/elements.csv.gz", Self.gzip)
    return fixture
  }

  // MARK: writing

  @Test func `the whole text`() throws {
    let fixture = try fixture()
    let summary = try CatalogLock.write(directory: fixture.path)
    let elements = "number,symbol\n1,H\n2,He\n"
    let up = try fixture.text("0001_elements/up.sql")
    let first = Checksum.of([("elements.csv", Digest.of(elements)), ("up.sql", Digest.of(up))])
    let notes = try (fixture.text("0002_notes/notes.csv"), fixture.text("0002_notes/up.sql"))
    let second = Checksum.of([("notes.csv", Digest.of(notes.0)), ("up.sql", Digest.of(notes.1))])
    let chain = Checksum.chain(after: nil, version: 1, checksum: first)
    let head = Checksum.chain(after: chain, version: 2, checksum: second)
    let body = """
      catalog.json 3 3 - \(Digest.of("{}\n"))
      0001_elements/ \(first) \(chain)
      0001_elements/elements.csv.gz \(Self.gzip.count) 23 2 \(Digest.of(elements))
      0001_elements/up.sql 65 65 - \(Digest.of(up))
      0002_notes/ \(second) \(head)
      0002_notes/down.sql 18 18 - \(Digest.of("DROP TABLE notes;\n"))
      0002_notes/notes.csv 5 5 1 \(Digest.of(notes.0))
      0002_notes/up.sql 25 25 - \(Digest.of(notes.1))

      """
    let text = """
      seedbed.lock 1: written by 'migrate lock'; never edit it, and run that again after a merge
      head 2 \(head)
      body 8 crc32:\(Lock.check(of: body))
      \(body)
      """
    #expect(try fixture.text("seedbed.lock") == text)
    #expect(summary.path == fixture.path + "/seedbed.lock")
    #expect(summary.isChanged)
    #expect((summary.version, summary.migrations, summary.files, summary.rows) == (2, 2, 5, 3))
    #expect(summary.added == ["0001_elements", "0002_notes"])
    #expect(summary.changed == [])
    #expect(summary.removed == [])
  }

  @Test func `what was written is read back, whole and by its head`() throws {
    let fixture = try fixture()
    _ = try CatalogLock.write(directory: fixture.path)
    let migrations = try Catalog(directory: fixture.path).migrations()
    #expect(migrations.map(\.version) == [1, 2])
    #expect(migrations.map(\.rows) == [2, 1])
    let head = try Catalog(locked: fixture.path).head
    #expect(head?.version == 2)
    #expect(head?.chain == migrations[1].chain)
    #expect(try CatalogLock.check(directory: fixture.path) == [])
  }

  @Test func `the same files give the same bytes, and nothing is written twice`() throws {
    let fixture = try fixture()
    _ = try CatalogLock.write(directory: fixture.path)
    let text = try fixture.text("seedbed.lock")
    let again = try CatalogLock.write(directory: fixture.path)
    #expect(again.isChanged == false)
    #expect((again.added, again.changed, again.removed) == ([], [], []))
    #expect(try fixture.text("seedbed.lock") == text)
    try fixture.remove("seedbed.lock")
    _ = try CatalogLock.write(directory: fixture.path)
    #expect(try fixture.text("seedbed.lock") == text)
    #expect(
      try fixture.names() == [
        "0001_elements", "0002_notes", "catalog.json", "data", "seedbed.lock",
      ])
  }

  @Test func `recompressing is no drift, but the lock is stale`() throws {
    let fixture = try fixture()
    _ = try CatalogLock.write(directory: fixture.path)
    let before = try Catalog(directory: fixture.path).migrations()
    // The same content twice as members: no content at first, then all of it.
    let empty = Data(base64Encoded: "H4sIAAAAAAACAwMAAAAAAAAAAAA=") ?? Data()
    try fixture.write("0001_elements/elements.csv.gz", Array(empty) + Self.gzip)
    #expect(try CatalogLock.check(directory: fixture.path).count == 1)
    let summary = try CatalogLock.write(directory: fixture.path)
    #expect(summary.changed == ["0001_elements"])
    let after = try Catalog(directory: fixture.path).migrations()
    #expect(after.map(\.checksum) == before.map(\.checksum))
    #expect(after.map(\.chain) == before.map(\.chain))
  }

  @Test func `mending what changes no data leaves the checksum as it is`() throws {
    let fixture = try fixture()
    _ = try CatalogLock.write(directory: fixture.path)
    let before = try Catalog(directory: fixture.path).migrations()
    try fixture.write("0002_notes/down.sql", "DROP TABLE IF EXISTS notes;\n")
    try fixture.write("0002_notes/verify.sql", "SELECT 1 WHERE 0;\n")
    try fixture.write("0002_notes/migration.json", "{\"withdrawn\": true}")
    let summary = try CatalogLock.write(directory: fixture.path)
    #expect(summary.changed == ["0002_notes"])
    let after = try Catalog(directory: fixture.path).migrations()
    #expect(after.map(\.checksum) == before.map(\.checksum))
    #expect(after.map(\.isWithdrawn) == [false, true])
    #expect(try CatalogLock.check(directory: fixture.path) == [])
  }

  @Test func `what changed is told by folder`() throws {
    let fixture = try fixture()
    _ = try CatalogLock.write(directory: fixture.path)
    for file in ["0001_elements", "catalog.json"] { try fixture.remove(file) }
    try fixture.write("0002_notes/notes.csv", "id\n1\n2\n")
    try fixture.write("0003_more/up.sql", "SELECT 1;")
    let summary = try CatalogLock.write(directory: fixture.path)
    #expect(summary.added == ["0003_more"])
    #expect(summary.changed == ["0002_notes"])
    #expect(summary.removed == ["0001_elements"])
    #expect((summary.migrations, summary.files, summary.rows) == (2, 4, 2))
  }

  @Test func `a damaged lock is written again`() throws {
    let fixture = try fixture()
    try fixture.write("seedbed.lock", "<<<<<<< HEAD\n")
    let summary = try CatalogLock.write(directory: fixture.path)
    #expect(summary.added == ["0001_elements", "0002_notes"])
    #expect(try CatalogLock.check(directory: fixture.path) == [])
  }

  @Test(arguments: [
    ("0002_notes/notes.cvs", "x"), ("0002_notes/migration.json", "{"), ("catalog.json", "[]"),
    ("0002_notes/notes.csv", "id\n1,2\n"), ("0002_notes/notes.csv", ""),
    ("0001_elements/elements.csv.gz", "not gzip"), ("2_again/up.sql", ""),
  ])
  func `a catalog that does not read is not locked`(_ file: String, _ text: String) throws {
    let fixture = try fixture()
    _ = try CatalogLock.write(directory: fixture.path)
    let before = try fixture.text("seedbed.lock")
    try fixture.write(file, text)
    #expect(throws: SeedbedError.self) { try CatalogLock.write(directory: fixture.path) }
    #expect(try fixture.text("seedbed.lock") == before)
    #expect(try CatalogLock.check(directory: fixture.path).isEmpty == false)
  }

  // MARK: checking

  @Test func `without a lock the check says so`() throws {
    let fixture = try fixture()
    let findings = try CatalogLock.check(directory: fixture.path)
    #expect(
      findings.map(\.message) == [
        "The catalog '\(fixture.path)' has no seedbed.lock. Write it and ship it with the catalog."
      ])
    #expect(findings.first?.remedies == [.writeLock])
    #expect(try fixture.names() == ["0001_elements", "0002_notes", "catalog.json", "data"])
  }

  @Test(arguments: ["{} ", "[]", "{"])
  func `a changed migration.json is told once`(_ text: String) throws {
    let fixture = try fixture()
    try fixture.write("0002_notes/migration.json", "{}")
    _ = try CatalogLock.write(directory: fixture.path)
    try fixture.write("0002_notes/migration.json", text)
    #expect(try CatalogLock.check(directory: fixture.path).count == 1)
  }

  @Test func `the check reads every file and tells all that differ`() throws {
    let fixture = try fixture()
    _ = try CatalogLock.write(directory: fixture.path)
    let lock = try fixture.text("seedbed.lock")
    try fixture.write("catalog.json", "{} ")
    try fixture.write("0001_elements/up.sql", "CREATE TABLE elements (x);\n")
    try fixture.write("0002_notes/down.sql", "DROP TABLE NOTES;\n")
    try fixture.write("0002_notes/notes.csv", "id\nx\"\n")
    let findings = try CatalogLock.check(directory: fixture.path)
    #expect(
      findings.map { $0.place?.description } == [
        "catalog.json", "0001_elements/up.sql", "0002_notes/down.sql", "0002_notes/notes.csv:2:2",
      ])
    #expect(findings.map(\.code) == [.catalog, .catalog, .catalog, .csv])
    #expect(findings.map(\.version) == [nil, 1, 2, 2])
    #expect(try fixture.text("seedbed.lock") == lock)
  }

  @Test func `a lock that was edited is a finding`() throws {
    let fixture = try fixture()
    _ = try CatalogLock.write(directory: fixture.path)
    let lock = try fixture.text("seedbed.lock")
    try fixture.write("seedbed.lock", lock.replacing(" 23 2 ", with: " 23 3 "))
    let findings = try CatalogLock.check(directory: fixture.path)
    #expect(findings.map { $0.place?.description } == ["seedbed.lock"])
    #expect(findings.map(\.code) == [.catalog])
  }

  @Test func `a folder that is not there is an error, not a finding`() {
    #expect(throws: SeedbedError.self) { try CatalogLock.check(directory: "/nowhere/at/all") }
    #expect(throws: SeedbedError.self) { try CatalogLock.write(directory: "/nowhere/at/all") }
  }
}
