import CSeedbedSQLite
import Foundation
import SeedbedFaults
import Testing

@testable import Seedbed

@Suite struct SQLiteFailureTests {
  struct FailureCase: CustomTestStringConvertible {
    var code: Int32
    var message: String
    var systemNumber: Int32 = 0
    var words: String
    var testDescription: String { words }
  }

  private static let permissions =
    "Check that this user may read and write the database's file and its folder."
  private static let during = " - while executing 'INSERT INTO t VALUES (1)'"
  private static let busy =
    "busy The database is locked by another process or connection. Nothing was changed: try again, "
    + "or wait longer."

  static let cases: [FailureCase] = [
    FailureCase(code: SQLITE_BUSY, message: "database is locked", words: busy),
    FailureCase(code: SQLITE_BUSY | (2 << 8), message: "database is locked", words: busy),
    FailureCase(code: SQLITE_LOCKED, message: "database table is locked", words: busy),
    FailureCase(
      code: SQLITE_FULL, message: "database or disk is full",
      words: "diskFull The disk is full (SQLite error 13: database or disk is full\(during)). Free "
        + "some space and try again."),
    FailureCase(
      code: SQLITE_CORRUPT, message: "database disk image is malformed",
      words: "corrupt The database is damaged (SQLite error 11: database disk image is "
        + "malformed\(during)). Restore a backup."),
    FailureCase(
      code: SQLITE_NOTADB, message: "file is not a database",
      words: "corrupt '/a/app.sqlite' is encrypted, or not a SQLite database (SQLite error 26: "
        + "file is not a database\(during)). If it is encrypted, open it with its key and lend "
        + "that handle: up(on:)."),
    FailureCase(
      code: SQLITE_INTERRUPT, message: "interrupted",
      words: "cancelled Interrupted. No migration is half done."),
    FailureCase(
      code: SQLITE_CONSTRAINT | (5 << 8), message: "NOT NULL constraint failed: t.a",
      words: "constraint SQLite error 19: NOT NULL constraint failed: t.a\(during)."),
    FailureCase(
      code: SQLITE_CONSTRAINT | (3 << 8), message: "FOREIGN KEY constraint failed",
      words: "foreignKey SQLite error 19: FOREIGN KEY constraint failed\(during)."),
    FailureCase(
      code: SQLITE_IOERR | (3 << 8), message: "disk I/O error", systemNumber: 5,
      words: "io SQLite error 10: disk I/O error\(during)."),
    FailureCase(
      code: SQLITE_IOERR, message: "disk I/O error", systemNumber: 1,
      words: "protected The device has locked the database's file. Nothing is wrong: try again "
        + "later."),
    FailureCase(
      code: SQLITE_CANTOPEN, message: "unable to open database file",
      words: "io SQLite error 14: unable to open database file\(during). \(permissions)"),
    FailureCase(
      code: SQLITE_READONLY, message: "attempt to write a readonly database",
      words: "io SQLite error 8: attempt to write a readonly database\(during). \(permissions)"),
    FailureCase(
      code: SQLITE_READONLY | (3 << 8), message: "attempt to write a readonly database",
      words: "io '/a/app.sqlite' needs recovery: a process died inside a transaction. The next run "
        + "rolls it back."),
    FailureCase(
      code: SQLITE_NOMEM, message: "out of memory",
      words: "io SQLite error 7: out of memory\(during)."),
    FailureCase(
      code: SQLITE_ERROR, message: "near \"x\": syntax error",
      words: "sql SQLite error 1: near \"x\": syntax error\(during)."),
    FailureCase(
      code: SQLITE_ERROR, message: "no such function: app",
      words: "needsConnection The database needs something that its app provides: no such "
        + "function: app\(during). Register it in onConnection, or apply the "
        + "migrations on the app's own handle, with up(on:)."),
    FailureCase(
      code: SQLITE_ERROR, message: "no such module: app",
      words: "needsConnection The database needs something that its app provides: no such module: "
        + "app\(during). Register it in onConnection, or apply the "
        + "migrations on the app's own handle, with up(on:)."),
  ]

  /// What Apple's SQLite answers on a handle whose file lost its name.
  @Test func `a file that was moved is opened again, and a handle of the app's is closed`() throws {
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (a)"])
    try device.up()
    try DiskLayer.observing(device.path, with: MovedFile()) {
      let error = seedbedError { _ = try device.migrator().status() }
      #expect(error?.code == .busy)
      #expect(error?.message.hasSuffix("while it was open. Try again.") == true)
      let app = try AppHandle(device.database)
      let other = seedbedError {
        _ = try HandleMigrator(catalog: device.migrator().catalog).up(on: app.handle)
      }
      #expect(other?.code == .io)
      #expect(other?.message.hasSuffix("Close the handle, and open the database again.") == true)
    }
    #expect(try device.migrator().status().current == 1)
  }

  private final class MovedFile: DiskObserver {
    func answer(to request: DiskRequest) -> DiskAnswer {
      if case .lock = request { .fail(6922) } else { .pass }
    }
  }

  @Test(arguments: cases) func `a failure is told as`(_ test: FailureCase) {
    let failure = SQLiteFailure(
      code: test.code, message: test.message, sql: "INSERT INTO t VALUES (1)",
      systemNumber: test.systemNumber, path: "/a/app.sqlite")
    #expect(RowText.words(failure.seedbedError) == test.words)
    #expect(RowText.words(SeedbedError.from(failure)) == test.words)
  }

  @Test func `a file that is no database is named, and no command is`() throws {
    let device = try Device(["0001_t/t.csv": "a\n1\n"])
    device.isChecked = false
    try Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) })
      .write(to: URL(fileURLWithPath: device.database))
    for error in [
      try device.failure(),
      try #require(#expect(throws: SeedbedError.self) { try device.migrator().status() }),
    ] {
      #expect(error.code == .corrupt)
      #expect(
        error.message.hasPrefix("'\(device.database)' is encrypted, or not a SQLite database"))
      #expect(!error.message.contains("migrate"), "\(error)")
    }
  }

  @Test(arguments: [
    ("SELEC 1", SeedbedError.Code.sql, SeedbedError.Code.cancelled),
    ("INSERT INTO t VALUES (1)", .constraint, .constraint),
  ]) func `what SQLite could not prepare when it was interrupted is the request to stop`(
    _ sql: String, _ before: SeedbedError.Code, _ after: SeedbedError.Code
  ) throws {
    let cancellation = Migrator.Cancellation()
    let connection = try Connection("", .memory, setup: nil, cancellation: cancellation)
    try connection.executeAll("CREATE TABLE t (a INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
    #expect(sqlite3_exec(connection.handle, sql, nil, nil, nil) != SQLITE_OK)
    #expect(connection.failure(sql).seedbedError.code == before)
    cancellation.cancel()
    #expect(connection.failure(sql).seedbedError.code == after)
  }

  @Test func `a long statement is cut in the sentence`() {
    let sql = "SELECT\n" + String(repeating: "x", count: 300)
    let failure = SQLiteFailure(code: SQLITE_ERROR, message: "oops", sql: sql)
    #expect(
      failure.sentence
        == "SQLite error 1: oops - while executing 'SELECT "
        + String(repeating: "x", count: 192) + "…'")
    #expect(SQLiteFailure(code: 1, message: "oops", sql: nil).sentence == "SQLite error 1: oops")
  }

  /// What SQLite itself answers, and what it is taken for.
  @Test(arguments: [
    ("INSERT INTO t VALUES (1, 1, 1)", "primary key"), ("INSERT INTO t VALUES (2, 1, 1)", "unique"),
    ("INSERT INTO t VALUES (2, 2, NULL)", "not null"), ("INSERT INTO t VALUES (2, 2, -1)", "check"),
    ("INSERT INTO r (rowid, a) VALUES (1, 1)", "rowid"),
    ("INSERT INTO c VALUES (9)", "foreign key"),
  ]) func `constraints are told apart`(_ sql: String, _ kind: String) throws {
    let connection = try Connection(":memory:", .memory, setup: nil)
    try connection.executeAll(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE t (a INT PRIMARY KEY, b UNIQUE, c NOT NULL CHECK (c > 0));
      INSERT INTO t VALUES (1, 1, 1);
      CREATE TABLE r (a); INSERT INTO r (rowid, a) VALUES (1, 1);
      CREATE TABLE c (a REFERENCES t);
      """)
    let failure = try #require(
      #expect(throws: SQLiteFailure.self) { try connection.execute(sql) })
    #expect(failure.isConstraint && !failure.isBusy && !failure.needsRecovery)
    #expect(failure.isUniqueness == ["primary key", "unique", "rowid"].contains(kind))
    #expect(failure.isForeignKey == (kind == "foreign key"))
    #expect(failure.sql == sql)
  }

  @Test func `an unknown error is told as it is`() {
    struct Odd: Error, CustomStringConvertible { var description: String { "odd" } }
    #expect(RowText.words(SeedbedError.from(Odd())) == "io odd")
    let known = SeedbedError(.usage, "Known.")
    #expect(SeedbedError.from(known) == known)
  }
}
