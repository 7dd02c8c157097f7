import Seedbed
import Testing

@testable import SeedbedPostgres

@Suite(.enabled(if: Cluster.isInstalled)) struct PostgresRunTests {
  @Test func `a file runs statement by statement`() throws {
    try withTransaction { session in
      try run(
        """
        CREATE TABLE words (id int PRIMARY KEY, word text NOT NULL);
        INSERT INTO words VALUES (1, 'a;b'), (2, 'it''s'); -- two
        CREATE FUNCTION words() RETURNS bigint BEGIN ATOMIC SELECT count(*) FROM words; END;
        DO $$ BEGIN INSERT INTO words VALUES (3, 'c'); END $$;
        SELECT '{"a": 1}'::jsonb ? 'a'
        """, session)
      #expect(try session.value("SELECT words()") == 3)
    }
  }

  @Test func `a file with nothing but comments does nothing`() throws {
    try withTransaction { session in try run("-- none\n", session) }
  }

  static let failures: [(sql: String, line: Int, column: Int?, words: String)] = [
    ("SELECT 1;\n/* é */ SELEC 2", 2, 10, "PostgreSQL error 42601: syntax error at or near"),
    ("SELECT 'é',\n  nothing FROM pg_class", 2, 3, "column \"nothing\" does not exist."),
    ("CREATE TABLE a (b int);\n  INSERT INTO a (bb) VALUES (1)", 2, 18, "does not exist"),
    (
      "SELECT 1;\n\nDO $$\nBEGIN\n  RAISE EXCEPTION 'no %', 1;\nEND $$", 5, nil,
      "PostgreSQL error P0001: no 1."
    ),
    ("SELECT 1;\nDO $$ BEGIN COMMIT; END $$", 2, nil, "remove COMMIT and ROLLBACK"),
    ("CLUSTER", 1, 1, "cannot run inside a transaction block"),
    ("SELECT 1;\nINSERT INTO pg_temp.x SELECT 'a", 2, 30, "unterminated quoted string"),
  ]

  @Test(arguments: failures.indices) func `an error has its place in the file`(
    _ index: Int
  ) throws {
    let test = Self.failures[index]
    try withTransaction { session in
      let error = #expect(throws: SeedbedError.self) { try run(test.sql, session) }
      #expect(error?.code == .sql)
      #expect(error?.message.contains(test.words) == true, "\(error?.message ?? "")")
      #expect(
        error?.place == SeedbedError.Place("up.sql", line: test.line, column: test.column))
    }
  }

  @Test func `a broken constraint keeps its code`() throws {
    try withTransaction { session in
      let error = #expect(throws: SeedbedError.self) {
        try run("CREATE TABLE a (b int NOT NULL);\nINSERT INTO a VALUES (NULL);", session)
      }
      #expect(error?.code == .constraint)
      #expect(error?.place?.line == 2)
    }
  }

  @Test func `what a file sets is put back after it`() throws {
    try withTransaction { session in
      try session.execute("CREATE ROLE writer")
      let names = ["search_path", "role", "lock_timeout", "datestyle", "row_security"]
      let before = try names.map { try session.value("SELECT current_setting('\($0)')") }
      try run(
        """
        SET LOCAL search_path = ''; SET LOCAL lock_timeout = 1; SET LOCAL datestyle = 'German';
        SELECT pg_catalog.set_config('row_security', 'on', true); SET LOCAL ROLE writer;
        """, session)
      #expect(try names.map { try session.value("SELECT current_setting('\($0)')") } == before)
      try session.execute("RESET ROLE")
      try session.execute("DROP ROLE writer")
    }
  }

  @Test func `a function that writes to the ledger is found`() throws {
    try withTransaction { session in
      try session.execute("CREATE TABLE seedbed_migrations (version int)")
      session.protect(["seedbed_migrations"])
      try session.execute("INSERT INTO seedbed_migrations VALUES (1)")
      try run("CREATE TABLE a AS SELECT * FROM seedbed_migrations", session)
      let error = #expect(throws: SeedbedError.self) {
        try run("DO $$ BEGIN EXECUTE 'DELETE FROM seedbed_' || 'migrations'; END $$", session)
      }
      #expect(error?.message.contains("writes to the ledger") == true)
    }
  }

  @Test func `verify answers with rows, and the server refuses its writes`() throws {
    try withTransaction { session in
      try session.execute("CREATE TABLE words (id int, word text)")
      try session.execute("INSERT INTO words VALUES (1, 'a'), (2, NULL)")
      var found: [String] = []
      try run("SELECT 1 WHERE false;\nSELECT id, word FROM words", session, .readOnly) {
        row, piece in
        found.append("\(piece.line): \(row.map { "\($0.name)=\($0.value)" })")
      }
      #expect(found == ["2: [\"id=1\", \"word=a\"]", "2: [\"id=2\", \"word=NULL\"]"])
      // Writing works again afterwards.
      try session.execute("INSERT INTO words VALUES (3, 'b')")
      let error = #expect(throws: SeedbedError.self) {
        try run("SELECT 1;\nDELETE FROM words", session, .readOnly)
      }
      #expect(error?.message == "verify.sql may only read.")
      #expect(error?.place == SeedbedError.Place("up.sql", line: 2, column: 1))
      #expect(try session.value("SELECT count(*) FROM words") == 3)
    }
  }

  @Test func `each statement is announced before it runs`() throws {
    try withTransaction { session in
      var announced: [Script.UpcomingStatement] = []
      var script = Script(
        name: "down.sql", bytes: Array("CREATE TABLE a (b int);\n DROP TABLE a".utf8))
      script.onStatement = {
        announced.append($0); return nil
      }
      try session.run(script, .change(enforcesForeignKeys: true)) { _, _ in }
      #expect(announced.map(\.sql) == ["CREATE TABLE a (b int)", "DROP TABLE a"])
      #expect(announced.map(\.effects) == [[.create(table: "a")], [.drop(table: "a")]])
      #expect(announced.last?.place == SeedbedError.Place("down.sql", line: 2, column: 2))
    }
  }

  private func run(
    _ sql: String, _ session: PostgresSession,
    _ rules: ScriptRules = .change(enforcesForeignKeys: true),
    onRow: ([(name: String, value: Value)], Script.Piece) throws -> Void = { _, _ in }
  ) throws {
    try session.run(Script(name: "up.sql", bytes: Array(sql.utf8)), rules, onRow: onRow)
  }

  private func withTransaction(_ body: (PostgresSession) throws -> Void) throws {
    try withSession { session in
      try session.beginImmediate()
      defer { session.rollBack() }
      try body(session)
    }
  }
}
