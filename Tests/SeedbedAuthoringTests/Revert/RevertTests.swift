import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct RevertTests {
  private static let files = [
    "catalog.json": #"{"tables": {"words": {"source": "data/words.csv"}}}"#,
    "0001_words/up.sql":
      "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, rank INTEGER, note TEXT);",
    "0001_words/words.csv": "id,word,rank\n1,one,10\n2,two,20\n3,three,30\n",
  ]

  /// A catalog whose second migration inserts, changes and retires.
  private static func bench() throws -> Workbench {
    let bench = try Workbench(files)
    try bench.write(["data/words.csv": "id,word,rank\n1,uno,10\n3,\"\",\n4,four,\n"])
    try bench.make("bad") { $0.allowsDeletes = true }
    return bench
  }

  private static func revert(
    _ bench: Workbench, _ migration: String = "2", _ change: (inout Revert) -> Void = { _ in }
  ) throws -> ReleaseSummary {
    var revert = Revert(directory: bench.catalog, migration: migration)
    change(&revert)
    return try revert.make()
  }

  @Test func `up to it, then its inverse, gives the state before, and down the other`() throws {
    let bench = try Self.bench()
    _ = try bench.migrator().up(to: 1)
    let before = try bench.rows("SELECT * FROM words")
    _ = try bench.migrator().up()
    let after = try bench.rows("SELECT * FROM words")
    let summary = try Self.revert(bench)
    #expect(summary.folders == ["0003_revert_bad"])
    #expect(
      try bench.text("0003_revert_bad/words.update.csv.gz")
        == "id,word,was:word,rank,was:rank\n1,one,uno,10,10\n3,three,\"\",30,\n")
    #expect(try bench.text("0003_revert_bad/words.delete.csv.gz") == "id,word,rank\n4,four,\n")
    #expect(try bench.text("0003_revert_bad/words.csv.gz") == "id,word,rank\n2,two,20\n")
    #expect(
      try bench.text("0003_revert_bad/migration.json")
        == #"{"description": "Reverts 0002_bad."}"# + "\n")
    #expect(try CatalogLock.check(directory: bench.catalog) == [])
    let report = try bench.migrator().up()
    #expect(report.migrations.allSatisfy { $0.conflictCount == 0 })
    #expect(try bench.rows("SELECT * FROM words") == before)
    _ = try bench.migrator().down(to: 2)
    #expect(try bench.rows("SELECT * FROM words") == after)
  }

  @Test func `an edit of the user's survives it`() throws {
    let bench = try Self.bench()
    _ = try bench.migrator().up()
    try bench.execute("UPDATE words SET word = 'mine' WHERE id = 1")
    _ = try Self.revert(bench)
    _ = try bench.migrator().up()
    #expect(try bench.rows("SELECT word FROM words") == [["mine"], ["two"], ["three"]])
  }

  @Test func `conflicts of the last migration's inverse are no later changes`() throws {
    let bench = try Workbench(Self.files)
    try bench.write([
      "0002_bad/words.update.csv": "id,word,was:word\n1,uno,one\n",
      "0002_bad/after.sql": "UPDATE words SET word = 'eins' WHERE id = 1;",
    ])
    _ = try CatalogLock.write(directory: bench.catalog)
    #expect(
      bench.failure { _ = try Self.revert(bench) { $0.sql = .leave } }
        == "Applied to the catalog's own rows, the inverse of '0002_bad' meets conflicts: words "
        + "id=1 (edited). Correct the source CSV and make a release: migrate make.")
  }

  @Test(arguments: [
    ("id,word,was:word\n1,eins,uno\n", "update", "words id=1 (changed later)"),
    ("id,word,was:word\n4,vier,four\n", "update", "words id=4 (changed later)"),
    ("id,word,rank\n1,uno,10\n", "delete", "words id=1 (retired later)"),
    ("id,word,rank\n2,zwei,20\n", "insert", "words id=2 (added later)"),
  ])
  func `what a later migration did is not undone unseen`(
    _ csv: String, _ operation: String, _ words: String
  ) throws {
    let bench = try Self.bench()
    let name = operation == "insert" ? "words.csv" : "words.\(operation).csv"
    try bench.write(["0003_later/\(name)": csv])
    _ = try CatalogLock.write(directory: bench.catalog)
    let names = try bench.names
    let failure = bench.failure { _ = try Self.revert(bench) }
    #expect(failure.contains(words), "\(failure)")
    #expect(try bench.names == names)
  }

  @Test func `a column that came later and says something counts as a change`() throws {
    let bench = try Self.bench()
    try bench.write([
      "0003_kind/up.sql": "ALTER TABLE words ADD COLUMN kind TEXT;",
      "0003_kind/words.update.csv": "id,kind,was:kind\n4,number,\n",
    ])
    _ = try CatalogLock.write(directory: bench.catalog)
    let failure = bench.failure { _ = try Self.revert(bench) }
    #expect(failure.contains("words id=4 (changed later)"), "\(failure)")
  }

  @Test func `rows that a later migration left alone are taken back`() throws {
    let bench = try Self.bench()
    try bench.write(["0003_later/words.csv": "id,word,rank\n9,nine,90\n"])
    _ = try CatalogLock.write(directory: bench.catalog)
    _ = try Self.revert(bench, "bad") { $0.name = "sorry" }
    _ = try bench.migrator().up()
    #expect(
      try bench.rows("SELECT id, word FROM words")
        == [[1, "one"], [2, "two"], [3, "three"], [9, "nine"]])
  }

  @Test func `keys change back, with all that refers to them`() throws {
    var files = Self.files
    files["0001_words/after.sql"] = "CREATE TABLE uses (word INTEGER REFERENCES words);"
    files["0002_keys/words.update.csv"] = "id,was:id\n12,1\n11,2\n"
    let bench = try Workbench(files)
    _ = try CatalogLock.write(directory: bench.catalog)
    _ = try bench.migrator().up()
    try bench.execute("INSERT INTO uses VALUES (12)")
    _ = try Self.revert(bench)
    #expect(
      try bench.text("0003_revert_keys/words.update.csv.gz") == "id,was:id\n1,12\n2,11\n")
    _ = try bench.migrator().up()
    #expect(try bench.rows("SELECT word FROM uses") == [[1]])
    #expect(try bench.rows("SELECT id FROM words") == [[1], [2], [3]])
  }

  // MARK: SQL

  private static func withSQL(_ files: [String: String]) throws -> Workbench {
    let bench = try Workbench(Self.files)
    try bench.write([
      "0002_kinds/up.sql": "ALTER TABLE words ADD COLUMN kind TEXT;",
      "0002_kinds/words.update.csv": "id,kind,was:kind,rank,was:rank\n1,number,,11,10\n",
    ])
    try bench.write(files)
    _ = try CatalogLock.write(directory: bench.catalog)
    return bench
  }

  @Test func `SQL is refused, with what to do`() throws {
    let bench = try Self.withSQL([:])
    let plain = bench.failure { _ = try Self.revert(bench) }
    #expect(plain.contains("--rows-only") && !plain.contains("--with-down"), "\(plain)")
    let twin = bench.failure { _ = try Self.revert(bench) { $0.sql = .takeBack } }
    #expect(twin.contains("'0002_kinds/up.sql' has no counterpart. Write 'down.sql'"), "\(twin)")
    try bench.write(["0002_kinds/down.sql": "ALTER TABLE words DROP COLUMN kind;"])
    let both = bench.failure { _ = try Self.revert(bench) }
    #expect(both.contains("--with-down"), "\(both)")
  }

  @Test func `its rows alone are taken back`() throws {
    let bench = try Self.withSQL([:])
    _ = try Self.revert(bench) { $0.sql = .leave }
    _ = try bench.migrator().up()
    #expect(try bench.rows("SELECT rank, kind FROM words WHERE id = 1") == [[10, .null]])
  }

  @Test func `its down twins run, and can be taken back themselves`() throws {
    let bench = try Self.withSQL(["0002_kinds/down.sql": "ALTER TABLE words DROP COLUMN kind;"])
    _ = try Self.revert(bench) { $0.sql = .takeBack }
    _ = try bench.migrator().up()
    #expect(try bench.rows("SELECT * FROM words WHERE id = 1") == [[1, "one", 10, .null]])
    _ = try bench.migrator().down(to: 2)
    #expect(try bench.rows("SELECT rank, kind FROM words WHERE id = 1") == [[11, "number"]])
  }

  // MARK: refusals

  @Test func `a file without old values is refused`() throws {
    let bench = try Workbench(Self.files)
    try bench.write([
      "0002_over/words.update.csv": "id,rank\n1,11\n",
      "0002_over/migration.json": #"{"tables": {"words": {"onEdited": "overwriteRow"}}}"#,
    ])
    _ = try CatalogLock.write(directory: bench.catalog)
    let failure = bench.failure { _ = try Self.revert(bench) }
    #expect(failure.hasPrefix("0002_over/words.update.csv:1: The file has no 'was:rank'"))
  }

  @Test func `what is withdrawn, or not there, is refused`() throws {
    let bench = try Self.bench()
    try bench.write(["0002_bad/migration.json": #"{"withdrawn": true}"#])
    #expect(bench.failure { _ = try Self.revert(bench) }.hasPrefix("'0002_bad' is withdrawn"))
    let none = bench.failure { _ = try Self.revert(bench, "bat") }
    #expect(none == "There is no migration 'bat'. Did you mean 'bad'?")
  }

  @Test func `what cannot be as before is told, and nothing is written`() throws {
    let bench = try Workbench(Self.files)
    try bench.write([
      "0001_words/after.sql": """
      CREATE TRIGGER count_edits AFTER UPDATE OF word ON words
      BEGIN UPDATE words SET rank = rank + 1 WHERE id = new.id; END;
      """,
      "0002_bad/words.update.csv": "id,word,was:word\n1,uno,one\n",
    ])
    _ = try CatalogLock.write(directory: bench.catalog)
    let names = try bench.names
    let failure = bench.failure { _ = try Self.revert(bench) }
    #expect(failure.contains("does not restore the earlier state of 'words': id=1"), "\(failure)")
    #expect(try bench.names == names)
  }

  // MARK: random tables

  @Test(arguments: Seeds.first(10, of: 40))
  func `the inverse of any release gives the state before`(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    var table = RandomTable(&dice)
    let bench = try Workbench([
      "catalog.json": table.options, "0001_table/up.sql": table.sql,
      "data/source.csv": table.csv(&dice),
    ])
    let change: (inout Release) -> Void = {
      $0.allowsDeletes = true
      $0.acceptsSpreadsheets = true
    }
    let isFilled = try !bench.make("rows", change).folders.isEmpty
    table.edit(&dice)
    try bench.write(["data/source.csv": table.csv(&dice)])
    guard try bench.make("edits", change).folders.count == 1 else { return }
    // Where SQLite gives the ids, a row that comes back has another one.
    let columns = table.key == .option ? table.columns.map(\.name).quotedList : "*"
    let all = "SELECT \(columns) FROM \(table.name.quoted) ORDER BY 1, 2"
    _ = try bench.migrator().up(to: isFilled ? 2 : 1)
    let before = try bench.rows(all)
    _ = try bench.migrator().up()
    let after = try bench.rows(all)
    _ = try Self.revert(bench, "edits")
    #expect(try bench.migrator().up().migrations.allSatisfy { $0.conflictCount == 0 })
    #expect(try bench.rows(all) == before)
    _ = try bench.migrator().down(to: isFilled ? 3 : 2)
    #expect(try bench.rows(all) == after)
  }
}
