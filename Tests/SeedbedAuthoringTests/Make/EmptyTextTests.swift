import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// Source CSVs of programs that write an empty text as an empty field.
struct EmptyTextTests {
  private static func bench(_ empty: String = "text") throws -> Workbench {
    try Workbench([
      "catalog.json": #"{"tables": {"t": {"source": "data/t.csv", "empty": "\#(empty)"}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT NOT NULL, w TEXT);",
      "0001_t/t.csv": "id,v,w\n1,\"\",\n2,b,\n", "data/t.csv": "id,v,w\n1,,\n2,b,\n",
    ])
  }

  @Test func `such a CSV makes releases that mean the same without the option`() throws {
    let bench = try Self.bench()
    #expect(try bench.make().isUpToDate)
    try bench.write(["data/t.csv": "id,v,w\n1,a,\n2,,\n3,,\n"])
    try bench.make("next")
    #expect(
      try bench.text("0002_next/t.update.csv.gz") == "id,v,was:v\n1,a,\"\"\n2,\"\",b\n")
    #expect(try bench.text("0002_next/t.csv.gz") == "id,v,w\n3,\"\",\n")
    try bench.write(["data/t.csv": "id,v,w\n1,a,\n2,,\n"])
    try bench.make("last") { $0.allowsDeletes = true }
    #expect(try bench.text("0003_last/t.delete.csv.gz") == "id,v,w\n3,\"\",\n")
    #expect(try bench.make().isUpToDate)
    #expect(try bench.exported("t") == "id,v,w\n1,a,\n2,\"\",\n")
    try bench.write(["catalog.json": "{}"])
    _ = try CatalogLock.write(directory: bench.catalog)
    _ = try bench.migrator().up()
    #expect(try bench.rows("SELECT v FROM t ORDER BY id") == [["a"], [""]])
  }

  @Test func `a column that may be NULL is empty text, too, if the option names it`() throws {
    let bench = try Workbench([
      "catalog.json":
        #"{"tables": {"t": {"source": "data/t.csv", "empty": {"v": "text", "w": "text"}}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT NOT NULL, w TEXT);",
      "0001_t/t.csv": "id,v,w\n1,,\n2,b,c\n", "data/t.csv": "id,v,w\n1,\"\",\n2,b,c\n",
    ])
    #expect(try bench.make().isUpToDate)
    try bench.write(["data/t.csv": "id,v,w\n1,,a\n2,b,\n"])
    try bench.make("next")
    #expect(
      try bench.text("0002_next/t.update.csv.gz") == "id,w,was:w\n1,a,\"\"\n2,\"\",c\n")
    #expect(try bench.make().isUpToDate)
    _ = try bench.migrator().up()
    #expect(try bench.rows("SELECT v, w FROM t ORDER BY id") == [["", "a"], ["b", ""]])
    try bench.write([
      "0003_null/up.sql": "UPDATE t SET w = NULL WHERE id = 2;",
      "data/t.csv": "id,v,w\n1,,a\n2,b,x\n",
    ])
    #expect(
      bench.failure { try bench.make("last") }
        == "'t' holds NULL in the column 'w', for id=2, which no CSV field can represent where an "
        + "empty field is the empty text. Correct that value by SQL in an up.sql.")
  }

  @Test func `a revert of empty fields by hand is read as they were`() throws {
    let bench = try Self.bench()
    try bench.write([
      "0002_more/t.csv": "id,v\n3,\n", "0002_more/t.update.csv": "id,v,was:v\n1,a,\n",
    ])
    _ = try CatalogLock.write(directory: bench.catalog)
    _ = try Revert(directory: bench.catalog, migration: "2").make()
    _ = try bench.migrator().up()
    #expect(try bench.rows("SELECT id, v FROM t ORDER BY id") == [[1, ""], [2, "b"]])
    #expect(try bench.make().isUpToDate)
  }

  @Test func `a row that is shown has an empty field, which only its column can explain`() throws {
    for (empty, value) in [("text", ReleaseReading.Value.empty), ("null", .null)] {
      let bench = try Self.bench(empty)
      try bench.write(["0002_more/t.csv": "id,v,w\n3,,\"\"\n"])
      var rows: [ReleaseReading.Row] = []
      try ReleaseReading(directory: bench.catalog).tables[0].rows(.insert) {
        rows.append($0)
        return true
      }
      #expect(rows[0].fields.map(\.new) == [value, .text("")])
    }
    let bench = try Self.bench()
    try bench.write([
      "catalog.json": #"{"tables": {"t": {"empty": {"W": "text"}}}}"#,
      "0002_more/t.csv": "id,v,w\n3,,\n",
    ])
    var rows: [ReleaseReading.Row] = []
    try ReleaseReading(directory: bench.catalog).tables[0].rows(.insert) {
      rows.append($0)
      return true
    }
    #expect(rows[0].fields.map(\.new) == [.null, .text("")])
  }

  @Test func `without the option the spreadsheet's work is named with it`() throws {
    let bench = try Self.bench("null")
    #expect(
      bench.failure { try bench.make() }
        == "data/t.csv:2: In the column 'v' every empty text (\"\") became an empty field, which "
        + "is NULL: a spreadsheet cannot tell the two apart. This looks like the work of a "
        + "spreadsheet, in 1 row: id=1: '' became NULL. The column may not be NULL: give the table "
        + "the option \"empty\": \"text\", and an empty field of it is the empty text.")
  }

  @Test func `lint reads files as devices do`() throws {
    let bench = try Self.bench()
    try bench.write(["0002_more/t.csv": "id,v\n3,\n", "0003_less/t.delete.csv": "id,v\n3,\n"])
    let found = try Linter(directory: bench.catalog).findings()
    #expect(!found.contains { ["0002_more", "0003_less"].contains($0.place.file.prefix(9)) })
    try bench.write(["catalog.json": "{}"])
    let without = try Linter(directory: bench.catalog).findings()
    #expect(without.contains { $0.place.file == "0002_more/t.csv" })
  }
}
