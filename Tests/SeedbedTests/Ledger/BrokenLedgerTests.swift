import Testing

@testable import Seedbed

/// A ledger that somebody damaged, or that a trigger would write.
struct BrokenLedgerTests {
  static let files = [
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);",
    "0001_t/t.csv": "id,n\n1,a\n",
  ]

  @Test(arguments: LedgerSchema.tables)
  func `a table that is gone is found by verify, status and up`(_ table: String) throws {
    let device = try Device(Self.files)
    try device.up()
    try device.write(["0002_t/t.csv": "id,n\n2,b\n"])
    try device.run("DROP TABLE seedbed_\(table)")
    let migrator = try device.migrator()
    let message =
      "The ledger is broken: the database has some of its tables, but not 'seedbed_\(table)'. If "
      + "tables whose names begin with seedbed_ are not Seedbed's, choose another name for the "
      + "ledger. Otherwise restore a backup or, without one, drop the other tables of the ledger "
      + "and mark what is applied."
    #expect(try migrator.verify().filter { $0.code == .corrupt }.map(\.message) == [message])
    for call in [{ _ = try migrator.status() }, { _ = try migrator.up() }] {
      let error = #expect(throws: SeedbedError.self) { try call() }
      #expect(error?.code == .corrupt && error?.message == message)
    }
  }

  @Test func `each remedy works`() throws {
    let device = try Device(Self.files)
    try device.up()
    try device.write(["0002_t/t.csv": "id,n\n2,b\n"])
    try device.up()
    try device.run("DROP TABLE seedbed_migrations")
    _ = try device.migrator().restore()
    #expect(try device.rows("SELECT version FROM seedbed_migrations") == ["1"])

    try device.run("DROP TABLE seedbed_migrations")
    for table in LedgerSchema.tables { try device.run("DROP TABLE IF EXISTS seedbed_\(table)") }
    try device.migrator().baseline(at: 1)
    try device.up()
    #expect(try device.rows("SELECT id FROM t") == ["1", "2"])
    #expect(try device.migrator().verify().filter { $0.code == .corrupt } == [])
  }

  @Test func `numbers that nobody wrote have a sum`() throws {
    let device = try Device(Self.files.merging(["0002_t/t.csv": "id,n\n2,b\n"]) { $1 })
    try device.up()
    try device.write(["0003_t/t.csv": "id,n\n3,c\n"])
    try device.run(
      "UPDATE seedbed_migrations SET inserted = 9223372036854775807, updated = 1, kept = -7, "
        + "duration_ms = 9223372036854775807")
    let status = try device.migrator().status()
    #expect(status.migrations.first?.rows == (1 << 40) + 1)
    #expect(status.migrations.first?.duration == .milliseconds(1 << 40))
    #expect(status.json.contains("\"durationMs\":1099511627776"))
    try device.run(
      "UPDATE seedbed_migrations SET updated = 0, kept = 0; "
        + "UPDATE seedbed_runs SET started_at = '2020-01-01T00:00:00.000Z'")
    #expect(try device.migrator().estimate().pending == [3])
  }

  @Test func `a key left to the user that is none is reported as such`() throws {
    let device = try Device(Self.files.merging(["0002_t/t.delete.csv": "id,n\n1,a\n"]) { $1 })
    try device.up(to: 1)
    try device.run("INSERT INTO seedbed_left_to_user VALUES ('t', '[1]', 'keyTaken', 1)")
    #expect(
      try device.failure().message == "The ledger's entry of left_to_user is not a JSON object.")
  }

  // MARK: triggers

  private static let trigger =
    "CREATE TRIGGER q AFTER INSERT ON t BEGIN DELETE FROM seedbed_migrations; END;"
  private static let refusal =
    "The trigger 'q' writes 'seedbed_migrations', which belongs to Seedbed. Drop the trigger, or "
    + "change it so that it does not touch the ledger."

  static let triggers: [(name: String, sql: String)] = [
    ("on a table", "SELECT 1;\n" + trigger),
    (
      "through another table",
      """
      CREATE TABLE u (a);\nCREATE TRIGGER q AFTER UPDATE ON u
      BEGIN UPDATE seedbed_runs SET error = 'x'; END;
      CREATE TRIGGER p AFTER DELETE ON t BEGIN UPDATE u SET a = 1; END;
      """
    ),
    (
      "of a view",
      """
      CREATE VIEW v AS SELECT id FROM t;
      CREATE TRIGGER IF NOT EXISTS q INSTEAD OF DELETE ON v
      BEGIN INSERT INTO seedbed_applying VALUES (9); END;
      """
    ),
  ]

  @Test(arguments: triggers.indices, [false, true])
  func `one that writes the ledger is refused when it is made`(_ index: Int, isLent: Bool) throws {
    let device = try Device(Self.files.merging(["0002_q/up.sql": Self.triggers[index].sql]) { $1 })
    try device.up(to: 1)
    let app = try AppHandle(device.database)
    let error = #expect(throws: SeedbedError.self) {
      try isLent ? LentHandleTests.lent(device).up(on: app.handle) : device.up()
    }
    #expect(error?.code == .sql)
    #expect(error?.place == SeedbedError.Place("0002_q/up.sql", line: 2, column: 1))
    #expect(error?.message.hasPrefix("The trigger 'q' writes 'seedbed_") == true)
    #expect(try device.ledger().count == 1)
  }

  @Test func `one that reads it may be made, and writes nothing that counts as touched`() throws {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT); CREATE TABLE log (id);
      CREATE TRIGGER q AFTER INSERT ON t WHEN NOT EXISTS (SELECT 1 FROM seedbed_applying)
      BEGIN INSERT INTO log VALUES (new.id); END;
      CREATE TRIGGER early AFTER DELETE ON t BEGIN INSERT INTO later VALUES (1); END;
      """
    ])
    #expect(try device.up().touchedTables == [])
    #expect(try device.rows("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == ["2"])
  }

  @Test(arguments: [false, true])
  func `one that was there before is refused when the rows fire it`(_ isLent: Bool) throws {
    let device = try Device(Self.files.merging(["0002_t/t.csv": "id,n\n2,b\n"]) { $1 })
    try device.up(to: 1)
    try device.run(Self.trigger)
    let app = try AppHandle(device.database)
    if isLent {
      let error = #expect(throws: SeedbedError.self) {
        try LentHandleTests.lent(device).up(on: app.handle)
      }
      #expect(error?.message == Self.refusal)
    } else {
      #expect(try device.failure().message == Self.refusal)
    }
    #expect(try device.ledger().count == 1)
    #expect(try device.rows("SELECT id FROM t") == ["1"])
  }
}
