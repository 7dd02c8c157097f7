import Testing

@testable import Seedbed

/// Rows that go with a retired row, as an app sees it.
struct DisposableTests {
  static let files = [
    "catalog.json": #"{"tables": {"elements": {"disposable": ["history"]}}}"#,
    "0001_a/up.sql": """
    CREATE TABLE elements (number INTEGER PRIMARY KEY, symbol TEXT);
    CREATE TABLE history (id INTEGER PRIMARY KEY, element INTEGER REFERENCES elements);

    """,
    "0001_a/elements.csv": "number,symbol\n1,H\n2,He\n",
    "0002_b/elements.delete.csv": "number,symbol\n2,He\n",
  ]

  private func atFirst(_ user: String) throws -> Device {
    let device = try Device(Self.files)
    try device.up(to: 1)
    try device.run(user)
    return device
  }

  @Test func `the report names the table`() throws {
    let device = try atFirst("INSERT INTO history VALUES (5, 2)")
    let report = try device.up()
    #expect(report.touchedTables == ["elements", "history"])
    #expect(report.lines == ["2 elements +0 ~0 -1 =0 kept 0"])
    #expect(try device.conflicts() == [])
  }

  @Test func `a table of which the app makes the rows may have some`() throws {
    let schema =
      "CREATE TABLE shops (id INTEGER PRIMARY KEY); CREATE TABLE items (id INTEGER "
      + "PRIMARY KEY, name TEXT, shop INTEGER REFERENCES shops);"
    let device = try Device(
      [
        "catalog.json": #"{"tables": {"shops": {"disposable": ["items"]}}}"#,
        "0001_items/schema.sql": schema, "0001_items/items.csv": "id,name,shop\n1,Pen,7\n",
      ], app: schema + "INSERT INTO shops VALUES (7);")
    try device.up()
    try device.run("DELETE FROM items")
    #expect(try device.migrator().reseed("items").counts.inserted == 1)
  }

  @Test func `where no row goes it does not`() throws {
    let device = try atFirst("INSERT INTO history VALUES (5, 1)")
    #expect(try device.up().touchedTables == ["elements"])
  }

  @Test func `down brings back the seed's row, but not those that went with it`() throws {
    let device = try atFirst("INSERT INTO history VALUES (5, 2)")
    try device.up()
    try device.down(to: 1)
    #expect(try device.rows("SELECT * FROM elements") == ["1|H", "2|He"])
    #expect(try device.rows("SELECT * FROM history") == [])
  }

  @Test func `a seed row that down takes away takes them along too`() throws {
    let device = try Device(Self.files)
    try device.write(["0003_c/elements.csv": "number,symbol\n3,Li\n"])
    try device.up()
    try device.run("INSERT INTO history VALUES (5, 3)")
    let report = try device.down(to: 2)
    #expect(report.touchedTables == ["elements", "history"])
    #expect(try device.rows("SELECT * FROM elements") == ["1|H"])
    #expect(try device.rows("SELECT * FROM history") == [])
  }

  @Test(arguments: [
    (
      "BEFORE DELETE ON history BEGIN SELECT RAISE(IGNORE); END",
      "a trigger silently keeps them (RAISE(IGNORE))"
    ), ("BEFORE DELETE ON history BEGIN SELECT RAISE(ABORT, 'not mine'); END", "not mine"),
  ])
  func `a trigger that keeps one is named in the error`(
    _ trigger: String, _ reason: String
  ) throws {
    let device = try atFirst(
      "INSERT INTO history VALUES (5, 2); CREATE TRIGGER keep \(trigger);")
    let error = try device.failure()
    #expect(error.code == .constraint)
    #expect(
      error.description == "0002_b/elements.delete.csv: Rows of 'history' could not be deleted "
        + "with their retired rows of 'elements': \(reason). Allow it, or remove 'history' from "
        + "\"disposable\".")
    #expect(try device.rows("SELECT count(*) FROM history") == ["1"])
  }

  @Test func `a plan says so and removes nothing`() throws {
    let device = try atFirst("INSERT INTO history VALUES (5, 2)")
    #expect(try device.migrator().plan().touchedTables == ["elements", "history"])
    #expect(try device.rows("SELECT * FROM history") == ["5|2"])
  }

  @Test func `a table whose rows nobody can tell apart is refused`() throws {
    let device = try Device(
      Self.files.merging([
        "0001_a/up.sql": """
        CREATE TABLE elements (number INTEGER PRIMARY KEY, symbol TEXT);
        CREATE TABLE history (
          rowid TEXT, _rowid_ TEXT, oid TEXT, element INTEGER REFERENCES elements);

        """
      ]) { $1 })
    #expect(
      try device.failure().description == "The table 'history' has no primary key, and its columns "
        + "hide the rowid, so its rows cannot be told apart. Remove it from \"disposable\"."
    )
  }

  @Test func `rows under a retired row cost what they are, not what their table is`() throws {
    let device = try atFirst(
      """
      CREATE INDEX h ON history (element);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO history SELECT i, 1 + (i > 19990) FROM n;
      """)
    try device.up()
    #expect(try device.rows("SELECT count(*) FROM history") == ["19990"])
  }
}
