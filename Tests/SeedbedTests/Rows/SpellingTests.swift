import Foundation
import Testing

@testable import Seedbed

/// Two names, or two keys, that are one text to Swift and two to SQLite: é as one scalar, and as e
/// with an accent.
struct SpellingTests {
  static let one = "\u{E9}"
  static let two = "e\u{301}"
  private static let columns = "(id INTEGER PRIMARY KEY, \"\(one)\" TEXT, \"\(two)\" TEXT)"
  private static let values = "SELECT quote(\"\(one)\"), quote(\"\(two)\") FROM t ORDER BY id"

  // MARK: columns

  @Test func `a file fills the column that it names`() throws {
    let device = try Device([
      "0001_a/up.sql": "CREATE TABLE t \(Self.columns);",
      "0001_a/t.csv": "id,\(Self.two)\n1,seed\n",
    ])
    try device.up()
    #expect(try device.rows(Self.values) == ["NULL|'seed'"])
  }

  @Test func `a user's column of the other spelling keeps a retired row`() throws {
    let device = try Device([
      "0001_a/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, \"\(Self.two)\" TEXT);",
      "0001_a/t.csv": "id,\(Self.two)\n1,seed\n2,two\n",
    ])
    try device.up()
    try device.run("ALTER TABLE t ADD COLUMN \"\(Self.one)\" TEXT")
    try device.run("UPDATE t SET \"\(Self.one)\" = 'mine' WHERE id = 1")
    try device.write(["0002_b/t.delete.csv": "id,\(Self.two)\n1,seed\n2,two\n"])
    try device.up()
    #expect(try device.rows(Self.values) == ["'mine'|'seed'"])
    #expect(try device.migrator().conflicts().map(\.kind) == [.editedRetired])
  }

  /// The options of one of them, the user's edits of both, and what an update leaves.
  static let options: [(String, String, String)] = [
    (#""ignore": ["NAME"]"#, "'mine'", "'new'|'mine'"),
    (#""columns": {"NAME": "preferSeed"}"#, "'mine'", "'new'|'mine'"),
    (#""compare": {"NAME": "text"}"#, "'old' || char(10)", "'new'|'old\n'"),
  ]

  @Test(arguments: options)
  func `an option is of the column that it names`(
    _ option: String, _ mine: String, _ left: String
  ) throws {
    let device = try Device([
      "catalog.json": #"{"tables": {"t": {OPTION}}}"#.replacing("OPTION", with: option)
        .replacing("NAME", with: Self.one),
      "0001_a/up.sql": "CREATE TABLE t \(Self.columns);",
      "0001_a/t.csv": "id,\(Self.one),\(Self.two)\n1,old,old\n",
    ])
    try device.up()
    try device.run("UPDATE t SET \"\(Self.one)\" = \(mine), \"\(Self.two)\" = \(mine)")
    let header = "id,\(Self.one),was:\(Self.one),\(Self.two),was:\(Self.two)"
    try device.write(["0002_b/t.update.csv": "\(header)\n1,new,old,new,old\n"])
    try device.up()
    #expect(try device.rows(Self.values) == [left])
  }

  @Test func `an encoding is of the column that it names`() throws {
    let device = try Device([
      "catalog.json": "{\"tables\": {\"t\": {\"blobs\": {\"\(Self.two)\": \"hex\"}}}}",
      "0001_a/up.sql": "CREATE TABLE t \(Self.columns);",
      "0001_a/t.csv": "id,\(Self.one),\(Self.two)\n1,00,00\n",
    ])
    try device.up()
    #expect(try device.rows(Self.values) == ["'00'|X'00'"])
  }

  @Test func `a key, identity and UNIQUE values are of the columns that they name`() throws {
    let (one, two) = (Self.one, Self.two)
    let device = try Device([
      "catalog.json": """
      {"tables": {"t": {"key": ["\(two)"], "identity": ["\(one)"]}}}
      """,
      "0001_a/up.sql":
        "CREATE TABLE t (id INTEGER, \"\(one)\" TEXT UNIQUE, \"\(two)\" TEXT UNIQUE);",
      "0001_a/t.csv": "id,\(one),\(two)\n1,p,a\n2,q,b\n",
    ])
    try device.up()
    try device.run("UPDATE t SET \"\(one)\" = 'c' WHERE id = 1")
    try device.write([
      "0002_b/t.update.csv": "\(two),was:\(one),id,was:id\na,p,5,1\nb,q,6,2\n",
      "0002_b/t.csv": "id,\(one),\(two)\n3,r,c\n",
    ])
    try device.up()
    #expect(try device.rows(Self.values) == ["'c'|'a'", "'r'|'c'", "'q'|'b'"])
    #expect(try device.rows("SELECT id FROM t ORDER BY id") == ["1", "3", "6"])
  }

  @Test func `references follow a key from both columns`() throws {
    let device = try Device([
      "0001_a/up.sql": """
      CREATE TABLE p (code TEXT PRIMARY KEY);
      CREATE TABLE t (id INTEGER PRIMARY KEY,
        "\(Self.one)" TEXT REFERENCES p DEFERRABLE INITIALLY DEFERRED,
        "\(Self.two)" TEXT REFERENCES p DEFERRABLE INITIALLY DEFERRED);
      """,
      "0001_a/p.csv": "code\na\nb\n", "0001_a/t.csv": "id,\(Self.one),\(Self.two)\n1,a,b\n",
      "0002_b/p.update.csv": "was:code,code\na,x\nb,y\n",
    ])
    try device.up()
    #expect(try device.rows(Self.values) == ["'x'|'y'"])
  }

  @Test func `a renamed column is followed in the ledger`() throws {
    let device = try Device([
      "0001_a/up.sql": "CREATE TABLE t (\"\(Self.two)\" TEXT PRIMARY KEY, v);",
      "0001_a/t.csv": "\(Self.two),v\na,1\n",
      "0002_b/t.update.csv": "\(Self.two),v,was:v\na,2,1\n",
      "0003_c/up.sql": "ALTER TABLE t RENAME COLUMN \"\(Self.two)\" TO \"\(Self.one)\";",
    ])
    try device.up(to: 1)
    try device.run("DELETE FROM t")
    try device.up()
    let key = try device.open().value("SELECT key FROM seedbed_left_to_user")
    #expect(key == .text("{\"\(Self.one)\":\"a\"}"))
  }

  // MARK: tables

  @Test func `two tables have their own rows, options and counts`() throws {
    let (one, two) = (Self.one, Self.two)
    let device = try Device([
      "catalog.json": """
      {"tables": {"\(one)": {"reserve": 10}, "\(two)": {"reserve": 20, "onEdited": "preferSeed"}}}
      """,
      "0001_a/up.sql": """
      CREATE TABLE "\(one)" (id INTEGER PRIMARY KEY AUTOINCREMENT, v);
      CREATE TABLE "\(two)" (id INTEGER PRIMARY KEY AUTOINCREMENT, v);
      """,
      "0001_a/\(one).csv": "id,v\n1,a\n", "0001_a/\(two).x~.csv": "id,v\n1,b\n2,c\n",
    ])
    let first = try device.up()
    #expect(
      first.lines.map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
        .sorted() == ["+1 ~0 -0 =0 kept 0", "+2 ~0 -0 =0 kept 0"])
    #expect(first.touchedTables.count == 2)
    for (table, id) in [(one, "11"), (two, "21")] {
      try device.run("UPDATE \"\(table)\" SET v = 'mine'; INSERT INTO \"\(table)\" (v) VALUES (1)")
      #expect(try device.rows("SELECT max(id) FROM \"\(table)\"") == [id])
    }
    try device.write([
      "0002_b/\(one).update.csv": "id,v,was:v\n1,n,a\n",
      "0002_b/\(two).x~.update.csv": "id,v,was:v\n1,n,b\n",
    ])
    try device.up()
    #expect(try device.rows("SELECT v FROM \"\(one)\" WHERE id = 1") == ["mine"])
    #expect(try device.rows("SELECT v FROM \"\(two)\" WHERE id = 1") == ["n"])
  }

  @Test func `two files whose names look the same are refused`() throws {
    let device = try Device(["0001_a/up.sql": "CREATE TABLE t (a PRIMARY KEY);"])
    try device.write("0001_a/\(Self.one).csv", .init())
    try device.write("0001_a/\(Self.two).csv", .init())
    let error = try device.failure()
    #expect(
      error.message == """
        Two files have this name, with different bytes: letters such as é are written in two \
        ways. macOS takes them for one file. If they are for two tables, give one a tag: \
        <table>.<tag>~.csv.gz.
        """)
    #expect(error.code == .catalog)
  }

  // MARK: defaults and databases

  @Test func `a column's DEFAULT is its own`() throws {
    let device = try Device([
      "0001_a/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a DEFAULT '\(Self.one)', b DEFAULT '\(Self.two)');
      """,
      "0001_a/t.csv": "id\n1\n2\n", "0002_b/t.delete.csv": "id\n1\n2\n",
    ])
    try device.up(to: 1)
    try device.run("UPDATE t SET b = '\(Self.one)' WHERE id = 1")
    try device.up()
    #expect(try device.rows("SELECT id FROM t") == ["1"])
  }

  @Test func `two databases of a fleet are two`() throws {
    let device = try Device(["0001_a/up.sql": "CREATE TABLE t (a);"])
    let paths = [Self.one, Self.two].map { device.path + "/\($0).sqlite" }
    let fleet = Fleet(catalog: try device.migrator().catalog, at: paths)
    #expect(fleet.paths.count == 2)
  }

  // MARK: keys

  private static let words = [
    "0001_a/up.sql": "CREATE TABLE t (word TEXT PRIMARY KEY, v TEXT);",
    "0001_a/t.csv": "word,v\n\(one),1\n\(two),2\n",
  ]

  @Test func `a row whose key has the other spelling is suggested as deleted`() throws {
    let device = try Device(Self.words)
    try device.up()
    try device.run("DELETE FROM t WHERE v = 2")
    let found = try device.migrator().suggestions(deletions: true)
    #expect(found.map(\.key.values) == [[.text(Self.two)]])
  }

  @Test func `only the key that was the user's is replaced`() throws {
    let device = try Device(Self.words)
    try device.up()
    try device.run("DELETE FROM t WHERE v = 1")
    try device.write(["0002_b/t.update.csv": "word,v,was:v\n\(Self.one),7,1\n"])
    try device.up()
    try device.run("INSERT INTO t VALUES ('\(Self.one)', 'mine'); UPDATE t SET v = 'x' WHERE v = 2")
    let report = try device.migrator().reseed("t", keys: [Self.one, Self.two])
    #expect(report.changedKeys.count == 2)
    #expect(report.replacedKeys.map(\.values) == [[.text(Self.one)]])
  }

  @Test func `a missing parent of the other spelling is a new violation`() throws {
    let device = try Device([
      "0001_a/up.sql": "CREATE TABLE p (a TEXT PRIMARY KEY); CREATE TABLE c (p REFERENCES p);"
    ])
    device.mayHoldOrphans = true
    try device.up()
    try device.run("INSERT INTO c VALUES ('\(Self.one)')")
    try device.write([
      "0002_b/migration.json": #"{"foreignKeys": "off"}"#,
      "0002_b/up.sql": "UPDATE c SET p = '\(Self.two)';",
    ])
    #expect(try device.failure().code == .foreignKey)
  }

  @Test func `a row is read by a name in any case`() {
    let row: Migrator.Row = ["id": 1, "\(Self.one)": "a", "\(Self.two)": "b"]
    #expect(row["ID"] == 1 && row[Self.one] == "a" && row[Self.two] == "b")
    #expect(row == ["ID": 1, "\(Self.one)": "a", "\(Self.two)": "b"])
    #expect(row != ["id": 1, "\(Self.two)": "a", "\(Self.one)": "b"])
    #expect(Set([row, ["Id": 1]]).count == 2)
  }
}
