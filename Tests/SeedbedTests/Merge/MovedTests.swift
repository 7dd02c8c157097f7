import TestSupport
import Testing

@testable import Seedbed

/// Users' rows that make way, as an app sees it.
struct MovedTests {
  static let files = [
    "catalog.json": #"{"tables": {"p": {"onTaken": "moveUser"}}}"#,
    "0001_a/up.sql": """
    CREATE TABLE p (id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT);
    CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p);

    """,
    "0001_a/p.csv": "id,code\n1,one\n",
    "0002_b/p.csv": "id,code\n2,two\n3,three\n",
  ]
  static let old: Migrator.Row = #"{"id":2}"#
  static let new: Migrator.Row = #"{"id":4}"#

  private func atFirst(_ user: String, _ files: [String: String] = files) throws -> Device {
    let device = try Device(files)
    try device.up(to: 1)
    try device.run(user)
    return device
  }

  private func moved() throws -> Device {
    let device = try atFirst("INSERT INTO p VALUES (2, 'mine'); INSERT INTO c VALUES (9, 2)")
    device.options.reporting = .keys
    return device
  }

  @Test func `the report names the keys and the tables`() throws {
    let device = try moved()
    let report = try device.up()
    #expect(report.moved == [Migrator.MovedRow(table: "p", from: Self.old, to: Self.new)])
    #expect(report.touchedTables == ["c", "p"])
    #expect(
      report.migrations[0].tables[0].changedKeys == [Self.old, Self.new, #"{"id":3}"#])
    #expect(report.migrations[0].conflicts[0].movedTo == Self.new)
    #expect(report.migrations[0].conflicts[0].mine == #"{"id":2,"code":"mine"}"#)
    #expect(report.migrations[0].conflicts[0].seed == #"{"id":2,"code":"two"}"#)
  }

  @Test func `a plan tells it and changes nothing`() throws {
    let device = try moved()
    let before = try device.dump()
    #expect(
      try device.migrator().plan().moved
        == [Migrator.MovedRow(table: "p", from: Self.old, to: Self.new)])
    #expect(try device.dump() == before)
  }

  @Test func `AUTOINCREMENT does not give the new id again`() throws {
    let device = try moved()
    try device.up()
    try device.run("DELETE FROM c; DELETE FROM p WHERE id = 4; INSERT INTO p (code) VALUES ('n')")
    #expect(try device.rows("SELECT id FROM p WHERE code = 'n'") == ["5"])
  }

  @Test func `down leaves the row where it is`() throws {
    let device = try moved()
    try device.up()
    let report = try device.down(to: 1)
    #expect(report.moved.isEmpty)
    #expect(report.touchedTables == ["p"])
    #expect(report.migrations[0].tables[0].changedKeys == [Self.old, #"{"id":3}"#])
    #expect(try device.rows("SELECT * FROM p") == ["1|one", "4|mine"])
    #expect(try device.rows("SELECT * FROM c") == ["9|4"])
  }

  @Test(arguments: [
    ("DELETE FROM c; DELETE FROM p WHERE id = 4", ["1|one"]),
    (
      "DELETE FROM p WHERE id = 2; INSERT INTO p VALUES (2, 'other')",
      ["1|one", "2|other", "4|mine"]
    ),
    ("INSERT INTO c VALUES (10, 2)", ["1|one", "2|two", "4|mine"]),
    ("UPDATE p SET code = 'edited' WHERE id = 4", ["1|one", "4|edited"]),
  ])
  func `down after what the user did since`(
    _ user: String, _ rows: [String]
  ) throws {
    let device = try moved()
    try device.up()
    try device.run(user)
    try device.down(to: 1)
    #expect(try device.rows("SELECT * FROM p") == rows)
  }

  @Test func `of many rows only those stay that must`() throws {
    let numbers = (2...500).map(String.init)
    let device = try atFirst(
      numbers.map { "INSERT INTO p VALUES (\($0), 'mine \($0)');" }.joined()
        + "INSERT INTO c SELECT id, id FROM p WHERE id > 1;"
        + "CREATE TRIGGER t BEFORE UPDATE OF id ON p WHEN old.id IN (7, 300) "
        + "BEGIN SELECT RAISE(ABORT, 'no'); END;",
      Self.files.merging([
        "0002_b/p.csv": "id,code\n" + numbers.map { "\($0),seed\n" }.joined()
      ]) { $1 })
    let report = try device.up()
    #expect(report.lines == ["2 p +497 ~0 -0 =0 kept 2"])
    #expect(report.moved.count == 497)
    #expect(
      try device.rows("SELECT id FROM p WHERE id < 501 AND code <> 'seed'") == ["1", "7", "300"])
    #expect(
      try device.rows("SELECT count(*) FROM c JOIN p ON p.id = c.p AND p.code = 'mine ' || c.id")
        == ["499"])
    try device.down(to: 1)
    #expect(try device.rows("SELECT count(*), sum(code = 'seed') FROM p") == ["500|0"])
  }

  @Test func `a conflict shows the new id of the row in the way`() throws {
    let files = Self.files.merging([
      "0001_a/up.sql": "CREATE TABLE p (id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT UNIQUE);",
      "0002_b/p.csv": "id,code\n2,two\n3,three\n4,b\n",
    ]) { $1 }
    let device = try atFirst("INSERT INTO p VALUES (2, 'a'), (3, 'b')", files)
    let report = try device.up()
    #expect(try device.rows("SELECT * FROM p WHERE id > 3") == ["5|a", "6|b"])
    let taken = try #require(report.migrations[0].conflicts.first { $0.kind == .uniqueTaken })
    #expect(taken.key == #"{"id":4}"# && taken.mine == #"{"id":6,"code":"b"}"#)
  }
}
