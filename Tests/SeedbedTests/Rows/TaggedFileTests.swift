import Testing

@testable import Seedbed

/// Several files that serve one table.
struct TaggedFileTests {
  static let table = "CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);"

  @Test func `the counts of a table are the sums over its files`() throws {
    let device = try Device([
      "0001_t/up.sql": Self.table, "0001_t/t.de~.csv": "id,a\n1,x\n2,y\n",
      "0001_t/t.fr~.csv": "b,id\nz,3\n",
    ])
    try device.lock()
    #expect(try device.migrator(locked: true).status().migrations.map(\.rows) == [3])
    let report = try device.migrator(locked: true).up()
    #expect(report.lines == ["1 t +3 ~0 -0 =0 kept 0"])
    #expect(try device.migrator(locked: true).status().state == .upToDate)
    #expect(try device.migrator(locked: true).verify().isEmpty)
    #expect(try device.ledger() == ["1|applied|3|0|0|0|0"])
  }

  @Test func `files go in the order of their names`() throws {
    let device = try Device(
      [
        "0001_t/t.b~.csv": "id\n1\n", "0001_t/t.a~.csv": "id\n3\n", "0001_t/t.csv": "id\n2\n",
      ], app: Self.table)
    try device.run("INSERT INTO t (id, a) VALUES (1, ''), (2, ''), (3, '')")
    try device.up()
    #expect(try device.rows("SELECT key FROM seedbed_conflicts ORDER BY id") == [])
    try device.write([
      "0002_t/t.b~.csv": "id,a\n1,x\n", "0002_t/t.a~.csv": "id,a\n3,x\n",
      "0002_t/t.csv": "id,a\n2,x\n",
    ])
    try device.up()
    #expect(
      try device.rows("SELECT key FROM seedbed_conflicts ORDER BY id") == [
        #"{"id":3}"#, #"{"id":1}"#, #"{"id":2}"#,
      ])
  }

  /// A parent that only one of the files names, and that no foreign key declares.
  @Test(arguments: [["b"], ["a", "b"]])
  func `a child of the user's row is skipped, whichever file brings it`(_ tags: [String]) throws {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE);
      CREATE TABLE t (id INTEGER PRIMARY KEY, word_id INTEGER, a TEXT);
      """
    ])
    try device.up()
    try device.run("INSERT INTO words VALUES (1, 'mine')")
    try device.write(["0002_words/words.csv": "id,lemma\n1,cat\n"])
    try device.up()
    try device.run("UPDATE words SET lemma = 'cat'")
    let files = [
      "a": "id,a\n1,x\n", "b": "id,word_id:words.lemma\n2,cat\n",
    ]
    for tag in tags { try device.write(["0003_t/t.\(tag)~.csv": files[tag] ?? ""]) }
    #expect(
      try device.up().lines == ["3 t +\(tags.count - 1) ~0 -0 =0 kept 1"])
    #expect(
      try device.rows("SELECT key, kind FROM seedbed_conflicts WHERE version = 3")
        == [#"{"id":2}|parentTaken"#])
  }

  @Test func `indexes are set aside for all files of a table at once`() throws {
    let index = "CREATE INDEX by_a ON t (a);"
    let device = try Device(["0001_t/up.sql": Self.table + index])
    try device.up()
    let files = (0..<2).map { file in
      "id,a\n" + (1...3000).map { "\(file * 3000 + $0),\($0)\n" }.joined()
    }
    try device.write(["0002_t/t.a~.csv": files[0]])
    try device.up()
    let before = try device.rows("PRAGMA schema_version")
    try device.run("DELETE FROM t")
    // Alone neither file is worth it.
    try device.write(["0003_t/t.a~.csv": files[0], "0003_t/t.b~.csv": files[1]])
    try device.lock()
    #expect(try device.migrator(locked: true).up().lines == ["3 t +6000 ~0 -0 =0 kept 0"])
    #expect(try device.rows("PRAGMA schema_version") != before)
    #expect(try device.rows("SELECT count(*) FROM t INDEXED BY by_a WHERE a > ''") == ["6000"])
  }

  @Test func `down brings back the rows, each file its own columns`() throws {
    let device = try Device([
      "catalog.json": #"{"tables": {"t": {"onEdited": "preferSeed"}}}"#,
      "0001_t/up.sql": Self.table, "0001_t/t.csv": "id,a,b\n1,x,y\n2,p,\n",
    ])
    try device.up()
    try device.run("UPDATE t SET a = 'mine', b = 'note'")
    try device.write([
      "0002_t/t.a~.delete.csv": "id,a,b\n1,x,y\n", "0002_t/t.b~.delete.csv": "a,id\np,2\n",
    ])
    #expect(try device.up().lines == ["2 t +0 ~0 -2 =0 kept 0"])
    _ = try device.migrator().down(to: 1)
    #expect(try device.rows("SELECT * FROM t") == ["1|x|y", "2|p|NULL"])
  }
}
