import CSeedbedSQLite
import Testing

@testable import Seedbed

/// The SQL files on a lent handle, where no authorizer is installed.
struct VettingTests {
  private static let base = """
    CREATE TABLE parents (id INTEGER PRIMARY KEY);
    CREATE TABLE t (id INTEGER PRIMARY KEY, parent REFERENCES parents (id));
    CREATE VIRTUAL TABLE search USING fts5(body);

    """

  @Test(arguments: [
    ("BEGIN", "BEGIN"), ("/* x */ commit", "COMMIT"), ("END", "COMMIT"), ("ROLLBACK", "ROLLBACK"),
    ("SAVEPOINT s", "SAVEPOINT"), ("RELEASE s", "RELEASE"), ("ROLLBACK TO s", "ROLLBACK"),
    ("ATTACH ':memory:' AS other", "ATTACH"), ("DETACH other", "DETACH"), ("VACUUM", "VACUUM"),
    ("PRAGMA foreign_keys=0", "foreign_keys"), ("PRAGMA main.user_version = 7", "user_version"),
    ("DELETE FROM seedbed_migrations", "ledger"),
    ("EXPLAIN DELETE FROM seedbed_runs", "ledger"), ("DROP TABLE 'seedbed_runs'", "ledger"),
    ("INSERT INTO [Seedbed_Runs] DEFAULT VALUES", "ledger"),
    ("WITH x AS (SELECT 1) UPDATE seedbed_migrations SET name = 'x'", "ledger"),
    ("CREATE TRIGGER g AFTER INSERT ON seedbed_runs BEGIN SELECT 1; END", "ledger"),
    ("CREATE INDEX i ON \"seedbed_runs\" (id)", "ledger"),
    ("ALTER TABLE seedbed_runs RENAME TO mine", "ledger"),
    ("DROP TABLE parents", "parents"), ("drop table if exists main.parents", "parents"),
    ("INSERT INTO aux.foreign_rows VALUES (1)", "a database other than"),
  ])
  func `is refused with its line`(sql: String, word: String) throws {
    let device = try Device(["0001_t/up.sql": Self.base + sql + ";"])
    let app = try AppHandle(
      device.database,
      setup: "PRAGMA foreign_keys=1; ATTACH ':memory:' AS aux; CREATE TABLE aux.foreign_rows (a)")
    let before = try app.state()
    let error = #expect(throws: SeedbedError.self) {
      try LentHandleTests.lent(device).up(on: app.handle)
    }
    #expect(error?.code == .sql)
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    #expect(error?.place?.line == 4)
    #expect(try app.state() == before)
    #expect(try app.values("SELECT count(*) FROM aux.foreign_rows") == ["0"])
    #expect(try app.values("PRAGMA user_version") == ["0"])
  }

  @Test func `what changes the migration's own tables is not`() throws {
    let device = try Device([
      "0001_t/up.sql": Self.base + """
        PRAGMA table_info(t); PRAGMA main.index_list = t; PRAGMA optimize;
        INSERT INTO search VALUES ('words');
        WITH x AS (SELECT 5) INSERT INTO t (id) SELECT * FROM x;
        CREATE TABLE copied AS SELECT * FROM t; CREATE TABLE gone (a);
        DELETE FROM t;
        CREATE TEMP TABLE scratch (a); INSERT INTO scratch VALUES (1); DROP TABLE scratch;
        CREATE VIEW history AS SELECT * FROM seedbed_migrations; ALTER TABLE gone RENAME TO went;
        -- DELETE FROM seedbed_runs
        INSERT INTO t (id) SELECT 70 + count(*) FROM seedbed_migrations;
        REPLACE INTO t (id) VALUES (5);
        """,
      "0001_t/verify.sql": "SELECT 1 FROM search WHERE search MATCH 'nothing';",
    ])
    let app = try AppHandle(device.database, setup: "PRAGMA foreign_keys=1")
    let report = try LentHandleTests.lent(device).up(on: app.handle)
    #expect(Set(report.touchedTables).isSuperset(of: ["search", "t", "copied"]))
    #expect(!report.touchedTables.contains { $0.hasPrefix("seedbed") })
    #expect(try app.values("SELECT id FROM t ORDER BY 1") == ["5", "70"])
  }

  /// A database without the app's functions cannot prepare them.
  @Test(arguments: [
    ("INSERT INTO seedbed_runs (started_at) SELECT shout('x')", "ledger"),
    ("WITH x AS (SELECT shout('x') AS a) DELETE FROM seedbed_migrations", "ledger"),
    ("INSERT INTO aux.foreign_rows SELECT shout('x')", "a database other than"),
    ("INSERT INTO foreign_rows SELECT shout('x')", "a database other than"),
    ("DROP TABLE shouted", "shouted"),
    ("PRAGMA aux.user_version = 7", "aux"),
    (
      "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT shout('x'); DELETE FROM seedbed_runs; END",
      "The trigger 'g' writes 'seedbed_runs'"
    ),
  ])
  func `what uses the app's functions is held to its words`(sql: String, word: String) throws {
    let shouted = "CREATE TABLE shouted (id INTEGER PRIMARY KEY, CHECK (shout(id) <> ''));"
    let child = "CREATE TABLE child (parent REFERENCES shouted (id));\n"
    let device = try Device(["0001_t/up.sql": Self.base + shouted + child + sql + ";"])
    let app = try AppHandle(
      device.database,
      setup: "PRAGMA foreign_keys=1; ATTACH ':memory:' AS aux; CREATE TABLE aux.foreign_rows (a)")
    app.installAll()
    let error = #expect(throws: SeedbedError.self) {
      try LentHandleTests.lent(device).up(on: app.handle)
    }
    #expect(error?.code == .sql)
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    #expect(error?.place?.line == 5)
    #expect(try app.values("SELECT count(*) FROM aux.foreign_rows") == ["0"])
  }

  @Test func `what uses the app's functions and leaves the ledger alone is not refused`() throws {
    let device = try Device([
      "0001_t/up.sql": Self.base + """
        CREATE TABLE words (id INTEGER PRIMARY KEY, word CHECK (word = shout(word)));
        CREATE INDEX shouted ON words (shout(word)); CREATE TABLE log (word);
        CREATE TRIGGER noted AFTER INSERT ON words BEGIN INSERT INTO log VALUES (shout('n')); END;
        INSERT INTO words (word) VALUES (shout('a'));
        CREATE TABLE copied AS SELECT shout(word) AS word FROM words;
        UPDATE words SET word = shout('b'); ALTER TABLE words ADD COLUMN note;
        """,
      "0001_t/verify.sql": "SELECT 1 FROM words WHERE word <> shout(word);",
    ])
    let app = try AppHandle(device.database, setup: "PRAGMA foreign_keys=1")
    app.installAll()
    let report = try LentHandleTests.lent(device).up(on: app.handle)
    #expect(Set(report.touchedTables).isSuperset(of: ["words", "log", "copied"]))
    #expect(try app.values("SELECT word FROM words") == ["B"])
    // The check of the database at the end knows no such function.
    try app.run("DROP TABLE words")
  }

  @Test(arguments: ["DELETE FROM t", "BEGIN", "CREATE TABLE x (a)", "PRAGMA foreign_keys = 0"])
  func `verify.sql only reads`(sql: String) throws {
    let device = try Device(["0001_t/up.sql": Self.base, "0001_t/verify.sql": sql])
    let app = try AppHandle(device.database, setup: "PRAGMA foreign_keys=1")
    let error = #expect(throws: SeedbedError.self) {
      try LentHandleTests.lent(device).up(on: app.handle)
    }
    #expect(error?.place?.file == "0001_t/verify.sql")
    #expect(try app.values("PRAGMA foreign_keys") == ["1"])
  }
}
