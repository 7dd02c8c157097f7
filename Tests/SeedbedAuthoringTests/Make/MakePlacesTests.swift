import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// What the new rows break is told where the author can mend it: in the CSV.
struct MakePlacesTests {
  private static let files = [
    "catalog.json": #"{"tables": {"words": {"source": "data/words*.csv"}}}"#,
    "0001_words/up.sql": """
    CREATE TABLE words (
      id INTEGER PRIMARY KEY, word TEXT UNIQUE, rank INTEGER CHECK (rank > 0),
      parent INTEGER REFERENCES words);
    """,
    "0001_words/words.csv": "id,word,rank,parent\n1,one,10,\n2,two,20,1\n3,three,30,\n",
  ]
  private static let old = "1,one,10,\n2,two,20,1\n3,three,30,\n"

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var rows: String
    var start: String
    var words = ""
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "an inserted row, behind one of two lines",
      rows: old + "4,\"fo\nur\",40,\n6,six,60,\n5,five,0,\n", start: "data/words.csv:8: "),
    Case(
      name: "an updated row", rows: "3,three,-1,\n1,one,11,\n2,two,20,1\n",
      start: "data/words.csv:2: "),
    Case(
      name: "a parent that is not there", rows: old + "4,four,40,1\n5,five,50,77\n",
      start: "data/words.csv:6: "),
    Case(
      name: "a parent that goes", rows: "2,two,20,1\n3,three,30,\n", start: "data/words.csv: ",
      words: #"referenced in 'words', {"id":1}"#),
    Case(
      name: "a UNIQUE value that is taken", rows: old + "9,nine,9,\n4,one,40,\n",
      start: "data/words.csv:6: ", words: "uniqueTaken"),
    Case(
      name: "a UNIQUE value twice among new rows",
      rows: "9,same,9,\n" + old + "4,same,40,\n5,five,5,\n", start: "data/words.csv:2: ",
      words: "first at data/words.csv:6"),
  ]

  @Test(arguments: cases) func `the error names the line of the CSV`(_ c: Case) throws {
    let bench = try Workbench(Self.files)
    try bench.write(["data/words.csv": "id,word,rank,parent\n" + c.rows])
    let before = try bench.names
    let failure = bench.failure { try bench.make { $0.allowsDeletes = true } }
    #expect(failure.hasPrefix(c.start) && failure.contains(c.words), "\(failure)")
    #expect(!failure.contains("0002_next"), "\(failure)")
    #expect(try bench.names == before)
  }

  @Test func `of several files it is the right one`() throws {
    let bench = try Workbench(Self.files)
    try bench.write([
      "data/words.csv": "id,word,rank,parent\n" + Self.old + "4,four,40,\n",
      "data/words.more.csv": "rank,id,word,parent\n60,6,six,\n0,5,five,\n",
    ])
    let failure = bench.failure { try bench.make() }
    #expect(failure.hasPrefix("data/words.more.csv:3: "), "\(failure)")
  }

  @Test func `what is wrong in the SQL that comes along is told by its own file`() throws {
    let bench = try Workbench(Self.files)
    try bench.write(["data/words.csv": "id,word,rank,parent\n" + Self.old])
    let failure = bench.failure {
      try bench.make {
        $0.upSQL = "CREATE TABLE x (a);\nINSERT INTO y VALUES (1);\n"
        $0.upSQLShownAs = "add.sql"
      }
    }
    #expect(failure.hasPrefix("add.sql:2"), "\(failure)")
    try bench.write(["0002_more/up.sql": "SELECT 1;\nINSERT INTO y VALUES (1);\n"])
    let amended = bench.failure { try bench.make("more") { $0.amends = true } }
    #expect(amended.hasPrefix("0002_more/up.sql:2"), "\(amended)")
    // After a merge the folder gets another number, and what is in it has to be mended where it is.
    try bench.write([
      "0002_more/up.sql": "SELECT 1;\n", "0002_more/verify.sql": "\nSELECT x;\n",
      "0003_other/up.sql": "SELECT 1;\n",
    ])
    let merged = bench.failure { try bench.make("more") { $0.amends = true } }
    #expect(merged.hasPrefix("0002_more/verify.sql:2"), "\(merged)")
  }
}
