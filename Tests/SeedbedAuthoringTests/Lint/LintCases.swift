/// For each code a catalog that has it, and one that nearly has.
extension LintCase {
  static let all = refused + rows + releases + engines + users + schemas

  private static let kept = ["0001_t/down.sql": "DROP TABLE t;\n"]

  private static func t(_ sql: String, _ csv: String) -> [String: String] {
    kept.merging(["0001_t/up.sql": sql, "0001_t/t.csv": csv]) { $1 }
  }

  /// What no device would take.
  static let refused: [LintCase] = [
    words("nothing is wrong", [:]),
    words(
      "an option that there is not", ["catalog.json": "{\n  \"tabels\": {}\n}\n"],
      "catalog catalog.json:2"),
    words(
      "a version to adopt that there is not", ["catalog.json": "{\"adopt\": 9}\n"],
      "catalog catalog.json"),
    words("a version to adopt", ["catalog.json": "{\"adopt\": 1}\n"]),
    words(
      "an option of a table that there is not",
      ["catalog.json": "{\n  \"tables\": {\n    \"wrods\": {\"onEdited\": \"keepRow\"}\n  }\n}\n"],
      "unknownTable catalog.json:3"),
    words(
      "an option of a table, spelt in capitals",
      ["catalog.json": "{\"tables\": {\"WORDS\": {\"onEdited\": \"keepRow\"}}}\n"]),
    words(
      "a table that the next release makes",
      ["catalog.json": "{\"tables\": {\"news\": {\"source\": \"data/news.csv\"}}}\n"]),
    words(
      "a file that there is not, and what comes after it",
      ["0001_words/word.txt": "", "0002_more/words.csv": "word,rank\nfour,x\n"],
      "catalog 0001_words/word.txt", "csv 0002_more/words.csv:2"),
    words(
      "two migrations of one number",
      ["0002_a/words.csv": "word,rank\nfour,4\n", "0002_b/words.csv": "word,rank\nfive,5\n"],
      "catalog 0002_b"),
    words(
      "semicolons, and a number that is none, in two files",
      [
        "0002_more/words.csv": "word;rank\nfour;4\n",
        "0002_more/words.update.csv": "word,rank,was:rank\none,x,1\n",
      ], "csv 0002_more/words.csv:1", "csv 0002_more/words.update.csv:2"),
    words(
      "a column that there is not", ["0002_more/words.csv": "word,rnak\nfour,4\n"],
      "csv 0002_more/words.csv:1"),
    words(
      "a key that is retired and inserted",
      [
        "0002_more/words.delete.csv": "word,rank\none,1\n",
        "0002_more/words.csv": "word,rank\none,9\n",
      ],
      "split 0002_more/words.csv:2"),
    words("no gzip", ["0002_more/words.csv.gz": "word\nfour\n"], "gzip 0002_more/words.csv.gz"),
    sql("a misspelt keyword", "CREATE TABEL x (a);\n", "sql:1"),
    sql("COMMIT", "SELECT 1;\nCOMMIT;\n", "sql:2"),
    sql(
      "a trigger that writes the ledger",
      "SELECT 1;\nCREATE TRIGGER q AFTER INSERT ON words BEGIN DELETE FROM seedbed_runs; END;\n",
      "sql:2"),
    LintCase(
      "a CHECK",
      t("CREATE TABLE t (k TEXT PRIMARY KEY, n INTEGER CHECK (n > 0));\n", "k,n\na,1\nb,0\n"),
      "constraint 0001_t/t.csv:3"),
    words(
      "a counter-example, and a later migration that is looked at all the same",
      [
        "0001_words/verify.sql": "SELECT word FROM words WHERE word = 'two' AND rank = 2;\n",
        "0002_next/up.sql": "SELECT 1;\n",
      ], "verify 0001_words/verify.sql:1", "irreversible 0002_next/up.sql:1"),
    words(
      "SQL that a comment undoes",
      ["0002_next/up.sql": "SELECT 1;\n", "0002_next/down.sql": "-- Undo it here.\n"],
      "irreversible 0002_next/up.sql:1"),
    words(
      "SQL of two comments",
      ["0002_next/up.sql": "-- Later.\n", "0002_next/down.sql": "-- Later.\n"]),
    words(
      "a key twice", ["0002_more/words.csv": "word,rank\nfour,4\nfour,5\n"],
      "duplicate 0002_more/words.csv:3"),
    LintCase("no key", t("CREATE TABLE t (k TEXT);\n", "k\na\n"), "noKey 0001_t/t.csv"),
    LintCase(
      "a UNIQUE key that the options name",
      t("CREATE TABLE t (k TEXT UNIQUE);\n", "k\na\n")
        .merging(["catalog.json": #"{"tables": {"t": {"key": ["k"]}}}"#]) { $1 }),
  ]

  /// What rows disagree on with the state before them.
  static let rows: [LintCase] = [
    words(
      "an update without bases", ["0002_more/words.update.csv": "word,rank\none,10\n"],
      "missingBase 0002_more/words.update.csv:1"),
    words(
      "an update without bases that the policy allows",
      [
        "0002_more/words.update.csv": "word,rank\none,10\n",
        "catalog.json": #"{"tables": {"words": {"onEdited": "overwriteRow"}}}"#,
      ], "missingBase 0002_more/words.update.csv:1"),
    words(
      "a delete with the key alone",
      [
        "0002_more/words.delete.csv": "word\none\n",
        "catalog.json": #"{"tables": {"words": {"onEdited": "overwriteRow"}}}"#,
      ], "missingBase 0002_more/words.delete.csv:1", "staleBase 0002_more/words.delete.csv:2"),
    LintCase(
      "a delete with the key alone of a row that has nothing else",
      t("CREATE TABLE t (k TEXT PRIMARY KEY, mine INTEGER DEFAULT 0);\n", "k\na\nb\n")
        .merging(["0002_more/t.delete.csv": "k\na\n"]) { $1 }),
    words(
      "an update with bases", ["0002_more/words.update.csv": "word,rank,was:rank\none,10,1\n"]),
    words(
      "a base that another branch changed",
      [
        "0002_a/words.update.csv": "word,rank,was:rank\none,10,1\n",
        "0003_b/words.update.csv": "word,rank,was:rank\ntwo,20,2\none,11,1\n",
      ], "staleBase 0003_b/words.update.csv:3"),
    words(
      "the same change on two branches",
      [
        "0002_a/words.update.csv": "word,rank,was:rank\none,10,1\n",
        "0003_b/words.update.csv": "word,rank,was:rank\none,10,1\n",
      ], "staleBase 0003_b/words.update.csv:2"),
    words(
      "a row that its file does not change",
      ["0002_a/words.update.csv": "word,rank,was:rank\none,1,1\ntwo,20,2\n"]),
    words(
      "two branches that change different columns",
      [
        "0002_a/words.update.csv": "word,rank,was:rank\none,10,1\n",
        "0003_b/words.update.csv": "word,note,was:note\none,x,\n",
      ]),
    words(
      "a row that another branch retired",
      [
        "0002_a/words.delete.csv": "word,rank\none,1\n",
        "0003_b/words.update.csv": "word,rank,was:rank\none,10,1\n",
        "0004_c/words.delete.csv": "word,rank\none,1\n",
      ], "staleBase 0003_b/words.update.csv:2"),
    words(
      "a row that another branch changed is retired",
      [
        "0002_a/words.update.csv": "word,rank,was:rank\none,10,1\n",
        "0003_b/words.delete.csv": "word,rank\none,1\n",
      ], "staleBase 0003_b/words.delete.csv:2"),
    words(
      "a key that an earlier migration shipped",
      ["0002_a/words.csv": "word,rank\nfour,4\ntwo,22\n"], "rowTaken 0002_a/words.csv:3"),
    words(
      "a row that an earlier migration shipped just so",
      ["0002_a/words.csv": "word,rank\nfour,4\ntwo,2\n"], "rowTaken 0002_a/words.csv:1"),
    words("a new key", ["0002_a/words.csv": "word,rank\nfour,4\n"]),
    words(
      "a file left out says nothing of later ones",
      [
        "0002_a/words.update.csv": "word,rank,was:rank\none,x,1\n",
        "0003_b/words.update.csv": "word,rank,was:rank\none,11,10\n",
      ], "csv 0002_a/words.update.csv:2"),
  ]

  /// Releases and the lock.
  static let releases: [LintCase] = [
    words(
      "SQL without its twins",
      [
        "0002_a/up.sql": "-- An index.\nCREATE INDEX i ON words (rank);\n",
        "0002_a/after.sql": "SELECT 1;",
      ],
      "irreversible 0002_a/after.sql:1", "irreversible 0002_a/up.sql:2"),
    words(
      "SQL with its twin",
      ["0002_a/up.sql": "CREATE INDEX i ON words (rank);\n", "0002_a/down.sql": "DROP INDEX i;\n"]),
    LintCase(
      "a file and a folder that the lock does not have", words("", [:]).files,
      later: ["0001_words/verify.sql": "SELECT 1 WHERE 0;\n", "0002_a/words.csv": "word\nfour\n"],
      "unlocked 0001_words/verify.sql:1", "unlocked 0002_a"),
    LintCase(
      "a release that was rewritten", words("", [:]).files,
      later: ["0001_words/words.csv": "word,rank\none,1\ntwo,2\ntres,3\n"],
      "rewritten 0001_words/words.csv:1"),
    LintCase(
      "a signature that is none", words("", [:]).files,
      later: ["seedbed.lock.sig": "seedbed.lock.sig 1\n"], "signature seedbed.lock.sig"),
    LintCase(
      "a release that is gone",
      words("", ["0002_a/words.csv": "word\nfour\n"]).files,
      later: ["0002_a/words.csv": nil, "0002_a": nil],
      "rewritten 0002_a"),
    LintCase(
      "a number from another branch",
      words("", ["0003_c/words.csv": "word\nfour\n"]).files,
      later: ["0002_b/words.csv": "word\nfive\n"], "unlocked 0002_b", "outOfOrder 0002_b"),
    words(
      "two kinds of line endings",
      ["0002_a/words.csv": "word,note\r\nfour,\"a\nb\"\r\nfive,c\n"],
      "mixedLineEndings 0002_a/words.csv:4"),
    words(
      "a line break in a field", ["0002_a/words.csv": "word,note\r\nfour,\"a\nb\"\r\nfive,c\r\n"]),
    words(
      "a large plain file",
      ["0002_a/words.csv": "word,note\nfour,\(String(repeating: "x", count: 1 << 20))\n"],
      "largeCSV 0002_a/words.csv:1"),
    words(
      "a plain file of 1 MiB",
      ["0002_a/words.csv": "word,note\nfour,\(String(repeating: "x", count: (1 << 20) - 16))\n"]),
  ]

  /// What users may lose.
  static let users: [LintCase] = [
    sql("a column is dropped", "SELECT 1;\nALTER TABLE words DROP COLUMN note;\n", "destructive:2"),
    sql("a table is dropped", "DROP TABLE words;\n", "destructive:1"),
    sql("all rows are deleted", "DELETE FROM words;\n", "destructive:1"),
    sql(
      "a WHERE that is another one's",
      "UPDATE words SET note = (SELECT 'x' WHERE true);\n", "destructive:1"),
    sql("some rows are changed", "UPDATE words SET note = 'x' WHERE word = 'one';\n"),
    sql("a table of its own", "CREATE TABLE n (k);\nDELETE FROM n;\nDROP TABLE n;\n"),
    sql(
      "a new column is filled",
      "ALTER TABLE words ADD COLUMN size INTEGER;\nUPDATE words SET size = length(word);\n"),
    sql(
      "a table is rebuilt",
      """
      CREATE TABLE new_words (word TEXT PRIMARY KEY, rank INTEGER, note TEXT);
      INSERT INTO new_words SELECT * FROM words;
      DROP TABLE words;
      ALTER TABLE new_words RENAME TO words;

      """),
    sql(
      "a table is rebuilt from some rows",
      """
      CREATE TABLE new_words AS SELECT * FROM words WHERE rank > 1;
      DROP TABLE words;
      ALTER TABLE new_words RENAME TO words;

      """, "destructive:2"),
    words(
      "a table is dropped in a twin",
      ["0002_a/up.sql": "CREATE TABLE n (k);\n", "0002_a/down.sql": "DROP TABLE n;\n"]),
    words(
      "verify.sql counts",
      [
        "0001_words/verify.sql":
          "SELECT 1 WHERE 0;\nSELECT 'rows' WHERE (SELECT count(*) FROM words) <> 3;\n"
      ],
      "userRows 0001_words/verify.sql:2"),
    words(
      "verify.sql looks for what users may leave out",
      ["0001_words/verify.sql": "SELECT word FROM words WHERE rank IS NULL;\n"],
      "userRows 0001_words/verify.sql:1"),
    words(
      "verify.sql asks for the seed's own rows",
      ["0001_words/verify.sql": "SELECT word FROM words WHERE word = 'one' AND rank < 0;\n"]),
    words(
      "verify.sql only warns",
      [
        "0001_words/verify.sql": "SELECT 'rows' WHERE (SELECT count(*) FROM words) <> 3;\n",
        "0001_words/migration.json": #"{"verify": "warn"}"#,
      ]),
    sql("UNIQUE comes later", "SELECT 1;\nCREATE UNIQUE INDEX i ON words (rank);\n", "userRows:2"),
    sql(
      "UNIQUE comes later, for the seed's rows",
      "CREATE UNIQUE INDEX i ON words (rank) WHERE word IN ('one', 'two');\n"),
    sql(
      "UNIQUE comes after what makes users' rows fit",
      """
      UPDATE words SET rank = NULL WHERE word > 'two';
      UPDATE words SET rank = NULL WHERE word NOT IN ('one', 'two', 'three');
      CREATE UNIQUE INDEX i ON words (rank);

      """),
    sql(
      "UNIQUE over a column that comes with it",
      "ALTER TABLE words ADD COLUMN code TEXT;\nCREATE UNIQUE INDEX i ON words (code);\n"),
    sql(
      "UNIQUE in a table that comes with it",
      "CREATE TABLE own (a TEXT UNIQUE);\nINSERT INTO own SELECT word FROM words;\n"),
    sql(
      "NOT NULL comes by a new table",
      """
      CREATE TABLE n (word TEXT PRIMARY KEY, rank INTEGER NOT NULL, note TEXT);
      INSERT INTO n SELECT word, rank, note FROM words;
      DROP TABLE words;
      ALTER TABLE n RENAME TO words;

      """, "userRows:2"),
    sql(
      "a CHECK comes by a new table",
      """
      CREATE TABLE n (word TEXT PRIMARY KEY, rank INTEGER CHECK (rank <= 3), note TEXT);
      INSERT INTO n SELECT word, rank, note FROM words;
      DROP TABLE words;
      ALTER TABLE n RENAME TO words;

      """, "userRows:2"),
  ]
}
