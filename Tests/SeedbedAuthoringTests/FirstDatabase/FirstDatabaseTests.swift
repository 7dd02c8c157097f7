import Foundation
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct FirstDatabaseTests {
  static let files = [
    "0001_words/up.sql": """
    CREATE TABLE words (id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT UNIQUE, rank REAL);
    """,
    "0001_words/words.csv": "id,word,rank\n"
      + (1...500).map { "\($0),word \($0),\($0).5\n" }.joined(),
    "0002_less/words.delete.csv": "id,word,rank\n"
      + (1...100).map { "\($0 * 3),word \($0 * 3),\($0 * 3).5\n" }.joined(),
    "0003_more/words.csv": "id,word\n501,last\n",
  ]

  private func build(
    _ fixture: Place, _ path: String? = nil, to version: Version? = nil,
    _ layout: FirstDatabase.Layout = .init()
  ) throws -> FirstDatabase.Summary {
    try FirstDatabase.build(
      directory: fixture.path, to: path, version: version, layout: layout)
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func rows(_ path: String, _ sql: String) throws -> [String] {
    try Connection(Paths.absolute(path), .immutable, setup: nil).rows(sql).map { row in
      row.map { "\($0.text ?? $0.integer.map(String.init) ?? "NULL")" }.joined(separator: "|")
    }
  }

  private func failure(
    _ fixture: Place, _ path: String? = nil, to version: Version? = nil,
    _ layout: FirstDatabase.Layout = .init()
  ) throws -> SeedbedError {
    try #require(
      #expect(throws: SeedbedError.self) { _ = try build(fixture, path, to: version, layout) })
  }

  // MARK: what it is

  @Test(arguments: FirstDatabase.Layout.JournalMode.allCases)
  func `the same catalog gives the same bytes, and nothing beside them`(
    _ mode: FirstDatabase.Layout.JournalMode
  ) throws {
    let (one, other) = (try Place(Self.files), try Place(Self.files))
    let layout = FirstDatabase.Layout(pageSize: 1024, journalMode: mode)
    let first = try build(one, to: nil, layout)
    Thread.sleep(forTimeInterval: 1.1)
    // Over an older one, and with a lock.
    _ = try build(other, to: 1)
    _ = try CatalogLock.write(directory: other.path)
    let second = try build(other, to: nil, layout)
    let (left, right) = (try bytes(first.path), try bytes(second.path))
    #expect(left == right)
    #expect(first.database == second.database)
    #expect(Int(first.database.size) == left.count && left.count % 1024 == 0)
    #expect(first.database.digest == Checksum.digest(of: left))
    #expect(left[18] == (mode == .wal ? 2 : 1) && left[16] == 4)
    for fixture in [one, other] {
      let names = try FileManager.default.contentsOfDirectory(atPath: fixture.path + "/data")
      #expect(names == ["first.sqlite"])
    }
    #expect((first.isLocked, second.isLocked) == (false, true))
    #expect(first.migrations == 3)
  }

  @Test func `it holds what up makes, and a ledger that no run wrote`() throws {
    let fixture = try Place(Self.files)
    _ = try CatalogLock.write(directory: fixture.path)
    let path = try build(fixture).path
    let other = fixture.path + "/up.sqlite"
    _ = try Migrator(catalog: Catalog(locked: fixture.path), at: other).up()
    for sql in [
      "SELECT * FROM words ORDER BY id", "SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2",
      "SELECT version, name, checksum, chain FROM seedbed_migrations",
    ] {
      #expect(try rows(path, sql) == rows(other, sql))
    }
    let stamps = try rows(
      path,
      "SELECT DISTINCT state, applied_at, duration_ms, run FROM seedbed_migrations")
    #expect(stamps == ["baseline|1970-01-01T00:00:00.000Z|0|NULL"])
    for table in ["runs", "conflicts", "left_to_user", "applying"] {
      #expect(try rows(path, "SELECT count(*) FROM seedbed_\(table)") == ["0"])
    }
    #expect(try rows(path, "SELECT name, seq FROM sqlite_sequence") == ["words|501"])
    #expect(try rows(path, "PRAGMA freelist_count") == ["0"])
    #expect(try rows(path, "PRAGMA integrity_check") == ["ok"])
    let migrator = Migrator(catalog: try Catalog(locked: fixture.path), at: path)
    #expect(try migrator.status().state == .upToDate && migrator.verify() == [])
  }

  @Test func `it ends at a version, and what was withdrawn is noted`() throws {
    var files = Self.files
    files["0002_less/migration.json"] = #"{"withdrawn": true}"#
    let fixture = try Place(files)
    let summary = try build(fixture, fixture.path + "/out.sqlite", to: 2)
    #expect(summary.database.version == 2 && summary.migrations == 2)
    #expect(
      try rows(summary.path, "SELECT version, state FROM seedbed_migrations")
        == ["1|baseline", "2|withdrawn"])
    #expect(try rows(summary.path, "SELECT count(*) FROM words") == ["500"])
  }

  @Test func `where old folders were dropped it begins with the snapshot`() throws {
    let fixture = try Place(Self.files)
    _ = try CatalogLock.write(directory: fixture.path)
    let whole = try build(fixture, fixture.path + "/whole.sqlite")
    _ = try Snapshot.write(directory: fixture.path, version: 2)
    _ = try Snapshot.drop(directory: fixture.path, before: 3)
    let summary = try build(fixture)
    #expect(summary.database.chain == whole.database.chain)
    let all = "SELECT * FROM words ORDER BY id"
    #expect(try rows(summary.path, all) == rows(whole.path, all))
    let error = try failure(fixture, to: 1)
    #expect(error.code == .usage && error.message.contains("no migration 1"))
  }

  // MARK: what is refused

  @Test func `a policy fail refuses here what it refuses on a new device`() throws {
    let fixture = try Place([
      "catalog.json": #"{"tables": {"t": {"onEdited": "fail"}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);",
      "0001_t/t.csv": "id,a\n1,x\n",
      "0002_t/up.sql": "UPDATE t SET a = 'by SQL';",
      "0003_t/t.update.csv": "id,a,was:a\n1,X,x\n",
    ])
    let other = fixture.path + "/up.sqlite"
    let device = Migrator(catalog: try Catalog(directory: fixture.path), at: other)
    let onDevice = try #require(throws: SeedbedError.self) { try device.up() }
    let error = try failure(fixture)
    #expect(error.code == .conflict && error.message == onDevice.message)
  }

  @Test func `what cannot be built leaves nothing behind`() throws {
    let fixture = try Place(Self.files)
    let cases: [(SeedbedError, String)] = try [
      (failure(fixture, to: 9), "There is no migration 9 in this catalog"),
      (failure(fixture, to: nil, .init(pageSize: 1000)), "SQLite has no pages of 1000 bytes."),
      (failure(fixture, to: nil, .init(pageSize: 256)), "Name a power of two from 512 to 65536"),
      (failure(fixture, fixture.path + "/no/x.sqlite"), "Create the folder first."),
      (failure(fixture, fixture.path), "' is a folder. Name the file to write"),
    ]
    for (error, words) in cases { #expect(error.message.contains(words), "\(error)") }
    #expect(cases.map(\.0.code) == [.usage, .usage, .usage, .io, .io])
    try fixture.write("0003_more/words.csv", "id,word\n501,last,more\n")
    #expect(try failure(fixture).place?.file == "0003_more/words.csv")
    try fixture.write("0003_more/words.csv", "id,word\n1,last\n")
    try fixture.write("0003_more/verify.sql", "SELECT 1;")
    #expect(try failure(fixture).code == .verify)
    #expect(try fixture.names() == ["0001_words", "0002_less", "0003_more"])
  }

  @Test func `an app's database is not replaced`() throws {
    let fixture = try Place(Self.files)
    let path = fixture.path + "/app.sqlite"
    _ = try Migrator(catalog: Catalog(directory: fixture.path), at: path).up()
    let before = try bytes(path)
    let error = try failure(fixture, path)
    #expect(error.code == .usage && error.message.contains("'build' did not make it"))
    #expect(try bytes(path) == before)
    try fixture.write("text.sqlite", "a text")
    #expect(try failure(fixture, fixture.path + "/text.sqlite").code == .usage)
    try fixture.write("empty.sqlite", [])
    #expect(try build(fixture, fixture.path + "/empty.sqlite").database.version == 3)
  }

  @Test func `tables of the app's own are the app's to make`() throws {
    var files = Self.files
    files["0002_less/schema.sql"] = "CREATE TABLE mine (id INTEGER PRIMARY KEY);"
    let fixture = try Place(files)
    let error = try failure(fixture)
    #expect(error.place?.file == "0002_less/schema.sql" && error.remedies == [.makeSnapshot])
    #expect(try build(fixture, to: 1).database.version == 1)
  }

  @Test func `a seed row that another row keeps out is no ready-made one`() throws {
    var files = Self.files
    files["0002_less/up.sql"] = "INSERT INTO words (id, word) VALUES (501, 'taken');"
    let error = try failure(try Place(files))
    #expect(error.code == .conflict && error.message.contains("'words' has the key"))
  }
}
