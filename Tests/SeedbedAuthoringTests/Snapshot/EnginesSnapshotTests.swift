import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// What the lock, bundles and dropped folders say of snapshots with SQL for PostgreSQL.
struct EnginesSnapshotTests {
  private func findings(_ bench: Workbench) throws -> [String] {
    try CatalogLock.check(directory: bench.catalog).map {
      "\($0)".replacingOccurrences(of: bench.catalog, with: "CATALOG")
    }
  }

  /// A catalog of all that a schema can hold, with nothing to do on PostgreSQL.
  private func benchForBoth() throws -> Workbench {
    let bench = try SnapshotBench.make(["catalog.json": #"{"engines": ["sqlite", "postgresql"]}"#])
    for folder in try Catalog(directory: bench.catalog).migrations() {
      for file in folder.files where file.isSQL {
        try bench.write(["\(folder.folder)/\(FileName.twin(of: file.name))": "-- none"])
      }
    }
    try CatalogLock.write(directory: bench.catalog)
    return bench
  }

  /// Adds SQL for PostgreSQL to a snapshot, as after its comparison on a server.
  private func addTwin(_ bench: Workbench, chain: String? = nil) throws {
    let catalog = try Catalog(directory: bench.catalog)
    let chain = try chain ?? catalog.forPostgreSQL().migrationsFromBase().chains(of: 3).own ?? ""
    let path = "0003_less.snapshot/migration.json"
    let mark = #""snapshot": {"postgresql": {"chain": "\#(chain)", "creates": ["words"]},"#
    try bench.write([
      path: bench.text(path).replacingOccurrences(of: #""snapshot": {"#, with: mark),
      "0003_less.snapshot/up.postgresql.sql": "CREATE TABLE words (id bigint PRIMARY KEY);",
    ])
  }

  @Test func `a snapshot has digests for PostgreSQL if it has SQL for it`() throws {
    let bench = try benchForBoth()
    #expect(try bench.snapshot().onServer == .left(Snapshot.unnamed))
    func line() throws -> String? {
      try bench.text("seedbed.lock").split(separator: "\n").map(String.init)
        .first { $0.hasPrefix("0003_less.snapshot/ ") }
    }
    #expect(try line()?.contains("postgresql") == false)
    try addTwin(bench)
    try CatalogLock.write(directory: bench.catalog)
    let catalog = try Catalog(directory: bench.catalog)
    let snapshot = try #require(try catalog.forPostgreSQL().snapshots().first)
    let sums = "postgresql \(snapshot.checksum ?? "") \(snapshot.chain ?? "")"
    #expect(try line()?.hasSuffix(sums) == true)
    #expect(try snapshot.chain == catalog.forPostgreSQL().migrationsFromBase().chains(of: 3).own)
    #expect(try snapshot.checksum != catalog.snapshots().first?.checksum)
    #expect(try findings(bench) == [])
    // Without a server, what was compared stays.
    #expect(try bench.text("0003_less.snapshot/up.postgresql.sql").hasPrefix("CREATE TABLE"))
    let lock = try bench.text("seedbed.lock")
    let edited = lock.replacingOccurrences(of: sums, with: sums.dropLast() + "x")
    try bench.write(["seedbed.lock": edited])
    #expect(try findings(bench).first?.hasPrefix("seedbed.lock:") == true)
  }

  @Test func `a snapshot is stale if it is so on PostgreSQL`() throws {
    let bench = try benchForBoth()
    try bench.snapshot()
    try addTwin(bench)
    try CatalogLock.write(directory: bench.catalog)
    try bench.write(["0002_search/up.postgresql.sql": "SELECT 1;"])
    let stale = "0003_less.snapshot: This snapshot was made from different migrations"
    let found = failureText { try CatalogLock.write(directory: bench.catalog) }
    #expect(found?.hasPrefix(stale) == true, "\(found ?? "")")
    #expect(try Catalog(directory: bench.catalog).snapshots().count == 1)
    try bench.write(["0002_search/up.postgresql.sql": "-- none"])
    try CatalogLock.write(directory: bench.catalog)
    let path = "0003_less.snapshot/migration.json"
    let mark = #"\{"postgresql": \{[^}]*\},"#
    try bench.write([
      path: bench.text(path).replacingOccurrences(of: mark, with: "{", options: .regularExpression)
    ])
    #expect(
      failureText { try CatalogLock.write(directory: bench.catalog) }?.hasPrefix(
        "0003_less.snapshot: This snapshot has 'up.postgresql.sql', which was not yet compared")
        == true)
  }

  @Test func `devices get a snapshot without what is for PostgreSQL`() throws {
    let bench = try benchForBoth()
    try bench.snapshot()
    try addTwin(bench)
    try CatalogLock.write(directory: bench.catalog)
    let out = bench.path + "/Out"
    _ = try CatalogBundle.write(directory: bench.catalog, to: out)
    let names = try FileManager.default.subpathsOfDirectory(atPath: out)
    #expect(!names.contains { $0.contains("postgresql") })
    let path = out + "/0003_less.snapshot/migration.json"
    #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("postgresql"))
    let (bundle, catalog) = (try Catalog(directory: out), try Catalog(directory: bench.catalog))
    #expect(try bundle.snapshots().map(\.checksum) == catalog.snapshots().map(\.checksum))
    #expect(try bundle.snapshots().map(\.chain) == catalog.snapshots().map(\.chain))
    #expect(try CatalogLock.check(directory: out) == [])
    try bench.forgetDatabase()
    try Migrator(catalog: bundle, at: bench.path + "/new.sqlite").up()
  }

  @Test func `the base keeps the chain of both engines`() throws {
    let bench = try benchForBoth()
    try bench.snapshot()
    let before = try Catalog(directory: bench.catalog)
    let chain = try before.forPostgreSQL().chain
    #expect(try before.snapshots().count == 1)
    #expect(try before.forPostgreSQL().snapshots().isEmpty)
    #expect(
      failureText { _ = try Snapshot.drop(directory: bench.catalog, before: 3) }?
        .contains("with SQL for it, and there is none") == true)
    try addTwin(bench)
    try CatalogLock.write(directory: bench.catalog)
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    let after = try Catalog(directory: bench.catalog).forPostgreSQL()
    #expect(after.chain == chain && chain != before.chain)
    #expect(
      try after.migrationsFromBase().chains(of: 2).own
        == before.forPostgreSQL().migrationsFromBase().chains(of: 2).own)
    #expect(try findings(bench) == [])
    _ = try Snapshot.drop(directory: bench.catalog, before: 4)
    #expect(try Catalog(directory: bench.catalog).forPostgreSQL().chain == chain)
    #expect(try findings(bench) == [])
    try bench.write(["0004_more/words.csv": "id,word,rank\n9,nine,\n"])
    try CatalogLock.write(directory: bench.catalog)
    #expect(try findings(bench) == [])
    let last = try Catalog(directory: bench.catalog).forPostgreSQL().migrations()[0]
    #expect(last.chain == Checksum.chain(after: chain, version: 4, checksum: last.checksum ?? ""))
  }
}
