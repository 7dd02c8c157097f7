import Testing

@testable import Seedbed

/// Who says that a database is adopted, and at which version.
struct AdoptOptionTests {
  @Test func `catalog.json says it for every database`() throws {
    var files = EditionTests.catalog
    files["catalog.json"] = #"{"adopt": 3}"#
    let device = try EditionTests.device("(1, 'one', 'x')", files: files)
    let plan = try device.migrator().plan()
    let report = try device.up()
    #expect(report.adopted?.version == 3 && plan.adopted == report.adopted)
    #expect(report.backup != nil && report.migrations.map(\.version) == [4])
    #expect(try device.up().outcome == .upToDate)
    // Without tables it starts from nothing; with a ledger it is left alone. A table that the
    // catalog would create shows that somebody was here before.
    let new = try Device(files)
    #expect(try new.up().adopted == nil)
    let empty = try Device(files, app: EditionTests.table)
    #expect(try empty.up().adopted?.tables[0].inserted == 7)
    let known = try EditionTests.device("(1, 'one', 'x')")
    try known.run("DROP TABLE t")
    _ = try known.up(to: 2)
    try known.write(["catalog.json": #"{"adopt": 3}"#])
    #expect(try known.up().adopted == nil)
  }

  @Test func `a new app's empty table is filled, with the index of the first release`() throws {
    let device = try Device(
      [
        "catalog.json": #"{"adopt": 1}"#,
        "0001_a/schema.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY);",
        "0001_a/up.sql": "CREATE INDEX i ON t (id); CREATE TABLE other (x REFERENCES t (id));",
        "0001_a/t.csv": "id\n1\n",
      ], app: "CREATE TABLE t (id INTEGER PRIMARY KEY)")
    #expect(try device.up().adopted == nil)
    #expect(try device.rows("SELECT count(*) FROM sqlite_schema WHERE name = 'i'") == ["1"])
  }

  @Test(arguments: ["0", "-1", "1.5", "\"3\"", "true"])
  func `what is no version is refused with its place`(_ value: String) throws {
    let device = try Device(EditionTests.catalog)
    try device.write(["catalog.json": #"{"adopt": \#(value)}"#])
    let error = try device.failure()
    #expect(error.place?.file == "catalog.json" && error.place?.line == 1, "\(error)")
  }

  @Test func `an error after the adoption says that it was committed`() throws {
    var files = EditionTests.catalog
    files["catalog.json"] = #"{"adopt": 3}"#
    files["0004_d/after.sql"] = "INSERT INTO missing VALUES (1);"
    let device = try EditionTests.device("(1, 'one', 'x')", files: files)
    let error = try device.failure()
    #expect(error.applied == [3] && !error.isDatabaseUnchanged)
    #expect(try device.rows("SELECT a FROM t WHERE id = 1") == ["one-3"])
  }

  @Test func `policies overwrite nothing while a database is adopted`() throws {
    for policy in Migrator.EditPolicy.allCases {
      var files = EditionTests.catalog
      files["catalog.json"] = #"{"tables": {"t": {"onEdited": "\#(policy.rawValue)"}}}"#
      let device = try EditionTests.device(
        "(1, 'one-2', 'mine'), (4, 'my four', 'x')", files: files)
      _ = try EditionTests.adopted(device)
      let rows = try device.rows("SELECT id, a, b FROM t WHERE id IN (1, 4) ORDER BY id")
      #expect(rows == ["1|one-3|mine", "4|my four|x"], "\(policy)")
    }
  }

  @Test func `an app's option is stronger than the catalog's`() throws {
    var files = EditionTests.catalog
    files["catalog.json"] = #"{"adopt": 3}"#
    let device = try EditionTests.device("(1, 'one', 'x')", files: files)
    device.options.adopt = 2
    #expect(try device.up().adopted?.version == 2)
  }

  @Test func `a run does not adopt at a version beyond the one at which it stops`() throws {
    let device = try EditionTests.device("(1, 'one', 'x')")
    device.options.adopt = 3
    for isPlan in [true, false] {
      let error = #expect(throws: SeedbedError.self) {
        _ = try isPlan ? device.migrator().plan(to: 2) : device.up(to: 2)
      }
      #expect(error?.code == .usage)
      #expect(
        error?.message
          == "The database is to be adopted at 3, and this run stops at 2. Stop at 3 or later, or "
          + "adopt it at 2.")
    }
    #expect(try device.up(to: 3).adopted?.version == 3)
  }

  @Test func `rows that were there before are not those of a migration that was taken back`() throws
  {
    var files = EditionTests.catalog
    files["0001_a/schema.sql"] = files.removeValue(forKey: "0001_a/up.sql")
    let device = try Device(files, app: EditionTests.table)
    try device.up(to: 1)
    try device.run("UPDATE t SET a = 'mine' WHERE id = 2")
    _ = try device.migrator().down(to: 0)
    #expect(try device.up().notes == [])
  }

  @Test func `a database that was taken back is not adopted`() throws {
    var files = EditionTests.catalog
    files["0001_a/schema.sql"] = files.removeValue(forKey: "0001_a/up.sql")
    files["catalog.json"] = #"{"adopt": 2}"#
    let device = try Device(files, app: EditionTests.table)
    try device.up()
    let rows = try device.rows("SELECT id FROM t ORDER BY id")
    try device.run("UPDATE t SET a = 'mine' WHERE id = 2")
    _ = try device.migrator().down(to: 0)
    #expect(try device.up().adopted == nil)
    #expect(try device.rows("SELECT id FROM t ORDER BY id") == rows)
  }

  @Test func `rows before the ledger are mentioned where nobody adopts them`() throws {
    var files = EditionTests.catalog
    files["0001_a/up.sql"] = nil
    files["0001_a/schema.sql"] = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);"
    let device = try EditionTests.device("(1, 'one', 'x'), (2, 'mine', 'x')", files: files)
    let note = "2 rows of migration 1 were there before the ledger."
    #expect(try device.migrator().plan().notes.contains { $0.hasPrefix(note) })
    #expect(try device.up().notes.contains { $0.hasPrefix(note) })
    #expect(try device.up().notes == [])
    let fresh = try Device(files, app: EditionTests.table)
    #expect(try fresh.up().notes == [])
  }

  @Test func `a database that lacks a table is refused before anything is written`() throws {
    let device = try Device(EditionTests.catalog, app: "CREATE TABLE other (x)")
    let error = #expect(throws: SeedbedError.self) { try device.migrator().baseline(at: 3) }
    #expect(error?.message.hasPrefix("The database has no table 't', so it cannot") == true)
    #expect(try device.rows("SELECT name FROM sqlite_schema") == ["other"])
  }

  @Test func `a plan of a baseline changes nothing`() throws {
    let device = try EditionTests.device("(1, 'one', 'x')")
    let before = try device.rows("SELECT * FROM t")
    let plan = try device.migrator().baselinePlan(at: 3)
    #expect(plan.outcome == .planned && plan.adopted?.tables[0].refreshed == 1)
    #expect(try device.rows("SELECT * FROM t") == before)
    #expect(try device.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'seedbed%'") == [])
    #expect(try device.migrator().baseline(at: 3).adopted == plan.adopted)
  }

  /// A release that was applied by Seedbed is where the comparison begins.
  @Test func `editions before the ledger's version are not compared`() throws {
    let device = try Device(EditionTests.catalog)
    _ = try device.up(to: 2)
    try device.run("UPDATE t SET a = 'one' WHERE id = 1")
    let table = try EditionTests.adopted(device).tables[0]
    #expect(table.columns == [.init(name: "a", rows: 1)])
    #expect(try device.rows("SELECT a FROM t WHERE id < 3") == ["one", "two-3"])
  }
}
