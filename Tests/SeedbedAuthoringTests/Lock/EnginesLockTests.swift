import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// What the lock, bundles and releases say of catalogs for two engines.
struct EnginesLockTests {
  private static let files = [
    "catalog.json": #"{"tables": {}, "engines": ["sqlite", "postgresql"]}"#,
    "0001_a/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY);",
    "0001_a/up.postgresql.sql": "CREATE TABLE t (id bigint PRIMARY KEY);",
    "0001_a/t.csv": "id\n1\n",
    "0002_b/t.csv": "id\n2\n", "0002_b/verify.sql": "SELECT 1 WHERE 0;",
    "0002_b/verify.postgresql.sql": "SELECT 1 WHERE false;",
    "0002_b/migration.json": #"{"withdrawn": true}"#,
  ]

  private func bench(_ files: [String: String] = files) throws -> Workbench {
    let bench = try Workbench(files)
    try CatalogLock.write(directory: bench.catalog)
    return bench
  }

  private func findings(_ bench: Workbench) throws -> [String] {
    try CatalogLock.check(directory: bench.catalog).map {
      "\($0)".replacingOccurrences(of: bench.catalog, with: "CATALOG")
    }
  }

  // MARK: the lock

  @Test func `the whole text`() throws {
    let bench = try bench()
    func line(_ path: String, rows: String = "-") -> String {
      let text = Self.files[path] ?? ""
      return "\(path) \(text.utf8.count) \(text.utf8.count) \(rows) \(Digest.of(text))"
    }
    func checksum(_ paths: String...) -> String {
      Checksum.of(paths.map { (String($0.dropFirst(7)), Digest.of(Self.files[$0] ?? "")) })
    }
    let one = checksum("0001_a/up.sql", "0001_a/t.csv")
    let other = checksum("0001_a/up.postgresql.sql", "0001_a/t.csv")
    let two = checksum("0002_b/t.csv")
    let chain = { Checksum.chain(after: $0, version: $1, checksum: $2) }
    let first = (chain(nil, 1, one), chain(nil, 1, other))
    let head = (chain(first.0, 2, two), chain(first.1, 2, two))
    let body = """
      \(line("catalog.json"))
      0001_a/ \(one) \(first.0) postgresql \(other) \(first.1)
      \(line("0001_a/t.csv", rows: "1"))
      \(line("0001_a/up.postgresql.sql"))
      \(line("0001_a/up.sql"))
      0002_b/ \(two) \(head.0) postgresql \(two) \(head.1) withdrawn
      \(line("0002_b/migration.json"))
      \(line("0002_b/t.csv", rows: "1"))
      \(line("0002_b/verify.postgresql.sql"))
      \(line("0002_b/verify.sql"))

      """
    #expect(
      try bench.text("seedbed.lock") == """
        seedbed.lock 2: written by 'migrate lock'; never edit it, and run that again after a merge
        head 2 \(head.0) postgresql \(head.1)
        body 10 crc32:\(Lock.check(of: body))
        \(body)
        """)
    #expect(try findings(bench) == [])
    let catalog = try Catalog(locked: bench.catalog)
    #expect(catalog.chain == head.0)
    #expect(try catalog.forPostgreSQL().chain == head.1)
    #expect(try catalog.forPostgreSQL().findings() == [])
    let summary = try CatalogLock.write(directory: bench.catalog)
    #expect(!summary.isChanged && summary.files == 7)
  }

  @Test(arguments: [
    ("0001_a/up.postgresql.sql", "SELECT 1;", "size is 9"),
    ("0001_a/up.postgresql.sql", "CREATE TABLE t (id bigint PRIMARY KEy);", "SHA-256"),
    ("0002_b/verify.postgresql.sql", nil, "This is in seedbed.lock, but not in the folder."),
    ("0002_b/up.postgresql.sql", "SELECT 1;", "This is not in seedbed.lock."),
  ])
  func `what differs from the lock is found`(
    _ file: String, _ text: String?, _ words: String
  ) throws {
    let bench = try bench()
    if let text { try bench.write([file: text]) } else { try bench.remove(file) }
    let found = try findings(bench)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(file + ": ") == true, "\(found)")
    #expect(found.first?.contains(words) == true, "\(found)")
    #expect(try CatalogLock.write(directory: bench.catalog).changed == [String(file.prefix(6))])
    #expect(try findings(bench) == [])
  }

  @Test func `an engine that was added or removed makes the lock stale`() throws {
    let plain = Self.files.filter { !$0.key.contains("postgresql") && $0.key != "catalog.json" }
    let added = try bench(plain)
    #expect(try added.text("seedbed.lock").hasPrefix("seedbed.lock 1: "))
    try added.write(Self.files)
    #expect(try findings(added).count == 1)
    let removed = try bench()
    try removed.write(["catalog.json": "{}"])
    let found = try findings(removed)
    #expect(found.count == 1 && found[0].hasPrefix("catalog.json: "), "\(found)")
  }

  @Test(arguments: [
    ("the head's chain", 1, "postgresql sha256:", "postgresql sha256:0", "seedbed.lock:2: "),
    ("a checksum", 4, "postgresql sha256:", "postgresql sha256:0", "seedbed.lock: "),
    ("no digests of one folder", 4, " postgresql ", " ", "seedbed.lock:5: "),
    ("another engine", 4, " postgresql ", " mysql ", "seedbed.lock:5: "),
    ("no digests in the head", 1, " postgresql .*", "", "seedbed.lock:5: "),
  ])
  func `a lock that was edited is refused`(
    _ name: String, _ index: Int, _ old: String, _ new: String, _ place: String
  ) throws {
    let bench = try bench()
    var lines = try bench.text("seedbed.lock").split(separator: "\n").map(String.init)
    var edited = lines[index].replacingOccurrences(of: old, with: new, options: .regularExpression)
    if new.hasSuffix("0") {
      // As many digits as before.
      let start = try #require(edited.range(of: new)).upperBound
      edited.remove(at: start)
    }
    #expect(edited != lines[index])
    lines[index] = edited
    let body = lines[3...].map { $0 + "\n" }.joined()
    lines[2] = "body \(lines.count - 3) crc32:\(Lock.check(of: body))"
    try bench.write(["seedbed.lock": lines.map { $0 + "\n" }.joined()])
    let found = failureText {
      let catalog = try Catalog(directory: bench.catalog)
      if let finding = try catalog.findings().first { throw finding }
    }
    #expect(found?.hasPrefix(place) == true, "\(found ?? "nothing")")
  }

  // MARK: dropped folders

  @Test func `folders that were dropped before belong to no other engine`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    let lock = try bench.text("seedbed.lock")
    try bench.write(["catalog.json": #"{"engines": ["sqlite", "postgresql"]}"#])
    #expect(
      failureText { try CatalogLock.write(directory: bench.catalog) }?
        .contains("dropped while the catalog was for SQLite alone") == true)
    #expect(try bench.text("seedbed.lock") == lock)
  }

  // MARK: bundles and releases

  @Test func `a bundle is for devices: no SQL for PostgreSQL`() throws {
    let bench = try bench(
      Self.files.merging(["0003_c/up.postgresql.sql": "CREATE INDEX i ON t (id);"]) { $1 })
    let out = bench.path + "/Out"
    for _ in 1...2 {
      _ = try CatalogBundle.write(directory: bench.catalog, to: out)
      let bundle = try Catalog(directory: out)
      #expect(try bundle.chain == Catalog(directory: bench.catalog).chain)
      #expect(try bundle.migrations().allSatisfy { $0.other == nil })
      #expect(try bundle.generalOptions().engines == [.sqlite])
      let names = try FileManager.default.subpathsOfDirectory(atPath: out)
      #expect(!names.contains { $0.contains("postgresql") })
      #expect(names.contains("0003_c/migration.json"))
      #expect(try CatalogLock.check(directory: out) == [])
      // The server's SQL may change, and the bundle does not.
      try bench.write(["0001_a/up.postgresql.sql": "SELECT 1;"])
      try CatalogLock.write(directory: bench.catalog)
    }
  }

  private func changes(
    from old: [String: String], to new: [String: String]
  ) throws -> ReleasedChanges {
    let released = try bench(old).bytes("seedbed.lock")
    let now = try Workbench(new)
    return try ReleasedChanges(directory: now.catalog, released: released, place: "v1")
  }

  @Test func `released SQL for PostgreSQL does not change either`() throws {
    var files = Self.files
    files["0001_a/up.postgresql.sql"] = "SELECT 1;"
    let changes = try changes(from: Self.files, to: files)
    #expect(changes.rewritten.map { $0.place?.file } == ["0001_a"])
    #expect(changes.rewritten.first?.message.contains(": up.postgresql.sql changed.") == true)
    let bench = try bench()
    try bench.write(files)
    #expect(
      bench.failure { try CatalogLock.refuseRewritten(Catalog(withoutLock: bench.catalog)) }
        .contains("differ from the lock"))
  }

  private static let alone = files.filter {
    $0.key != "catalog.json" && ($0.key.contains("postgresql") || !$0.key.hasSuffix(".sql"))
  }.merging(["catalog.json": #"{"engines": ["postgresql"]}"#]) { $1 }

  @Test func `SQLite may be added to what was released for servers alone`() throws {
    let bench = try bench(Self.alone)
    let chain = try Catalog(directory: bench.catalog).forPostgreSQL().chain
    try bench.write(Self.files)
    try CatalogLock.refuseRewritten(Catalog(withoutLock: bench.catalog))
    #expect(try changes(from: Self.alone, to: Self.files).rewritten == [])
    try CatalogLock.write(directory: bench.catalog)
    #expect(try Catalog(directory: bench.catalog).forPostgreSQL().chain == chain)
    // From now on, devices may have it.
    try bench.write(["0001_a/up.sql": "SELECT 1;"])
    #expect(
      bench.failure { try CatalogLock.refuseRewritten(Catalog(withoutLock: bench.catalog)) }
        .contains("differ from the lock"))
  }

  @Test func `rows that servers have do not change when SQLite is added or removed`() throws {
    let rows = ["0001_a/t.csv": "id\n7\n"]
    for (old, new) in [(Self.alone, Self.files), (Self.files, Self.alone)] {
      #expect(try changes(from: old, to: new).rewritten == [])
      let rewritten = try changes(from: old, to: new.merging(rows) { $1 }).rewritten
      #expect(rewritten.map { $0.place?.file } == ["0001_a"])
      let bench = try bench(old)
      for name in old.keys where new[name] == nil { try bench.remove(name) }
      try bench.write(new.merging(rows) { $1 })
      #expect(
        bench.failure { try CatalogLock.refuseRewritten(Catalog(withoutLock: bench.catalog)) }
          .contains("differ from the lock"))
    }
  }

  @Test func `what is only for SQLite is refused for servers alone`() throws {
    let bench = try bench(Self.alone)
    let rest =
      ", and the catalog is for PostgreSQL alone. Servers read the catalog itself, and "
      + "apply its migrations."
    let path = bench.path + "/x"
    #expect(
      bench.failure { _ = try Snapshot.write(directory: bench.catalog) }
        == "catalog.json: A snapshot fills empty databases on SQLite" + rest)
    #expect(
      bench.failure { _ = try CatalogBundle.write(directory: bench.catalog, to: path) }
        == "catalog.json: A bundle is a copy for devices with SQLite" + rest)
    #expect(
      bench.failure { _ = try FirstDatabase.build(directory: bench.catalog, to: path) }
        == "catalog.json: The database that devices begin with is for SQLite" + rest)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `another engine is no change of what was released`() throws {
    let plain = Self.files.filter { !$0.key.contains("postgresql") && $0.key != "catalog.json" }
    let changes = try changes(from: plain, to: Self.files)
    #expect(changes.rewritten == [])
    #expect(
      changes.harmless == [
        .init(name: "0001_a", changes: ["up.postgresql.sql added"]),
        .init(name: "0002_b", changes: ["verify.postgresql.sql added"]),
        .init(name: "catalog.json", changes: ["added"]),
      ])
    let bench = try bench(plain)
    try bench.write(Self.files)
    try CatalogLock.refuseRewritten(Catalog(withoutLock: bench.catalog))
  }
}

func failureText(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}
