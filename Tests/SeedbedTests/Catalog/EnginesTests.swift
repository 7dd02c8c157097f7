import Foundation
import SeedbedAuthoring
import Testing
import TestSupport

@testable import Seedbed

/// Catalogs with SQL for two engines.
struct EnginesTests {
  static let engines = #"{"engines": ["sqlite", "postgresql"]}"#

  static let files = [
    "catalog.json": engines,
    "0001_a/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT);",
    "0001_a/up.postgresql.sql": "CREATE TABLE t (id bigint PRIMARY KEY, word text);",
    "0001_a/down.sql": "DROP TABLE t;", "0001_a/down.postgresql.sql": "DROP TABLE t CASCADE;",
    "0001_a/t.csv": "id,word\n1,one\n",
    "0002_b/t.csv": "id,word\n2,two\n", "0002_b/verify.postgresql.sql": "SELECT 1 WHERE false;",
    "0003_c/up.sql": "CREATE INDEX i ON t (word);", "0003_c/up.postgresql.sql": "-- none\n",
  ]

  enum Reading: CaseIterable { case folder, locked, head, memory }

  /// The catalog of these files, read in some way; alive as long as its folder.
  private func read(
    _ files: [String: String] = files, _ reading: Reading = .folder
  ) throws -> (folder: Place, catalog: Catalog) {
    let fixture = try Place(files)
    if reading == .locked || reading == .head { try CatalogLock.write(directory: fixture.path) }
    switch reading {
    case .folder, .locked: return (fixture, try fixture.catalog())
    case .head: return (fixture, try Catalog(locked: fixture.path))
    case .memory: return (fixture, try Catalog(files: files.mapValues { Array($0.utf8) }))
    }
  }

  private func failure(
    _ files: [String: String], _ reading: Reading = .folder,
    _ body: (Catalog) throws -> Void = { _ in }
  ) -> String? {
    var folder: Place?
    let text = failureText {
      let read = try read(files, reading)
      folder = read.folder
      try body(read.catalog)
    }
    return text?.replacingOccurrences(of: folder?.path ?? "CATALOG", with: "CATALOG")
  }

  // MARK: files

  @Test(arguments: Reading.allCases)
  func `each engine sees its own SQL, and both the rows`(_ reading: Reading) throws {
    let (folder, catalog) = try read(Self.files, reading)
    let names = { (catalog: Catalog) in try catalog.migrations().map { $0.files.map(\.name) } }
    #expect(catalog.engine == .sqlite)
    #expect(try names(catalog) == [["down.sql", "t.csv", "up.sql"], ["t.csv"], ["up.sql"]])
    let other = try catalog.forPostgreSQL()
    #expect(other.engine == .postgresql)
    #expect(
      try names(other) == [
        ["down.postgresql.sql", "t.csv", "up.postgresql.sql"],
        ["t.csv", "verify.postgresql.sql"], ["up.postgresql.sql"],
      ])
    #expect(try other.migrations()[0].file(.up)?.name == "up.postgresql.sql")
    #expect(try other.migrations()[0].file(.down)?.name == "down.postgresql.sql")
    #expect(try other.migrations()[1].file(.verify)?.name == "verify.postgresql.sql")
    #expect(
      try other.migrations()[0].allFiles.map(\.name)
        == ["down.postgresql.sql", "down.sql", "t.csv", "up.postgresql.sql", "up.sql"])
    #expect(try other.migrations() == other.forPostgreSQL().migrations())
    #expect(try other.options(of: other.migrations()[0]).engines == [.sqlite, .postgresql])
    withExtendedLifetime(folder) {}
  }

  @Test func `SQL for PostgreSQL needs the option`() {
    #expect(
      failure(["0001_a/up.sql": "", "0001_a/up.postgresql.sql": ""])
        == "0001_a/up.postgresql.sql: This is SQL for PostgreSQL, but the catalog is for SQLite "
        + #"alone. Add "engines": ["sqlite", "postgresql"] to catalog.json, or remove the file."#)
    #expect(
      failure(["catalog.json": Self.engines, "0001_a/up.pg.sql": ""])
        == "0001_a/up.pg.sql: A migration's folder cannot hold a file of this name. Did you mean "
        + "'up.postgresql.sql'?")
  }

  @Test func `a snapshot is for SQLite alone`() throws {
    let mark = #""chain": "sha256:1", "creates": ["t"]"#
    // As it was when snapshots had SQL for PostgreSQL.
    let other = #""postgresql": {"chain": "sha256:2", "creates": ["u", "v"]}"#
    var files = Self.files.merging([
      "0001_a.snapshot/migration.json": "{\"snapshot\": {\(mark)}}",
      "0001_a.snapshot/up.sql": "SELECT 1;",
      "0002_b.snapshot/migration.json": "{\"snapshot\": {\(mark), \(other)}}",
    ]) { $1 }
    let catalog = try Catalog(files: files.mapValues { Array($0.utf8) })
    let snapshots = try catalog.snapshots()
    #expect(snapshots.map { $0.other == nil } == [true, true])
    #expect(try catalog.options(of: snapshots[1]).snapshot?.creates == ["t"])
    #expect(try catalog.forPostgreSQL().snapshots().isEmpty)
    files["0002_b.snapshot/up.postgresql.sql"] = "SELECT 2;"
    #expect(
      failure(files)
        == "0002_b.snapshot/up.postgresql.sql: This is SQL for PostgreSQL, but a snapshot is for "
        + "SQLite alone: a server applies the migrations. Remove the file, and write the lock "
        + "again.")
  }

  @Test func `a catalog that allows no SQL refuses that for PostgreSQL`() {
    let files = ["catalog.json": Self.engines, "0001_a/up.postgresql.sql": "-- none"]
    #expect(
      failureText {
        _ = try Catalog(files: files.mapValues { Array($0.utf8) }, allowsSQL: false)
      }?.hasPrefix("0001_a/up.postgresql.sql: This catalog may only contain rows") == true)
  }

  // MARK: PostgreSQL alone

  private static let alone = [
    "catalog.json": #"{"engines": ["postgresql"]}"#,
    "0001_a/up.postgresql.sql": "CREATE TABLE t (id bigint PRIMARY KEY, word text);",
    "0001_a/t.csv": "id,word\n1,one\n", "0002_b/t.csv": "id,word\n2,two\n",
  ]

  @Test(arguments: Reading.allCases)
  func `a catalog for PostgreSQL alone needs no SQL for SQLite`(_ reading: Reading) throws {
    let (folder, catalog) = try read(Self.alone, reading)
    let names = { (catalog: Catalog) in try catalog.migrations().map { $0.files.map(\.name) } }
    #expect(try names(catalog) == [["t.csv"], ["t.csv"]])
    #expect(try names(catalog.forPostgreSQL()) == [["t.csv", "up.postgresql.sql"], ["t.csv"]])
    #expect(try !catalog.servesSQLite())
    #expect(try Catalog(files: Self.files.mapValues { Array($0.utf8) }).servesSQLite())
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: Reading.allCases)
  func `SQLite refuses a catalog for PostgreSQL alone`(_ reading: Reading) throws {
    let found = failure(Self.alone, reading) { catalog in
      let fixture = try Place([:])
      _ = try Migrator(catalog: catalog, at: fixture.path + "/a.sqlite").up()
    }
    let name = reading == .memory ? ":memory:" : "CATALOG"
    #expect(
      found
        == "The catalog '\(name)' is for PostgreSQL alone, but this database is on SQLite. Name "
        + "one on a server.")
  }

  @Test(arguments: ["up", "down", "schema", "verify"])
  func `a catalog for PostgreSQL alone refuses SQL for SQLite`(_ name: String) {
    #expect(
      failure(Self.alone.merging(["0002_b/\(name).sql": "SELECT 1;"]) { $1 })
        == "0002_b/\(name).sql: This is SQL for SQLite, but the catalog is for PostgreSQL alone. "
        + "If it is for PostgreSQL, call it '\(name).postgresql.sql'; otherwise remove it, or add "
        + #""sqlite" to "engines" in catalog.json."#)
  }

  @Test func `a catalog for PostgreSQL alone refuses a snapshot`() {
    let mark = #"{"snapshot": {"chain": "sha256:1", "creates": ["t"]}}"#
    #expect(
      failure(Self.alone.merging(["0002_b.snapshot/migration.json": mark]) { $1 })
        == "0002_b.snapshot: This is a snapshot, which is for SQLite, but the catalog is for "
        + "PostgreSQL alone: a server applies the migrations. Remove the folder.")
  }

  // MARK: what is missing

  @Test(arguments: ["up", "after"])
  func `SQL that changes data needs its twin on PostgreSQL`(_ name: String) throws {
    let files = Self.files.merging(["0002_b/\(name).sql": "SELECT 1;"]) { $1 }
    let error =
      "0002_b/\(name).sql: PostgreSQL does not run this file, and there is no "
      + "'\(name).postgresql.sql' for it. Write that one; if there is nothing to do on PostgreSQL, "
      + "with only the line '-- none'."
    for reading in Reading.allCases {
      let found = failure(files, reading) { _ = try $0.forPostgreSQL().migrations() }
      #expect(found == error, "\(reading)")
      #expect(failure(files, reading) { _ = try $0.migrations() } == nil)
    }
    let none = files.merging(["0002_b/\(name).postgresql.sql": "\n-- none\n"]) { $1 }
    let withdrawn = files.merging(["0002_b/migration.json": #"{"withdrawn": true}"#]) { $1 }
    for files in [none, withdrawn] {
      #expect(failure(files, .head) { _ = try $0.forPostgreSQL().migrations() } == nil)
    }
  }

  @Test func `SQL that only takes back or checks may be missing`() {
    let files = Self.files.filter { !$0.key.hasPrefix("0001_a/down.postgresql") }
    #expect(failure(files) { _ = try $0.forPostgreSQL().migrations() } == nil)
  }

  @Test(arguments: Reading.allCases)
  func `a catalog for SQLite alone has nothing for PostgreSQL`(_ reading: Reading) {
    let files = Self.files.filter { $0.key != "catalog.json" && !$0.key.contains("postgresql") }
    let path = reading == .memory ? ":memory:" : "CATALOG"
    #expect(
      failure(files, reading) { _ = try $0.forPostgreSQL() }
        == "The catalog '\(path)' is for SQLite alone. Add \"engines\": [\"sqlite\", "
        + "\"postgresql\"] to catalog.json, SQL for PostgreSQL to the migrations, and write the "
        + "lock again.")
  }

  // MARK: digests

  @Test(arguments: Reading.allCases)
  func `checksums are over the engine's SQL and the rows`(_ reading: Reading) throws {
    let (folder, catalog) = try read(Self.files, reading)
    func checksum(_ version: Int, _ names: String...) -> String {
      let folder = ["0001_a", "0002_b", "0003_c"][version - 1]
      return Checksum.of(names.map { ($0, Digest.of(Self.files["\(folder)/\($0)"] ?? "")) })
    }
    let checksums = { (catalog: Catalog) in
      try catalog.migrations().map { try catalog.checksum(of: $0) }
    }
    let rows = checksum(2, "t.csv")
    #expect(
      try checksums(catalog) == [checksum(1, "up.sql", "t.csv"), rows, checksum(3, "up.sql")])
    #expect(
      try checksums(catalog.forPostgreSQL()) == [
        checksum(1, "up.postgresql.sql", "t.csv"), rows, checksum(3, "up.postgresql.sql"),
      ])
    withExtendedLifetime(folder) {}
  }

  @Test func `SQLite's digests do not depend on PostgreSQL's SQL`() throws {
    let plain = Self.files.filter { !$0.key.contains("postgresql") && $0.key != "catalog.json" }
    let changed = Self.files.merging(["0001_a/up.postgresql.sql": "CREATE TABLE t ();"]) { $1 }
    let added = Self.files.merging(["0002_b/up.postgresql.sql": "SELECT 2;"]) { $1 }
    let all = try [plain, Self.files, changed, added].map { try read($0, .locked) }
    let sums = try all.map { try $0.catalog.migrations().map { [$0.checksum, $0.chain] } }
    #expect(sums.allSatisfy { $0 == sums[0] })
    #expect(all.allSatisfy { $0.catalog.chain == all[0].catalog.chain })
    let others = try all[1...].map { try $0.catalog.forPostgreSQL() }
    #expect(Set(others.map(\.chain)).count == 3)
    for other in others {
      let migrations = try other.migrations()
      #expect(migrations.last?.chain == other.chain)
      #expect(migrations.firstForged(after: nil) == nil)
    }
  }

  @Test func `a device is up to date whatever the server's SQL is`() throws {
    let device = try Device(Self.files.merging(["0003_c/up.postgresql.sql": "NO SQL"]) { $1 })
    try CatalogLock.write(directory: device.catalog)
    #expect(try device.migrator(locked: true).up().to == 3)
    #expect(try device.rows("SELECT word FROM t ORDER BY id") == ["one", "two"])
    try device.write(["0001_a/up.postgresql.sql": "SELECT 3;", "0002_b/up.postgresql.sql": ""])
    try CatalogLock.write(directory: device.catalog)
    let migrator = try device.migrator(locked: true)
    #expect(try migrator.outlook() == .upToDate)
    #expect(try migrator.up().outcome == .upToDate)
    #expect(try migrator.status().migrations.map(\.state) == [.applied, .applied, .applied])
    #expect(try migrator.verify() == [])
  }

  @Test func `a folder with nothing but SQL for PostgreSQL is a migration`() throws {
    let device = try Device(Self.files.merging(["0004_d/up.postgresql.sql": "SELECT 1;"]) { $1 })
    try CatalogLock.write(directory: device.catalog)
    #expect(try device.migrator(locked: true).up().to == 4)
  }

  // MARK: joined

  @Test(arguments: [Reading.folder, .head])
  func `joined catalogs are for both engines if all are`(_ reading: Reading) throws {
    let later = [
      "catalog.json": Self.engines, "0004_d/up.sql": "SELECT 1;",
      "0004_d/up.postgresql.sql": "SELECT 2;", "0005_e/t.csv": "id,word\n3,three\n",
    ]
    let (one, first) = try read(Self.files, reading)
    let (two, second) = try read(later, reading)
    let (three, whole) = try read(Self.files.merging(later) { $1 }, reading)
    let joined = try Catalog([first, second])
    let other = try joined.forPostgreSQL()
    #expect(joined.chain == whole.chain)
    #expect(try other.chain == whole.forPostgreSQL().chain)
    #expect(try other.migrations().map(\.chain) == whole.forPostgreSQL().migrations().map(\.chain))
    #expect(try other.migrations()[3].files.map(\.name) == ["up.postgresql.sql"])
    #expect(try Catalog([first, second.forPostgreSQL()]).chain == other.chain)
    let (four, plain) = try read(["0004_d/t.csv": "id,word\n3,three\n"], reading)
    #expect(try Catalog([first, plain]).migrations().count == 4)
    #expect(
      four.failure { _ = try Catalog([first, plain]).forPostgreSQL() }?
        .hasPrefix("The catalog 'CATALOG' is for SQLite alone.") == true)
    withExtendedLifetime((one, two, three)) {}
  }
}
