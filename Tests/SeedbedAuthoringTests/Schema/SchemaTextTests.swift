import Seedbed
import Testing

@testable import SeedbedAuthoring

/// What other programs print around a schema.
struct SchemaTextTests {
  @Test(arguments: [
    ("CREATE TABLE a (x);\n", "CREATE TABLE a (x);\n"),
    (
      "BEGIN;\n--\n-- Create model A\n--\nCREATE TABLE a (x);\nCOMMIT;\n",
      "\n--\n-- Create model A\n--\nCREATE TABLE a (x);\n\n"
    ),
    ("begin transaction;CREATE TABLE a (x);end", "CREATE TABLE a (x);"),
    ("CREATE TABLE sqlite_sequence(name,seq);\nCREATE TABLE a (x);", "\nCREATE TABLE a (x);"),
    (
      "CREATE TABLE\n  'sqlite_stat1'(tbl,idx,stat);\nCREATE TABLE a (x);",
      "\n\nCREATE TABLE a (x);"
    ),
    (
      "CREATE TRIGGER g AFTER INSERT ON a BEGIN SELECT 1; END;\n",
      "CREATE TRIGGER g AFTER INSERT ON a BEGIN SELECT 1; END;\n"
    ),
    (
      "CREATE TABLE \"my;begin\" (x); CREATE TABLE sqlitely (x);",
      "CREATE TABLE \"my;begin\" (x); CREATE TABLE sqlitely (x);"
    ),
    // What .dump prints of a database without rows.
    (
      "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE a (x);\nANALYZE sqlite_schema;\n"
        + "INSERT INTO sqlite_stat1 VALUES('a',NULL,'2');\nDELETE FROM sqlite_sequence;\nCOMMIT;\n",
      "\n\nCREATE TABLE a (x);\n\n\n\n\n"
    ),
    // The ledger, with its index, and not a trigger that asks it.
    (
      "CREATE TABLE IF NOT EXISTS \"seedbed_runs\" (id);\nCREATE INDEX i ON seedbed_runs (id);\n"
        + "CREATE TRIGGER g AFTER DELETE ON a WHEN (SELECT 1 FROM seedbed_applying) BEGIN\n"
        + "SELECT 1; END;",
      "\n\nCREATE TRIGGER g AFTER DELETE ON a WHEN (SELECT 1 FROM seedbed_applying) BEGIN\n"
        + "SELECT 1; END;"
    ),
    // What belongs to a virtual table.
    (
      "CREATE VIRTUAL TABLE f USING fts5(a)\n/* f(a) */;\n"
        + "CREATE TABLE IF NOT EXISTS 'f_data'(id INTEGER PRIMARY KEY, block BLOB);\n"
        + "CREATE INDEX i ON f_data (id);\nCREATE TABLE f_of_mine (x);",
      "CREATE VIRTUAL TABLE f USING fts5(a)\n/* f(a) */;\n\n\nCREATE TABLE f_of_mine (x);"
    ),
    // Without .dump's beginning, rows are the app's own.
    ("INSERT INTO a VALUES (1);", "INSERT INTO a VALUES (1);"),
    // What changes something is refused as before.
    ("ROLLBACK;", "ROLLBACK;"), ("PRAGMA user_version=1;", "PRAGMA user_version=1;"),
    ("-- nothing", "-- nothing"), ("", ""),
  ])
  func `is passed over, each statement on its line`(_ text: String, _ rest: String) throws {
    let ledger = try Ledger(prefix: "seedbed")
    #expect(try SchemaText.passingOverOthers(text, of: "app.sql", ledger: ledger) == rest)
  }

  @Test(arguments: [
    (
      "PRAGMA foreign_keys=OFF;\nCREATE TABLE a (x);\nINSERT INTO a VALUES(1);", 3,
      "This is a row, not a schema. Print the schema with .schema"
    ),
    (
      "PRAGMA writable_schema=ON;\n"
        + "INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','f','f',0,'');",
      2, "This writes a virtual table into SQLite's own schema. Print the schema with .schema"
    ),
    (
      "--\n\n\\restrict x\n\nSET statement_timeout = 0;\n", 3,
      "This is SQL for PostgreSQL. If it is the schema on a server, let the file's name end with "
        + ".postgresql.sql"
    ),
    (
      "BEGIN;\nSELECT pg_catalog.set_config('search_path', '', false);", 2, "This is SQL for Postgr"
    ),
  ])
  func `is refused, with its line`(_ text: String, _ line: Int, _ words: String) {
    let error = #expect(throws: SeedbedError.self) {
      try SchemaText.passingOverOthers(text, of: "app.sql")
    }
    #expect(error?.place == SeedbedError.Place("app.sql", line: line, column: 1))
    #expect(error?.message.hasPrefix(words) == true, "\(error as Any)")
  }

  @Test func `a schema that Django prints is taken`() throws {
    let bench = try Workbench(["data/t.csv": "id,v\n1,x\n"])
    try bench.write([
      "app.sql": """
      BEGIN;
      CREATE TABLE "t" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "v" text NOT NULL);
      CREATE TABLE sqlite_sequence(name,seq);
      COMMIT;
      """
    ])
    let summary = try bench.make("first") {
      $0.sources = [Release.TableFile("t", bench.catalog + "/data/t.csv")]
      try $0.takeSchema(bench.catalog + "/app.sql", shownAs: "app.sql")
    }
    #expect(summary.folders == ["0001_first"])
    #expect(try !bench.text("0001_first/schema.sql").contains("sqlite_"))
  }
}

/// The same for PostgreSQL.
struct ServerTextTests {
  @Test(arguments: [
    ("CREATE TABLE a (x int);\n", "CREATE TABLE a (x int);\n"),
    (
      "\\restrict abc\n\nCREATE TABLE a (x int);\n\n\\unrestrict abc\n",
      "\n\nCREATE TABLE a (x int);\n\n\n"
    ),
    (
      "SET statement_timeout = 0;\nSET client_encoding = 'UTF8';\n"
        + "SET standard_conforming_strings = on;\n"
        + "SELECT pg_catalog.set_config('search_path', '', false);\nSET row_security = off;\n"
        + "SET default_tablespace = '';\n\nSET default_table_access_method = heap;\n",
      "\n\n\n\n\n\n\n\n"
    ),
    (
      "SET check_function_bodies = false;\nCREATE SCHEMA app;\n",
      "SET LOCAL check_function_bodies = false;\nCREATE SCHEMA IF NOT EXISTS app;\n"
    ),
    (
      "CREATE TABLE public.a (\n    owner text\n);\nALTER TABLE public.a OWNER TO postgres;\n"
        + "ALTER TABLE a RENAME owner TO holder;\n",
      "CREATE TABLE public.a (\n    owner text\n);\n\nALTER TABLE a RENAME owner TO holder;\n"
    ),
    (
      "GRANT ALL ON TABLE a TO x;\nREVOKE ALL ON TABLE a FROM x;\n"
        + "ALTER DEFAULT PRIVILEGES FOR ROLE x GRANT ALL ON TABLES TO y;\n"
        + "COMMENT ON EXTENSION citext IS 'texts; in any case';\nCOMMENT ON TABLE a IS 'kept';\n"
        + "CREATE EXTENSION IF NOT EXISTS citext WITH SCHEMA public;\n",
      "\n\n\n\nCOMMENT ON TABLE a IS 'kept';\n"
        + "CREATE EXTENSION IF NOT EXISTS citext WITH SCHEMA public;\n"
    ),
    // A semicolon in a body, between parentheses and in a text ends nothing.
    (
      "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $a$ SELECT 1; COMMIT; $a$;\nCOMMIT;",
      "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $a$ SELECT 1; COMMIT; $a$;\n"
    ),
    (
      "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC\n SELECT CASE WHEN a THEN 1 END;\nEND;\nEND;",
      "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC\n SELECT CASE WHEN a THEN 1 END;\nEND;\n"
    ),
    (
      "CREATE RULE r AS ON INSERT TO a DO ALSO (DELETE FROM b; DELETE FROM c);\nBEGIN;",
      "CREATE RULE r AS ON INSERT TO a DO ALSO (DELETE FROM b; DELETE FROM c);\n"
    ),
    (
      "COMMENT ON TABLE a IS E'it\\'s; BEGIN;'; /* ; /* ; */ ; */ BEGIN;",
      "COMMENT ON TABLE a IS E'it\\'s; BEGIN;'; /* ; /* ; */ ; */ "
    ),
    // The ledger, and the sequences of its columns.
    (
      "CREATE TABLE public.seedbed_runs (\n  id bigint\n);\n"
        + "CREATE SEQUENCE public.seedbed_left_to_user_id_seq;\n"
        + "ALTER TABLE ONLY public.seedbed_runs ADD CONSTRAINT k PRIMARY KEY (id);\n"
        + "CREATE TABLE seedbed_mine (id bigint);",
      "\n\n\n\n\nCREATE TABLE seedbed_mine (id bigint);"
    ),
  ])
  func `is passed over, each statement on its line`(_ text: String, _ rest: String) throws {
    let ledger = try Ledger(prefix: "seedbed")
    #expect(try ServerText.passingOverOthers(text, of: "a.sql", ledger: ledger) == rest)
  }

  @Test(arguments: [
    ("CREATE TABLE a (x int);\nCOPY public.a (x) FROM stdin;\n1\n\\.\n", 2, "These are rows"),
    (
      "SELECT pg_catalog.set_config('search_path', '', false);\nINSERT INTO public.a VALUES (1);",
      2,
      "These are rows, not a schema. Print the schema with pg_dump --schema-only"
    ),
    ("SET search_path = app;", 1, "SET is not allowed: it outlives the migration."),
    ("\n  \\connect app", 2, "Commands of psql, which begin with a backslash, are not SQL."),
    ("SET client_encoding = 'LATIN1';", 1, "The dump is in the encoding LATIN1."),
  ])
  func `is refused, with its line`(_ text: String, _ line: Int, _ words: String) {
    let error = #expect(throws: SeedbedError.self) {
      try ServerText.passingOverOthers(text, of: "a.sql")
    }
    #expect(error?.place?.file == "a.sql" && error?.place?.line == line)
    #expect(error?.message.hasPrefix(words) == true, "\(error as Any)")
  }
}
