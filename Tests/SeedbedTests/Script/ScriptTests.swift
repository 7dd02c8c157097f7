import Testing

@testable import Seedbed

/// How SQL files run, and how their errors are told.
@Suite struct ScriptTests {
  private let connection: Connection

  init() throws {
    connection = try Connection(":memory:", .memory, setup: nil)
    try connection.configureForWriting(foreignKeys: true)
  }

  private func run(_ bytes: [UInt8]) -> String? {
    let script = Script(name: "0001_a/up.sql", bytes: bytes)
    do {
      try script.run(
        on: connection, rules: { _ in .script(ledgerTables: [], protectedTables: []) })
      return nil
    } catch {
      return RowText.words(SeedbedError.from(error))
    }
  }

  private func run(_ sql: String) -> String? { run(Array(sql.utf8)) }

  struct Failure: CustomTestStringConvertible {
    var name: String
    var sql: String
    var words: String
    var testDescription: String { name }
  }

  static let failures: [Failure] = [
    Failure(
      name: "a word that SQL does not know", sql: "CREATE TABLE t (a);\nCRATE TABLE u (a);",
      words: "sql 0001_a/up.sql:2:1: SQLite error 1: near \"CRATE\": syntax error."),
    Failure(
      name: "a slip in the middle of a statement",
      sql: "CREATE TABLE t (\n  a INTEGER,\n  b TEXT NOT NUL\n);",
      words: "sql 0001_a/up.sql:3:14: SQLite error 1: near \"NUL\": syntax error."),
    Failure(
      name: "a column that is not there", sql: "CREATE TABLE t (a);\n\nSELECT a,\n b FROM t",
      words: "sql 0001_a/up.sql:4:2: SQLite error 1: no such column: b."),
    Failure(
      name: "a table that is not there", sql: "SELECT 1;\n  SELECT * FROM missing;",
      words: "sql 0001_a/up.sql:2:3: SQLite error 1: no such table: missing."),
    Failure(
      name: "a statement that does not end", sql: "CREATE TABLE t (a",
      words: "sql 0001_a/up.sql:1:1: SQLite error 1: incomplete input."),
    Failure(
      name: "a string that does not end", sql: "SELECT 1;\nSELECT 'abc;\n",
      words: "sql 0001_a/up.sql:2:8: SQLite error 1: unrecognized token: \"'abc;\n\"."),
    Failure(
      name: "a table that is there already", sql: "CREATE TABLE t (a);\nCREATE TABLE t (a)",
      words: "sql 0001_a/up.sql:2:14: SQLite error 1: table t already exists."),
    Failure(
      name: "a shell command", sql: ".mode csv\n",
      words: "sql 0001_a/up.sql:1:1: SQLite error 1: near \".\": syntax error."),
    Failure(
      name: "a constraint", sql: "CREATE TABLE t (a NOT NULL);\nINSERT INTO t VALUES (1), (NULL);",
      words: "constraint 0001_a/up.sql:2:1: SQLite error 19: NOT NULL constraint failed: t.a."),
    Failure(
      name: "a unique constraint",
      sql: "CREATE TABLE t (a UNIQUE);\nINSERT INTO t VALUES (1);\nINSERT INTO t VALUES (1);",
      words: "constraint 0001_a/up.sql:3:1: SQLite error 19: UNIQUE constraint failed: t.a."),
    Failure(
      name: "a foreign key",
      sql: "CREATE TABLE p (a PRIMARY KEY); CREATE TABLE c (a REFERENCES p);\n"
        + "INSERT INTO c VALUES (1);",
      words: "foreignKey 0001_a/up.sql:2:1: SQLite error 19: FOREIGN KEY constraint failed."),
    Failure(
      name: "a trigger that raises",
      sql: "CREATE TABLE t (a);\nCREATE TRIGGER g BEFORE INSERT ON t BEGIN\n"
        + "  SELECT RAISE(ABORT, 'not today');\nEND;\nINSERT INTO t VALUES (1);",
      words: "constraint 0001_a/up.sql:5:1: SQLite error 19: not today."),
    Failure(
      name: "a value out of range", sql: "SELECT 1;\nSELECT abs(-9223372036854775808);",
      words: "sql 0001_a/up.sql:2:1: SQLite error 1: integer overflow."),
    Failure(
      name: "an extension", sql: "SELECT load_extension('x')",
      words: AppHandle.canLoadExtensions
        ? "sql 0001_a/up.sql:1:1: SQLite error 1: not authorized."
        : "needsConnection 0001_a/up.sql:1:8: The database needs something that its app "
          + "provides: no such function: load_extension. Register it in onConnection, or apply the "
          + "migrations on the app's own handle, with up(on:)."),
    Failure(
      name: "an app's function", sql: "SELECT 1;\nSELECT app_function(1)",
      words: "needsConnection 0001_a/up.sql:2:8: The database needs something that its app "
        + "provides: no such function: app_function. Register it in onConnection, or apply the "
        + "migrations on the app's own handle, with up(on:)."),
    Failure(
      name: "an app's collation", sql: "SELECT 'a' COLLATE app_collation < 'b'",
      words: "needsConnection 0001_a/up.sql:1:1: The database needs something that its app "
        + "provides: no such collation sequence: app_collation. Register it in "
        + "onConnection, or apply the migrations on the app's own handle, with up(on:)."),
    Failure(
      name: "an app's module", sql: "CREATE VIRTUAL TABLE t USING app_module(a)",
      words: "needsConnection 0001_a/up.sql:1:1: The database needs something that its app "
        + "provides: no such module: app_module. Register it in onConnection, or apply the "
        + "migrations on the app's own handle, with up(on:)."
    ),
    Failure(
      name: "an app's tokenizer", sql: "CREATE VIRTUAL TABLE t USING fts5(a, tokenize = 'app')",
      words: "needsConnection 0001_a/up.sql:1:1: The database needs something that its app "
        + "provides: no such tokenizer: app. Register it in onConnection, or apply the "
        + "migrations on the app's own handle, with up(on:)."
    ),
    Failure(
      name: "a NUL byte", sql: "SELECT 1;\nSELECT\0 2;",
      words: "sql 0001_a/up.sql:2:7: Found a NUL byte. SQL files are text."),
  ]

  @Test(arguments: failures) func `a SQL file fails with`(_ test: Failure) {
    #expect(run(test.sql) == test.words)
  }

  @Test func `a SQL file is UTF-8`() {
    #expect(
      run(Array("SELECT 1;\nSELECT '".utf8) + [0xE9] + Array("';".utf8))
        == "sql 0001_a/up.sql:2:9: This is not UTF-8. Save the file as UTF-8.")
  }

  @Test func `statements run in their order, comments and blanks between them`() throws {
    let sql = """
      \u{FEFF}-- tables; and more;
      CREATE TABLE t (a TEXT /* a comment; */ ); /* and; -- one
      more */ ; ;;
      INSERT INTO t VALUES ('a;b'), ('--'), ('/*');   -- the end
      CREATE TRIGGER g AFTER INSERT ON t BEGIN
        UPDATE t SET a = a || '!' WHERE rowid = new.rowid; SELECT 1; -- in between;
      END;
      INSERT INTO t VALUES ('é')
      """
    #expect(run(sql) == nil)
    #expect(
      try connection.rows("SELECT a FROM t ORDER BY rowid") == [["a;b"], ["--"], ["/*"], ["é!"]])
  }

  @Test(arguments: ["\r\n", "\n"]) func `line ends of either kind are counted`(_ end: String) {
    #expect(
      run(["SELECT 1;", "", "SELEC 2;"].joined(separator: end))
        == "sql 0001_a/up.sql:3:1: SQLite error 1: near \"SELEC\": syntax error.")
  }

  /// Quadratic work would take minutes.
  @Test func `a long file takes time by its length`() throws {
    let count = 20_000
    let sql =
      "CREATE TABLE t (a);\n"
      + (1...count).map {
        "INSERT INTO t VALUES (\($0)); -- \(String(repeating: "x", count: 80))\n"
      }
      .joined()
    let message = withinAMinute { run(sql + "BROKEN") }
    #expect(message?.hasPrefix("sql 0001_a/up.sql:\(count + 2):1: ") == true)
    #expect(try connection.value("SELECT count(*) FROM t") == .integer(Int64(count)))
  }

  @Test func `rows of a query are seen with their statement`() throws {
    let sql = "SELECT 1 AS one;\n  SELECT 2 AS two, 'x' UNION ALL SELECT 3, 'y';"
    let script = Script(name: "0001_a/verify.sql", bytes: Array(sql.utf8))
    var seen: [String] = []
    try script.run(
      on: connection, rules: { _ in .readOnly },
      onRow: { statement, piece in
        seen.append("\(script.place(piece)) \(statement.columnName(0)) \(statement.integer(0))")
      })
    #expect(
      seen == [
        "0001_a/verify.sql:1:1 one 1", "0001_a/verify.sql:2:3 two 2", "0001_a/verify.sql:2:3 two 3",
      ])
  }

  @Test func `what SQL files and their triggers write is remembered`() throws {
    try connection.executeAll(
      """
      CREATE TABLE a (x); CREATE TABLE b (x); CREATE TABLE c (x); CREATE TABLE d (x);
      CREATE TRIGGER t AFTER INSERT ON a BEGIN INSERT INTO b VALUES (new.x); END;
      """)
    connection.authorizer.forgetWritten()
    #expect(run("INSERT INTO A VALUES (1); SELECT * FROM c; CREATE TEMP TABLE e (x)") == nil)
    let written = connection.authorizer.written.filter { !$0.text.hasPrefix("sqlite_") }
    #expect(written == ["a", "b"])
  }

  @Test func `cancelling stops between two statements`() throws {
    let cancellation = Migrator.Cancellation()
    let connection = try Connection(":memory:", .memory, setup: nil, cancellation: cancellation)
    try connection.configureForWriting(foreignKeys: true)
    let script = Script(name: "up.sql", bytes: Array("SELECT 1; SELECT 2; SELECT 3".utf8))
    var rows = 0
    #expect(throws: SeedbedError.cancelled()) {
      try script.run(
        on: connection, rules: { _ in .readOnly },
        onRow: { _, _ in
          rows += 1
          cancellation.cancel()
        })
    }
    #expect(rows == 1)
  }
}
