/// What the tables themselves get wrong.
extension LintCase {
  static let schemas: [LintCase] = ids + keys + strings + defaults + policies

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
  ]

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

  private static let policies: [LintCase] = [
    words(
      "a policy of a column",
      ["catalog.json": #"{"tables": {"words": {"columns": {"RANK": "preferSeed"}}}}"#]),
    words(
      "a text that is compared as one, and a number",
      [
        "catalog.json": "{\"tables\": {\"words\": {\"compare\": {\n\"note\": \"text\",\n"
          + "\"rank\": \"text\"}}}}\n",
        "0002_notes/words.csv": "word,rank,note\nfour,4,x\n",
      ], "idleOption catalog.json:3"),
    words(
      "one that is misspelt, one that no file fills, and one of the key",
      [
        "catalog.json": """
        {"tables": {"words": {"columns": {
          "rnak": "preferSeed",
          "note": "keepEdits",
          "word": "keepEdits"}}}}
        """
      ], "idleOption catalog.json:2", "idleOption catalog.json:3", "idleOption catalog.json:4"),
    words(
      "a policy for whole rows in one release, beside policies of columns",
      [
        "catalog.json": #"{"tables": {"words": {"columns": {"rank": "preferSeed"}}}}"#,
        "0002_more/words.csv": "word,rank\nfour,4\n",
        "0002_more/migration.json": #"{"tables": {"words": {"onEdited": "keepRow"}}}"#,
      ], "catalog 0002_more/migration.json:1"),
    words(
      "options of one release for a table that is misspelt",
      [
        "0002_more/words.csv": "word,rank\nfour,4\n",
        "0002_more/migration.json": #"{"tables": {"wrods": {"onEdited": "keepRow"}}}"#,
      ], "unknownTable 0002_more/migration.json:1"),
    renamed(
      "both names of a column", "columns", #"{"rank": "preferSeed", "place": "preferSeed"}"#),
    renamed("both names of a text", "compare", #"{"note": "text", "remark": "text"}"#),
    renamed("both names of an ignored column", "ignore", #"["rank", "place"]"#),
    renamed(
      "only the older name of a column", "columns", #"{"rank": "preferSeed"}"#,
      "idleOption catalog.json:1"),
    renamed(
      "only the older name of a text", "compare", #"{"note": "text"}"#,
      "idleOption catalog.json:1"),
    renamed(
      "only the older name of an ignored column", "ignore", #"["rank"]"#,
      "idleOption catalog.json:1"),
    renamed(
      "a name that no column had", "columns", #"{"rnak": "preferSeed"}"#,
      "idleOption catalog.json:1"),
    renamed("a column that was dropped", "columns", #"{"gone": "preferSeed"}"#),
  ]

  /// Releases that rename two columns and drop another, so that databases may be behind them.
  private static func renamed(
    _ name: String, _ option: String, _ value: String, _ expected: String...
  ) -> LintCase {
    var made = LintCase(
      name + ", after new names",
      [
        "catalog.json": #"{"tables": {"t": {"\#(option)": \#(value)}}}"#,
        "0001_t/up.sql":
          "CREATE TABLE t (k TEXT PRIMARY KEY, rank INTEGER, note TEXT, gone TEXT);\n",
        "0001_t/down.sql": "DROP TABLE t;\n", "0001_t/t.csv": "k,rank,note,gone\na,1,x,y\n",
        "0002_names/up.sql": """
        ALTER TABLE t RENAME COLUMN rank TO place;
        ALTER TABLE t RENAME COLUMN note TO remark;
        -- seedbed:allow destructive Nobody used it.
        ALTER TABLE t DROP COLUMN gone;

        """,
        "0002_names/down.sql": """
        ALTER TABLE t RENAME COLUMN place TO rank;
        ALTER TABLE t RENAME COLUMN remark TO note;
        ALTER TABLE t ADD COLUMN gone TEXT;

        """,
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

  private static let strings: [LintCase] = [
    sql(
      "a string in double quotes",
      "SELECT 1;\nUPDATE words\nSET note = \"x\" WHERE word = 'one';\n", "doubleQuoted:3"),
    sql("a name in double quotes", "UPDATE \"words\" SET \"note\" = '\"x\"' WHERE word = 'one';\n"),
  ]
}
