import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct SnapshotTests {
  @Test func `an empty database takes one snapshot in place of all migrations`() throws {
    let bench = try SnapshotBench.make()
    let summary = try bench.snapshot()
    #expect(summary.folder == "0003_less.snapshot")
    #expect((summary.migrations, summary.isChanged) == (3, true))
    let report = try bench.migrator().up()
    #expect(report.migrations.map(\.version) == [3])
    #expect(report.migrations[0].isSnapshot)
    #expect(try bench.states() == ["1 baseline", "2 baseline", "3 baseline"])
    #expect(try bench.migrator().verify().isEmpty)
    #expect(try bench.migrator().up().outcome == .upToDate)
    let words = try bench.rows("SELECT id, word, rank, folded, kind, favourite FROM words")
    #expect(
      words == [
        [1, "a, b", .real(0.5), "a, b", "noun", 0], [2, "", .null, "", "noun", 0],
        [3, "three", .real(2.5), "three", "noun", 0], [4, "four", .real(4), "four", "verb", 0],
      ])
    #expect(try bench.rows("SELECT code, bytes, parent FROM codes ORDER BY 1").count == 2)
    #expect(try bench.rows("SELECT seq FROM sqlite_sequence WHERE name = 'words'") == [[1000]])
    #expect(try bench.rows("SELECT count(*) FROM log") == [[5]])
    #expect(try bench.rows("SELECT word FROM found WHERE found MATCH 'three'") == [["three"]])
    #expect(try bench.rows("SELECT rowid FROM own WHERE own MATCH 'itself'") == [[7]])
  }

  @Test func `the trigger of a snapshot works for the user's rows`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    _ = try bench.migrator().up()
    try bench.execute("INSERT INTO words (word) VALUES ('mine')")
    #expect(try bench.rows("SELECT what, at FROM log WHERE at > 1000") == [["made mine", 1001]])
  }

  @Test func `what differs by the snapshot is found`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    #expect(try Snapshot.verify(directory: bench.catalog).map(\.difference) == [nil])
    let place = "0003_less.snapshot/"
    for (file, old, new, found) in [
      ("after.sql", "'a', 'b'", "'a', 'b'", nil),
      ("up.sql", "'noun'", "'verb'", "the table 'words' is not the same"),
      ("after.sql", "made ", "gone ", "the trigger 'words_log' is not the same"),
      ("after.sql", "1000", "1001", "the next ids of AUTOINCREMENT are not the same"),
      ("up.sql", "x'00ff'", "x'00fe'", "'codes' holds 2 bytes"),
      ("after.sql", "kept in", "lost in", "'own' holds 'lost in 'itself'' in the column 'text'"),
    ] as [(String, String, String, String?)] {
      let text = try bench.text(place + file)
      let changed = text.replacing(old, with: new)
      try bench.write([place + file: changed])
      _ = try CatalogLock.write(directory: bench.catalog)
      let difference = try Snapshot.verify(directory: bench.catalog)[0].difference
      #expect(found.map { difference?.contains($0) == true } ?? (difference == nil))
      try bench.write([place + file: text])
    }
  }

  @Test func `a snapshot is the same bytes each time, and replaced when there is more`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    let names = try bench.names
    let bytes = try bench.bytes("0003_less.snapshot/words.csv.gz")
    #expect(try bench.snapshot().isChanged == false)
    try bench.remove("0003_less.snapshot")
    try bench.snapshot()
    #expect(try bench.names == names)
    #expect(try bench.bytes("0003_less.snapshot/words.csv.gz") == bytes)
  }

  @Test func `a snapshot of changed migrations is refused`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    try bench.write(["0001_words/two names.csv": "a,b,note\nx,1,\n"])
    #expect(
      bench.failure { _ = try CatalogLock.write(directory: bench.catalog) }
        .contains("0003_less.snapshot: This snapshot was made from different migrations"))
    try bench.remove("seedbed.lock")
    #expect(
      bench.failure { _ = try bench.migrator().up() }.contains("made from different migrations"))
    #expect(try bench.rows("SELECT name FROM sqlite_schema WHERE name = 'words'").isEmpty)
  }

  @Test(arguments: [
    ("CREATE TABLE words (id)", "a table that it makes"),
    ("CREATE VIEW found AS SELECT 1", "a name that it makes"),
  ])
  func `a database that is not empty passes a snapshot over`(sql: String, why: String) throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    _ = try Connection(bench.database, .create, setup: nil).execute(sql)
    // By the first migration, which stumbles over the same.
    let error = bench.failure { _ = try bench.migrator().up() }
    #expect(error.contains("0001_words/") || error.contains("0002_search/"), "\(why)")
  }

  @Test func `a database with migrations, and one that stops before it, pass it over`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    let report = try bench.migrator().up(to: 2)
    #expect(report.migrations.map(\.version) == [1, 2])
    #expect(try bench.migrator().up().migrations.map(\.isSnapshot) == [false])
    #expect(try bench.states() == ["1 applied", "2 applied", "3 applied"])
  }

  @Test func `rows in the app's own tables pass a snapshot over`() throws {
    let bench = try Workbench([
      "0001_a/schema.sql": "CREATE TABLE a (id INTEGER PRIMARY KEY, x);",
      "0001_a/a.csv": "id,x\n1,one\n", "0002_b/a.csv": "id,x\n2,two\n",
    ])
    try bench.snapshot()
    #expect(try bench.names.contains("0002_b.snapshot/schema.sql"))
    #expect(try !bench.names.contains("0002_b.snapshot/up.sql"))
    let table = "CREATE TABLE a (id INTEGER PRIMARY KEY, x);"
    try Connection(bench.database, .create, setup: nil).executeAll(table)
    #expect(try bench.migrator().up().migrations.map(\.isSnapshot) == [true])
    try bench.forgetDatabase()
    try Connection(bench.database, .create, setup: nil).executeAll(
      table + "INSERT INTO a VALUES (7, 'mine')")
    #expect(try bench.migrator().up().migrations.map(\.isSnapshot) == [false, false])
  }

  @Test func `a plan tells of the snapshot and changes nothing`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    let plan = try bench.migrator().plan()
    #expect(plan.migrations.map(\.isSnapshot) == [true])
    #expect(plan.to == 3)
  }

  @Test func `what came by a snapshot cannot be taken back, what came behind it can`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    try bench.write(["0004_more/words.csv": "id,word,rank\n5,five,\n"])
    _ = try CatalogLock.write(directory: bench.catalog)
    #expect(try bench.migrator().up().migrations.map(\.version) == [3, 4])
    #expect(try bench.migrator().down(to: 3).to == 3)
    #expect(
      bench.failure { _ = try bench.migrator().down(to: 2) }.contains("or a baseline marked it"))
  }

  @Test func `a key that SQL takes from the seed is refused`() throws {
    let bench = try Workbench([
      "0001_a/up.sql": """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x); INSERT INTO a VALUES (1, 'sql');
      """,
      "0001_a/a.csv": "id,x\n1,csv\n",
    ])
    #expect(bench.failure { _ = try bench.snapshot() }.contains("takes the key"))
    #expect(try bench.names.filter { $0.contains("snapshot") }.isEmpty)
  }

  @Test func `what no snapshot can say is refused, and nothing is left`() throws {
    let bench = try Workbench([
      "0001_a/up.sql": """
      CREATE TABLE a (x); INSERT INTO a VALUES (random());
      CREATE VIRTUAL TABLE f USING fts5(x, content='');
      INSERT INTO f (rowid, x) VALUES (1, 'gone');
      """
    ])
    #expect(bench.code { _ = try bench.snapshot() } != nil)
    #expect(try bench.names == ["0001_a", "0001_a/up.sql"])
  }
}

struct SnapshotOnHandleTests {
  @Test func `a handle that the app lends takes a snapshot too`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    let app = try Connection(bench.database, .create, setup: nil)
    let migrator = HandleMigrator(catalog: try Catalog(directory: bench.catalog))
    #expect(try migrator.up(on: app.handle).migrations.map(\.isSnapshot) == [true])
    #expect(try bench.rows("SELECT seq FROM sqlite_sequence WHERE name = 'words'") == [[1000]])
  }

  @Test func `one by one there is no snapshot, and without the folders no way`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 3)
    let app = try Connection(bench.database, .create, setup: nil)
    let migrator = HandleMigrator(catalog: try Catalog(directory: bench.catalog))
    try app.execute("BEGIN")
    #expect(
      bench.failure { _ = try migrator.applyIfPending(3, on: app.handle) }.contains("Call up(on:)"))
    try app.execute("ROLLBACK")
  }

  private func estimate(_ bench: Workbench) throws -> Migrator.Estimate? {
    if case .pending(let estimate) = try bench.migrator().outlook() { estimate } else { nil }
  }

  @Test func `an estimate counts the snapshot's rows`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    let estimate = try estimate(bench)
    #expect(estimate?.pending == [3])
    #expect(estimate?.rows == 6)
    // For a database that has tables of the app's only, too, and not for one of the catalog's.
    let app = try Connection(bench.database, .create, setup: nil)
    try app.execute("CREATE TABLE mine (a)")
    #expect(try self.estimate(bench)?.rows == 6)
    try app.execute("CREATE TABLE words (a)")
    #expect(try self.estimate(bench)?.pending == [1, 2, 3])
  }

  @Test func `the next folder goes on behind what was dropped`() throws {
    let bench = try SnapshotBench.make()
    try bench.snapshot()
    _ = try Snapshot.drop(directory: bench.catalog, before: 4)
    #expect(try NewMigration.create(directory: bench.catalog, name: "next") == "0004_next")
  }

  @Test func `a text with NUL is the same in a database of UTF-16`() throws {
    let bench = try Workbench([
      "0001_t/up.sql": "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('it''s' || char(0) || 'é');"
    ])
    try bench.snapshot()
    let app = try Connection(bench.database, .create, setup: nil)
    try app.executeAll("PRAGMA encoding = 'UTF-16'; CREATE TABLE mine (a);")
    #expect(try bench.migrator().up().migrations.map(\.isSnapshot) == [true])
    #expect(try bench.rows("SELECT a FROM t") == [["it's\0é"]])
  }

  @Test func `a full-text index keeps the languages of its texts`() throws {
    let bench = try Workbench([
      "0001_t/up.sql": """
      CREATE VIRTUAL TABLE t USING fts4(a, languageid="lang");
      INSERT INTO t (docid, a, lang) VALUES (7, 'Hand', 2), (8, 'hand', 1);
      """
    ])
    try bench.snapshot()
    #expect(try bench.migrator().up().migrations.map(\.isSnapshot) == [true])
    let found = try bench.rows("SELECT docid, a FROM t WHERE t MATCH 'hand' AND lang = 2")
    #expect(found == [[7, "Hand"]])
  }
}
