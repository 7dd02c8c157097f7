import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct ReleaseReadingTests {
  private typealias Row = ReleaseReading.Row
  private typealias Field = ReleaseReading.Field

  private static func rows(
    _ files: [String: String], _ table: Int = 0
  ) throws -> (ReleaseReading, [ReleaseReading.Row]) {
    let bench = try Workbench(files)
    let release = try ReleaseReading(directory: bench.catalog)
    var rows: [ReleaseReading.Row] = []
    for operation in ReleaseReading.Row.Operation.allCases {
      try release.tables[table].rows(operation) {
        rows.append($0)
        return true
      }
    }
    return (release, rows)
  }

  @Test func `a release is read by its headers alone, with NULL, numbers and texts`() throws {
    let (release, rows) = try Self.rows([
      "0001_t/t.csv": "id,a,b\n4,\"\",007\n5,,-1.5e3\n",
      "0001_t/t.update.csv": "id,a,was:a,b,was:b\n1,x,y,2,2\n",
      "0001_t/t.delete.csv": "id,a\n9,nine\n",
    ])
    #expect(
      release.tables[0].summary
        == ReleaseSummary.Table(
          table: "t", inserted: 2, updated: 1, deleted: 1, changedColumns: ["a"]))
    #expect(
      rows == [
        Row(
          operation: .insert, key: [Field(name: "id", old: nil, new: .number("4"))],
          fields: [
            Field(name: "a", old: nil, new: .text("")),
            Field(name: "b", old: nil, new: .text("007")),
          ]),
        Row(
          operation: .insert, key: [Field(name: "id", old: nil, new: .number("5"))],
          fields: [
            Field(name: "a", old: nil, new: .null),
            Field(name: "b", old: nil, new: .number("-1.5e3")),
          ]),
        Row(
          operation: .update, key: [Field(name: "id", old: .number("1"), new: .number("1"))],
          fields: [Field(name: "a", old: .text("y"), new: .text("x"))]),
        Row(
          operation: .delete, key: [Field(name: "id", old: .number("9"), new: nil)],
          fields: [Field(name: "a", old: .text("nine"), new: nil)]),
      ])
  }

  @Test func `keys are those of catalog.json, wherever they stand, and may change`() throws {
    let (_, rows) = try Self.rows([
      "catalog.json": #"{"tables": {"t": {"key": ["lang", "id"]}}}"#,
      "0001_t/t.update.csv": "name,was:name,id,was:id,lang\nx,x,2,1,de\n",
    ])
    #expect(rows[0].key.map(\.name) == ["id", "lang"] && rows[0].fields == [])
    #expect(rows[0].key[0] == Field(name: "id", old: .number("1"), new: .number("2")))
  }

  @Test func `where all columns changed, the first one is the key`() throws {
    let (_, rows) = try Self.rows(["0001_t/t.update.csv": "id,was:id,a,was:a\n2,1,x,y\n"])
    #expect(rows[0].key.map(\.name) == ["id"] && rows[0].fields.map(\.name) == ["a"])
  }

  @Test func `a column that is called was:y is no old value of y`() throws {
    let (_, rows) = try Self.rows([
      "0001_t/t.update.csv": "id,was:y,was:was:y\n1,new,old\n", "0001_t/t.csv": "id,was:y\n2,z\n",
    ])
    #expect(rows[0].fields == [Field(name: "was:y", old: nil, new: .text("z"))])
    #expect(rows[1].fields == [Field(name: "was:y", old: .text("old"), new: .text("new"))])
  }

  @Test func `a BLOB is its size`() throws {
    let (_, rows) = try Self.rows([
      "catalog.json": #"{"tables": {"t": {"blobs": {"b": "base64", "h": "hex"}}}}"#,
      "0001_t/t.csv": "id,b,h\n1,AQL/,0102\n2,AA==,\"\"\n",
    ])
    #expect(
      rows.map { $0.fields.map(\.new) } == [
        [.blob(bytes: 3), .blob(bytes: 2)], [.blob(bytes: 1), .blob(bytes: 0)],
      ])
  }

  @Test func `SQL is listed statement by statement, also a trigger with several`() throws {
    let (release, _) = try Self.rows([
      "0001_t/t.csv": "id\n1\n", "0001_t/down.sql": "DROP TABLE t",
      "0001_t/up.sql": """
      -- one; two
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT DEFAULT ';');
      CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END;
      /* the end */
      """,
    ])
    #expect(
      release.scripts == [
        .init(
          name: "up.sql",
          statements: [
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT DEFAULT ';')",
            "CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END",
          ]),
        .init(name: "down.sql", statements: ["DROP TABLE t"]),
      ])
  }

  @Test(arguments: [
    ("1", "0001_one"), ("0001", "0001_one"), ("0002_two", "0002_two"), ("two", "0002_two"),
    ("Migrations/0001_one/", "0001_one"),
  ])
  func `a migration is found by its number, its folder or its words`(
    _ name: String, _ folder: String
  ) throws {
    let bench = try Workbench(["0001_one/a.csv": "id\n1\n", "0002_two/a.csv": "id\n2\n"])
    #expect(try ReleaseReading(directory: bench.catalog, migration: name).folder == folder)
    #expect(try ReleaseReading(directory: bench.catalog).folder == "0002_two")
  }

  @Test func `a broken file is told with its place`() throws {
    let bench = try Workbench(["0001_one/a.csv": "id,b\n1,x\n2\n"])
    let failure = bench.failure { _ = try ReleaseReading(directory: bench.catalog) }
    #expect(failure.hasPrefix("0001_one/a.csv:3:2: "), "\(failure)")
  }

  @Test func `a letter in another form is a change, as it is to devices`() throws {
    let (release, rows) = try Self.rows([
      "0001_t/t.update.csv":
        "id,a,was:a,b,was:b\n1,\u{E9},e\u{301},\"\"\"\u{E9}\",\"\"\"e\u{301}\"\n"
    ])
    #expect(release.tables[0].summary.changedColumns == ["a", "b"])
    #expect(rows[0].fields.allSatisfy { $0.old != $0.new } && rows[0].fields.count == 2)
  }
}
