/// Options of columns for which they mean nothing, or of which one is forgotten.
extension LintCase {
  static let policies: [LintCase] = [
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
    renamed(
      "both names of a text for empty fields", "empty", #"{"note": "text", "remark": "null"}"#),
    renamed(
      "only the older name of one", "empty", #"{"note": "text"}"#, "idleOption catalog.json:1"),
    words(
      "a column of numbers with empty fields for texts",
      ["catalog.json": #"{"tables": {"words": {"empty": {"rank": "text"}}}}"#],
      "idleOption catalog.json:1"),
    words(
      "empty fields that are NULL beside those that are texts",
      [
        "catalog.json": #"{"tables": {"words": {"empty": "text"}}}"#,
        "0002_notes/words.csv": "word,rank,note\nfour,4,\n",
      ], "emptyField catalog.json:1"),
    words(
      "no empty field in a column that may be NULL",
      [
        "0001_words/words.csv": "word,rank,note\none,1,x\n",
        "catalog.json": #"{"tables": {"words": {"empty": "text"}}}"#,
      ]),
    words(
      "empty fields of columns that the option decides",
      [
        "0001_words/words.csv": "word,rank,note\none,1,\n",
        "catalog.json": #"{"tables": {"words": {"empty": {"note": "null"}}}}"#,
      ]),
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
}
