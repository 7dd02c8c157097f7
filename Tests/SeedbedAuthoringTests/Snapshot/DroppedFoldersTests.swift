import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct DroppedFoldersTests {
  private func dropped(_ more: [String: String] = [:]) throws -> Workbench {
    let bench = try SnapshotBench.make(more)
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    return bench
  }

  @Test func `a new database needs no adoption, and an old one is refused`() throws {
    let bench = try SnapshotBench.make([
      "catalog.json": SnapshotBench.files["catalog.json"]?
        .replacing("{\"tables\"", with: "{\"adopt\": 1, \"tables\"") ?? ""
    ])
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    #expect(try bench.migrator().up().adopted == nil)
    try bench.forgetDatabase()
    try Connection(bench.database, .create, setup: nil)
      .executeAll("CREATE TABLE words (id, word); INSERT INTO words VALUES (1, 'a')")
    let error = #expect(throws: SeedbedError.self) { try bench.migrator().up() }
    #expect(try error?.code == .tooOld && bench.rows("SELECT id FROM words") == [[1]])
  }

  @Test func `the chain of what remains does not change`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    let before = try Catalog(directory: bench.catalog)
    let summary = try Snapshot.drop(directory: bench.catalog, before: 3)
    #expect(summary.folders == ["0001_words", "0002_search"])
    #expect(summary.base == 2)
    let after = try Catalog(directory: bench.catalog)
    #expect(after.chain == before.chain)
    #expect(try after.migrations().map(\.chain) == [before.migrations()[2].chain])
    #expect(try after.base()?.chain == before.migrations()[1].chain)
    #expect(try CatalogLock.check(directory: bench.catalog).isEmpty)
    // Written again, it is the same.
    #expect(try CatalogLock.write(directory: bench.catalog).isChanged == false)
  }

  @Test func `a number far behind the last one is a slip, and drops nothing`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    let before = try bench.names
    let last = try #require(try Catalog(directory: bench.catalog).migrations().last?.version)
    #expect(
      bench.failure { _ = try Snapshot.drop(directory: bench.catalog, before: last + 2) }
        == "All migrations of the catalog are below \(last + 2): its last is \(last). Nothing was "
        + "dropped. To drop all of them, give \(last + 1).")
    #expect(try bench.names == before)
    #expect(try Snapshot.drop(directory: bench.catalog, before: last + 1).base == last)
  }

  @Test func `released migrations that were dropped are not missed`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    let released = try bench.bytes("seedbed.lock")
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    let changes = try ReleasedChanges(
      directory: bench.catalog, released: released, place: "v1")
    #expect(changes.rewritten == [])
  }

  @Test func `only a lock with a base or a snapshot is of the second format`() throws {
    let bench = try SnapshotBench.make()
    _ = try CatalogLock.write(directory: bench.catalog)
    #expect(try bench.text("seedbed.lock").hasPrefix("seedbed.lock 1: "))
    try bench.snapshot()
    #expect(try bench.text("seedbed.lock").hasPrefix("seedbed.lock 2: "))
    _ = try Snapshot.drop(directory: bench.catalog, before: 4)
    let lines = try bench.text("seedbed.lock").split(separator: "\n")
    #expect(lines[0].hasPrefix("seedbed.lock 2: "))
    #expect(lines[4].hasPrefix("base 0003_less/ sha256:"))
  }

  @Test func `an empty database begins with the snapshot, and its head is the lock's`() throws {
    let bench = try dropped()
    #expect(try bench.migrator().up().migrations.map(\.isSnapshot) == [true])
    #expect(try bench.states() == ["2 superseded", "3 baseline"])
    #expect(try bench.migrator().verify().isEmpty)
    let chain = try Catalog(directory: bench.catalog).chain
    #expect(
      try bench.rows("SELECT chain FROM seedbed_migrations WHERE version = 3")
        == [[Value(chain)]])
    #expect(try bench.migrator().outlook() == .upToDate)
  }

  @Test func `a catalog of nothing but its snapshot works`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 4)
    #expect(try bench.migrator().up().to == 3)
    #expect(try bench.states() == ["3 superseded"])
    #expect(try bench.migrator().up().outcome == .upToDate)
    try bench.write(["0004_more/words.csv": "id,word,rank\n5,five,\n"])
    _ = try CatalogLock.write(directory: bench.catalog)
    #expect(try bench.migrator().up().migrations.map(\.version) == [4])
  }

  @Test func `a database at the base or above goes on, an older one is too old`() throws {
    let bench = try SnapshotBench.make([
      "catalog.json": #"{"tooOld": "Install version 3.2 of the app first.", "tables": {}}"#,
      "0002_search/up.sql": "SELECT 1;", "0002_search/after.sql": "SELECT 1;",
      "0003_less/after.sql": "SELECT 1;",
    ])
    _ = try CatalogLock.write(directory: bench.catalog)
    _ = try bench.migrator().up(to: 1)
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    let error = bench.failure { _ = try bench.migrator().up() }
    #expect(error.contains("The database is at 1, and this catalog begins after 2"))
    #expect(error.hasSuffix("Install version 3.2 of the app first."))
    #expect(bench.code { _ = try bench.migrator().up() } == .tooOld)
    #expect(try bench.migrator().verify().map(\.code) == [.tooOld])
    #expect(try bench.states() == ["1 superseded", "3 pending"])
    #expect(try bench.migrator().status().state == .missing)
  }

  @Test func `what was applied before the folders went is superseded`() throws {
    let bench = try SnapshotBench.make()
    _ = try CatalogLock.write(directory: bench.catalog)
    _ = try bench.migrator().up()
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    #expect(try bench.states() == ["1 superseded", "2 superseded", "3 applied"])
    #expect(try bench.migrator().status().state == .upToDate)
    #expect(
      bench.failure { _ = try bench.migrator().down(to: 1) }
        .contains("its folder was dropped"))
    try bench.execute("UPDATE seedbed_migrations SET checksum = 'sha256:0' WHERE version = 2")
    #expect(bench.code { _ = try bench.migrator().up(to: 3) } == .drift)
  }

  @Test func `a database without a ledger that is not empty is too old`() throws {
    let bench = try dropped()
    try Connection(bench.database, .create, setup: nil).executeAll("CREATE TABLE words (id)")
    #expect(bench.code { _ = try bench.migrator().up() } == .tooOld)
    #expect(bench.code { _ = try bench.migrator().plan() } == .tooOld)
  }

  @Test func `no database is adopted at a version before the base`() throws {
    let bench = try dropped()
    try Connection(bench.database, .create, setup: nil)
      .executeAll("CREATE TABLE words (id); INSERT INTO words VALUES (1)")
    var migrator = try bench.migrator()
    migrator.options.adopt = 1
    #expect(bench.code { _ = try migrator.up() } == .tooOld)
    migrator.options.adopt = 9
    #expect(bench.code { _ = try migrator.up() } == .usage)
  }

  @Test func `folders go only where a snapshot can begin a database`() throws {
    let bench = try SnapshotBench.make()
    _ = try CatalogLock.write(directory: bench.catalog)
    #expect(
      bench.failure { _ = try Snapshot.drop(directory: bench.catalog, before: 3) }
        .contains("there is none"))
    try bench.snapshot(2)
    #expect(
      bench.failure { _ = try Snapshot.drop(directory: bench.catalog, before: 4) }
        .contains("the last one is of 2"))
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    #expect(try bench.migrator().up().migrations.map(\.version) == [2, 3])
  }

  @Test func `the next snapshot is proven against the one before it`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot(2)
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    try bench.snapshot()
    let checks = try Snapshot.verify(directory: bench.catalog)
    #expect(checks.map(\.isProven) == [false, true])
    #expect(checks.allSatisfy { $0.difference == nil })
    #expect(try bench.migrator().up().migrations.map(\.version) == [3])
  }

  @Test func `make, export and bundle go on from the base`() throws {
    let bench = try dropped()
    #expect(try bench.export("two names").hasPrefix("a,b,note\n"))
    try bench.write(["data/t.csv": "a,b,note\nx,1,new\nx,2,\n"])
    try bench.make("step") {
      $0.sources = [Release.TableFile("two names", bench.catalog + "/data/t.csv")]
    }
    #expect(try Catalog(directory: bench.catalog).migrations().map(\.version) == [3, 4])
    _ = try CatalogBundle.write(directory: bench.catalog, to: bench.path + "/Out")
    let bundle = try Catalog(locked: bench.path + "/Out")
    #expect(try bundle.chain == Catalog(directory: bench.catalog).chain)
    #expect(try bundle.base()?.version == 2)
    let migrator = Migrator(catalog: bundle, at: bench.database)
    #expect(try migrator.up().migrations.map(\.version) == [3, 4])
  }

  private static let words = [
    "0001_words/up.sql": """
    -- seedbed:allow sharedIds The app never adds rows here.
    CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, kind INTEGER REFERENCES kinds);
    CREATE TABLE kinds (id INTEGER PRIMARY KEY AUTOINCREMENT);
    """,
    "0001_words/down.sql": "DROP TABLE words;\nDROP TABLE kinds;\n",
    "0001_words/migration.json": #"{"allow": {"unindexedChild": "Only a few \"words\"."}}"#,
    "0001_words/words.csv": "id,word\n1,one\n2,two\n",
    "0002_two/words.update.csv": "id,word,was:word\n2,zwei,two\n",
    "0003_three/words.update.csv": "id,word,was:word\n1,eins,one\n",
  ]

  @Test func `lint goes on from the base, with what was allowed`() throws {
    let bench = try Workbench(Self.words)
    try bench.snapshot(2)
    #expect(try bench.lint() == [])
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    #expect(try bench.lint() == [])
    let allowed = try bench.text("0002_two.snapshot/migration.json")
    #expect(allowed.contains(#""sharedIds": "The app never adds rows here.""#))
    #expect(allowed.contains(#""unindexedChild": "Only a few \"words\".""#))
    // Allowed or not, what a later snapshot stands for stays allowed.
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 4)
    #expect(try bench.lint() == [])
    try bench.write(["0004_bad/words.update.csv": "id,word,was:word\n1,une,one\n"])
    _ = try CatalogLock.write(directory: bench.catalog)
    #expect(try bench.lint() == ["staleBase 0004_bad/words.update.csv:2"])
  }

  @Test func `a row that was nothing but its key is retired by it`() throws {
    let bench = try Workbench([
      "0001_tags/up.sql": "CREATE TABLE tags (name TEXT PRIMARY KEY, mine INTEGER DEFAULT 0);",
      "0001_tags/down.sql": "DROP TABLE tags;", "0001_tags/tags.csv": "name\na\nb\n",
    ])
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 2)
    try bench.write(["0002_less/tags.delete.csv": "name\na\n"])
    _ = try CatalogLock.write(directory: bench.catalog)
    #expect(try bench.lint() == [])
    _ = try bench.migrator().up()
    #expect(try bench.rows("SELECT name FROM tags") == [["b"]])
  }

  @Test func `lint finds what is wrong with snapshots`() throws {
    let bench = try Workbench(Self.words)
    try bench.snapshot()
    let folder = "0003_three.snapshot"
    let up = try bench.text("\(folder)/up.sql")
    try bench.write(["\(folder)/up.sql": up + "SELECT 1;\n"])
    #expect(try bench.lint() == ["rewritten \(folder)/up.sql:1"])
    try bench.remove("\(folder)/up.sql")
    #expect(try bench.lint() == ["rewritten \(folder)/up.sql"])
    try bench.write(["\(folder)/up.sql": up, "0004_next.snapshot/migration.json": "{}"])
    #expect(try bench.lint() == ["catalog 0004_next.snapshot", "unlocked 0004_next.snapshot"])
    try bench.remove("0004_next.snapshot")
    try bench.write(["0003_three/words.update.csv": "id,word,was:word\n1,une,one\n"])
    let lock = try bench.text("seedbed.lock")
    #expect(bench.code { _ = try CatalogLock.write(directory: bench.catalog) } == .catalog)
    #expect(try bench.text("seedbed.lock") == lock)
    try bench.remove(folder)
    _ = try CatalogLock.write(directory: bench.catalog)
    try bench.snapshot()
    let mark = try bench.text("\(folder)/migration.json")
    let chain = try #require(try Catalog(directory: bench.catalog).chain)
    let other = String(chain.dropLast(4)) + "0000"
    try bench.write(["\(folder)/migration.json": mark.replacing(chain, with: other)])
    #expect(
      try bench.lint() == ["catalog \(folder)", "rewritten \(folder)/migration.json:1"])
    try bench.remove(folder)
    #expect(try bench.lint() == ["rewritten \(folder)"])
  }

  @Test func `lint tells that a base has no snapshot`() throws {
    let bench = try Workbench(Self.words)
    try bench.snapshot(2)
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    try bench.remove("0002_two.snapshot")
    let found = try bench.lint()
    #expect(found.contains { $0.hasPrefix("catalog") })
    #expect(found.contains("rewritten 0002_two.snapshot"))
  }

  @Test func `a catalog that is trusted by its chain takes no snapshot`() throws {
    let bench = try dropped()
    let chain = try Catalog(directory: bench.catalog).chain
    let catalog = try Catalog(locked: bench.catalog, expecting: chain)
    let migrator = Migrator(catalog: catalog, at: bench.database)
    #expect(bench.code { _ = try migrator.up() } == .tooOld)
  }

  @Test func `a base line that was changed by hand is told`() throws {
    let bench = try dropped()
    let text = try bench.text("seedbed.lock")
    try bench.write(["seedbed.lock": text.replacing("base 0002_search", with: "base 0001_search")])
    #expect(bench.code { _ = try bench.migrator() } == .catalog)
    // Writing the lock again believes no base that the snapshot does not fit.
    try bench.remove("seedbed.lock")
    #expect(
      bench.failure { _ = try CatalogLock.write(directory: bench.catalog) }
        .contains("made from different migrations"))
  }
}
