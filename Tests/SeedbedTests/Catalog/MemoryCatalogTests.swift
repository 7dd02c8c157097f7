import SeedbedAuthoring
import SeedbedFaults
import TestSupport
import Testing

@testable import Seedbed

/// A catalog out of bytes in memory: all as with a folder of the same files.
struct MemoryCatalogTests {
  private static let first = [
    "catalog.json": "{\"tables\": {\"t\": {\"onEdited\": \"preferSeed\"}}}",
    "README.md": "not Seedbed's", "data/source/t.csv": "not Seedbed's either",
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT);",
    "0001_t/down.sql": "DROP TABLE t;",
    "0001_t/t.csv": "id,word\n1,one\n2,two\n",
    "0002_t/t.csv": "id,word\n3,three\n",
    "0002_t/migration.json": "{\"description\": \"the third\"}",
  ]
  private static let second = [
    "0003_t/t.update.csv": "id,word,was:word\n1,eins,one\n2,zwei,two\n",
    "0004_t/t.csv": "id,word\n4,four\n",
    "0004_t/verify.sql": "SELECT * FROM t WHERE word IS NULL;",
  ]

  private static func bytes(_ files: [String: String]) -> [String: [UInt8]] {
    files.mapValues { Array($0.utf8) }
  }

  /// With the lock that `migrate lock` writes, and rows compressed.
  private static func locked(_ files: [String: String]) throws -> [String: [UInt8]] {
    let fixture = try Place()
    var all: [String: [UInt8]] = [:]
    for (path, text) in files {
      let isRows = path.first == "0" && path.hasSuffix(".csv")
      let bytes = isRows ? Gzip(text).bytes : Array(text.utf8)
      all[isRows ? path + ".gz" : path] = bytes
      try fixture.write(isRows ? path + ".gz" : path, bytes)
    }
    _ = try CatalogLock.write(directory: fixture.path)
    all["seedbed.lock"] = try fixture.bytes("seedbed.lock")
    return all
  }

  private static func catalog(_ files: [String: String], locked: Bool) throws -> Catalog {
    try Catalog(files: locked ? Self.locked(files) : bytes(files))
  }

  @Test(arguments: [true, false])
  func `every call works with it`(locked: Bool) throws {
    let files = Self.first.merging(Self.second) { $1 }
    let device = try Device(app: "CREATE TABLE other (a)")
    let migrator = Migrator(
      catalog: try Self.catalog(files, locked: locked), at: device.database)
    #expect(migrator.catalog.path == ":memory:")
    #expect(try migrator.plan().migrations.map(\.version) == [1, 2, 3, 4])
    #expect(try migrator.estimate().pending == [1, 2, 3, 4])
    #expect(try migrator.up(to: 2).migrations.map(\.version) == [1, 2])
    try device.run("UPDATE t SET word = 'mine' WHERE id = 1; DELETE FROM t WHERE id = 2")
    let status = try migrator.status()
    #expect(status.catalog == ":memory:")
    #expect(status.migrations.map(\.state) == [.applied, .applied, .pending, .pending])
    // The policy of catalog.json.
    #expect(try migrator.up().migrations[0].tables.map(\.counts.line) == ["+0 ~1 -0 =0 kept 1"])
    #expect(try migrator.outlook() == .upToDate)
    #expect(try migrator.verify() == [])
    #expect(try migrator.reseed("t", keys: ["2"]).counts.inserted == 1)
    #expect(try device.rows("SELECT word FROM t") == ["eins", "zwei", "three", "four"])
    try migrator.down(to: 2)
    #expect(try device.rows("SELECT word FROM t WHERE id = 1") == ["one"])
  }

  @Test func `it has the chain of the folder, and may be joined with one`() throws {
    let whole = try Self.catalog(Self.first.merging(Self.second) { $1 }, locked: true)
    let later = try Self.catalog(Self.second, locked: true)
    let device = try Device(Self.first)
    try device.lock()
    let bundled = try Catalog(locked: device.catalog)
    #expect(try Catalog([bundled, later]).chain == whole.chain)
    #expect(try Catalog([bundled, whole]).chain == whole.chain)
    let migrator = Migrator(
      catalog: try Catalog([bundled, later]), at: device.database)
    #expect(try migrator.up().to == 4)
    #expect(try device.rows("SELECT word FROM t") == ["eins", "zwei", "three", "four"])
    #expect(try migrator.verify() == [])
  }

  @Test func `a release in memory can be rehearsed`() throws {
    let device = try Device(app: "CREATE TABLE other (a)")
    let migrator = Migrator(
      catalog: try Self.catalog(Self.first, locked: true), at: device.database)
    let rehearsed = try Rehearsal(migrator).run()
    #expect(rehearsed.failures.isEmpty)
    #expect(rehearsed.report.migrations.map(\.version) == [1, 2])
  }

  // MARK: what is refused

  private static let up = "0001_t/up.sql"

  @Test(arguments: [
    "", "/0001_t/up.sql", "../0001_t/up.sql", "0001_t/../up.sql", "./catalog.json",
    "0001_t//up.sql", "0001_t/", "0001_t/.", "data/x/../y", "/",
  ])
  func `a path that no file can have`(path: String) throws {
    let error = #expect(throws: SeedbedError.self) {
      try Catalog(files: Self.bytes([Self.up: "SELECT 1;", path: ""]))
    }
    #expect(error?.code == .catalog)
    #expect(error?.message.hasPrefix("'\(path)' is not a valid path in a catalog") == true)
  }

  struct Refused: CustomTestStringConvertible {
    let files: [String]
    let place: String?
    let words: String

    init(_ files: [String], at place: String?, _ words: String) {
      (self.files, self.place, self.words) = (files, place, words)
    }

    var testDescription: String { files.joined(separator: " and ") }
  }

  @Test(arguments: [
    Refused([], at: nil, "The catalog ':memory:' holds no migration"),
    Refused(["data/t.csv"], at: nil, "The catalog ':memory:' holds no migration"),
    Refused([up, "0001_t/t.csv", "0001_t/T.csv"], at: "0001_t/t.csv", "both hold rows"),
    Refused([up, "0001_T/up.sql"], at: "0001_t", "have the same number, 1"),
    Refused([up, "0001_t/UP.SQL"], at: "0001_t/UP.SQL", "Did you mean 'up.sql'?"),
    Refused([up, "0001_t/sub/t.csv"], at: "0001_t/sub", "This is a folder."),
    Refused([up, "0001_t"], at: "0001_t", "a file and a folder"),
    Refused([up, "0001_t/up.sql/x"], at: "0001_t/up.sql", "a file and a folder"),
    Refused([up, "0002_t"], at: "0002_t", "it is not a folder"),
    Refused([up, "0002_t/.hidden"], at: "0002_t", "holds no file"),
    Refused([up, "0001_t/t\u{1}.csv"], at: "0001_t/t\u{1}.csv", "control character"),
    Refused([up, "0001_t\\t.csv"], at: "0001_t\\t.csv", "it is not a folder"),
    Refused([up, "catalog.json/x"], at: "catalog.json", "not a regular file"),
    Refused([up, "seedbed.lock/x"], at: "seedbed.lock", "not a regular file"),
    Refused([up, "seedbed.lock"], at: "seedbed.lock", "The file is empty"),
  ])
  func `what may not be in a folder may not be here`(_ c: Refused) throws {
    let files = Dictionary(uniqueKeysWithValues: c.files.map { ($0, [UInt8]()) })
    let error = #expect(throws: SeedbedError.self) { try Catalog(files: files) }
    #expect(error?.code == .catalog)
    #expect(error?.place?.file == c.place)
    #expect(error?.message.contains(c.words) == true, "\(error?.message ?? "")")
  }

  @Test func `what the lock names and is not there, and the reverse`() throws {
    let files = try Self.locked(Self.first)
    for path in ["0002_t/t.csv.gz", "catalog.json"] {
      let error = #expect(throws: SeedbedError.self) {
        try Catalog(files: files.filter { $0.key != path }).findings()
      }
      #expect(error?.place?.file == path)
      #expect(error?.message.hasPrefix("This is in seedbed.lock, but not") == true)
    }
    let more = #expect(throws: SeedbedError.self) {
      try Catalog(files: files.merging(["0003_t/up.sql": []]) { $1 })
    }
    #expect(more?.place?.file == "0003_t")
    #expect(more?.message.contains("This is not in seedbed.lock") == true)
  }

  @Test func `a stray file is found before its migration is applied, and then by verify`() throws {
    let files = try Self.locked(Self.first)
    let device = try Device(app: "CREATE TABLE other (a)")
    func migrator(_ stray: String) throws -> Migrator {
      Migrator(
        catalog: try Catalog(files: files.merging([stray: [0x20]]) { $1 }), at: device.database)
    }
    try migrator("data/x").up(to: 1)
    let applied = try migrator("0001_t/after.sql")
    #expect(try applied.status().current == 1)
    #expect(
      failureText { _ = try applied.verify() }
        == "0001_t/after.sql: This is not in seedbed.lock. Write the lock again.")
    let pending = try migrator("0002_t/after.sql")
    for look in [{ _ = try pending.status() }, { _ = try pending.plan() }, { try pending.up() }] {
      #expect(
        failureText(look)
          == "0002_t/after.sql: This is not in seedbed.lock. Write the lock again.")
    }
    try applied.up()
    #expect(try applied.outlook() == .upToDate)
  }

  @Test func `what is not as the lock says is refused before anything is committed`() throws {
    var files = try Self.locked(Self.first)
    files["0002_t/t.csv.gz"] = Gzip("id,word\n3,other\n").bytes
    files["0001_t/up.sql"]?.append(UInt8(ascii: "\n"))
    let device = try Device(app: "CREATE TABLE other (a)")
    let migrator = Migrator(catalog: try Catalog(files: files), at: device.database)
    #expect(
      try migrator.verify().map(\.place?.file)
        == ["0001_t/up.sql", "0002_t/t.csv.gz"])
    let error = #expect(throws: SeedbedError.self) { try migrator.up() }
    #expect(error?.place?.file == "0001_t/up.sql")
    #expect(try migrator.status().current == 0)
  }

  @Test func `a mistake in a file is told with its place`() throws {
    let device = try Device()
    let files = [Self.up: "CREATE TABLE t (a PRIMARY KEY);", "0001_t/t.csv": "a\n1,2\n"]
    let migrator = Migrator(
      catalog: try Catalog(files: Self.bytes(files)), at: device.database)
    let error = #expect(throws: SeedbedError.self) { try migrator.up() }
    #expect(error?.place?.file == "0001_t/t.csv")
    #expect(error?.place?.line == 2)
  }

  @Test func `how far it is trusted`() throws {
    let files = try Self.locked(Self.first)
    let chain = try #require(try Catalog(files: files).chain)
    #expect(try Catalog(files: files, expecting: chain).chain == chain)
    let sql = #expect(throws: SeedbedError.self) { try Catalog(files: files, allowsSQL: false) }
    #expect(sql?.place?.file == "0001_t/down.sql")
    let other = #expect(throws: SeedbedError.self) {
      try Catalog(files: files, expecting: "sha256:00")
    }
    #expect(other?.place?.line == 2)
    // Without a lock there is no chain that could be the right one.
    let none = #expect(throws: SeedbedError.self) {
      try Catalog(files: files.filter { $0.key != "seedbed.lock" }, expecting: chain)
    }
    #expect(none?.message.hasPrefix("The catalog ':memory:' has no seedbed.lock.") == true)
  }
}
