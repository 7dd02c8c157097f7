/// What the tables themselves get wrong.
extension LintCase {
  static let schemas: [LintCase] = ids + keys + strings + defaults + policies + triggers

  private static func numbered(
    _ name: String, _ id: String, _ options: String = "{}", csv: String = "id,name\n1,a\n",
    _ expected: String...
  ) -> LintCase {
    var made = LintCase(
      name,
      [
        "0001_t/up.sql": "-- One table.\nCREATE TABLE t (\(id), name TEXT UNIQUE);\n",
        "0001_t/down.sql": "DROP TABLE t;\n", "0001_t/t.csv": csv,
        "catalog.json": #"{"tables": {"t": \#(options)}}"#,
      ])
    made.expected = expected
    return made
  }

  private static let ids: [LintCase] = [
    numbered("ids for all", "id INTEGER PRIMARY KEY", "{}", "sharedIds 0001_t/up.sql:2"),
    numbered(
      "AUTOINCREMENT alone", "id INTEGER PRIMARY KEY AUTOINCREMENT", "{}",
      "sharedIds 0001_t/up.sql:2"),
    numbered(
      "AUTOINCREMENT and reserve", "id INTEGER PRIMARY KEY AUTOINCREMENT", #"{"reserve": 1000}"#),
    numbered(
      "users' rows make way", "id INTEGER PRIMARY KEY", #"{"onTaken": "moveUser"}"#),
    numbered(
      "the database gives the ids", "id INTEGER PRIMARY KEY", #"{"key": ["name"]}"#,
      csv: "name\na\n"),
    numbered(
      "a reserve, and the database gives the ids", "id INTEGER PRIMARY KEY AUTOINCREMENT",
      #"{"key": ["name"], "reserve": 1000}"#, csv: "name\na\n", "sharedIds 0001_t/up.sql:2"),
    numbered("a key that is no rowid", "id INT PRIMARY KEY"),
    numbered("ids of the seed alone", "id INTEGER PRIMARY KEY", #"{"identity": ["id"]}"#),
    adopted("an adopted table", "id,kind\n1,a\n2,a\n", "sharedIds 0001_t/up.sql:1"),
    adopted("an adopted table with a column that tells", "id,kind\n1,a\n2,b\n"),
  ]

  private static func adopted(_ name: String, _ csv: String, _ expected: String...) -> LintCase {
    var made = LintCase(
      name,
      [
        "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, kind TEXT);\n",
        "0001_t/down.sql": "DROP TABLE t;\n", "0001_t/t.csv": csv,
        "catalog.json": #"{"adopt": 1, "tables": {"t": {"onTaken": "moveUser"}}}"#,
      ])
    made.expected = expected
    return made
  }

  private static func family(
    _ name: String, _ child: String, index: String = "", csv: String = "k,p\nx,a\n",
    _ expected: String...
  ) -> LintCase {
    var made = LintCase(
      name,
      [
        "0001_t/up.sql": "CREATE TABLE p (k TEXT PRIMARY KEY);\n\(child);\n\(index)\n",
        "0001_t/down.sql": "DROP TABLE c; DROP TABLE p;\n",
        "0001_t/p.csv": "k\na\n", "0001_t/c.csv": csv,
      ])
    made.expected = expected
    return made
  }

  private static let child = "CREATE TABLE c (k TEXT PRIMARY KEY, p TEXT REFERENCES p (k))"

  private static let keys: [LintCase] = [
    family("a child without an index", child, "unindexedChild 0001_t/up.sql:2"),
    family("a child with an index", child, index: "CREATE INDEX i ON c (p, k);"),
    family(
      "an index that begins with another column", child, index: "CREATE INDEX i ON c (k, p);",
      "unindexedChild 0001_t/up.sql:2"),
    family(
      "a parent that is not there", child, index: "CREATE INDEX i ON c (p);",
      csv: "k,p\nx,a\ny,b\n", "foreignKey 0001_t/c.csv:3"),
    family(
      "a table that is not there", "CREATE TABLE c (k TEXT PRIMARY KEY, p TEXT REFERENCES q (k))",
      index: "CREATE INDEX i ON c (p);", "foreignKey 0001_t/up.sql:2"),
  ]

  private static func stamped(
    _ name: String, _ column: String, _ options: String = "{}", csv: String = "k,n\nx,1\n",
    _ expected: String...
  ) -> LintCase {
    var made = LintCase(
      name,
      [
        "0001_t/up.sql": "SELECT 1;\nCREATE TABLE t (k TEXT PRIMARY KEY, n INTEGER, \(column));\n",
        "0001_t/down.sql": "DROP TABLE t;\n", "0001_t/t.csv": csv,
        "0002_t/t.delete.csv": csv,
        "catalog.json": #"{"tables": {"t": \#(options)}}"#,
      ])
    made.expected = expected
    return made
  }

  private static let defaults: [LintCase] = [
    stamped(
      "a DEFAULT from the clock, and a row that goes", "at TEXT DEFAULT CURRENT_TIMESTAMP", "{}",
      "clockDefault 0001_t/up.sql:2"),
    stamped(
      "a DEFAULT from chance", "at DEFAULT (hex(randomblob(8)))", "{}",
      "clockDefault 0001_t/up.sql:2"),
    stamped(
      "one that is ignored", "at TEXT DEFAULT CURRENT_TIMESTAMP", #"{"ignore": ["AT"]}"#),
    stamped(
      "one that the files fill", "at TEXT DEFAULT CURRENT_TIMESTAMP", csv: "k,n,at\nx,1,a\n"),
    stamped("a DEFAULT that is the same each time", "at TEXT DEFAULT (lower('X'))"),
    stamped(
      "one of a table that no file fills",
      "a INTEGER); CREATE TABLE o (at TEXT DEFAULT CURRENT_TIMESTAMP"),
  ]

  /// A function in a trigger is looked up when that fires, so every SQLite takes it here.
  private static func newer(_ name: String, _ oldest: String, _ expected: String...) -> LintCase {
    var made = words(
      name,
      [
        "catalog.json": #"{"sqlite": "\#(oldest)"}"#, "0002_next/down.sql": "SELECT 1;\n",
        "0002_next/up.sql": """
        CREATE TABLE other (a);
        CREATE TRIGGER o AFTER INSERT ON other BEGIN -- jsonb() of a comment
        SELECT concat(new.a, 'if(1)');
        SELECT jsonb(new.a);
        END;
        """,
      ])
    made.expected = expected
    return made
  }

  private static let strings: [LintCase] = [
    sql(
      "a string in double quotes",
      "SELECT 1;\nUPDATE words\nSET note = \"x\" WHERE word = 'one';\n", "doubleQuoted:3"),
    newer("SQL of the oldest SQLite", "3.53"),
    newer(
      "SQL that the oldest SQLite lacks", "3.44.2", "newerSQLite 0002_next/up.sql:4"),
    newer(
      "SQL that the oldest SQLite lacks, twice", "3.39", "newerSQLite 0002_next/up.sql:3",
      "newerSQLite 0002_next/up.sql:4"),
    sql("a name in double quotes", "UPDATE \"words\" SET \"note\" = '\"x\"' WHERE word = 'one';\n"),
  ]

  /// `words` has a key, a parent and a time; `notes` is the user's.
  private static func trigger(
    _ name: String, _ event: String, _ body: String, notes: String = "word TEXT",
    options: String = "{}", _ expected: String...
  ) -> LintCase {
    var made = words(
      name,
      [
        "0001_words/up.sql": """
        CREATE TABLE words (word TEXT PRIMARY KEY, rank INTEGER, up TEXT, at INTEGER);
        CREATE TABLE notes (id INTEGER PRIMARY KEY, \(notes));
        CREATE INDEX notes_word ON notes (word);
        CREATE VIRTUAL TABLE search USING fts5 (word);
        CREATE TRIGGER IF NOT EXISTS main.t \(event) ON words \(body); END;

        """,
        "0001_words/down.sql": "DROP TABLE words; DROP TABLE notes; DROP TABLE search;\n",
        "catalog.json": #"{"tables": {"words": \#(options)}}"#,
      ])
    made.expected = expected
    return made
  }

  private static let takes = "BEGIN SELECT 1; DELETE FROM notes WHERE word = OLD.word"
  private static let found = "trigger 0001_words/up.sql:5"

  private static let triggers: [LintCase] = [
    trigger("a cascade by trigger", "AFTER DELETE", takes, found),
    trigger(
      "a cascade beside a declared reference", "AFTER DELETE", takes,
      options: #"{"references": {"notes": ["word"]}}"#),
    trigger(
      "a cascade beside a foreign key", "AFTER DELETE", takes,
      notes: "word TEXT REFERENCES words (word)"),
    trigger(
      "a declared reference keeps nothing from a change", "AFTER UPDATE", takes,
      options: #"{"references": {"notes": ["word"]}}"#, found),
    trigger(
      "a trigger that lets releases pass", "AFTER DELETE",
      "WHEN NOT EXISTS (SELECT 1 FROM \"seedbed_applying\") \(takes)"),
    trigger(
      "a trigger with the words in a string", "AFTER DELETE",
      "BEGIN INSERT INTO notes (word) VALUES ('DELETE FROM notes')"),
    trigger(
      "a counter", "AFTER INSERT",
      "BEGIN INSERT INTO notes VALUES (1, 'a') ON CONFLICT DO UPDATE SET word = 'b'", found),
    trigger("REPLACE", "AFTER INSERT", "BEGIN REPLACE INTO notes (word) VALUES ('a')", found),
    trigger(
      "OR REPLACE", "AFTER INSERT", "BEGIN INSERT OR REPLACE INTO notes (word) VALUES (1)", found),
    trigger("an index for full text", "AFTER DELETE", "BEGIN DELETE FROM search"),
    trigger(
      "a time", "AFTER UPDATE OF rank", "BEGIN UPDATE words SET at = 1 WHERE word = NEW.word"),
    trigger(
      "other rows of the same table", "AFTER UPDATE OF rank",
      "BEGIN UPDATE OR IGNORE words SET at = 1 WHERE up = NEW.word", found),
    trigger("a tree", "AFTER DELETE", "BEGIN DELETE FROM words WHERE up = OLD.word", found),
  ]
}
