import Foundation
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// Files of suggestions as they come from devices, and from strangers.
struct SuggestionFileTests {
  static let files = [
    "catalog.json": """
    {"tables": {"t": {"source": "data/t.csv", "ignore": ["stamp"], "blobs": {"b": "hex"}},
      "u": {"key": ["name"]}}}
    """,
    "0001_t/up.sql": """
    CREATE TABLE t (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, size REAL, b BLOB, stamp TEXT, own TEXT);
    CREATE TABLE u (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, n INTEGER);
    CREATE TABLE other (id INTEGER PRIMARY KEY);
    """,
    "0001_t/t.csv": "id,name,size,b,stamp\n1,one,1.5,00ff,x\n2,two,,,x\n3,three,3,,x\n",
    "0001_t/u.csv": "name,n\nant,1\nbee,2\n",
    "data/t.csv": "id,name,size,b,stamp\n1,one,1.5,00ff,x\n2,two,,,x\n3,three,3,,x\n",
  ]

  static let header = "kind,table,key,column,base,mine,version\n"

  /// The review of files with these contents.
  static func review(_ contents: [String], in bench: Workbench? = nil) throws -> SuggestionReview {
    let bench = try bench ?? Workbench(files)
    let review = try SuggestionReview(directory: bench.catalog)
    for (number, text) in contents.enumerated() {
      let name = "in/\(number)"
      try bench.write([name: text])
      try review.read(bench.catalog + "/" + name, shownAs: name)
    }
    return review
  }

  private static func csv(_ rows: String...) -> String {
    header + rows.map { $0 + "\n" }.joined()
  }

  private static func edit(_ id: Int, _ column: String, _ base: String, _ mine: String) -> String {
    csv(#"edit,t,"{""id"":\#(id)}",\#(column),\#(base),\#(mine),1"#)
  }

  // MARK: honest ones

  @Test func `CSV and JSON say the same, in any spelling`() throws {
    let contents = [
      Self.edit(1, "name", "one", "uno"), Self.edit(1, "NAME", "\"one\"", "\"uno\""),
      #"{"kind":"edit","table":"T","key":{"ID":1},"column":"name","base":"one","mine":"uno","#
        + #""version":2}"# + "\n\n",
      #" {"kind":"edit"}"#,
    ]
    let review = try Self.review(contents)
    let list = try review.list()
    #expect(list.count == 1)
    #expect(list[0].count == 3 && list[0].versions == 1...2 && list[0].state == .open)
    #expect(list[0].place == .init("data/t.csv", line: 2))
    // The fourth begins with a space, and is no CSV of suggestions.
    #expect(review.refusedCount == 1 && review.files == 4)
  }

  @Test func `a number, a BLOB, NULL and an empty text are what they are`() throws {
    let review = try Self.review([
      Self.edit(1, "size", "1.5", "-1.25"), Self.edit(1, "b", "00ff", "AB"),
      #"{"kind":"edit","table":"t","key":{"id":1},"column":"b","base":{"base64":"AP8="},"#
        + #""mine":{"base64":"qw=="},"version":1}"#,
      Self.edit(2, "size", "", "2.0"), Self.edit(2, "name", "two", "\"\""),
    ])
    #expect(review.refused == [])
    let list = try review.list()
    #expect(list.map(\.count) == [2, 1, 1, 1])
    #expect(list.allSatisfy { $0.state == .open })
    #expect(list[0].suggested.mine == .blob([0xAB]))
  }

  @Test func `a line that a file repeats counts once, and a file that is named twice`() throws {
    let bench = try Workbench(Self.files)
    let line = #"edit,t,"{""id"":1}",name,one,uno,1"#
    let review = try Self.review([Self.csv(line, line, line)], in: bench)
    try review.read(bench.catalog + "/in/0", shownAs: "again")
    #expect(try review.list().map(\.count) == [1])
  }

  @Test func `the ID is the same whenever it is made`() throws {
    let once = try Self.review([Self.edit(1, "name", "one", "uno")]).list()[0].id
    let other = try Self.review([Self.edit(1, "name", "one", "una")]).list()[0].id
    #expect(once == "9d612702d8dfc90c" && once != other)
  }

  @Test func `what the source has by now decides the state`() throws {
    let bench = try Workbench(Self.files)
    try bench.write(["data/t.csv": "id,name,size,b,stamp\n1,uno,1.5,00ff,x\n2,zwei,,,x\n"])
    let review = try Self.review(
      [
        Self.edit(1, "name", "one", "uno"), Self.edit(2, "name", "two", "due"),
        Self.edit(3, "name", "three", "tre"), Self.edit(1, "size", "1.5", "2"),
        Self.csv(#"deletion,t,"{""id"":3}",,,,1"#, #"deletion,t,"{""id"":1}",,,,1"#),
        Self.csv(
          #"addition,t,"{""id"":1}",,,"{""id"":1,""name"":""uno""}",1"#,
          #"addition,t,"{""id"":2}",,,"{""id"":2,""name"":""duo""}",1"#,
          #"addition,t,"{""id"":9}",,,"{""id"":9,""name"":""neuf"",""size"":null}",1"#),
      ], in: bench)
    #expect(review.refused == [])
    var states: [String: SuggestionReview.Entry.State] = [:]
    for entry in try review.list() {
      let key = entry.row.key[0].new ?? entry.row.key[0].old ?? .null
      guard case .number(let number) = key else { continue }
      states["\(entry.kind) \(number) \(entry.column ?? "")"] = entry.state
      #expect((entry.now != nil) == (entry.state == .outdated && entry.kind == .edit))
    }
    #expect(
      states == [
        "edit 1 name": .settled, "edit 2 name": .outdated, "edit 3 name": .gone,
        "edit 1 size": .open, "deletion 3 ": .settled, "deletion 1 ": .open,
        "addition 1 ": .settled, "addition 2 ": .outdated, "addition 9 ": .open,
      ])
  }

  @Test func `a table without a source is compared with the catalog's rows`() throws {
    let review = try Self.review([
      Self.csv(#"edit,u,"{""name"":""ant""}",n,1,5,1"#, #"edit,u,"{""name"":""eel""}",n,1,5,1"#)
    ])
    #expect(try Set(review.list().map(\.state)) == [.open, .gone])
  }

  @Test func `the most frequent are first, and a place and a number choose some`() throws {
    let bench = try Workbench(Self.files)
    let review = try Self.review(
      [Self.edit(1, "name", "one", "a")]
        + Array(repeating: Self.edit(1, "name", "one", "b"), count: 3)
        + [Self.csv(#"deletion,t,"{""id"":1}",,,,1"#)], in: bench)
    #expect(try review.list().map(\.count) == [3, 1, 1])
    #expect(try review.list(least: 2).count == 1)
    #expect(try review.list(at: "T.Name").count == 2)
    #expect(try review.list(at: "t").count == 3)
    #expect(try review.list(at: "u").isEmpty)
    withExtendedLifetime(bench) {}
  }

  // MARK: strangers

  struct Bad: Sendable, CustomTestStringConvertible {
    let text: String
    let message: String
    var line: Int? = 2
    var testDescription: String { message }
  }

  static let bad = [
    Bad(text: "", message: "The file is empty.", line: nil),
    Bad(text: "id,name\n1,x\n", message: "This is no file of suggestions", line: 1),
    Bad(text: "\u{FEFF}kind;table\n", message: "", line: 1),
    Bad(text: header + "edit,t\n", message: ""),
    Bad(text: header + "edit,t,\"{\n", message: ""),
    Bad(text: header + "edit,t,\u{0},,,,1\n", message: ""),
    Bad(text: edit(1, "nme", "one", "uno"), message: "names 'nme'"),
    Bad(text: edit(1, "own", "", "uno"), message: "names 'own', a column that data/t.csv does not"),
    Bad(text: edit(1, "stamp", "x", "y"), message: "names 'stamp'"),
    Bad(text: edit(1, "id", "1", "2"), message: "changes 'id', which is part of the key"),
    Bad(text: edit(1, "size", "1.5", "large"), message: "does not fit the column 'size'"),
    Bad(text: edit(1, "b", "00ff", "xyz"), message: "does not fit the column 'b'"),
    Bad(text: edit(1, "name", "one", "one"), message: "changes nothing"),
    Bad(text: edit(1, "", "one", "uno"), message: "names no column"),
    Bad(text: csv("steal,t,{},,,,1"), message: "Its kind is 'steal'"),
    Bad(
      text: csv(#"edit,sqlite_schema,"{""id"":1}",sql,a,b,1"#),
      message: "No file of the catalog fills a table 'sqlite_schema'"),
    Bad(text: csv(#"edit,other,"{""id"":1}",id,1,2,1"#), message: "No file of the catalog fills"),
    Bad(text: csv("edit,t,1,name,one,uno,1"), message: "'key' is not a JSON object"),
    Bad(text: csv("edit,t,,name,one,uno,1"), message: "'key' is not a JSON object"),
    Bad(text: csv(#"edit,t,"{""name"":""one""}",size,1.5,2,1"#), message: "has 'name' in its key"),
    Bad(text: csv(#"edit,t,"{""id"":null}",name,one,uno,1"#), message: "lacks a part of its key"),
    Bad(text: csv(#"edit,t,"{""id"":""x""}",name,one,uno,1"#), message: "does not fit the column"),
    Bad(text: csv(#"edit,t,"{""id"":true}",name,one,uno,1"#), message: "'id' is no value of a row"),
    Bad(text: csv(#"edit,t,"{""id"":1}",name,one,uno,-1"#), message: "Its version is '-1'"),
    Bad(text: csv(#"addition,t,"{""id"":9}",,,x,1"#), message: "Found 'x'"),
    Bad(
      text: csv(#"addition,t,"{""id"":9}",,,"{""id"":8,""name"":""n""}",1"#),
      message: "has another key in its row"),
    Bad(
      text: csv(#"addition,t,"{""id"":9}",,,"{""id"":9,""own"":""n""}",1"#),
      message: "names 'own'"),
    Bad(text: csv(#"edit,t,"{""id"":1",name,one,uno,1"#), message: "expected ',' or '}'."),
    Bad(
      text: "{\"kind\":\"edit\"",
      message: "The line ends here, expected ',' or '}'. Each object has one line", line: 1),
    Bad(
      text: #"{"kind":"edit","table":"t","key":{"id":1},"column":"name","base":"one","#
        + #""mine":"a\u0000b","version":1}"#,
      message: "does not fit the column 'name'", line: 1),
    Bad(
      text: "{" + (0..<3000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}",
      message: "more than 2000 keys", line: 1),
    Bad(text: String(repeating: "{\"a\":", count: 100), message: "brackets are open", line: 1),
    Bad(
      text: "{\"kind\":\"" + String(repeating: "x", count: 17 << 20) + "\"}",
      message: "more than 16 MiB", line: 1),
  ]

  @Test(arguments: bad) func `it is refused with its place:`(_ bad: Bad) throws {
    let review = try Self.review([bad.text])
    #expect(try review.list().isEmpty)
    #expect(review.refusedCount == 1)
    let error = try #require(review.refused.first)
    #expect(bad.message.isEmpty || error.message.contains(bad.message), "\(error)")
    #expect(error.place?.file == "in/0" && error.place?.line == bad.line, "\(error)")
    #expect(error.message.utf8.count < 500)
  }

  @Test func `one bad line does not spoil the others, and many are counted`() throws {
    let good = #"edit,t,"{""id"":1}",name,one,uno,1"#
    let lines = Array(repeating: "edit,none,{},,,,1", count: 500)
    let review = try Self.review([
      Self.header + (lines + [good]).joined(separator: "\n"), Self.csv(good),
    ])
    #expect(try review.list().map(\.count) == [2])
    #expect(review.refusedCount == 500 && review.refused.count == 100)
  }

  @Test func `a text that looks like a formula, or hides, is only a text`() throws {
    let texts = ["=cmd|' /C calc'!A0", "@x", "+1", "-", "'t", "\u{202E}gnp.exe"]
    let lines = texts.map { text in
      #"{"kind":"edit","table":"t","key":{"id":1},"column":"name","base":"one","mine":"#
        + text.json + #","version":1}"#
    }
    let review = try Self.review(lines)
    #expect(try Set(review.list().map(\.suggested.mine)) == Set(texts.map { .text($0) }))
  }
}
