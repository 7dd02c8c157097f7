import Testing

@testable import Seedbed

/// Ids that the seed keeps to itself.
struct ReserveTests {
  static let table = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT);\n"
  static let options = #"{"tables": {"t": {"reserve": 1000}}}"#
  static let files = [
    "catalog.json": options, "0001_a/up.sql": table, "0001_a/t.csv": "id,a\n1,x\n2,y\n",
  ]

  private func sequence(_ device: Device) throws -> [String] {
    try device.rows("SELECT name, seq FROM sqlite_sequence WHERE name NOT GLOB 'seedbed_*'")
  }

  @Test func `a table of this migration gives users ids above it`() throws {
    let device = try Device(Self.files)
    try device.up()
    #expect(try sequence(device) == ["t|1000"])
    try device.run("INSERT INTO t (a) VALUES ('mine')")
    #expect(try device.rows("SELECT id FROM t WHERE a = 'mine'") == ["1001"])
  }

  @Test func `so does one without rows, and one that is spelled otherwise`() throws {
    let device = try Device([
      "catalog.json": #"{"tables": {"T": {"reserve": 1000}}}"#, "0001_a/up.sql": Self.table,
    ])
    try device.up()
    #expect(try sequence(device) == ["t|1000"])
  }

  @Test func `so does one of the app's that only has a file`() throws {
    let device = try Device(
      ["catalog.json": Self.options, "0001_a/t.csv": "id,a\n7,x\n"], app: Self.table)
    try device.run("INSERT INTO t (a) VALUES ('mine')")
    try device.up()
    #expect(try sequence(device) == ["t|1000"])
  }

  @Test func `a table that only later files name is raised all the same`() throws {
    let device = try Device(
      ["catalog.json": Self.options, "0001_a/up.sql": "SELECT 1;\n"], app: Self.table)
    try device.up()
    #expect(try sequence(device) == ["t|1000"])
  }

  @Test func `it is never lowered`() throws {
    let device = try Device(Self.files, app: "CREATE TABLE IF NOT EXISTS u (a);")
    try device.up()
    try device.run("INSERT INTO t VALUES (5000, 'mine')")
    try device.write(["0002_b/t.csv": "id,a\n3,z\n"])
    try device.up()
    #expect(try sequence(device) == ["t|5000"])
  }

  @Test func `one that was raised in the catalog holds from the next migration on`() throws {
    let device = try Device(Self.files)
    try device.up()
    try device.write([
      "catalog.json": #"{"tables": {"t": {"reserve": 2000}}}"#, "0002_b/t.csv": "id,a\n1500,z\n",
    ])
    try device.up()
    #expect(try sequence(device) == ["t|2000"])
  }

  @Test func `a sequence that somebody spoiled is set right`() throws {
    let device = try Device(Self.files)
    try device.up()
    try device.run("UPDATE sqlite_sequence SET seq = NULL WHERE name = 't'")
    try device.write(["0002_b/t.csv": "id,a\n3,z\n"])
    try device.up()
    #expect(try sequence(device) == ["t|1000"])
  }

  @Test func `a table that after.sql rebuilds keeps it`() throws {
    let device = try Device(Self.files)
    try device.write([
      "0001_a/after.sql": """
      CREATE TABLE new (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, b TEXT);
      INSERT INTO new (id, a) SELECT id, a FROM t;
      DROP TABLE t;
      ALTER TABLE new RENAME TO t;

      """
    ])
    try device.up()
    #expect(try sequence(device) == ["t|1000"])
  }

  @Test func `down leaves the sequence as it is`() throws {
    let device = try Device(Self.files)
    try device.write(["0002_b/t.csv": "id,a\n3,z\n"])
    try device.up()
    try device.down(to: 1)
    #expect(try sequence(device) == ["t|1000"])
    #expect(try device.up().lines == ["2 t +1 ~0 -0 =0 kept 0"])
  }

  @Test func `a migration that fails leaves it too`() throws {
    let device = try Device(
      ["catalog.json": Self.options, "0001_a/t.csv": "id,a\n7,x,\n"], app: Self.table)
    _ = try device.failure()
    #expect(try sequence(device) == [])
  }

  @Test func `it is no table that changed`() throws {
    let device = try Device(Self.files)
    #expect(try device.up().touchedTables == ["t"])
  }

  @Test(arguments: [
    (
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT DEFAULT 'AUTOINCREMENT');",
      "it has no AUTOINCREMENT, so SQLite chooses the id after the largest one", "id"
    ),
    (
      "CREATE TABLE t (word TEXT PRIMARY KEY, a TEXT) WITHOUT ROWID;",
      "it is WITHOUT ROWID, so SQLite never chooses an id", "word"
    ),
  ])
  func `a table that cannot keep ids`(_ schema: String, _ reason: String, _ id: String) throws {
    let device = try Device(["catalog.json": Self.options, "0001_a/up.sql": schema + "\n"])
    let error = try device.failure()
    #expect(error.code == .catalog)
    #expect(
      error.description
        == "catalog.json:1:30: The table 't' cannot reserve ids: \(reason). Declare '\(id) "
        + "INTEGER PRIMARY KEY AUTOINCREMENT' (rebuild an existing table in up.sql), or remove the "
        + "option.")
  }

  @Test func `a table that does not exist`() throws {
    let device = try Device(["catalog.json": Self.options, "0001_a/up.sql": "SELECT 1;\n"])
    #expect(
      try device.failure().description
        == "catalog.json:1:30: The options name the table 't', which the database does not have. "
        + "Write its name as in the schema, or move the option to the migration.json of the "
        + "migrations that need it.")
  }

  @Test(arguments: [
    ("t.csv", "id,a\n1000,x\n1001,y\n5000,z\n", 3, "1001"),
    ("t.csv", "a,id\n\"x\ny\",1\nz,9223372036854775807\n", 4, "9223372036854775807"),
  ])
  func `a seed's id above it is an error before any row is written`(
    _ file: String, _ text: String, _ line: Int, _ id: String
  ) throws {
    let device = try Device(
      [
        "catalog.json": Self.options, "0001_a/" + file: text, "0001_a/a.csv": "id\n1\n",
      ],
      app: Self.table + "CREATE TABLE a (id INTEGER PRIMARY KEY);"
        + "CREATE TRIGGER s AFTER INSERT ON a BEGIN SELECT RAISE(FAIL, 'row'); END;"
    )
    let error = try device.failure()
    #expect(error.code == .catalog)
    #expect(
      error.description == "0001_a/\(file):\(line): The id \(id) of 't' is above 1000, the reserve "
        + "of catalog.json:1:30: those ids are for users. Ship a lower id, or raise the reserve.")
  }

  @Test func `an id above it may be looked up, but not given`() throws {
    let options = #"{"tables": {"t": {"key": ["a"], "reserve": 1000}}}"#
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT UNIQUE, b TEXT);"
    let device = try Device(
      ["catalog.json": options, "0001_a/t.update.csv": "a,id,was:id\nx,2000,2000\ny,1001,2\n"],
      app: schema + "INSERT INTO t VALUES (2000, 'x', ''), (2, 'y', '');")
    #expect(
      try device.failure().description
        == "0001_a/t.update.csv:3: The id 1001 of 't' is above 1000, the reserve of "
        + "catalog.json:1:44: those ids are for users. Ship a lower id, or raise the reserve.")
    try device.write(["0001_a/t.update.csv": "a,id,was:id\nx,2000,2000\ny,1000,2\n"])
    #expect(try device.up().lines == ["1 t +0 ~1 -0 =1 kept 0"])
  }

  @Test func `an id that is set without its old value may not be above it either`() throws {
    let options = #"{"tables": {"t": {"key": ["a"], "reserve": 9, "onEdited": "overwriteRow"}}}"#
    let device = try Device(
      ["catalog.json": options, "0001_a/t.update.csv": "a,id\nx,10\n"],
      app: "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT UNIQUE);"
        + "INSERT INTO t VALUES (2, 'x');")
    #expect(try device.failure().place == .init("0001_a/t.update.csv", line: 2))
  }

  @Test func `a key that changes may not go above it`() throws {
    let device = try Device(Self.files)
    try device.write(["0002_b/t.update.csv": "id,was:id\n1000,1\n1001,2\n"])
    #expect(try device.failure().place == .init("0002_b/t.update.csv", line: 3))
    try device.write(["0002_b/t.update.csv": "id,was:id\n1000,1\n"])
    #expect(try device.up().lines == ["2 t +0 ~1 -0 =0 kept 0"])
  }

  @Test func `an id that a natural reference finds is there already`() throws {
    let device = try Device(
      [
        "catalog.json": Self.options, "0001_a/w.csv": "id,lemma\n2000,oak\n",
        "0001_a/t.csv": "id:w.lemma,a\noak,x\n",
      ],
      app: "CREATE TABLE w (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE);"
        + "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT REFERENCES w, a TEXT);")
    try device.up()
    #expect(try device.rows("SELECT * FROM t") == ["2000|x"])
  }

  @Test func `rows to change and to retire may stand above it`() throws {
    let device = try Device(
      [
        "catalog.json": Self.options, "0001_a/t.update.csv": "id,a,was:a\n2000,new,x\n",
        "0001_a/t.delete.csv": "id,a\n2001,y\n",
      ], app: Self.table + "INSERT INTO t VALUES (2000, 'x'), (2001, 'y');")
    #expect(try device.up().lines == ["1 t +0 ~1 -1 =0 kept 0"])
    try device.down(to: 0)
    #expect(try device.rows("SELECT * FROM t") == ["2000|x", "2001|y"])
  }
}
