import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct MakeOptionsTests {
  // MARK: tables that are not there yet

  @Test func `a new table is proposed, and made where that is wanted`() throws {
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"words": {"source": "data/words.csv"}}}"#,
      "data/words.csv": "id,word,weight,note\n1,one,0.5,\n2,two,2,x\n",
    ])
    let proposed = try bench.make("words")
    #expect(proposed.folders == [] && !proposed.isUpToDate)
    #expect(
      proposed.proposals.map(\.sql) == [
        """
        CREATE TABLE "words" (
          "id" INTEGER PRIMARY KEY AUTOINCREMENT,
          "word" TEXT NOT NULL,
          "weight" REAL NOT NULL,
          "note" TEXT
        );

        """
      ])
    #expect(proposed.proposals[0].reasons.count == 2)
    #expect(try bench.names == ["catalog.json", "data", "data/words.csv"])
    #expect(try bench.make("words") { $0.creates = true }.folders == ["0001_words"])
    #expect(
      try bench.names.filter { $0.hasPrefix("0001_words/") }
        == ["0001_words/down.sql", "0001_words/up.sql", "0001_words/words.csv.gz"])
    _ = try bench.migrator().up()
    #expect(try bench.rows("SELECT word FROM words ORDER BY id") == [["one"], ["two"]])
    _ = try bench.migrator().down(to: 0)
    #expect(try bench.make().isUpToDate)
  }

  @Test func `without a number the first column that tells rows apart is the key`() throws {
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"words": {"source": "data/words.csv"}}}"#,
      "data/words.csv": "rank,code,n\n1,007,1\n1,008,2\n",
    ])
    let proposal = try bench.make("words").proposals[0]
    #expect(
      proposal.sql == """
        CREATE TABLE "words" (
          "rank" INTEGER NOT NULL,
          "code" TEXT NOT NULL,
          "n" INTEGER NOT NULL,
          PRIMARY KEY ("code")
        );

        """)
    #expect(proposal.reasons == ["'code' identifies each row: a natural key."])
    try bench.write(["data/words.csv": "a,b\n1,1\n1,2\n2,1\n"])
    #expect(
      bench.failure { try bench.make("words") }.hasPrefix(
        "data/words.csv:1: No column of 'words' identifies its rows"))
  }

  @Test(arguments: [
    // A column that is gone may be the new one: to drop that would drop its values.
    (["number", "label"], #"ALTER TABLE "elements" RENAME COLUMN "label" TO "name";"#),
    (["number", "label", "more"], nil), (["number", "name"], nil),
  ])
  func `the way back of columns`(_ columns: [String], _ sql: String?) {
    #expect(UpTwin.sql(from: ["elements": ["number", "name"]], to: ["elements": columns]) == sql)
    let renamed = UpTwin.sql(from: ["elements": ["number", "name"]], to: ["renamed": columns])
    #expect(renamed == nil, "nobody knows whether it has the same rows")
  }

  @Test func `the way back of tables drops children before their parents`() {
    let tables: [ExactText: [String]] = [
      "elements": ["number"], "isotopes": ["element"], "notes": ["element"],
    ]
    #expect(
      UpTwin.sql(
        from: [:], to: tables, parents: ["elements": ["notes"], "isotopes": ["elements"]])
        == #"DROP TABLE "isotopes";\#nDROP TABLE "elements";\#nDROP TABLE "notes";"#)
  }

  // MARK: amending

  private static let words = [
    "catalog.json": #"{"tables": {"words": {"source": "data/words.csv"}}}"#,
    "0001_words/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, rank INTEGER);",
    "0001_words/words.csv": "id,word,rank\n1,one,10\n2,two,20\n3,three,30\n",
  ]

  @Test func `a migration is made again, its own SQL stays`() throws {
    let bench = try Workbench(Self.words)
    try bench.write(["data/words.csv": "id,word,rank\n1,uno,10\n2,two,20\n3,three,30\n"])
    try bench.make("fix")
    try bench.write([
      "0002_fix/verify.sql": "SELECT 1 WHERE 0;",
      "0002_fix/up.sql": "ALTER TABLE words ADD COLUMN note TEXT;",
      "data/words.csv": "id,word,rank,note\n1,one,10,\n2,dos,20,n\n3,three,30,\n",
    ])
    let summary = try bench.make("fix") { $0.amends = true }
    #expect(summary.folders == ["0002_fix"])
    #expect(
      try bench.names.filter { $0.hasPrefix("0002_fix/") } == [
        "0002_fix/up.sql", "0002_fix/verify.sql", "0002_fix/words.update.csv.gz",
      ])
    #expect(
      try bench.text("0002_fix/words.update.csv.gz")
        == "id,word,was:word,note,was:note\n2,dos,two,n,\n")
    #expect(try CatalogLock.check(directory: bench.catalog) == [])
    #expect(try bench.make("x").isUpToDate)
  }

  @Test func `the last of two with the same words is made again`() throws {
    let bench = try Workbench(Self.words)
    for name in ["uno", "due", "tre"] {
      try bench.write(["data/words.csv": "id,word,rank\n1,\(name),10\n2,two,20\n3,three,30\n"])
      if name != "tre" { try bench.make("fix") }
    }
    #expect(try bench.make("") { $0.amends = true }.folders == ["0003_fix"])
    #expect(try bench.text("0003_fix/words.update.csv.gz") == "id,word,was:word\n1,tre,uno\n")
  }

  @Test func `after a merge it gets the next number, and the base of the other branch`() throws {
    let bench = try Workbench(Self.words)
    try bench.write(["data/words.csv": "id,word,rank\n1,uno,10\n2,two,20\n3,three,30\n"])
    try bench.make("mine")
    // The other branch wrote its own second migration, and both CSVs were merged.
    try bench.write([
      "0002_theirs/words.update.csv": "id,rank,was:rank\n1,11,10\n",
      "data/words.csv": "id,word,rank\n1,uno,11\n2,two,20\n3,three,30\n",
    ])
    #expect(bench.failure { try bench.make("x") }.contains("have the same number"))
    #expect(try bench.make("mine") { $0.amends = true }.folders == ["0003_mine"])
    #expect(try bench.names.filter { $0.hasPrefix("0002") && !$0.contains("/") } == ["0002_theirs"])
    #expect(try bench.text("0003_mine/words.update.csv.gz") == "id,word,was:word\n1,uno,one\n")
    #expect(bench.failure { try bench.make("mime") { $0.amends = true } }.contains("'mine'?"))
  }

  @Test func `where the app owns its schema, a folder with schema_sql is filled`() throws {
    var files = Self.words
    files["0001_words/schema.sql"] = files.removeValue(forKey: "0001_words/up.sql")
    files["0002_notes/schema.sql"] = "ALTER TABLE words ADD COLUMN note TEXT;"
    files["data/words.csv"] = "id,word,rank,note\n1,one,10,n\n2,two,20,\n3,three,30,\n"
    let bench = try Workbench(files)
    #expect(try bench.make("notes") { $0.amends = true }.folders == ["0002_notes"])
    #expect(
      try bench.names.filter { $0.hasPrefix("0002_notes/") }
        == ["0002_notes/schema.sql", "0002_notes/words.update.csv.gz"])
    #expect(try bench.make().isUpToDate)
  }

  @Test func `to check an amended migration asks whether it is well as it is`() throws {
    let bench = try Workbench(Self.words)
    try bench.write(["data/words.csv": "id,word,rank\n1,uno,10\n2,two,20\n3,three,30\n"])
    try bench.make("fix")
    var release = Release(directory: bench.catalog, name: "fix")
    release.amends = true
    #expect(try release.check().isUpToDate)
    try bench.write(["data/words.csv": Self.words["0001_words/words.csv"] ?? ""])
    #expect(try release.check().tables.map(\.updated) == [1])
  }

  @Test func `where amending fails all is as it was`() throws {
    let bench = try Workbench(Self.words)
    try bench.write(["data/words.csv": "id,word,rank\n1,uno,10\n2,two,20\n3,three,30\n"])
    try bench.make("fix")
    let before = try bench.names
    let text = try bench.text("0002_fix/words.update.csv.gz")
    try bench.write(["0002_fix/verify.sql": "SELECT 1;"])
    try bench.write(["data/words.csv": "id,word,rank\n1,eins,10\n2,two,20\n3,three,30\n"])
    #expect(bench.failure { try bench.make("fix") { $0.amends = true } }.contains("verify.sql"))
    #expect(try bench.names == (before + ["0002_fix/verify.sql"]).sorted())
    #expect(try bench.text("0002_fix/words.update.csv.gz") == text)
    try bench.write(["data/words.csv": Self.words["0001_words/words.csv"] ?? ""])
    try FileManager.default.removeItem(atPath: bench.catalog + "/0002_fix/verify.sql")
    let failure = bench.failure { try bench.make("fix") { $0.amends = true } }
    #expect(failure.hasPrefix("'0002_fix' is no longer needed"))
  }

  @Test func `what a killed run took aside is not thrown away`() throws {
    let bench = try Workbench(Self.words)
    try bench.write([
      ".migrate.partial/replaced/words.csv": "id\n1\n",
      "data/words.csv": "id,word,rank\n1,uno,10\n2,two,20\n3,three,30\n",
    ])
    let before = try bench.names
    let failure = bench.failure { try bench.make() }
    #expect(failure.contains(".migrate.partial/replaced' holds the old version"))
    #expect(try bench.names == before)
    try FileManager.default.removeItem(atPath: bench.catalog + "/.migrate.partial/replaced")
    #expect(try bench.make().folders == ["0002_next"])
  }

  // MARK: renaming

  @Test func `rows that only got another key stay the same rows`() throws {
    let bench = try Workbench(Self.words)
    try bench.write([
      "data/words.csv": "id,word,rank\n2,one,10\n1,two,21\n3,three,30\n",
      "data/renamed.csv": "id,was:id\n2,1\n1,2\n",
    ])
    let renamed = bench.catalog + "/data/renamed.csv"
    let summary = try bench.make { $0.renamed = [Release.TableFile(nil, renamed)] }
    // Two new keys, and then another rank.
    #expect(summary.tables[0].updated == 3 && summary.tables[0].deleted == 0)
    #expect(
      try bench.text("0002_next_1/words.update.csv.gz") == "id,was:id\n2,1\n1,2\n")
    #expect(
      try bench.text("0003_next_2/words.update.csv.gz") == "id,rank,was:rank\n1,21,20\n")
    let migrator = try bench.migrator()
    _ = try migrator.up(to: 1)
    try bench.execute("UPDATE words SET word = 'mine' WHERE id = 1")
    _ = try migrator.up()
    #expect(
      try bench.rows("SELECT * FROM words ORDER BY id")
        == [[1, "two", 21], [2, "mine", 10], [3, "three", 30]])
  }

  @Test(arguments: [
    ("id,was:id\n2,9\n", "2: The catalog makes no row id=9 in 'words'"),
    ("id,was:id\n9,2\n", "2: The CSV of 'words' has no row id=9"),
    ("id,was:id\n1,2\n3,2\n", "3: This old key appears twice"),
    ("id,old\n1,2\n", "1: A file of renamed keys must have exactly the columns 'was:id', 'id'"),
  ])
  func `a file of renamed keys that fits nothing is refused`(
    _ text: String, _ words: String
  ) throws {
    let bench = try Workbench(Self.words)
    try bench.write([
      "data/words.csv": "id,word,rank\n1,one,10\n2,two,20\n3,three,31\n", "data/r.csv": text,
    ])
    let path = bench.catalog + "/data/r.csv"
    let failure = bench.failure {
      try bench.make { $0.renamed = [Release.TableFile("words", path)] }
    }
    #expect(failure.hasPrefix(path + ":" + words), "\(failure)")
  }
}
