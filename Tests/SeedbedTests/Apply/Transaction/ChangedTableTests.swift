import Testing

@testable import Seedbed

/// A table that a migration needs is not as it should be: the author's mistake, or a change on
/// this device.
struct ChangedTableTests {
  static let first = [
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);",
    "0001_t/t.csv": "id,n\n1,a\n2,b\n",
  ]

  static func device(_ second: [String: String], user: String) throws -> Device {
    let device = try Device(first.merging(second) { $1 })
    try device.up(to: 1)
    try device.run(user)
    return device
  }

  static let drop = "DROP TABLE t"
  static let second = ["0002_t/t.csv": "id,n\n3,c\n"]

  @Test func `a table that no migration ever filled is the author's to make`() throws {
    let device = try Self.device(["0002_t/u.csv": "id\n3\n"], user: "SELECT 1")
    #expect(
      try device.failure().description
        == "0002_t/u.csv: There is no table 'u' in the database. Create it in up.sql, or name the "
        + "file after its table.")
  }

  @Test func `a table that the user dropped is told to support`() throws {
    let device = try Self.device(Self.second, user: Self.drop)
    let error = try device.failure()
    #expect(
      error.description
        == "0002_t/t.csv: The table 't' no longer exists in this database: 0001_t filled it. If a "
        + "migration renamed the table, name the file after it. Otherwise restore a backup that "
        + "has it, or create it again as the migrations do and put its rows back.")
    #expect(error.remedies == [.restoreEarlierBackup, .reseed("t", key: nil)])
    #expect(error.version == 2)
    #expect(error.code == .catalog)
  }

  @Test func `that the options name the table does not make it the catalog's mistake`() throws {
    let device = try Self.device(Self.second, user: Self.drop)
    try device.write(["catalog.json": #"{"tables": {"t": {"reserve": 1000}}}"#])
    #expect(try device.failure().message.hasPrefix("The table 't' no longer exists in this"))
  }

  @Test func `with the table made again and its rows put back it goes on`() throws {
    let device = try Self.device(Self.second, user: Self.drop)
    try device.run("CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT)")
    try device.migrator().reseed("t")
    try device.up()
    #expect(try device.rows("SELECT n FROM t ORDER BY id") == ["a", "b", "c"])
  }

  @Test func `and with the migration passed over, too`() throws {
    let device = try Self.device(
      Self.second.merging(["0003_u/up.sql": "CREATE TABLE u (a);"]) { $1 }, user: Self.drop)
    let report = try device.migrator().baseline(at: 2)
    #expect(
      report.notes == ["The rows of 't' were not compared: it is not as the catalog made it."])
    #expect(try device.up().migrations.map(\.version) == [3])
  }

  @Test func `a column that no file ever filled is the author's to spell`() throws {
    let device = try Self.device(["0002_t/t.csv": "id,m\n3,c\n"], user: "SELECT 1")
    #expect(
      try device.failure().message.hasPrefix("The table 't' has no column 'm'. The first line"))
  }

  @Test(arguments: ["t.csv": "id,n\n3,c\n", "t.update.csv": "id,n,was:n\n1,A,a\n"].sorted(by: <))
  func `a column that the user dropped is told to support`(_ name: String, _ rows: String) throws {
    let device = try Self.device(["0002_t/\(name)": rows], user: "ALTER TABLE t DROP COLUMN n")
    let error = try device.failure()
    #expect(
      error.message
        == "The table 't' has no column 'n' in this database: 0001_t filled it. If a migration "
        + "renamed the column, use its new name in the header. Otherwise restore a backup that has "
        + "it, or add the column again and put its values back.")
    #expect(error.remedies == [.restoreEarlierBackup, .reseed("t", key: nil)])
    #expect(error.place?.line == 1)
    try device.run("ALTER TABLE t ADD COLUMN n TEXT")
    try device.migrator().reseed("t")
    try device.up()
    #expect(try device.rows("SELECT count(n) FROM t WHERE n IS NOT NULL").first != "0")
  }

  static let stricter = """
    CREATE TABLE strict (id INTEGER PRIMARY KEY, n TEXT CHECK (length(n) < 2));
    INSERT INTO strict SELECT * FROM t; DROP TABLE t; ALTER TABLE strict RENAME TO t;
    """

  @Test(
    arguments: ["t.csv": "id,n\n3,ccc\n", "t.update.csv": "id,n,was:n\n1,AAA,a\n"].sorted(by: <))
  func `a rule that the user added is told with what lint knows`(
    _ name: String, _ rows: String
  ) throws {
    let device = try Self.device(["0002_t/\(name)": rows], user: Self.stricter)
    let error = try device.failure()
    #expect(
      error.description
        == "0002_t/\(name):2: The table 't' does not take this row: CHECK constraint failed: "
        + "length(n) < 2. If the row is correct, the table was changed in this database after "
        + "0001_t filled it: undo that change, or restore a backup.")
  }

  @Test func `on a scratch database only the author can be meant`() throws {
    let device = try Device(
      Self.first.merging(["0002_t/up.sql": "DROP TABLE t;", "0002_t/t.csv": "id,n\n3,c\n"]) { $1 })
    let error = #expect(throws: SeedbedError.self) {
      try ScratchDatabase(.authored(device.migrator().catalog), to: 2, ScratchSettings())
    }
    #expect(error?.message.contains("Create it in up.sql") == true)
  }
}
