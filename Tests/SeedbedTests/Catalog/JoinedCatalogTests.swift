import SeedbedAuthoring
import Testing
import TestSupport

@testable import Seedbed

/// What the app brings along and what it got later, as one catalog.
struct JoinedCatalogTests {
  private static let first = [
    "catalog.json": "{\"tables\": {\"t\": {\"onEdited\": \"preferSeed\"}}}",
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT);",
    "0001_t/t.csv": "id,word\n1,one\n2,two\n",
    "0002_t/t.csv": "id,word\n3,three\n",
  ]
  private static let second = [
    "0003_t/t.update.csv": "id,word,was:word\n1,eins,one\n2,zwei,two\n",
    "0004_t/t.csv": "id,word\n4,four\n",
  ]

  private static func catalog(
    _ files: [String: String], locked: Bool
  ) throws -> (Place, Catalog) {
    let fixture = try Place(files)
    if locked { _ = try CatalogLock.write(directory: fixture.path) }
    return (fixture, try locked ? Catalog(locked: fixture.path) : Catalog(directory: fixture.path))
  }

  @Test(arguments: [true, false])
  func `both are applied, each with its own options`(locked: Bool) throws {
    let (one, bundled) = try Self.catalog(Self.first, locked: locked)
    let (two, downloaded) = try Self.catalog(Self.second, locked: locked)
    let device = try Device()
    let migrator = Migrator(
      catalog: try Catalog([bundled, downloaded]), at: device.database)
    try device.run("CREATE TABLE other (a)")
    #expect(
      try Migrator(catalog: bundled, at: device.database).up().to == 2)
    try device.run("UPDATE t SET word = 'mine' WHERE id = 1")
    #expect(try migrator.outlook() != .upToDate)
    #expect(try migrator.up().migrations.map(\.version) == [3, 4])
    // The first catalog's policy is not the second's.
    #expect(try device.rows("SELECT word FROM t") == ["mine", "zwei", "three", "four"])
    #expect(try migrator.outlook() == .upToDate)
    #expect(try migrator.up().outcome == .upToDate)
    #expect(try migrator.verify() == [])
    #expect(try migrator.status().migrations.map(\.state) == Array(repeating: .applied, count: 4))
    withExtendedLifetime((one, two)) {}
  }

  @Test func `the chain is that of one catalog with all of them`() throws {
    let (one, bundled) = try Self.catalog(Self.first, locked: true)
    let (two, downloaded) = try Self.catalog(Self.second, locked: true)
    let (three, whole) = try Self.catalog(
      Self.first.merging(Self.second) { $1 }, locked: true)
    let joined = try Catalog([bundled, downloaded])
    #expect(joined.chain == whole.chain)
    #expect(try joined.migrations().map(\.chain) == whole.migrations().map(\.chain))
    // A download that is a whole catalog itself goes on as well.
    #expect(try Catalog([bundled, whole]).chain == whole.chain)
    #expect(try Catalog([bundled, whole]).migrations().count == 4)
    #expect(try Catalog([bundled]).chain == bundled.chain)
    withExtendedLifetime((one, two, three)) {}
  }

  @Test func `what does not go on behind is refused`() throws {
    let (one, bundled) = try Self.catalog(Self.first, locked: true)
    var other = Self.first
    other["0002_t/t.csv"] = "id,word\n3,other\n"
    let (two, changed) = try Self.catalog(
      other.merging(Self.second) { $1 }, locked: true)
    let text = failureText { _ = try Catalog([bundled, changed]).migrations() }
    #expect(text?.contains("Migration 2 is different") == true)
    let (three, gap) = try Self.catalog(
      ["0001_t/up.sql": "SELECT 1;", "0005_t/up.sql": "SELECT 1;"], locked: true)
    let (four, between) = try Self.catalog(["0003_t/up.sql": "SELECT 1;"], locked: true)
    let words = failureText { _ = try Catalog([gap, between]).migrations() }
    #expect(words?.contains("Migration 3 is older") == true)
    #expect(throws: SeedbedError.self) { try Catalog([]) }
    withExtendedLifetime((one, two, three, four)) {}
  }

  @Test func `a download is trusted as far as it says`() throws {
    let (one, bundled) = try Self.catalog(Self.first, locked: true)
    let (two, _) = try Self.catalog(
      ["0003_t/up.sql": "DROP TABLE t;"], locked: true)
    let error = #expect(throws: SeedbedError.self) {
      try Catalog([bundled, try Catalog(locked: two.path, allowsSQL: false)])
    }
    #expect(error?.place?.file == "0003_t/up.sql")
    withExtendedLifetime((one, two)) {}
  }
}
