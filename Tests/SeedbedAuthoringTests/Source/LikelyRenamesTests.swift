import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// Rows that are added as others were that are retired.
struct LikelyRenamesTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var columns = "word TEXT PRIMARY KEY, text TEXT"
    var old: String
    var new: String
    /// nil for none.
    var file: String?
    var options = ""

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "rows with another key", old: "word,text\na,one\nb,two\nc,three\n",
      new: "word,text\na,one\nB,two\nC,three\n", file: "was:word,word\nb,B\nc,C\n"),
    Case(
      name: "a key of two columns, of which one changes",
      columns: "word TEXT, lang TEXT, text TEXT, PRIMARY KEY (word, lang)",
      old: "word,lang,text\na,en,one\nb,en,two\n", new: "word,lang,text\na,en,one\nb,\"e,n\",two\n",
      file: "was:word,word,was:lang,lang\nb,b,en,\"e,n\"\n"),
    Case(
      name: "none, if another row has the values, too", old: "word,text\na,noun\nb,noun\nc,verb\n",
      new: "word,text\na,noun\nB,noun\nc,verb\n"),
    Case(
      name: "none, if two rows go that are alike", old: "word,text\na,x\nb,noun\nc,noun\n",
      new: "word,text\na,x\nB,noun\n"),
    Case(
      name: "none, if two rows come that are alike", old: "word,text\na,x\nb,noun\n",
      new: "word,text\na,x\nB,noun\nC,noun\n"),
    Case(
      name: "none, if another value changes", old: "word,text\nb,two\n", new: "word,text\nB,Two\n"),
    Case(
      name: "none, if nothing is known of the row", old: "word,text\nb,\n", new: "word,text\nB,\n"),
    Case(
      name: "none, if there is nothing but the key", columns: "word TEXT PRIMARY KEY",
      old: "word\nb\n", new: "word\nB\n"),
    Case(
      name: "a column that is ignored", columns: "word TEXT PRIMARY KEY, text TEXT, seen TEXT",
      old: "word,text,seen\nb,two,1\n", new: "word,text,seen\nB,two,2\n",
      file: "was:word,word\nb,B\n", options: #", "ignore": ["seen"]"#),
    Case(
      name: "none, if rows only go", old: "word,text\na,one\nb,two\n", new: "word,text\na,one\n"),
  ]

  private static func bench(_ example: Case) throws -> Workbench {
    try Workbench([
      "catalog.json": #"{"tables": {"t": {"source": "data/t.csv"\#(example.options)}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (\(example.columns));",
      "0001_t/t.csv": example.old, "data/t.csv": example.new,
    ])
  }

  @Test(arguments: cases)
  func `found are`(_ example: Case) throws {
    let bench = try Self.bench(example)
    let release = bench.release { $0.allowsDeletes = true }
    #expect(
      try release.likelyRenames().renames.map(\.file) == (example.file.map { [$0] } ?? []))
    let summary = try release.make()
    #expect(summary.renames.map(\.file) == (example.file.map { [$0] } ?? []))
    guard let file = example.file else { return }
    // The file is what the option takes.
    try bench.write(["renamed.csv": file])
    let again = try bench.make {
      ($0.amends, $0.allowsDeletes) = (true, true)
      $0.renamed = [Release.TableFile(nil, bench.catalog + "/renamed.csv")]
    }
    let rows = file.split(separator: "\n").count - 1
    #expect(again.tables.map(\.updated) == [rows] && again.tables.map(\.deleted) == [0])
    #expect(again.renames == [])
  }

  @Test func `an example is given`() throws {
    let bench = try Self.bench(Self.cases[0])
    let renames = try bench.make { $0.allowsDeletes = true }.renames[0]
    #expect(renames.rows == 2 && renames.table == "t")
    #expect(renames.oldKey == "word='b'" && renames.newKey == "word='B'")
  }
}
