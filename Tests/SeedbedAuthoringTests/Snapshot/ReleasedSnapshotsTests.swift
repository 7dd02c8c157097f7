import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// Snapshots and dropped folders beside earlier releases, other branches and other catalogs.
struct ReleasedSnapshotsTests {
  private static let files = [
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT);",
    "0001_t/t.csv": "id,x\n1,one\n", "0002_t/t.csv": "id,x\n2,two\n",
    "0003_t/t.csv": "id,x\n3,three\n", "0004_t/t.csv": "id,x\n4,four\n",
  ]

  private func changes(
    _ bench: Workbench, since released: [UInt8]
  ) throws -> ReleasedChanges {
    try ReleasedChanges(directory: bench.catalog, released: released, place: "v1")
  }

  @Test func `dropped folders are no rewrite of a release, before or after`() throws {
    let bench = try Workbench(Self.files)
    _ = try CatalogLock.write(directory: bench.catalog)
    let released = try bench.bytes("seedbed.lock")
    try bench.snapshot(3)
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    let changes = try changes(bench, since: released)
    #expect(changes.rewritten == [])
    #expect(
      changes.harmless == [.init(name: "0002_t", changes: ["dropped, with this one 2 in all"])])
    let first = try bench.bytes("seedbed.lock")
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 4)
    #expect(try self.changes(bench, since: released).rewritten == [])
    #expect(try self.changes(bench, since: first).rewritten == [])
    let second = try bench.bytes("seedbed.lock")
    #expect(try self.changes(bench, since: second).harmless == [])
    // All put back as they were.
    let whole = try Workbench(Self.files)
    #expect(try self.changes(whole, since: second).rewritten == [])
  }

  @Test func `a base above the release would leave all its devices behind`() throws {
    let bench = try Workbench(Self.files.filter { !$0.key.hasPrefix("0004") })
    _ = try CatalogLock.write(directory: bench.catalog)
    let released = try bench.bytes("seedbed.lock")
    try bench.write(Self.files.filter { $0.key.hasPrefix("0004") })
    try bench.write(["0005_t/t.csv": "id,x\n5,five\n"])
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 5)
    let found = try changes(bench, since: released).rewritten
    #expect(found.map(\.code) == [.tooOld])
    #expect(found[0].message.contains("ends at 3, and all folders up to 4 were dropped"))
  }

  @Test func `a lock that lost its base is found, and a base that was another`() throws {
    let bench = try Workbench(Self.files)
    _ = try CatalogLock.write(directory: bench.catalog)
    let released = try bench.bytes("seedbed.lock")
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    let dropped = try bench.bytes("seedbed.lock")
    try bench.remove("seedbed.lock")
    #expect(
      bench.failure { _ = try CatalogLock.write(directory: bench.catalog) }
        .contains("put back the lock with its line 'base' first"))
    try bench.remove("0004_t.snapshot")
    _ = try CatalogLock.write(directory: bench.catalog)
    #expect(try changes(bench, since: dropped).rewritten.map(\.code) == [.drift])
    let other = try Workbench(Self.files.merging(["0001_t/t.csv": "id,x\n1,eins\n"]) { $1 })
    try other.snapshot()
    _ = try Snapshot.drop(directory: other.catalog, before: 3)
    #expect(try changes(other, since: released).rewritten.map(\.code) == [.drift])
  }

  @Test func `of two branches that dropped folders the later base is left`() throws {
    let bench = try Workbench(Self.files)
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 2)
    let chain = try Catalog(directory: bench.catalog).chain
    let early = try bench.text("seedbed.lock")
    _ = try Snapshot.drop(directory: bench.catalog, before: 4)
    let late = try bench.text("seedbed.lock")
    let torn = "<<<<<<< ours\n\(early)=======\n\(late)>>>>>>> theirs\n"
    for text in [torn, early] {
      try bench.write(["seedbed.lock": text])
      #expect(bench.code { _ = try bench.migrator() } == .catalog)
      if text == early { continue }
      _ = try CatalogLock.write(directory: bench.catalog)
      #expect(try Catalog(directory: bench.catalog).chain == chain)
      #expect(try bench.migrator().up().to == 4)
    }
    let other = early.replacing("base 0001_t/ sha256:", with: "base 0001_t/ sha256:0")
    let line = try #require(late.split(separator: "\n").first { $0.hasPrefix("base") })
    let forged = line.dropLast(4) + "0000"
    try bench.write(["seedbed.lock": other + late + forged + "\n"])
    #expect(
      bench.failure { _ = try CatalogLock.write(directory: bench.catalog) }
        .contains("two lines 'base' for one version"))
  }

  @Test func `a migration that is withdrawn after its snapshot makes that stale`() throws {
    let bench = try Workbench(Self.files)
    try bench.snapshot()
    let withdrawn = ["0002_t/migration.json": #"{"withdrawn": true}"#]
    try bench.write(withdrawn)
    #expect(
      bench.failure { _ = try CatalogLock.write(directory: bench.catalog) }
        .contains("or before one was withdrawn"))
    #expect(try bench.lint().contains("catalog 0004_t.snapshot"))
    try bench.remove("0004_t.snapshot")
    _ = try CatalogLock.write(directory: bench.catalog)
    try bench.snapshot()
    _ = try bench.migrator().up()
    #expect(try bench.rows("SELECT id FROM t") == [[1], [3], [4]])
    #expect(try bench.states() == ["1 baseline", "2 withdrawn", "3 baseline", "4 baseline"])
    // Once dropped it stays so, and a bundle is made as ever.
    _ = try Snapshot.drop(directory: bench.catalog, before: 4)
    _ = try CatalogBundle.write(directory: bench.catalog, to: bench.path + "/Out")
    #expect(try CatalogLock.check(directory: bench.path + "/Out").isEmpty)
    #expect(try CatalogLock.write(directory: bench.catalog).isChanged == false)
  }

  // MARK: joined catalogs

  @Test(arguments: [true, false])
  func `a snapshot of a part that begins elsewhere is passed over`(isLocked: Bool) throws {
    let first = try Workbench(Self.files.filter { $0.key < "0003" })
    let second = try Workbench([
      "0003_u/up.sql": "CREATE TABLE u (id INTEGER PRIMARY KEY);", "0003_u/u.csv": "id\n1\n",
    ])
    for bench in [first, second] { try bench.snapshot() }
    if !isLocked { for bench in [first, second] { try bench.remove("seedbed.lock") } }
    let catalog = try Catalog([first, second].map { try Catalog(directory: $0.catalog) })
    let report = try Migrator(catalog: catalog, at: first.database).up()
    #expect(report.migrations.map(\.version) == [2, 3])
    #expect(report.migrations.map(\.isSnapshot) == [true, false])
    #expect(try first.rows("SELECT count(*) FROM t, u") == [[2]])
  }

  @Test func `of joined catalogs the newest snapshot is taken, from the part that has it`() throws {
    let older = try Workbench(Self.files.filter { $0.key < "0003" })
    try older.snapshot()
    let newer = try Workbench(Self.files)
    try newer.snapshot(2)
    try newer.snapshot()
    for parts in [[older, newer], [newer, older]] {
      let catalog = try Catalog(parts.map { try Catalog(locked: $0.catalog) })
      #expect(try catalog.snapshots().map(\.version) == [2, 4])
      #expect(
        try Migrator(catalog: catalog, at: older.database).up().migrations.count == 1)
      try older.forgetDatabase()
    }
  }

  @Test func `a part that goes on behind another base is refused`() throws {
    let first = try Workbench(Self.files.filter { $0.key < "0003" })
    _ = try CatalogLock.write(directory: first.catalog)
    let second = try Workbench(Self.files.merging(["0002_t/t.csv": "id,x\n2,zwei\n"]) { $1 })
    try second.snapshot()
    _ = try Snapshot.drop(directory: second.catalog, before: 3)
    let catalog = try Catalog([first, second].map { try Catalog(directory: $0.catalog) })
    #expect(
      first.failure { _ = try Migrator(catalog: catalog, at: first.database).up() }
        .contains("begins after a '0002_t' that differs"))
  }
}

/// What the database itself assigned is no seed's, also once the folders are gone.
struct DroppedNamesTests {
  private static let files = [
    "catalog.json": #"{"tables": {"words": {"key": ["lemma"]}, "texts": {"key": ["code"]}}}"#,
    "0001_words/up.sql": """
    CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE, rank INTEGER DEFAULT 0);
    CREATE TABLE texts (id INTEGER PRIMARY KEY, code TEXT UNIQUE,
      word_id INTEGER REFERENCES words, text TEXT);
    CREATE INDEX texts_word ON texts (word_id);
    """,
    "0001_words/words.csv": "lemma\ncat\ndog\n",
    "0001_words/texts.csv": "code,word_id:words.lemma,text\na,cat,purrs\nb,dog,barks\n",
    "0002_more/words.csv": "lemma\nant\n",
  ]

  @Test func `an export names rows as the files did, and not by the ids that they got`() throws {
    let bench = try Workbench(Self.files)
    try bench.snapshot()
    func exports() throws -> [String] { try ["words", "texts"].map(bench.export) }
    let before = try exports()
    #expect(before[1].hasPrefix("code,word_id:words.lemma,text\n"))
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    #expect(try exports() == before)
    try bench.write(["0003_more/words.csv": "lemma\nbee\n"])
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 4)
    #expect(try exports()[1] == before[1])
    #expect(try exports()[0] == before[0] + "bee\n" || exports()[0].contains("bee\n"))
  }

  @Test func `a row is put back under the parent's id of that database`() throws {
    let bench = try Workbench(Self.files)
    _ = try CatalogLock.write(directory: bench.catalog)
    _ = try bench.migrator().up(to: 1)
    // The user's row takes the id that the next word has elsewhere.
    try bench.execute("INSERT INTO words (lemma) VALUES ('mine')")
    _ = try bench.migrator().up()
    try bench.write(["0003_ant/texts.csv": "code,word_id:words.lemma,text\nc,ant,crawls\n"])
    _ = try CatalogLock.write(directory: bench.catalog)
    _ = try bench.migrator().up()
    try bench.snapshot(2)
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    try bench.execute("UPDATE texts SET text = 'x', word_id = 1 WHERE code = 'c'")
    _ = try bench.migrator().reseed("texts")
    #expect(
      try bench.rows(
        "SELECT w.lemma, t.text FROM texts AS t JOIN words AS w ON w.id = word_id ORDER BY code")
        == [["cat", "purrs"], ["dog", "barks"], ["ant", "crawls"]])
  }
}
