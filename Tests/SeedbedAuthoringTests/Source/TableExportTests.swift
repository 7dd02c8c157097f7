import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct TableExportTests {
  private static let files = [
    "catalog.json": #"{"tables": {"t": {"source": "data/t.csv", "blobs": {"b": "hex"}}}}"#,
    "0001_t/up.sql": """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, r REAL, b BLOB, mine INTEGER DEFAULT 0);
    """,
    "0001_t/t.csv":
      "id,a,r,b\n1,\"x, \"\"y\"\"\",0.1,00ff\n2,\"\",,\n3,\"two\nlines\",1e300,\"\"\n",
    "0002_t/t.update.csv": "id,a,was:a\n1,z,\"x, \"\"y\"\"\"\n",
  ]

  @Test func `a source is recovered, and making from it changes nothing`() throws {
    let bench = try Workbench(Self.files)
    let pieces = Pieces()
    let rows = try TableExport.seedRows(of: "T", directory: bench.catalog) {
      pieces.all.append($0)
    }
    #expect(
      pieces.text == "id,a,r,b\n1,z,0.1,00ff\n2,\"\",,\n3,\"two\nlines\",1e+300,\"\"\n")
    #expect(rows == 3)
    try bench.write(["data/t.csv": pieces.text])
    #expect(try bench.make().isUpToDate)
  }

  @Test(arguments: [
    (0.000002, "0.000002"), (-1.5e-9, "-0.0000000015"), (2, "2.0"), (1e16, "10000000000000000.0"),
    (1.25e18, "1250000000000000000.0"), (1e300, "1e+300"), (1e-30, "1e-30"), (0, "0.0"),
    (-123.456, "-123.456"),
  ])
  func `a real is written as on paper, and reads back`(_ value: Double, _ text: String) {
    #expect(DecimalText.text(value) == text)
    #expect(Double(text) == value)
  }

  @Test func `what the user made is told from what the seed brought`() throws {
    let bench = try Workbench(Self.files)
    _ = try bench.migrator().up(to: 1)
    try bench.execute(
      """
      ALTER TABLE t ADD COLUMN own TEXT;
      INSERT INTO t (id, a, own) VALUES (9, 'mine', 'o');
      UPDATE t SET mine = 1 WHERE id = 2;
      DELETE FROM t WHERE id = 3;
      """)
    let pieces = Pieces()
    let rows = try TableExport.userRows(of: "t", in: bench.migrator()) { pieces.all.append($0) }
    #expect(pieces.text == "id,a,r,b,mine,own\n2,\"\",,,1,\n9,mine,,,0,o\n")
    #expect(rows == .init(rows: 2, unwritable: []))
  }

  @Test func `what the catalog's SQL inserted is not the user's`() throws {
    let bench = try Workbench([
      "0001_t/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three');
      """
    ])
    _ = try bench.migrator().up()
    try bench.execute("UPDATE t SET a = 'zwei' WHERE id = 2; INSERT INTO t VALUES (4, 'four')")
    let pieces = Pieces()
    let rows = try TableExport.userRows(of: "t", in: bench.migrator()) { pieces.all.append($0) }
    #expect(pieces.text == "id,a\n2,zwei\n4,four\n")
    #expect(rows == .init(rows: 2, unwritable: []))
  }

  @Test func `an id that each database chose makes no row the user's`() throws {
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"w": {"key": ["name"]}}}"#,
      "0001_w/up.sql": """
      CREATE TABLE w (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, at TEXT DEFAULT CURRENT_TIMESTAMP);
      CREATE TABLE t (
        w INTEGER REFERENCES w(id), lang TEXT, text TEXT, PRIMARY KEY (w, lang)) WITHOUT ROWID;
      """,
    ])
    _ = try bench.migrator().up()
    // The user was first, so this database chooses other ids.
    try bench.execute("INSERT INTO w (id, name, at) VALUES (70, 'cow', 'then')")
    try bench.write([
      "0002_more/w.csv": "name\nant\nbee\n",
      "0002_more/t.csv": "w:w.name,lang,text\nant,de,Ameise\nbee,de,Biene\n",
    ])
    _ = try bench.migrator().up()
    try bench.execute("UPDATE t SET text = 'Imme' WHERE text = 'Biene'")
    func mine(_ table: String) throws -> String {
      let pieces = Pieces()
      _ = try TableExport.userRows(of: table, in: bench.migrator()) { pieces.all.append($0) }
      return pieces.text
    }
    #expect(try mine("w") == "id,name,at\n70,cow,then\n")
    #expect(try mine("t") == "w,lang,text\n72,de,Imme\n")
  }

  @Test(arguments: [
    ("CAST(X'4100' AS TEXT)", "text with a NUL character"),
    ("CAST(X'41FF' AS TEXT)", "text that is not UTF-8"), ("X'41'", "a BLOB"),
  ])
  func `a value that no CSV can hold keeps no other row of the user's out`(
    _ value: String, _ reason: String
  ) throws {
    let bench = try Workbench(Self.files)
    _ = try bench.migrator().up(to: 1)
    try bench.execute(
      """
      UPDATE t SET a = 'good edit' WHERE id = 2;
      INSERT INTO t (id, a) VALUES (8, \(value));
      INSERT INTO t (id, a, r) VALUES (9, \(value), 9e999);
      INSERT INTO t (id, a) VALUES (10, 'good row');
      """)
    let pieces = Pieces()
    let rows = try TableExport.userRows(of: "t", in: bench.migrator()) { pieces.all.append($0) }
    #expect(pieces.text == "id,a,r,b,mine\n2,good edit,,,0\n10,good row,,,0\n")
    #expect(rows.rows == 2)
    #expect(
      rows.unwritable == [
        .init(key: "id=8", column: "a", reason: reason),
        .init(key: "id=9", column: "a", reason: reason),
        .init(key: "id=9", column: "r", reason: "an infinite number"),
      ])
  }

  @Test func `a column that is called like an old value is exported, too`() throws {
    let bench = try Workbench([
      "0001_t/up.sql": #"CREATE TABLE t (id INTEGER PRIMARY KEY, "was:id" TEXT, x TEXT);"#,
      "0001_t/t.csv": "id,was:id\n1,a\n",
    ])
    #expect(try bench.exported("t") == "id,was:id\n1,a\n")
  }

  @Test func `a large table is handed over piece by piece, whole rows each time`() throws {
    let row = String(repeating: "x", count: 100)
    let csv = "id,a\n" + (1...3000).map { "\($0),\(row)\n" }.joined()
    let bench = try Workbench([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);", "0001_t/t.csv": csv,
    ])
    let pieces = Pieces()
    _ = try TableExport.seedRows(of: "t", directory: bench.catalog) { pieces.all.append($0) }
    #expect(pieces.text == csv)
    #expect(pieces.all.count > 4)
    #expect(pieces.all.allSatisfy { $0.count <= 66_000 && $0.last == UInt8(ascii: "\n") })
  }

  @Test func `a table that is not there is told with the nearest name`() throws {
    let bench = try Workbench(Self.files)
    try bench.write(["0003_x/up.sql": "CREATE TABLE elements (id INTEGER PRIMARY KEY);"])
    let failure = bench.failure {
      _ = try bench.exported("element")
    }
    #expect(failure == "There is no table 'element'. Did you mean 'elements'?")
  }

  @Test func `names and digits of a new migration`() throws {
    let bench = try Workbench()
    #expect(try NewMigration.create(directory: bench.catalog, name: "first") == "0001_first")
    try bench.write(["00000041_x/up.sql": "SELECT 1;"])
    #expect(try NewMigration.create(directory: bench.catalog, name: "a-b_c") == "00000042_a-b_c")
    let stamped = try NewMigration.create(
      directory: bench.catalog, name: "later", usesTimestamp: true)
    #expect(stamped.hasPrefix("20") && stamped.hasSuffix("_later") && stamped.utf8.count == 20)
    #expect(
      bench.failure { _ = try NewMigration.create(directory: bench.catalog, name: "a b") }
        .hasSuffix("Did you mean 'a_b'?"))
    _ = try bench.migrator().up()
    _ = try bench.migrator().down(to: 41)
  }

  @Test func `after the largest number there is no next folder`() throws {
    let bench = try Workbench()
    try bench.write(["9223372036854775807_last/up.sql": "SELECT 1;"])
    #expect(
      bench.failure { _ = try NewMigration.create(directory: bench.catalog, name: "next") }
        == "The catalog's last number, 9223372036854775807, is the largest there is.")
  }

  @Test(arguments: [
    (0, "19700101000000"), (951_782_400, "20000229000000"), (1_795_301_999, "20261121225959"),
  ])
  func `a moment as a number`(_ seconds: Int, _ digits: String) throws {
    let name = try FolderNumber.next(
      after: [], words: "x", timestamp: Date(timeIntervalSince1970: Double(seconds)))
    #expect(name == digits + "_x")
  }
}
