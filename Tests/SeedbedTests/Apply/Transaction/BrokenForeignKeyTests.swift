import Testing

@testable import Seedbed

/// Tables whose foreign keys SQLite cannot enforce, in databases where no app ever did.
struct BrokenForeignKeyTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var app: String
    var reason: String

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "a missing parent",
      app: "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER REFERENCES absent (x));",
      reason: "t refers to absent, a table that does not exist"),
    Case(
      name: "a parent column that is not unique",
      app: "CREATE TABLE p (x INTEGER); INSERT INTO p VALUES (5);"
        + "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER REFERENCES p (x));",
      reason: "t refers to p, whose columns (x) are not unique"),
    Case(
      name: "a parent column that does not exist",
      app: "CREATE TABLE p (x INTEGER PRIMARY KEY);"
        + "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER REFERENCES p (y));",
      reason: "t refers to p, whose columns do not fit the declaration"),
    Case(
      name: "more columns than the parent's key has",
      app: "CREATE TABLE p (x, y, PRIMARY KEY (x, y));"
        + "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER REFERENCES p);",
      reason: "t refers to p, whose columns do not fit the declaration"),
    Case(
      name: "a parent that is a view",
      app: "CREATE VIEW p AS SELECT 5 AS x;"
        + "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER REFERENCES p (x));",
      reason: "t refers to p, which is a view"),
    Case(
      name: "a partial index is no key",
      app: "CREATE TABLE p (x); CREATE UNIQUE INDEX part ON p (x) WHERE x > 0;"
        + "INSERT INTO p VALUES (5);"
        + "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER REFERENCES p (x));",
      reason: "t refers to p, whose columns (x) are not unique"),
    Case(
      name: "a unique index with another collation is no key",
      app: "CREATE TABLE p (x TEXT); CREATE UNIQUE INDEX low ON p (x COLLATE NOCASE);"
        + "INSERT INTO p VALUES ('5');"
        + "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT REFERENCES p (x));",
      reason: "t refers to p, whose columns (x) are not unique"),
    Case(
      name: "a child of the app that refers to a column of ours which is not unique",
      app: "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER);"
        + "CREATE TABLE stars (b INTEGER REFERENCES t (b)); INSERT INTO stars VALUES (4);",
      reason: "stars refers to t, whose columns (b) are not unique"),
  ]

  @Test(arguments: cases)
  func `it is applied without enforcement, and named:`(_ example: Case) throws {
    let device = try Device(["0001_t/t.csv": "a,b\n1,5\n2,\n"], app: example.app)
    device.mayHoldOrphans = true
    device.isCheckedForForeignKeys = false
    let report = try device.up()
    #expect(
      report.notes == [
        "0001_t ran without SQLite's enforcement of foreign keys, under Seedbed's own "
          + "check, because a declaration is broken: \(example.reason)."
      ])
    #expect(try device.rows("SELECT * FROM t ORDER BY a") == ["1|5", "2|NULL"])
    #expect(try device.ledger() == ["1|applied|2|0|0|0|0"])
  }

  @Test func `other tables of the migration are still checked by us`() throws {
    let device = try Device(
      [
        "0001_t/t.csv": "a,b\n1,5\n",
        "0001_t/good.csv": "id,up\n1,7\n2,8\n",
      ],
      app: """
        CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER REFERENCES absent (x));
        CREATE TABLE parents (id INTEGER PRIMARY KEY); INSERT INTO parents VALUES (7);
        CREATE TABLE good (id INTEGER PRIMARY KEY, up INTEGER REFERENCES parents (id));
        """)
    device.isCheckedForForeignKeys = false
    #expect(
      try device.up().lines == ["1 good +1 ~0 -0 =0 kept 1", "1 t +1 ~0 -0 =0 kept 0"])
    #expect(try device.rows("SELECT * FROM good") == ["1|7"])
  }

  @Test func `SQL files are held to the sound declarations`() throws {
    let device = try Device(
      ["0001_t/t.csv": "a,b\n1,5\n", "0001_t/after.sql": "DELETE FROM parents;"],
      app: """
        CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER REFERENCES absent (x));
        CREATE TABLE parents (id INTEGER PRIMARY KEY); INSERT INTO parents VALUES (7);
        CREATE TABLE good (id INTEGER PRIMARY KEY, up INTEGER REFERENCES parents (id));
        INSERT INTO good VALUES (1, 7);
        """)
    device.isCheckedForForeignKeys = false
    let error = try device.failure()
    #expect(error.code == .foreignKey)
    #expect(
      error.message == """
        1 row of 'good' would refer to rows of 'parents' that do not exist. The migration was \
        rolled back.
        """)
  }

  @Test func `a migration that does not touch such tables has nothing to say`() throws {
    let device = try Device(
      ["0001_t/t.csv": "a\n1\n"],
      app: "CREATE TABLE t (a INTEGER PRIMARY KEY); CREATE TABLE bad (b REFERENCES absent (x));")
    device.isCheckedForForeignKeys = false
    #expect(try device.up().notes == [])
  }

  @Test func `what up.sql makes sound is sound`() throws {
    let device = try Device(
      [
        "0001_t/up.sql":
          "CREATE TABLE absent (x INTEGER PRIMARY KEY); INSERT INTO absent VALUES (5);",
        "0001_t/t.csv": "a,b\n1,5\n",
      ], app: "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER REFERENCES absent (x));")
    #expect(try device.up().notes == [])
  }

  /// The first attempt finds the broken declaration after its backup.
  @Test(arguments: [true, false])
  func `a backup has what somebody wrote between two attempts`(_ isWritten: Bool) throws {
    let device = try Device(
      ["0001_t/t.csv": "a,b\n1,5\n"],
      app: "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER REFERENCES absent (x));")
    device.isCheckedForForeignKeys = false
    let locks = Guarded(0)
    device.host.reaching = { moment in
      if moment == .locked { locks.withLock { $0 += 1 } }
    }
    var isDone = !isWritten
    let report = try device.migrator().up { progress in
      guard !isDone, progress.phase == .waiting, locks.withLock({ $0 }) == 1 else { return }
      isDone = true
      #expect(throws: Never.self) { try device.run("INSERT INTO t VALUES (900, NULL)") }
    }
    #expect(isDone && locks.withLock { $0 } == 2)
    let path = try #require(report.backup?.path)
    let backup = try Connection(path, .readOnly, setup: nil)
    #expect(try backup.rows("SELECT a FROM t").map { $0[0].plain } == (isWritten ? ["900"] : []))
    #expect(try device.migrator().backups().count == (isWritten ? 2 : 1))
    #expect(try device.rows("SELECT backup FROM seedbed_runs") == [path])
  }
}
