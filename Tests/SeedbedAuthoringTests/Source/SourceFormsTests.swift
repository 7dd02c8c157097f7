import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// Sources that are no CSV: JSON lines, and a part of a database.
struct SourceFormsTests {
  static let table = """
    CREATE TABLE words (
      id INTEGER PRIMARY KEY, word TEXT, rank REAL, common BOOLEAN, tags TEXT, image BLOB);
    """

  static func bench(
    _ source: String, _ files: [String: String], blob: String = "hex"
  ) throws -> Workbench {
    let options =
      #"{"tables": {"words": {"source": "\#(source)", "blobs": {"image": "\#(blob)"}}}}"#
    let bench = try Workbench([
      "catalog.json": options, "0001_words/up.sql": table,
      "0001_words/words.csv": "id,word,rank,common,tags,image\n1,old,1.5,0,,00ff\n",
    ])
    return try bench.write(files)
  }

  static func database(_ bench: Workbench, _ sql: String) throws {
    try bench.write(["data/keep": ""])
    let connection = try Connection(
      bench.catalog + "/data/words.sqlite", .create, setup: nil)
    try connection.executeAll(sql)
  }

  // MARK: JSON lines

  @Test func `JSON lines say what a CSV cannot confuse`() throws {
    let bench = try Self.bench(
      "data/words.jsonl",
      [
        "data/words.jsonl": """
        {"id": 1, "word": "", "rank": 1.5, "common": false, "image": "00ff"}

        {"id": 2, "word": null, "common": true, "tags": ["a", {"b": 1.0}]}
        {"tags": "x, \\"y\\"\\nz", "word": "007", "id": 3}
        """
      ])
    let made = try bench.make()
    #expect(made.tables.map(\.inserted) == [2] && made.tables.map(\.updated) == [1])
    #expect(
      try bench.exported("words") == """
        id,word,rank,common,tags,image
        1,"",1.5,0,,00ff
        2,,,1,"[""a"", {""b"": 1.0}]",
        3,007,,,"x, ""y""\nz",

        """)
    #expect(try bench.release("again").check().tables.isEmpty)
  }

  @Test func `compressed JSON lines are read, too`() throws {
    let bench = try Self.bench("data/words.jsonl.gz", [:])
    let text = #"{"id": 1, "word": "new", "rank": 1.5, "common": 0, "image": "00ff"}"#
    try bench.write("data/words.jsonl.gz", Gzip(text).bytes)
    #expect(try bench.make().tables.map(\.updated) == [1])
  }

  @Test func `a table that is proposed has the types of the values`() throws {
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"words": {"source": "words.jsonl"}}}"#,
      "words.jsonl": """
      {"id": 1, "code": "7", "rank": 1.5, "known": true}
      {"id": 2, "code": "8", "rank": 2, "known": false}
      """,
    ])
    let proposal = try bench.make().proposals.map(\.sql).joined()
    #expect(proposal.contains(#""code" TEXT NOT NULL"#), "\(proposal)")
    #expect(proposal.contains(#""rank" REAL NOT NULL"#), "\(proposal)")
    #expect(proposal.contains(#""known" INTEGER NOT NULL"#), "\(proposal)")
  }

  struct Failure: Sendable, CustomTestStringConvertible {
    var lines: String
    var start: String
    var words: String
    var testDescription: String { words }
  }

  static let failures = [
    Failure(
      lines: #"{"id": 1, "word": "a\nb", "rank": 1}"# + "\n" + #"{"id": 2, "rank": "x"}"#,
      start: "data/words.jsonl:2: ", words: "'x'"),
    Failure(
      lines: "\n" + #"{"id": 1, "word": "a\nb\n", "tags": "\n"}"# + "\n" + #"{"id": 2}"# + "\n\n"
        + #"{"id": 3}"# + "\n" + #"{"id": 4, "rank": "x"}"#,
      start: "data/words.jsonl:6: ", words: "'x'"),
    Failure(
      lines: #"{"id": 1}"# + "\n\n" + #"{"id": 2, "wrod": "b"}"#, start: "data/words.jsonl:3: ",
      words: "Did you mean 'word'?"),
    Failure(
      lines: #"{"id": 1}"# + "\n" + #"{"id": 1}"#, start: "data/words.jsonl:2: ",
      words: "first at data/words.jsonl:1"),
    Failure(lines: #"{"id": 1}"# + "\n[2]", start: "data/words.jsonl:2: ", words: "an array"),
    Failure(lines: #"{"id": 1"#, start: "data/words.jsonl:1:9: ", words: "The line ends here"),
    Failure(
      lines: #"{"id": 1, "id": 2}"#, start: "data/words.jsonl:1:11: ", words: "in the same object"),
    Failure(
      lines: #"{"id": 1, "ok": 2}"# + "\n" + #"{"id": 2, "Ok": 2}"#, start: "data/words.jsonl:2: ",
      words: "'Ok' twice"),
    Failure(lines: "{\n\"id\": 1}", start: "data/words.jsonl:1:2: ", words: "jq -c"),
    Failure(
      lines: #"{"id": 1} {"id": 2}"#, start: "data/words.jsonl:1:11: ", words: "end of the line"),
    Failure(lines: "\n", start: "data/words.jsonl: ", words: "no row"),
    Failure(
      lines: #"{"id": null}"#, start: "data/words.jsonl:1: ", words: "nothing but NULL"),
    Failure(
      lines: #"{"id": 1, "word": "a\u0000b"}"#, start: "data/words.jsonl:1: ", words: "NUL"),
  ]

  @Test(arguments: failures) func `an error names the line`(_ c: Failure) throws {
    let bench = try Self.bench("data/words.jsonl", ["data/words.jsonl": c.lines])
    let before = try bench.names
    let failure = bench.failure { try bench.make { $0.allowsDeletes = true } }
    #expect(failure.hasPrefix(c.start) && failure.contains(c.words), "\(failure)")
    #expect(try bench.names == before)
  }

  @Test func `an error in the header of a second file names its line`() throws {
    let bench = try Self.bench(
      "data/words.*.jsonl",
      [
        "data/words.a.jsonl": #"{"id": 1, "word": "a"}"#,
        "data/words.b.jsonl": "{\"id\": 2, \"word\": \"b\"}\n{\"id\": 3, \"Word\": \"c\"}",
      ])
    let failure = bench.failure { try bench.make { $0.allowsDeletes = true } }
    #expect(failure.hasPrefix("data/words.b.jsonl:2: "), "\(failure)")
  }

  @Test func `JSON that is no JSON lines has a remedy`() throws {
    let bench = try Self.bench("data/words.json", ["data/words.json": #"[{"id": 1}]"#])
    let failure = bench.failure { try bench.make() }
    #expect(failure.contains("jq -c"), "\(failure)")
    try bench.write([
      "catalog.json":
        #"{"tables": {"words": {"source": "data/words.jsonl", "blobs": {"image": "hex"}}}}"#,
      "data/words.jsonl": #"[{"id": 1}]"#,
    ])
    #expect(bench.failure { try bench.make() }.contains("jq -c"))
  }

  // MARK: a database

  @Test(arguments: ["hex", "base64"]) func `a table is read in its types`(_ blob: String) throws {
    let bench = try Self.bench("data/words.sqlite#lemmas", [:], blob: blob)
    try bench.write([
      "0001_words/words.csv":
        "id,word,rank,common,tags,image\n1,old,1.5,0,,\(blob == "hex" ? "00ff" : "AP8=")\n"
    ])
    try Self.database(
      bench,
      """
      CREATE TABLE lemmas (id PRIMARY KEY, word, rank, common, tags, image) WITHOUT ROWID;
      INSERT INTO lemmas VALUES (3, '', 1e300, NULL, 'a"b', NULL),
        (1, 'old', 1.5, 0, NULL, x'00FF'),
        (2, '007', 0.1, 1, NULL, x'');
      """)
    #expect(try bench.make().tables.map(\.inserted) == [2])
    #expect(
      try bench.export("words") == """
        id,word,rank,common,tags,image
        1,old,1.5,0,,\(blob == "hex" ? "00ff" : "AP8=")
        2,007,0.1,1,,""
        3,"",1e+300,,"a""b",

        """)
    #expect(
      try bench.text("0002_next/words.csv.gz").hasPrefix("id,word,rank,common,tags,image\n2,"))
  }

  @Test func `a SELECT beside the database names the columns`() throws {
    let bench = try Self.bench(
      "data/words.sqlite#words.sql",
      [
        "data/words.sql":
          "SELECT n AS id, upper(t) AS word, 1.5 AS rank, 0 AS common, NULL AS tags, "
          + "x'00ff' AS image\nFROM lemmas ORDER BY n; -- the end\n"
      ])
    try Self.database(
      bench, "CREATE TABLE lemmas (n, t); INSERT INTO lemmas VALUES (2, 'two'), (1, 'old')")
    _ = try bench.make()
    #expect(
      try bench.export("words").hasSuffix("\n1,OLD,1.5,0,,00ff\n2,TWO,1.5,0,,00ff\n"))
  }

  static let refusedSelects = [
    ("SELECT 1 AS id; SELECT 2 AS id", "Found 2 statements"), ("", "Found 0 statements"),
    ("SELECT id FROM lemmas WHERE id = ?1", "has a parameter"),
    ("PRAGMA table_info(lemmas)", "This is no SELECT"), ("EXPLAIN SELECT 1", "This is no SELECT"),
    ("SELECT wrong FROM lemmas", "no such column: wrong"),
    ("SELECT abs(-9223372036854775808) AS id", "integer overflow"),
    ("SELECT id, 9e999 AS rank FROM lemmas", "'rank' is infinite in the row with id=1"),
    ("SELECT id, 'a,b' AS rank FROM lemmas", "in the row with id=1"),
  ]

  @Test(arguments: refusedSelects)
  func `a SELECT that gives no rows of the table is refused`(sql: String, words: String) throws {
    let bench = try Self.bench("data/words.sqlite#words.sql", ["data/words.sql": sql])
    try Self.database(bench, "CREATE TABLE lemmas (id); INSERT INTO lemmas VALUES (1)")
    let failure = bench.failure { try bench.make { $0.allowsDeletes = true } }
    #expect(failure.hasPrefix("data/words.s") && failure.contains(words), "\(failure)")
    try bench.write("data/words.sql", Array("SELECT 1 AS id, '".utf8) + [0xE9] + Array("'".utf8))
    #expect(bench.failure { try bench.make() }.contains("is not UTF-8"))
  }

  @Test func `a file that is no database, and one that is locked`() throws {
    let bench = try Self.bench(
      "data/no.sqlite#words", ["data/no.sqlite": String(repeating: "no database ", count: 99)])
    #expect(bench.failure { try bench.make() }.hasPrefix("data/no.sqlite#words: SQLite says: "))
    try Self.database(bench, "CREATE TABLE words (id)")
    let writer = try Connection(bench.catalog + "/data/words.sqlite", .readWrite, setup: nil)
    try writer.executeAll("BEGIN EXCLUSIVE")
    let locked = bench.failure {
      try bench.make {
        let path = bench.catalog + "/data/words.sqlite#words"
        $0.sources = [.init("words", path, shownAs: "words.sqlite#words")]
      }
    }
    #expect(locked.hasPrefix("words.sqlite#words: Another program"), "\(locked)")
  }

  @Test func `a folder with the character in its name is no database`() throws {
    let bench = try Self.bench("C#/words.csv", ["C/keep": "", "C#/words.csv": "id\n1\n"])
    #expect(try bench.release().check().tables.isEmpty)
    try bench.remove("C#/words.csv")
    #expect(bench.failure { try bench.make() }.hasPrefix("There is no file 'C#/words.csv'"))
  }

  @Test func `what a database cannot give is refused by name`() throws {
    let bench = try Self.bench("data/words.sqlite#lemas", ["data/no.sql": "DELETE FROM lemmas"])
    try Self.database(
      bench,
      """
      CREATE TABLE lemmas (id INTEGER PRIMARY KEY, word TEXT, rank);
      INSERT INTO lemmas VALUES (17, 'x', 'much'), (18, CAST(x'ff' AS TEXT), 1);
      """)
    #expect(bench.failure { try bench.make() }.contains("Did you mean 'lemmas'?"))
    func failure(_ selection: String) -> String {
      bench.failure {
        try bench.make {
          let place = "data/words.sqlite" + selection
          $0.sources = [.init("words", bench.catalog + "/" + place, shownAs: place)]
        }
      }
    }
    let rank = failure("#lemmas")
    #expect(rank.hasPrefix("data/words.sqlite#lemmas: ") && rank.contains("id=17"), "\(rank)")
    try Self.database(bench, "UPDATE lemmas SET rank = 1")
    let text = failure("#lemmas")
    #expect(text.contains("UTF-8"), "\(text)")
    #expect(failure("#no.sql").contains("no SELECT"))
    #expect(failure("#none.sql").contains("no file 'none.sql' beside the database"))
    #expect(failure("").contains("This is an SQLite database"))
    #expect(
      try Connection(bench.catalog + "/data/words.sqlite", .readOnly, setup: nil)
        .value("SELECT count(*) FROM lemmas") == 2)
  }
}
