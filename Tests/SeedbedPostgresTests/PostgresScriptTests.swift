import Seedbed
import Testing

@testable import SeedbedPostgres

@Suite struct PostgresScriptTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var sql: String
    var statements: [String]

    init(_ name: String, _ sql: String, _ statements: String...) {
      (testDescription, self.sql, self.statements) = (name, sql, statements)
    }
  }

  static let cases = [
    Case("nothing", ""),
    Case("comments only", "-- none\n/* a; /* b; */ c; */ ;; \n-- more"),
    Case("two statements", "SELECT 1;\nSELECT 2", "SELECT 1", "SELECT 2"),
    Case(
      "comments around", "-- a;\nSELECT /* ; */ 1 -- b;\n + 2 -- c\n;",
      "SELECT /* ; */ 1 -- b;\n + 2"),
    Case(
      "doubled quotes", "SELECT 'it''s;' ; SELECT \"a\"\";b\"", "SELECT 'it''s;'",
      "SELECT \"a\"\";b\""),
    Case("a backslash is plain", "SELECT 'a\\'; SELECT 2", "SELECT 'a\\'", "SELECT 2"),
    Case(
      "E strings", "SELECT E'a\\';'; SELECT e'\\\\'; SELECT 3", "SELECT E'a\\';'", "SELECT e'\\\\'",
      "SELECT 3"),
    Case(
      "an E string goes on", "SELECT E'a' -- b\n  '\\';'; SELECT 2", "SELECT E'a' -- b\n  '\\';'",
      "SELECT 2"),
    Case(
      "another string does not go on", "SELECT E'a', '\\'; SELECT 2", "SELECT E'a', '\\'",
      "SELECT 2"),
    Case(
      "U& strings and names", "SELECT U&'\\0041;', U&\"a;\"\"b\"; SELECT B'1;', x';'",
      "SELECT U&'\\0041;', U&\"a;\"\"b\"", "SELECT B'1;', x';'"),
    Case(
      "dollar quotes", "SELECT $$;$$, $a$ $$;$b$; $a$; SELECT 2", "SELECT $$;$$, $a$ $$;$b$; $a$",
      "SELECT 2"),
    Case("a dollar within a name", "SELECT a$b; SELECT c$b", "SELECT a$b", "SELECT c$b"),
    Case("a parameter", "SELECT $1; SELECT $2", "SELECT $1", "SELECT $2"),
    Case("an operator of question marks", "SELECT a ?| b; SELECT 1", "SELECT a ?| b", "SELECT 1"),
    Case(
      "a rule", "CREATE RULE r AS ON INSERT TO a DO (SELECT 1; SELECT 2); SELECT 3",
      "CREATE RULE r AS ON INSERT TO a DO (SELECT 1; SELECT 2)", "SELECT 3"),
    Case(
      "a function of standard SQL",
      "CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; "
        + "SELECT 2 AS end; SELECT t.case FROM t; END; SELECT 3",
      "CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; "
        + "SELECT 2 AS end; SELECT t.case FROM t; END", "SELECT 3"),
    Case(
      "a procedure", "CREATE PROCEDURE p() BEGIN ATOMIC DELETE FROM a; END;SELECT 1",
      "CREATE PROCEDURE p() BEGIN ATOMIC DELETE FROM a; END", "SELECT 1"),
    Case("a column called atomic", "SELECT atomic; SELECT 2", "SELECT atomic", "SELECT 2"),
    Case("a byte order mark", "\u{FEFF}SELECT 1", "SELECT 1"),
    Case("a string that is not closed", "SELECT 1; SELECT 'a; b", "SELECT 1", "SELECT 'a; b"),
    Case("a body that is not closed", "SELECT 1; DO $a$ x; $b$", "SELECT 1", "DO $a$ x; $b$"),
    Case("a comment that is not closed", "SELECT 1; /* /* */ SELECT 2;", "SELECT 1"),
  ]

  @Test(arguments: cases) func `a file is cut into statements`(_ test: Case) throws {
    #expect(try parsed(test.sql).statements.map(\.piece.sql) == test.statements)
  }

  @Test func `each statement has its place`() throws {
    let pieces = try parsed("\u{FEFF}SELECT 1; SELECT 2;\n-- é\n /* é */ SELECT 3").statements
      .map(\.piece)
    #expect(pieces.map(\.line) == [1, 1, 3])
    #expect(pieces.map(\.column) == [1, 11, 11])
  }

  // MARK: what is refused

  static let refused: KeyValuePairs = [
    "BEGIN": "remove the BEGIN statement",
    "START TRANSACTION": "remove the START TRANSACTION statement",
    "commit": "remove the COMMIT statement",
    "END": "remove the END statement",
    "ROLLBACK TO a": "remove the ROLLBACK statement",
    "ABORT": "remove the ABORT statement",
    "SAVEPOINT a": "remove the SAVEPOINT statement",
    "RELEASE a": "remove the RELEASE statement",
    "PREPARE TRANSACTION 'a'": "remove the PREPARE TRANSACTION statement",
    "SET TRANSACTION READ ONLY": "remove the SET TRANSACTION statement",
    "VACUUM words": "VACUUM is not allowed",
    "CREATE UNIQUE INDEX CONCURRENTLY i ON words (a)": "CONCURRENTLY is not allowed",
    "DROP INDEX CONCURRENTLY i": "CONCURRENTLY is not allowed",
    "REINDEX TABLE CONCURRENTLY words": "CONCURRENTLY is not allowed",
    "ALTER TABLE a DETACH PARTITION b CONCURRENTLY": "CONCURRENTLY is not allowed",
    "CREATE DATABASE a": "CREATE DATABASE is not allowed",
    "DROP DATABASE a": "DROP DATABASE is not allowed",
    "CREATE TABLESPACE a LOCATION 'b'": "CREATE TABLESPACE is not allowed",
    "DROP TABLESPACE a": "DROP TABLESPACE is not allowed",
    "ALTER SYSTEM SET a = 1": "ALTER SYSTEM is not allowed",
    "COPY words FROM STDIN": "COPY is not allowed",
    "COPY (SELECT 1) TO PROGRAM 'a'": "COPY is not allowed",
    "LISTEN a": "LISTEN is not allowed",
    "UNLISTEN *": "UNLISTEN is not allowed",
    "DISCARD ALL": "DISCARD is not allowed",
    "LOAD 'a'": "LOAD is not allowed",
    "RESET ALL": "RESET is not allowed",
    "SET search_path = a": "Write SET LOCAL.",
    "SET ROLE a": "Write SET LOCAL.",
    "SELECT pg_catalog.set_config('search_path', '', false)": "Make its last argument true.",
    "\\copy words FROM 'a.csv'": "Commands of psql",
  ]

  @Test(arguments: refused) func `a statement that breaks a migration is refused`(
    _ sql: String, _ words: String
  ) throws {
    let error = #expect(throws: SeedbedError.self) { try parsed("SELECT 1;\n  \(sql); SELECT 2") }
    #expect(error?.message.contains(words) == true)
    #expect(error?.place == SeedbedError.Place("up.sql", line: 2, column: 3))
  }

  @Test(arguments: [
    "SET LOCAL search_path = a", "SET CONSTRAINTS ALL IMMEDIATE", "PREPARE a AS SELECT 1",
    "SELECT set_config('a.b', (SELECT 'x'), true)", "DO $$ BEGIN PERFORM 1; END $$", "CALL p()",
    "REFRESH MATERIALIZED VIEW CONCURRENTLY a", "ALTER DATABASE a SET work_mem = 1",
    "CREATE TABLE t (\"begin\" int)", "INSERT INTO a SELECT * FROM seedbed_migrations",
    "CREATE VIEW v AS SELECT * FROM seedbed_migrations",
    "SELECT * FROM seedbed_migrations FOR UPDATE",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  ]) func `what a migration may do is let through`(_ sql: String) throws {
    #expect(try parsed(sql).statements.count == 1)
  }

  @Test(arguments: [
    "INSERT INTO seedbed_migrations DEFAULT VALUES", "UPDATE ONLY Seedbed_Migrations SET a = 1",
    "DELETE FROM public.\"seedbed_migrations\"", "TRUNCATE words, seedbed_migrations",
    "DROP TABLE IF EXISTS words, seedbed_migrations", "ALTER TABLE seedbed_migrations ADD a int",
    "MERGE INTO seedbed_migrations USING a ON true WHEN MATCHED THEN DELETE",
    "CREATE TRIGGER t BEFORE INSERT ON seedbed_migrations EXECUTE FUNCTION f()",
    "CREATE INDEX ON seedbed_migrations (name)", "CREATE TABLE seedbed_migrations ()",
    "WITH a AS (DELETE FROM seedbed_migrations RETURNING *) SELECT * FROM a",
    "DO $$ BEGIN IF true THEN DELETE FROM seedbed_migrations; END IF; END $$",
    "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE seedbed_migrations SET a = 1 $$",
  ]) func `writing to the ledger is refused`(_ sql: String) throws {
    let error = #expect(throws: SeedbedError.self) { try parsed(sql) }
    #expect(error?.message == "The ledger belongs to Seedbed; SQL files may only read it.")
  }

  @Test func `text that no server takes is refused with its place`() throws {
    let bad = Script(name: "up.sql", bytes: Array("SELECT 1;\n'".utf8) + [0xFF])
    let error = #expect(throws: SeedbedError.self) {
      try PostgresScript(bad, ledgerTables: [])
    }
    #expect(error?.place == SeedbedError.Place("up.sql", line: 2, column: 2))
    let zero = #expect(throws: SeedbedError.self) { try parsed("SELECT\n\u{0}1") }
    #expect(zero?.message.contains("NUL") == true)
    #expect(zero?.place?.line == 2)
  }

  // MARK: effects

  static let effects: [(String, [Script.Effect])] = [
    ("INSERT INTO words VALUES (1)", [.insert(table: "words")]),
    ("INSERT INTO Content.\"Words\" SELECT 1", [.insert(table: "content.Words")]),
    (
      "INSERT INTO words VALUES (1) ON CONFLICT (id) DO UPDATE SET a = excluded.a, b = 2",
      [
        .insert(table: "words"), .update(table: "words", column: "a"),
        .update(table: "words", column: "b"),
      ]
    ),
    (
      "UPDATE ONLY words * AS w SET a = (SELECT max(b) FROM c), (d, e) = (1, 2) FROM f WHERE g",
      [
        .update(table: "words", column: "a"), .update(table: "words", column: "d"),
        .update(table: "words", column: "e"),
      ]
    ),
    ("DELETE FROM words USING others", [.delete(table: "words")]),
    (
      "TRUNCATE TABLE ONLY words *, c.others CASCADE",
      [.delete(table: "words"), .delete(table: "c.others")]
    ),
    ("DROP TABLE IF EXISTS words, others", [.drop(table: "words"), .drop(table: "others")]),
    ("CREATE UNLOGGED TABLE IF NOT EXISTS words (a int)", [.create(table: "words")]),
    (
      "MERGE INTO words w USING a ON true WHEN MATCHED AND b THEN UPDATE SET c = 1 "
        + "WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (1)",
      [
        .update(table: "words", column: "c"), .delete(table: "words"), .insert(table: "words"),
      ]
    ),
    ("SELECT * FROM words FOR NO KEY UPDATE OF words", []),
    (
      "ALTER TABLE words ADD FOREIGN KEY (a) REFERENCES b ON DELETE CASCADE ON UPDATE CASCADE",
      [.alter(table: "words")]
    ),
    ("ALTER TABLE IF EXISTS ONLY c.words ADD a int", [.alter(table: "c.words")]),
    (
      "CREATE OR REPLACE TRIGGER t BEFORE UPDATE OF a OR DELETE ON words EXECUTE FUNCTION f()",
      [.alter(table: "words")]
    ),
    ("CREATE UNIQUE INDEX IF NOT EXISTS i ON ONLY words (a)", [.alter(table: "words")]),
    ("CREATE INDEX CONCURRENTLY ON c.words (a)", [.alter(table: "c.words")]),
    ("CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'", []),
    ("GRANT INSERT, UPDATE, DELETE, TRUNCATE ON words TO x", []),
  ]

  @Test(arguments: effects.indices) func `words say what a statement does`(_ index: Int) {
    let (sql, effects) = Self.effects[index]
    #expect(PostgresEffects(SQLTokens.code(of: sql, .postgresql)).effects == effects, "\(sql)")
  }

  private func parsed(_ sql: String) throws -> PostgresScript {
    try PostgresScript(
      Script(name: "up.sql", bytes: Array(sql.utf8)), ledgerTables: ["seedbed_migrations"])
  }
}
