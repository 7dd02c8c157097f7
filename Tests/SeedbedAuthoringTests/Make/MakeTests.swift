import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct MakeTests {
  static let files = [
    "catalog.json": #"{"tables": {"words": {"source": "data/words.csv"}}}"#,
    "0001_words/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, rank INTEGER);",
    "0001_words/down.sql": "DROP TABLE words;",
    "0001_words/words.csv": "id,word,rank\n1,one,10\n2,two,20\n3,three,30\n",
  ]

  @Test func `a release inserts, changes and retires, with what rows were before`() throws {
    let bench = try Workbench(Self.files)
    try bench.write(["data/words.csv": "id,word,rank\n4,four,\n1,uno,10\n3,three,\n"])
    let summary = try bench.make { $0.allowsDeletes = true }
    #expect(summary.folders == ["0002_next"])
    #expect(summary.tables.count == 1)
    #expect(summary.tables[0].inserted == 1 && summary.tables[0].updated == 2)
    #expect(summary.tables[0].deleted == 1 && summary.tables[0].changedColumns == ["word", "rank"])
    #expect(try bench.text("0002_next/words.csv.gz") == "id,word,rank\n4,four,\n")
    #expect(
      try bench.text("0002_next/words.update.csv.gz")
        == "id,word,was:word,rank,was:rank\n1,uno,one,10,10\n3,three,three,,30\n")
    #expect(try bench.text("0002_next/words.delete.csv.gz") == "id,word,rank\n2,two,20\n")
    #expect(try CatalogLock.check(directory: bench.catalog) == [])
    #expect(try bench.names.filter { $0.hasPrefix(".") } == [])
    let again = try bench.make()
    #expect(again.isUpToDate && again.folders == [])
  }

  @Test func `where nothing changed nothing is written`() throws {
    let bench = try Workbench(Self.files)
    try bench.write(["data/words.csv": "word,id,rank\r\nthree,3,30\r\none,1,10\r\n\"two\",2,20"])
    let before = try bench.names
    let summary = try bench.make()
    #expect(summary.isUpToDate && summary.compared == 1 && summary.lock == nil)
    #expect(try bench.names == before)
  }

  @Test func `the same source gives the same bytes`() throws {
    let files = try (0..<2).map { _ in
      let bench = try Workbench(Self.files)
      try bench.write(["data/words.csv": "id,word,rank\n1,one,11\n2,two,20\n3,three,30\n"])
      try bench.make()
      return try bench.bytes("0002_next/words.update.csv.gz")
    }
    #expect(files[0] == files[1])
  }

  @Test func `checking finds what making would, and writes nothing`() throws {
    let bench = try Workbench(Self.files)
    try bench.write(["data/words.csv": "id,word,rank\n1,one,10\n2,two,20\n"])
    let before = try bench.names
    let summary = try bench.release().check()
    #expect(!summary.isUpToDate && summary.tables[0].deleted == 1)
    #expect(try bench.names == before)
  }

  @Test func `many rows that are gone are refused until they are meant`() throws {
    let bench = try Workbench(Self.files)
    try bench.write(["data/words.csv": "id,word,rank\n1,one,10\n2,two,20\n"])
    let before = try bench.names
    #expect(
      bench.failure { try bench.make() }.hasPrefix(
        "1 of 3 rows of 'words' are no longer in data/words.csv, more than 5 %."))
    #expect(try bench.names == before)
    #expect(try bench.make { $0.allowsDeletes = true }.tables[0].deleted == 1)
  }

  @Test(arguments: [
    ("id;word;rank\n1;one;10\n", "data/words.csv:1:1: The header looks separated by semicolons"),
    ("id,word,rank\n1,s\u{0}\n", "data/words.csv:2:4: Found a NUL byte"),
    ("id,word,rank\n1,one,x\n", "data/words.csv:2:7: found 'x' in column 'rank'"),
    ("id,word,rank\n,one,1\n", "data/words.csv:2:1"),
    ("id,word\n1,one\n1,two\n", "data/words.csv:3: The key id=1 appears twice"),
    ("word,rank\none,1\n", "data/words.csv:1: "),
    ("", "data/words.csv:1:1: The file is empty"),
  ])
  func `a CSV that cannot be read is refused with its place`(
    _ text: String, _ words: String
  ) throws {
    let bench = try Workbench(Self.files)
    try bench.write(["data/words.csv": text])
    let failure = bench.failure { try bench.make() }
    #expect(failure.hasPrefix(words), "\(failure)")
    #expect(try bench.names.allSatisfy { !$0.hasPrefix("0002") && !$0.hasPrefix(".") })
  }

  @Test func `what a spreadsheet saves as Latin-1 is refused, as UTF-8 with a mark it is fine`()
    throws
  {
    let bench = try Workbench(Self.files)
    try bench.write("data/words.csv", Array("id,word,rank\n1,".utf8) + [0xFC] + Array(",1\n".utf8))
    #expect(bench.failure { try bench.make() }.contains("Latin-1"))
    let marked =
      "\u{FEFF}\"id\",\"word\",\"rank\"\r\n\"1\",\"one\",\"10\"\r\n"
      + "\"2\",\"zwei\",\"20\"\r\n\"3\",\"three\",\"30\"\r\n"
    try bench.write(["data/words.csv": marked])
    try bench.make()
    #expect(
      try bench.text("0002_next/words.update.csv.gz") == "id,word,was:word\n2,zwei,two\n")
  }

  @Test func `a column that the CSV lost is told, and stays as it is`() throws {
    let bench = try Workbench(Self.files)
    try bench.write(["data/words.csv": "id,word\n1,eins\n2,two\n3,three\n"])
    let summary = try bench.make()
    #expect(summary.absent == [.init(table: "words", column: "rank")])
    #expect(summary.tables.map(\.updated) == [1])
    try bench.write(["data/words.csv": "id,word,rank\n1,eins,10\n2,two,20\n3,three,30\n"])
    #expect(try bench.make("again").absent == [])
  }

  @Test func `a CSV without its header is told as that`() throws {
    let bench = try Workbench(Self.files)
    try bench.write(["data/words.csv": "1,one,10\n2,two,20\n"])
    #expect(
      bench.failure { try bench.make() }
        == "data/words.csv:1: The table 'words' has none of the columns that this line names, as "
        + "if the header were missing. The first line must be the header: id,word,rank")
  }

  @Test(arguments: ["<<<<<<< HEAD", "=======", ">>>>>>> names", "||||||| 4711"])
  func `a source with the marks of a merge is told as that`(_ mark: String) throws {
    let bench = try Workbench(Self.files)
    try bench.write(["data/words.csv": "id,word,rank\n1,one,1\n\(mark)\n2,two,2\n"])
    let error = bench.failure { try bench.make() }
    #expect(error.contains("words.csv:3:1: This line is a conflict marker"), "\(error)")
    // A word that begins like one is none.
    try bench.write(["data/words.csv": "id,word,rank\n1,one,1\n\(mark.prefix(6))\n"])
    #expect(bench.failure { try bench.make() }.contains("found 1 field, expected 3"))
  }

  @Test func `a new column shows the SQL that adds it, and comes along with it`() throws {
    let bench = try Workbench(Self.files)
    let rows = "1,one,10,0.5,x\n2,two,20,,\n3,three,30,2,\n"
    try bench.write(["data/words.csv": "id,word,rank,weight,note\n" + rows])
    let failure = bench.failure { try bench.make() }
    let sql = """
      ALTER TABLE "words" ADD COLUMN "weight" REAL;
      ALTER TABLE "words" ADD COLUMN "note" TEXT;
      """
    #expect(failure.contains("has no column 'weight', 'note'.") && failure.hasSuffix(sql))
    #expect(failure.contains(" If they are new, put this into a file"))
    try bench.make { $0.upSQL = sql }
    #expect(try bench.text("0002_next/up.sql") == sql)
    #expect(
      try bench.text("0002_next/words.update.csv.gz")
        == "id,weight,was:weight,note,was:note\n1,0.5,,x,\n3,2.0,,,\n")
    _ = try bench.migrator().up()
    #expect(
      try bench.rows("SELECT weight FROM words ORDER BY id") == [[.real(0.5)], [.null], [.real(2)]])
    #expect(try bench.make().isUpToDate)
  }

  @Test func `a release that breaks the schema is withdrawn`() throws {
    var files = Self.files
    files["0001_words/up.sql"] =
      "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT UNIQUE, rank INTEGER);"
    let bench = try Workbench(files)
    try bench.write(["data/words.csv": "id,word,rank\n1,one,10\n2,two,20\n3,three,30\n4,one,1\n"])
    let before = try bench.names
    let failure = bench.failure { try bench.make() }
    #expect(
      failure.contains("uniqueTaken") && failure.contains("Nothing was written."), "\(failure)")
    #expect(try bench.names == before)
  }

  @Test func `a trigger that undoes the release is found out`() throws {
    var files = Self.files
    files["0001_words/after.sql"] = """
      CREATE TRIGGER t AFTER UPDATE ON words WHEN new.rank > 50 BEGIN
        UPDATE words SET rank = 50 WHERE id = new.id; END;
      """
    let bench = try Workbench(files)
    try bench.write(["data/words.csv": "id,word,rank\n1,one,60\n2,two,20\n3,three,30\n"])
    let before = try bench.names
    #expect(bench.failure { try bench.make() }.contains("the source CSV of 'words': id=1"))
    #expect(try bench.names == before)
  }

  @Test func `where the lock cannot be written the new folder goes again`() throws {
    let bench = try Workbench(Self.files)
    try bench.write([
      // Withdrawn, so that nobody applies it; but the lock counts its rows.
      "0002_bad/words.csv": "id\n1,2\n", "0002_bad/migration.json": #"{"withdrawn": true}"#,
      "data/words.csv": "id,word,rank\n1,uno,10\n2,two,20\n3,three,30\n",
    ])
    let before = try bench.names
    #expect(bench.failure { try bench.make() }.hasPrefix("0002_bad/words.csv:2:3: found 2"))
    #expect(try bench.names == before)
  }

  @Test func `what tells rows apart from others goes along`() throws {
    var files = Self.files
    files["catalog.json"] =
      #"{"tables": {"words": {"source": "data/words.csv", "identity": ["word"]}}}"#
    let bench = try Workbench(files)
    try bench.write(["data/words.csv": "id,rank\n1,11\n3,30\n"])
    try bench.make { $0.allowsDeletes = true }
    #expect(
      try bench.text("0002_next/words.update.csv.gz") == "id,rank,was:rank,was:word\n1,11,10,one\n")
    #expect(try bench.text("0002_next/words.delete.csv.gz") == "id,rank,word\n2,20,two\n")
  }

  @Test func `a released migration that was changed is not locked in`() throws {
    let bench = try Workbench(Self.files)
    _ = try CatalogLock.write(directory: bench.catalog)
    try bench.write(["0001_words/words.csv": "id,word,rank\n1,other,10\n"])
    try bench.write(["data/words.csv": "id,word,rank\n1,one,10\n"])
    #expect(bench.failure { try bench.make() }.hasPrefix("0001_words: The data of this migration"))
    try bench.write(["0002_x/up.sql": "SELECT 1;"])
    _ = try CatalogLock.write(directory: bench.catalog)
    try FileManager.default.removeItem(atPath: bench.catalog + "/0002_x")
    #expect(bench.failure { try bench.make() }.hasPrefix("0002_x: The lock has this migration"))
  }

  @Test func `a column that is called like an old value is in the way`() throws {
    var files = Self.files
    files["0001_words/up.sql"] =
      #"CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, rank INTEGER, "was:word" TEXT);"#
    let bench = try Workbench(files)
    try bench.write(["data/words.csv": "id,word,rank\n1,uno,10\n2,two,20\n3,three,30\n"])
    #expect(bench.failure { try bench.make() }.contains("cannot hold what 'word' was before"))
    try bench.write([
      "data/words.csv": "id,word,rank,was:word\n1,one,10,x\n2,two,20,\n3,three,30,\n"
    ])
    try bench.make()
    #expect(
      try bench.text("0002_next/words.update.csv.gz") == "id,was:word,was:was:word\n1,x,\n")
  }

  @Test func `files of one table are one source`() throws {
    var files = Self.files
    files["catalog.json"] = #"{"tables": {"words": {"source": "data/words.*.csv"}}}"#
    let bench = try Workbench(files)
    try bench.write([
      "data/words.a.csv": "id,word,rank\n1,one,10\n2,two,21\n",
      "data/words.b.csv": "rank,id,word\n30,3,three\n", "data/other.csv": "x\n1\n",
    ])
    try bench.make()
    #expect(
      try bench.text("0002_next/words.update.csv.gz") == "id,rank,was:rank\n2,21,20\n")
    try bench.write(["data/words.b.csv": "rank,id,word\n30,2,three\n"])
    #expect(
      bench.failure { try bench.make() }.hasPrefix(
        "data/words.b.csv:2: The key id=2 appears twice, first at data/words.a.csv:3."))
  }
}
