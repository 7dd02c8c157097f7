import Testing

@testable import Seedbed

/// Constraints of the user's tables, and what they declare to happen where one is broken.
struct ConstraintTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var table: String
    var csv: String
    var error: String

    var testDescription: String { name }
  }

  private static let notNull =
    "3: The table 't' does not take this row: NOT NULL constraint failed: t.v. An empty field is "
    + "NULL. For the empty text write \"\", or give the table the option \"empty\": \"text\"."

  static let cases = [
    Case(
      name: "NOT NULL", table: "(a INTEGER PRIMARY KEY, v TEXT NOT NULL)", csv: "a,v\n1,x\n2,\n",
      error: notNull),
    Case(
      name: "NOT NULL ON CONFLICT IGNORE",
      table: "(a INTEGER PRIMARY KEY, v TEXT NOT NULL ON CONFLICT IGNORE)", csv: "a,v\n1,x\n2,\n",
      error: notNull),
    Case(
      name: "NOT NULL ON CONFLICT REPLACE, whose default would hide what the file says",
      table: "(a INTEGER PRIMARY KEY, v TEXT NOT NULL ON CONFLICT REPLACE DEFAULT 'd')",
      csv: "a,v\n1,x\n2,\n",
      error: notNull),
    Case(
      name: "CHECK", table: "(a INTEGER PRIMARY KEY, v TEXT CHECK (v <> 'no'))",
      csv: "a,v\n1,x\n2,no\n3,y\n",
      error: "3: The table 't' does not take this row: CHECK constraint failed: v <> 'no'."),
    Case(
      name: "CHECK ON CONFLICT IGNORE",
      table:
        "(a INTEGER PRIMARY KEY, v TEXT, CONSTRAINT sure CHECK (v <> 'no') ON CONFLICT IGNORE)",
      csv: "a,v\n1,x\n2,no\n",
      error: "3: The table 't' does not take this row: CHECK constraint failed: sure."),
    Case(
      name: "a trigger's own refusal",
      table: "(a INTEGER PRIMARY KEY, v TEXT);"
        + "CREATE TRIGGER g BEFORE INSERT ON t WHEN new.v = 'no' BEGIN "
        + "SELECT RAISE(ABORT, 'Oh no');"
        + " END",
      csv: "a,v\n1,x\n2,no\n3,y\n", error: "3: The table 't' does not take this row: Oh no."),
    Case(
      name: "NOT NULL on a table with a trigger, which makes SQLite read the file ahead",
      table: "(a INTEGER PRIMARY KEY, v TEXT NOT NULL); CREATE TABLE log (a);"
        + "CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END",
      csv: "a,v\n1,x\n2,\n3,y\n",
      error: notNull),
  ]

  @Test(arguments: cases)
  func `a row that breaks`(_ example: Case) throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t \(example.table);", "0001_t/t.csv": example.csv,
    ])
    let error = try device.failure()
    #expect(error.code == .constraint)
    #expect(error.description == "0001_t/t.csv:" + example.error)
    #expect(try device.dump() == [])
  }

  struct Clause: CustomTestStringConvertible {
    var name: String
    var table: String

    var testDescription: String { name }
  }

  static let clauses = ["REPLACE", "IGNORE", "ROLLBACK", "FAIL"].flatMap { clause in
    [
      Clause(
        name: "UNIQUE ON CONFLICT \(clause)",
        table: "(a INTEGER PRIMARY KEY, v TEXT UNIQUE ON CONFLICT \(clause), w TEXT)"),
      Clause(
        name: "PRIMARY KEY ON CONFLICT \(clause)",
        table: "(a INTEGER PRIMARY KEY ON CONFLICT \(clause), v TEXT UNIQUE, w TEXT)"),
      Clause(
        name: "WITHOUT ROWID, both ON CONFLICT \(clause)",
        table:
          "(a INT PRIMARY KEY ON CONFLICT \(clause), v TEXT UNIQUE ON CONFLICT \(clause), w TEXT)"
          + " WITHOUT ROWID"),
    ]
  }

  @Test(arguments: clauses)
  func `the user's rows survive`(_ clause: Clause) throws {
    let table = "CREATE TABLE IF NOT EXISTS t \(clause.table);"
    let device = try Device(["0001_t/t.csv": "a,v,w\n1,x,s\n2,y,s\n3,z,s\n"], app: table)
    try device.run("INSERT INTO t VALUES (1, 'mine', 'm'), (9, 'y', 'm')")
    #expect(try device.up().lines == ["1 t +1 ~0 -0 =0 kept 2"])
    #expect(try device.rows("SELECT * FROM t ORDER BY a") == ["1|mine|m", "3|z|s", "9|y|m"])
  }

  @Test(arguments: clauses)
  func `replaceUser removes no row of the user's for`(_ clause: Clause) throws {
    let table = "CREATE TABLE IF NOT EXISTS t \(clause.table);"
    let device = try Device(["0001_t/t.csv": "a,v,w\n1,x,s\n2,y,s\n"], app: table)
    // Row 1 would need the value that row 8 holds.
    try device.run("INSERT INTO t VALUES (1, 'mine', 'm'), (8, 'x', 'm'), (9, 'y', 'm')")
    #expect(try device.up(onTaken: .replaceUser).lines == ["1 t +0 ~0 -0 =0 kept 2"])
    #expect(try device.rows("SELECT * FROM t ORDER BY a") == ["1|mine|m", "8|x|m", "9|y|m"])
    #expect(
      try device.rows("SELECT key, kind, resolution FROM seedbed_conflicts ORDER BY key")
        == [#"{"a":1}|keyTaken|keptUser"#, #"{"a":2}|uniqueTaken|keptUser"#])
  }

  @Test func `a number too large for its column is an error before SQLite sees it`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY) STRICT;",
      "0001_t/t.csv": "a\n9223372036854775808\n",
    ])
    #expect(try device.failure().code == .csv)
  }

  static let endings = [
    Case(
      name: "a row to insert", table: "AFTER INSERT ON t WHEN new.a = 3", csv: "a,v\n2,y\n3,z\n",
      error: "0002_t/t.csv:3"),
    Case(
      name: "a row to insert beside a conflict", table: "BEFORE INSERT ON t WHEN new.a = 3",
      csv: "a,v\n1,mine\n2,y\n3,z\n", error: "0002_t/t.csv:4"),
    Case(
      name: "a row to change", table: "AFTER UPDATE ON t WHEN new.a = 9",
      csv: "a,v,was:v\n8,x,h\n9,y,i\n", error: "0002_t/t.update.csv:3"),
    Case(
      name: "a row to retire", table: "BEFORE DELETE ON t WHEN old.a = 9",
      csv: "a,v\n8,h\n9,i\n", error: "0002_t/t.delete.csv:3"),
  ]

  @Test(arguments: endings)
  func `a trigger that ends the transaction is reported with the line of`(_ example: Case) throws {
    let file = String(example.error.prefix { $0 != ":" })
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY, v TEXT);",
      "0001_t/t.csv": "a,v\n1,x\n8,h\n9,i\n", file: example.csv,
    ])
    try device.up(to: 1)
    try device.run(
      "CREATE TRIGGER g \(example.table) BEGIN SELECT RAISE(ROLLBACK, 'Oh no'); END")
    let before = try device.dump()
    let error = try device.failure()
    #expect(error.code == .constraint)
    #expect(
      error.description == """
        \(example.error): The table 't' does not take this row: Oh no. If the row is correct, the \
        table was changed in this database after 0001_t filled it: undo that \
        change, or restore a backup.
        """)
    #expect(try device.dump() == before)
  }

  @Test(arguments: ["ROLLBACK", "FAIL", "ABORT"])
  func `nothing is committed where a trigger raises`(_ kind: String) throws {
    let table = "CREATE TABLE IF NOT EXISTS t (a INTEGER PRIMARY KEY, v TEXT);"
    let device = try Device(["0001_t/t.csv": "a,v\n1,x\n2,y\n3,z\n"], app: table)
    try device.run(
      """
      INSERT INTO t VALUES (1, 'mine');
      CREATE TRIGGER g AFTER INSERT ON t WHEN new.a = 3
      BEGIN SELECT RAISE(\(kind), 'Oh no'); END
      """)
    let before = try device.dump()
    for policy in [Migrator.CollisionPolicy.keepUser, .replaceUser] {
      let error = try device.failure(onTaken: policy)
      #expect(error.code == .constraint)
      #expect(error.message == "The table 't' does not take this row: Oh no.")
      #expect(error.isDatabaseUnchanged)
      #expect(try device.dump() == before)
      #expect(try device.ledger() == [])
      #expect(try device.conflicts() == [])
    }
  }
}
