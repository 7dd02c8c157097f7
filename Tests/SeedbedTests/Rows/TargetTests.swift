import Testing

@testable import Seedbed

/// Files and options that do not fit the database's own schema.
struct TargetTests {
  static let schema = """
    CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT, code TEXT UNIQUE, b BLOB,
      low TEXT AS (lower(lemma)));
    CREATE TABLE loose (a, v);
    CREATE VIEW shown AS SELECT * FROM words;
    CREATE VIRTUAL TABLE search USING fts5 (body);
    """

  struct Case: CustomTestStringConvertible {
    var name: String
    var file: String
    var csv = "id,lemma\n1,x\n"
    var json: String?
    var code = SeedbedError.Code.catalog
    var error: String

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "an unknown table", file: "word.csv",
      error: """
        0001_t/word.csv: There is no table 'word' in the database. Did you mean 'words'? Create it \
        in up.sql, or name the file after its table.
        """),
    Case(
      name: "a table that resembles none", file: "planets.csv",
      error: """
        0001_t/planets.csv: There is no table 'planets' in the database. Create it in up.sql, or \
        name the file after its table.
        """),
    Case(
      name: "a view", file: "shown.csv",
      error: """
        0001_t/shown.csv: 'shown' is a view, not an ordinary table. Rows go into ordinary tables \
        only.
        """),
    Case(
      name: "a virtual table", file: "search.csv",
      error: """
        0001_t/search.csv: 'search' is a virtual, not an ordinary table. Rows go into ordinary \
        tables only.
        """),
    Case(
      name: "a shadow table", file: "search_data.csv",
      error: """
        0001_t/search_data.csv: 'search_data' is a shadow, not an ordinary table. Rows go into \
        ordinary tables only.
        """),
    Case(
      name: "SQLite's own table", file: "SQLITE_SCHEMA.csv",
      error: """
        0001_t/SQLITE_SCHEMA.csv: 'sqlite_schema' is not a table for data. Rows go into ordinary \
        tables only.
        """),
    Case(
      name: "the ledger", file: "seedbed_RUNS.csv",
      error: """
        0001_t/seedbed_RUNS.csv: 'seedbed_runs' is not a table for data. Rows go into ordinary \
        tables only.
        """),
    Case(
      name: "a table without a key", file: "loose.csv", csv: "a,v\n1,x\n",
      error: """
        0001_t/loose.csv: The table 'loose' has no primary key, so its rows cannot be told apart. \
        Name a UNIQUE column set in catalog.json: "key": ["…"].
        """),
    Case(
      name: "a key option with an unknown column", file: "words.csv", json: #"{"key":["name"]}"#,
      error: """
        0001_t/words.csv: The options name the key column 'name', which the table 'words' does not \
        have.
        """),
    Case(
      name: "a key option that is not unique", file: "words.csv",
      json: #"{"key":["lemma","code"]}"#,
      error: """
        0001_t/words.csv: The options name the key (lemma, code) of the table 'words', but it is \
        neither its primary key nor UNIQUE. Add a UNIQUE index in up.sql.
        """),
    Case(
      name: "a header without the key", file: "words.csv", csv: "lemma,code\nx,y\n", code: .csv,
      error: """
        0001_t/words.csv:1: The header does not have 'id', the key of the table 'words'. Every row \
        needs its key.
        """),
    Case(
      name: "an unknown column", file: "words.csv", csv: "id,lema\n1,x\n", code: .csv,
      error: """
        0001_t/words.csv:1:4: The table 'words' has no column 'lema'. Did you mean 'lemma'? The \
        first line must be the header, with the columns' exact names.
        """),
    Case(
      name: "no header at all", file: "words.csv", csv: "1,something\n", code: .csv,
      error: """
        0001_t/words.csv:1:1: The table 'words' has no column '1'. The first line must be the \
        header, with the columns' exact names.
        """),
    Case(
      name: "a generated column", file: "words.csv", csv: "id,low\n1,x\n", code: .csv,
      error: """
        0001_t/words.csv:1:4: The column 'low' of the table 'words' is generated: the database \
        computes it. Remove it from the file.
        """),
    Case(
      name: "bytes without an encoding", file: "words.csv", csv: "id,b\n1,00\n",
      error: """
        0001_t/words.csv:1: The column 'b' is a BLOB. State in catalog.json how its bytes are \
        written: "blobs": { "b": "base64" } or "hex".
        """),
  ]

  @Test(arguments: cases)
  func `rows are refused for`(_ example: Case) throws {
    var files = ["0001_t/up.sql": Self.schema, "0001_t/\(example.file)": example.csv]
    files["catalog.json"] = example.json.map { #"{"tables":{"words":\#($0)}}"# }
    let device = try Device(files)
    let error = try device.failure()
    #expect(error.code == example.code)
    #expect(error.description == example.error)
    #expect(error.version == 1)
    #expect(try device.dump() == [])
  }

  @Test func `a file that changes between two looks is refused`() {
    #expect(
      SeedbedError.fileChanged("0001_t/t.csv").description == """
        0001_t/t.csv: The file changed while it was read. Nothing was applied: try again.
        """)
  }
}
