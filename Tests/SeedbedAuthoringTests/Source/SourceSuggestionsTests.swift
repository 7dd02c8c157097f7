import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// Suggestions on their way into JSON lines, and into a database, which is its author's.
struct SourceSuggestionsTests {
  private static func edit(_ id: Int, _ column: String, _ base: String, _ mine: String) -> String {
    #"{"kind":"edit","table":"words","key":{"id":\#(id)},"column":"\#(column)","base":\#(base),"#
      + #""mine":\#(mine),"version":1}"# + "\n"
  }

  private static let suggestions =
    edit(1, "word", #""old""#, #""new \"one\"""#) + edit(1, "common", "0", "1")
    + edit(1, "tags", "null", #""x""#)
    + edit(1, "image", #"{"base64":"AP8="}"#, #"{"base64":"AQ=="}"#)
    + #"{"kind":"addition","table":"words","key":{"id":9},"row":{"id":9,"word":"nine"},"#
    + #""version":1}"#

  private static func take(_ bench: Workbench, _ lines: String) throws -> SuggestionReview.Taken {
    let review = try SuggestionFileTests.review([lines], in: bench)
    #expect(review.refused == [])
    let list = try review.list()
    return try review.take(list.map { String($0.id.prefix(8)) }, of: list, as: bench.release())
  }

  @Test func `JSON lines keep every byte that no suggestion is about`() throws {
    let bench = try SourceFormsTests.bench(
      "data/words.jsonl",
      [
        "data/words.jsonl": """
        {"id": 1,  "word":"old" , "rank": 1.50, "common": false, "image": "00ff" }
        { "id": 2 ,"tags":null}
        """
      ])
    let taken = try Self.take(bench, Self.suggestions)
    #expect(taken.files.map(\.file) == ["data/words.jsonl"] && taken.databases.isEmpty)
    #expect(
      try bench.text("data/words.jsonl") == #"""
        {"id": 1,  "word":"new \"one\"" , "rank": 1.50, "common": true, "image": "01" , "tags": "x"}
        { "id": 2 ,"tags":null}
        {"id": 9, "word": "nine"}

        """#)
    _ = try bench.make()
    #expect(try bench.export("words").contains("9,nine,,,,\n"))
  }

  @Test func `a list stays a list, and a number in quotes stays in quotes`() throws {
    let bench = try SourceFormsTests.bench("data/words.jsonl", [:])
    let row =
      #"{"id": 1, "word": "old", "rank": "1.5", "common": 0, "tags": ["a"], "image": "00ff"}"#
    try bench.write(["data/words.jsonl": row])
    _ = try Self.take(
      bench, Self.edit(1, "tags", "null", #""[\"b\", 2]""#) + Self.edit(1, "rank", "1.5", "2.5"))
    let changed = row.replacing("1.5", with: "2.5").replacing(#"["a"]"#, with: #"["b", 2]"#)
    #expect(try bench.text("data/words.jsonl") == changed)
  }

  @Test func `spaces around a list are kept as text, and additions end as the file's lines do`()
    throws
  {
    let bench = try SourceFormsTests.bench("data/words.jsonl", [:])
    let row = #"{"id": 1, "word": "old", "rank": 1.5, "common": 0, "tags": [1], "image": "00ff"}"#
    try bench.write(["data/words.jsonl": row + "\r\n" + #"{"id": 2}"#])
    _ = try Self.take(
      bench,
      Self.edit(1, "tags", "null", #""[3] ""#)
        + #"{"kind":"addition","table":"words","key":{"id":9},"row":{"id":9},"version":1}"#)
    #expect(
      try bench.text("data/words.jsonl")
        == row.replacing("[1]", with: #""[3] ""#) + "\r\n" + #"{"id": 2}"# + "\r\n"
        + #"{"id": 9}"# + "\r\n")
  }

  @Test func `a suggestion from a stranger stays one line of SQL`() throws {
    let bench = try SourceFormsTests.bench(
      "data/words.sqlite#words.sql", ["data/words.sql": "SELECT * FROM w"])
    let table = SourceFormsTests.table.replacing("TABLE words", with: "TABLE w")
    try SourceFormsTests.database(
      bench, table + "INSERT INTO w VALUES (1, 'old', 1.5, 0, NULL, x'00ff')")
    let hostile = #""a\nDELETE FROM w;\n.shell echo\u001b[2J 'x'\u202e""#
    let taken = try Self.take(bench, Self.edit(1, "word", #""old""#, hostile))
    let statements = taken.databases.flatMap(\.statements)
    #expect(statements.count == 1)
    let isPlain = statements.joined().unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0 != "\u{202E}"
    }
    #expect(isPlain && statements[0].hasPrefix("-- UPDATE"), "\(statements)")
    try SourceFormsTests.database(
      bench, String(statements[0].dropFirst(3)).replacing("\"words.sql\"", with: "w"))
    let text = try Connection(bench.catalog + "/data/words.sqlite", .readOnly, setup: nil)
      .value("SELECT word FROM w")?.text
    #expect(text == "a\nDELETE FROM w;\n.shell echo\u{1B}[2J 'x'\u{202E}")
  }

  @Test func `a key that is text in the author's table is found`() throws {
    let bench = try SourceFormsTests.bench("data/words.sqlite#w", [:])
    try SourceFormsTests.database(
      bench,
      "CREATE TABLE w (id, word, rank, common, tags, image); "
        + "INSERT INTO w VALUES ('1', 'old', 1.5, 0, NULL, x'00ff')")
    let taken = try Self.take(bench, Self.edit(1, "word", #""old""#, #""new""#))
    try SourceFormsTests.database(bench, taken.databases.flatMap(\.statements).joined())
    #expect(
      try Connection(bench.catalog + "/data/words.sqlite", .readOnly, setup: nil)
        .value("SELECT word FROM w")?.text == "new")
  }

  @Test func `for a database, there is the SQL to run`() throws {
    let bench = try SourceFormsTests.bench("data/words.sqlite#words", [:])
    try SourceFormsTests.database(
      bench,
      SourceFormsTests.table
        + "INSERT INTO words VALUES (1, 'old', 1.5, 0, NULL, x'00ff'), (2, 'two', 2, 0, NULL, NULL)"
    )
    let before = try bench.bytes("data/words.sqlite")
    let deletion = #"{"kind":"deletion","table":"words","key":{"id":2},"version":1}"#
    let taken = try Self.take(bench, Self.suggestions + "\n" + deletion)
    #expect(taken.files.isEmpty && taken.databases.map(\.place) == ["data/words.sqlite#words"])
    #expect(try bench.bytes("data/words.sqlite") == before)
    let statements = taken.databases.flatMap(\.statements)
    #expect(statements.count == 3, "\(statements)")
    try SourceFormsTests.database(bench, statements.joined(separator: "\n"))
    _ = try bench.make()
    #expect(
      try bench.export("words") == """
        id,word,rank,common,tags,image
        1,"new ""one""\",1.5,1,x,01
        9,nine,,,,

        """)
  }

  @Test func `nothing is taken that the next release would refuse`() throws {
    let bench = try SourceFormsTests.bench("data/words.sqlite#words", [:])
    try SourceFormsTests.database(
      bench, SourceFormsTests.table + "INSERT INTO words VALUES (1, 'old', 1.5, 0, NULL, x'00ff')")
    try bench.write([
      "0001_words/up.sql": SourceFormsTests.table.replacing(
        "word TEXT", with: "word TEXT CHECK (word <> 'bad')")
    ])
    let failure = bench.failure {
      _ = try Self.take(bench, Self.edit(1, "word", #""old""#, #""bad""#))
    }
    #expect(failure.hasPrefix("data/words.sqlite#words: "), "\(failure)")
    #expect(failure.contains("break a rule of the schema"), "\(failure)")
  }

  @Test func `a view is read, and its author corrects what is behind it`() throws {
    let bench = try SourceFormsTests.bench("data/words.sqlite#shown", [:])
    try SourceFormsTests.database(
      bench,
      "CREATE TABLE w (id INTEGER PRIMARY KEY, t); INSERT INTO w VALUES (2, 'two'), (1, 'old'); "
        + "CREATE VIEW shown AS SELECT id, t AS word, 1.5 AS rank, 0 AS common, NULL AS tags, "
        + "x'00ff' AS image FROM w ORDER BY id")
    let taken = try Self.take(bench, Self.edit(1, "word", #""old""#, #""new""#))
    #expect(taken.databases.flatMap(\.statements).allSatisfy { $0.hasPrefix("-- UPDATE") })
    #expect(try bench.make().tables.map(\.inserted) == [1])
  }
}
