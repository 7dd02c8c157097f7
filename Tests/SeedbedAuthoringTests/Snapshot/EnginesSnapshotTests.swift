import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// Snapshots and dropped folders of catalogs for two engines.
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

  /// Writes the lines below the lock's head again.
  private func edit(_ bench: Workbench, _ change: (inout [String]) -> Void) throws {
    var lines = try bench.text("seedbed.lock").split(separator: "\n").map(String.init)
    var body = Array(lines[3...])
    change(&body)
    let text = body.map { $0 + "\n" }.joined()
    lines[2] = "body \(body.count) crc32:\(Lock.check(of: text))"
    try bench.write(["seedbed.lock": lines[..<3].map { $0 + "\n" }.joined() + text])
  }

  @Test func `a snapshot is made for SQLite, and a server has none`() throws {
    let bench = try benchForBoth()
    try bench.snapshot()
    let catalog = try Catalog(directory: bench.catalog)
    #expect(try catalog.snapshots().map(\.folder) == ["0003_less.snapshot"])
    #expect(try catalog.forPostgreSQL().snapshots().isEmpty)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: bench.catalog + "/0003_less.snapshot")
    #expect(!names.contains { $0.contains("postgresql") })
    let line = try bench.text("seedbed.lock").split(separator: "\n")
      .first { $0.hasPrefix("0003_less.snapshot/ ") }
    #expect(line?.contains("postgresql") == false)
    #expect(try findings(bench) == [])
    try bench.forgetDatabase()
    let report = try Migrator(catalog: catalog, at: bench.path + "/new.sqlite").up()
    #expect(report.migrations.map(\.isSnapshot) == [true])
  }

  @Test func `its folders stay, since a server begins with them`() throws {
    let bench = try benchForBoth()
    try bench.snapshot()
    let before = try bench.names
    let words = #"No folder was dropped, because "engines" in catalog.json has postgresql"#
    #expect(
      failureText { _ = try Snapshot.drop(directory: bench.catalog, before: 3) }?
        .hasPrefix(words) == true)
    #expect(
      failureText {
        _ = try Snapshot.write(directory: bench.catalog, version: 2, droppingBefore: 3)
      }?.hasPrefix(words) == true)
    #expect(try bench.names == before)
  }

  // MARK: what was written when snapshots had SQL for PostgreSQL

  private static let file = "0003_less.snapshot/up.postgresql.sql"

  /// A snapshot with such SQL, its mark and its lines in the lock.
  private func olderBench() throws -> Workbench {
    let bench = try benchForBoth()
    try bench.snapshot()
    let path = "0003_less.snapshot/migration.json"
    let sum = "sha256:" + String(repeating: "0", count: 64)
    let mark = #""snapshot": {"postgresql": {"chain": "\#(sum)", "creates": ["words"]},"#
    try bench.write([
      path: bench.text(path).replacingOccurrences(of: #""snapshot": {"#, with: mark)
    ])
    try CatalogLock.write(directory: bench.catalog)
    let sql = "CREATE TABLE words (id bigint PRIMARY KEY);"
    try edit(bench) { body in
      guard let line = body.firstIndex(where: { $0.hasPrefix("0003_less.snapshot/ ") }),
        let up = body.firstIndex(where: { $0.hasPrefix("0003_less.snapshot/up.sql ") })
      else {
        Issue.record("\(body)")
        return
      }
      let count = sql.utf8.count
      body.insert("\(Self.file) \(count) \(count) - \(Digest.of(sql))", at: up)
      body[line] += " postgresql \(sum) \(sum)"
    }
    try bench.write([Self.file: sql])
    return bench
  }

  @Test func `it is passed over where it was locked`() throws {
    let bench = try olderBench()
    #expect(try bench.text("seedbed.lock").contains(Self.file))
    #expect(try findings(bench) == [])
    let catalog = try Catalog(directory: bench.catalog)
    #expect(try catalog.snapshots().map(\.folder) == ["0003_less.snapshot"])
    #expect(try catalog.forPostgreSQL().snapshots().isEmpty)
    try bench.forgetDatabase()
    let report = try Migrator(catalog: catalog, at: bench.path + "/new.sqlite").up()
    #expect(report.migrations.map(\.isSnapshot) == [true])
    let out = bench.path + "/Out"
    _ = try CatalogBundle.write(directory: bench.catalog, to: out)
    let names = try FileManager.default.subpathsOfDirectory(atPath: out)
    #expect(!names.contains { $0.contains("postgresql") })
    #expect(try CatalogLock.check(directory: out) == [])
  }

  @Test func `it has to go before the lock is written again`() throws {
    let bench = try olderBench()
    let words =
      "\(Self.file): This is SQL for PostgreSQL, but a snapshot is for SQLite alone: a server "
      + "applies the migrations. Remove the file, and write the lock again."
    #expect(
      failureText { try CatalogLock.write(directory: bench.catalog) }?.hasPrefix(words) == true)
    #expect(failureText { try bench.snapshot() }?.hasPrefix(words) == true)
    #expect(try Linter(directory: bench.catalog).findings().contains { $0.place.file == Self.file })
    try bench.remove(Self.file)
    try CatalogLock.write(directory: bench.catalog)
    #expect(try !bench.text("seedbed.lock").contains(Self.file))
    #expect(try findings(bench) == [])
    // The mark for PostgreSQL goes with the next snapshot.
    #expect(try bench.snapshot().isChanged)
    #expect(try !bench.text("0003_less.snapshot/migration.json").contains("postgresql"))
  }

  @Test func `a base keeps the chain of both engines`() throws {
    let bench = try benchForBoth()
    let before = try Catalog(directory: bench.catalog)
    let chain = try before.forPostgreSQL().chain
    let base = try before.migrations()[1]
    try edit(bench) { body in
      body.removeAll { $0.hasPrefix("0001_words/") || $0.hasPrefix("0002_search/") }
      body.insert("base " + base.lockLine, at: 1)
    }
    try bench.remove("0001_words")
    try bench.remove("0002_search")
    let after = try Catalog(directory: bench.catalog).forPostgreSQL()
    #expect(after.chain == chain && chain != before.chain)
    #expect(
      try after.migrationsFromBase().chain(of: 2)
        == before.forPostgreSQL().migrationsFromBase().chain(of: 2))
    #expect(try findings(bench) == [])
    try bench.write(["0004_more/words.csv": "id,word,rank\n9,nine,\n"])
    try CatalogLock.write(directory: bench.catalog)
    #expect(try findings(bench) == [])
    let last = try #require(try Catalog(directory: bench.catalog).forPostgreSQL().migrations().last)
    #expect(last.chain == Checksum.chain(after: chain, version: 4, checksum: last.checksum ?? ""))
  }
}
