import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

/// `make --schema-from` with a database file of the app's.
struct MakeSchemaFromTests {
  /// Words refer to kinds; a trigger keeps a full-text table, and another one passes over Seedbed.
  private static let app = """
    CREATE TABLE other (id INTEGER PRIMARY KEY);
    CREATE TABLE "words" (
      id INTEGER PRIMARY KEY AUTOINCREMENT, term TEXT NOT NULL COLLATE NOCASE, -- as it is written
      kind INTEGER REFERENCES kinds (id) DEFERRABLE INITIALLY DEFERRED,
      freq INTEGER NOT NULL DEFAULT 0 CHECK (freq >= 0), UNIQUE (term, kind));
    CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE UNIQUE INDEX kind_names ON kinds (lower(name));
    CREATE INDEX by_freq ON words (freq);
    CREATE VIRTUAL TABLE search USING fts5(term);
    CREATE TABLE log (at TEXT);
    CREATE VIEW frequent AS SELECT * FROM words WHERE freq > 9;
    """ + triggers
  private static let triggers = """

    CREATE TRIGGER found AFTER INSERT ON words BEGIN
      INSERT INTO search VALUES (new.term);
    END;
    CREATE TRIGGER edited AFTER UPDATE ON words WHEN NOT EXISTS (SELECT 1 FROM seedbed_applying)
    BEGIN
      INSERT INTO log VALUES ('edited');
    END;
    """

  private static let first = [
    "Migrations/data/words.csv": "id,term,kind,freq\n1,one,,1\n2,two,,2\n"
  ]
  private static let begin = [
    "make", "words", "words=Migrations/data/words.csv", "--schema-from", "app.sqlite",
  ]

  private func begun() throws -> Sandbox {
    let sandbox = try Sandbox().write(Self.first)
    try sandbox.sql(Self.app)
    let made = try Program.run(Self.begin, in: sandbox)
    try #require(made.code == 0, "\(made)")
    return sandbox
  }

  @Test func `it takes the tables that the release needs, and leaves the database as it was`()
    throws
  {
    let sandbox = try Sandbox().write(Self.first)
    try sandbox.sql(Self.app)
    let before = try sandbox.contents()["app.sqlite"]
    let made = try Program.run(Self.begin, in: sandbox)
    #expect(made.code == 0 && made.errors.contains("catalog.json now names"), "\(made)")
    #expect(try sandbox.contents()["app.sqlite"] == before)
    let schema = try sandbox.text("Migrations/0001_words/schema.sql")
    let found = schema.matches(of: /CREATE (?:VIRTUAL )?[A-Z]+(?: INDEX)? "?(\w+)/).map(\.1)
    #expect(
      found == ["kinds", "words", "search", "log", "kind_names", "found", "edited"], "\(schema)")
    // The app's own text, and not another one.
    #expect(schema.contains("freq INTEGER NOT NULL DEFAULT 0 CHECK (freq >= 0)"))
    let up = try Program.run(["up"], in: sandbox)
    #expect(up.code == 0, "\(up)")
    #expect(try sandbox.sql("SELECT term FROM search") == ["one", "two"])
    #expect(try Program.run(["make", "--check"], in: sandbox).code == 0)
  }

  @Test func `later it takes only what the app added`() throws {
    let sandbox = try begun()
    let again = ["make", "next", "--schema-from", "app.sqlite"]
    let nothing = try Program.run(again, in: sandbox)
    #expect(nothing.code == 0 && nothing.output.hasPrefix("Nothing to write"), "\(nothing)")
    try sandbox.write([
      "Migrations/data/words.csv": "id,term,kind,freq,note,lang\n1,one,,1,a,\n2,two,,2,b,\n"
    ])
    try sandbox.sql(
      """
      ALTER TABLE words ADD COLUMN note varchar(20) DEFAULT '-';
      CREATE TABLE languages (code TEXT PRIMARY KEY);
      ALTER TABLE words ADD COLUMN lang TEXT REFERENCES languages (code);
      CREATE UNIQUE INDEX noted ON words (note) WHERE note <> '-';
      DROP TRIGGER found;
      CREATE TRIGGER found AFTER INSERT ON words BEGIN
        INSERT INTO search VALUES (upper(new.term));
      END;
      """)
    let made = try Program.run(again, in: sandbox)
    #expect(made.code == 0, "\(made)")
    #expect(
      try sandbox.text("Migrations/0002_next/schema.sql") == """
        CREATE TABLE languages (code TEXT PRIMARY KEY);
        ALTER TABLE "words" ADD COLUMN note varchar(20) DEFAULT '-';
        ALTER TABLE "words" ADD COLUMN lang TEXT REFERENCES languages (code);
        CREATE UNIQUE INDEX noted ON words (note) WHERE note <> '-';
        DROP TRIGGER "found";
        CREATE TRIGGER found AFTER INSERT ON words BEGIN
          INSERT INTO search VALUES (upper(new.term));
        END;

        """)
    #expect(try Program.run(["up"], in: sandbox).code == 0)
    #expect(try sandbox.sql("SELECT note FROM words") == ["a", "b"])
    let amended = try Program.run(["make", "--amend", "--schema-from", "app.sqlite"], in: sandbox)
    #expect(amended.code == 0, "\(amended)")
    #expect(try sandbox.text("Migrations/0002_next/schema.sql").contains("TABLE languages"))
    #expect(try Program.run(again, in: sandbox).output.hasPrefix("Nothing to write"))
  }

  @Test func `a table that a framework built again is the same`() throws {
    let sandbox = try begun()
    // Another order, other spaces, names in quotes.
    try sandbox.sql(
      """
      DROP TABLE words;
      CREATE TABLE "new__words" ("term" text NOT NULL COLLATE "nocase", "kind" integer NULL
        REFERENCES "kinds" ("id") DEFERRABLE INITIALLY DEFERRED, "id" integer PRIMARY KEY
        AUTOINCREMENT, "freq" integer NOT NULL DEFAULT 0 CHECK ("freq" >= 0), "note" text NULL,
        CONSTRAINT "u" UNIQUE ("term", "kind"));
      DROP VIEW frequent;
      ALTER TABLE "new__words" RENAME TO "words";
      """)
    let made = try Program.run(["make", "next", "--schema-from", "app.sqlite"], in: sandbox)
    #expect(made.code == 2 && made.errors.contains("only the catalog has the trigger"), "\(made)")
    try sandbox.sql(Self.triggers)
    let again = try Program.run(["make", "next", "--schema-from", "app.sqlite"], in: sandbox)
    #expect(again.code == 0, "\(again)")
    #expect(
      try sandbox.text("Migrations/0002_next/schema.sql")
        == "ALTER TABLE \"words\" ADD COLUMN \"note\" text NULL;\n")
  }

  /// What the app did, and a part of the refusal.
  private static let changes: [(String, String)] = [
    (
      "DROP TRIGGER edited; DROP VIEW frequent; ALTER TABLE words RENAME COLUMN freq TO frequency",
      "the column 'freq' is in the catalog, and not in app.sqlite"
    ),
    (
      "ALTER TABLE kinds RENAME TO k; CREATE TABLE kinds (id INTEGER PRIMARY KEY, name BLOB)",
      "the column 'name' is BLOB in app.sqlite, and TEXT NOT NULL in the catalog"
    ),
    (
      "ALTER TABLE kinds ADD COLUMN x TEXT NOT NULL DEFAULT (random())",
      "Cannot add a column with non-constant default"
    ),
    ("DROP INDEX kind_names", "only the catalog has UNIQUE ( lower ( name ) )"),
  ]

  @Test(arguments: changes)
  func `another change is refused, and nothing is left`(_ sql: String, _ words: String) throws {
    let sandbox = try begun()
    try sandbox.write(["Migrations/0002_kinds/kinds.csv": "id,name\n1,noun\n"])
    #expect(try Program.run(["lock"], in: sandbox).code == 0)
    try sandbox.sql("PRAGMA legacy_alter_table = ON; " + sql)
    let before = try sandbox.contents()
    let made = try Program.run(["make", "next", "--schema-from", "app.sqlite"], in: sandbox)
    #expect(made.code == 2 && made.errors.contains(words), "\(made)")
    #expect(made.errors.contains("with --schema FILE instead of 'app.sqlite'"), "\(made)")
    #expect(try sandbox.contents() == before)
  }

  @Test func `a column whose first value only the app knows is shown as SQL, which then fits`()
    throws
  {
    let sandbox = try begun()
    try sandbox.sql(
      """
      CREATE TABLE saved AS SELECT * FROM words; DROP TABLE words;
      CREATE TABLE "words" (
        id INTEGER PRIMARY KEY AUTOINCREMENT, term TEXT NOT NULL COLLATE NOCASE,
        kind INTEGER REFERENCES kinds (id) DEFERRABLE INITIALLY DEFERRED,
        freq INTEGER NOT NULL DEFAULT 0 CHECK (freq >= 0),
        "note" varchar(20) NOT NULL, UNIQUE (term, kind));
      """ + Self.triggers)
    try sandbox.write([
      "Migrations/data/words.csv": "id,term,kind,freq,note\n1,one,,1,a\n2,two,,2,b\n"
    ])
    let read = ["make", "next", "--schema-from", "app.sqlite"]
    let made = try Program.run(read, in: sandbox)
    let sql = #"ALTER TABLE "words" ADD COLUMN "note" varchar(20) NOT NULL DEFAULT '…';"#
    let end = "with --schema instead of 'app.sqlite':\n\(sql)\n"
    #expect(made.code == 2 && made.errors.hasSuffix(end), "\(made)")
    try sandbox.write(["note.sql": sql.replacing("…", with: "")])
    let written = try Program.run(["make", "next", "--schema", "note.sql"], in: sandbox)
    #expect(written.code == 0, "\(written)")
    #expect(try Program.run(read, in: sandbox).output.hasPrefix("Nothing to write"))
  }

  @Test func `where a framework would drop a table to which others refer, the SQL is named`() throws
  {
    let sandbox = try begun()
    try sandbox.write([
      "kinds.sql": """
      CREATE TABLE new__kinds (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT NOT NULL);
      INSERT INTO new__kinds SELECT id, name, '' FROM kinds;
      DROP TABLE kinds;
      ALTER TABLE new__kinds RENAME TO kinds;
      """
    ])
    let made = try Program.run(["make", "next", "--schema", "kinds.sql"], in: sandbox)
    let words =
      "kinds.sql:3:1: DROP TABLE 'kinds' is refused while foreign keys are on: other tables"
    #expect(made.code == 2 && made.errors.hasPrefix(words), "\(made)")
    #expect(made.errors.contains("write its ALTER TABLE … ADD COLUMN instead"), "\(made)")
  }

  // MARK: what is no such database

  private static let wrong: [([String], String)] = [
    (
      ["--schema-from", "ap.sqlite"],
      "There is no database at 'ap.sqlite'. Let the app make it, or name another with "
        + "--schema-from DATABASE. Did you mean 'app.sqlite'?"
    ),
    (["--schema-from", "Migrations"], "'Migrations' is not a file."),
    (
      ["--schema-from", "app.sql"],
      "'app.sql' is not an SQLite database. For a file with SQL, use --schema instead of"
    ),
    (
      ["--schema-from", "empty.sqlite"],
      "'empty.sqlite' has no table 'words'. Run the app's own migrations on it first"
    ),
    (
      ["--schema-from", "app.sqlite", "--schema", "app.sql"],
      "The app's schema for SQLite is given twice, the second time by 'app.sqlite'."
    ),
    (
      ["--schema", "app.sql", "--schema", "app.sql"],
      "The app's schema for SQLite is given twice, the second time by 'app.sql'."
    ),
    (
      ["--schema", "app.postgresql.sql"],
      "'app.postgresql.sql' has the app's schema for PostgreSQL, but \"engines\" in catalog.json "
        + "does not list postgresql."
    ),
    (["--schema", "dump.sql"], "dump.sql:2:1: This is SQL for PostgreSQL."),
  ]

  @Test(arguments: wrong)
  func `what is given wrongly is refused`(_ options: [String], _ words: String) throws {
    let sandbox = try Sandbox().write([
      "Migrations/data/words.csv": "word\none\n", "app.sql": "CREATE TABLE words (word TEXT);",
      "app.postgresql.sql": "CREATE TABLE words (word TEXT);", "empty.sqlite": "",
      "dump.sql": "--\nSET lock_timeout = 0;\n",
    ])
    try sandbox.sql("CREATE TABLE words (word TEXT PRIMARY KEY)")
    let line = ["make", "words", "words=Migrations/data/words.csv"] + options
    let made = try Program.run(line, in: sandbox)
    #expect(made.code != 0 && made.errors.hasPrefix(words), "\(made)")
    #expect(!sandbox.exists("Migrations/0001_words"))
  }

  @Test func `a catalog for two engines takes a file for each`() throws {
    let sandbox = try Sandbox().write([
      "Migrations/data/words.csv": "word\none\n",
      "Migrations/catalog.json": #"{"engines": ["sqlite", "postgresql"]}"#,
      "app.postgresql.sql": "BEGIN;\nCREATE TABLE words (word TEXT PRIMARY KEY);\nCOMMIT;\n",
    ])
    try sandbox.sql("CREATE TABLE words (word TEXT PRIMARY KEY)")
    let made = try Program.run(Self.begin + ["--schema", "app.postgresql.sql"], in: sandbox)
    #expect(made.code == 0, "\(made)")
    let folder = "Migrations/0001_words/"
    #expect(
      try sandbox.text(folder + "schema.sql") == "CREATE TABLE words (word TEXT PRIMARY KEY);\n")
    #expect(
      try sandbox.text(folder + "schema.postgresql.sql")
        == "\nCREATE TABLE words (word TEXT PRIMARY KEY);\n\n")
    #expect(try Program.run(["lint"], in: sandbox).code == 0)
  }
}
