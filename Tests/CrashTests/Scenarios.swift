import Seedbed
import SeedbedFaults

extension Scenario {
  static let all = mechanisms + runs + tables

  /// Each crashes in a way of its own.
  static let mechanisms = [
    merge, firstRun, readyMade, oneOfThree, hotJournal, failingVerify, spill, down, restore, settle,
    adoption, lent, inside, beside,
  ]

  /// A run like others, but for where it begins or for what the app asks of it.
  static let runs = [bySnapshot, appHasDatabase, threeInARun, withoutBackup, download]

  /// A run like others, but for its tables.
  static let tables = [
    indexSetAside, foreignKeys, withoutRowid, triggersAndSearch, schemaChange, owners,
  ]

  static let words = [
    "0001_words/up.sql": """
    CREATE TABLE words (
      id INTEGER PRIMARY KEY, lemma TEXT NOT NULL UNIQUE, rank INTEGER, note TEXT);
    CREATE INDEX words_rank ON words (rank);
    """,
    "0001_words/words.csv": csv(
      "id,lemma,rank", (1...60).map { "\($0),word \($0),\($0 % 7)" }),
    "0002_more/words.csv": csv(
      "id,lemma,rank", (61...90).map { "\($0),word \($0),\($0 % 7)" }),
    "0003_fixes/words.update.csv": csv(
      "id,lemma,was:lemma,rank,was:rank",
      (1...20).map { "\($0),better \($0),word \($0),9,\($0 % 7)" }),
    "0003_fixes/words.delete.csv": csv(
      "id,lemma,rank", (51...58).map { "\($0),word \($0),\($0 % 7)" }),
  ]

  static func csv(_ header: String, _ rows: [String]) -> String {
    ([header] + rows).map { $0 + "\n" }.joined()
  }

  static let notes = """
    CREATE TABLE mine (id INTEGER PRIMARY KEY, text TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
    INSERT INTO mine SELECT i, printf('a note of the user''s, %d, %.200c', i, 'x') FROM n;
    """

  static let firstRun = Scenario(name: "first run", files: words)

  static let bySnapshot = Scenario(
    name: "first run by a snapshot", files: words, snapshot: 2, app: notes,
    journals: ["delete", "wal"])

  static let readyMade = Scenario(
    name: "first run by a ready-made database", files: words, built: 2, journals: ["delete", "wal"])

  static let appHasDatabase = Scenario(
    name: "first run on an app's database", files: words, app: notes)

  /// What its user changed, deleted and added in edition 1 is there, and the rows of 2 are to come.
  static let adoption: Scenario = {
    let rows = (1...60).map { "(\($0), 'word \($0)', \($0 % 7))" }.joined(separator: ", ")
    var scenario = Scenario(
      name: "an app's rows are adopted", files: words,
      app: notes + """
        \(words["0001_words/up.sql"] ?? "")
        INSERT INTO words (id, lemma, rank) VALUES \(rows);
        UPDATE words SET lemma = 'mine ' || id WHERE id IN (3, 4, 52);
        DELETE FROM words WHERE id IN (7, 53);
        INSERT INTO words VALUES (70, 'my own', 1, 'a note'), (500, 'another', NULL, NULL);
        """, journals: ["delete", "wal"])
    scenario.options.adopt = 2
    return scenario
  }()

  static let oneOfThree = Scenario(
    name: "one of three", files: words, app: notes, before: .up(to: 2, user: ""))

  static let threeInARun = Scenario(
    name: "three in a run", files: words,
    app: notes + "CREATE TABLE other (a); INSERT INTO other VALUES (1);")

  static let merge = Scenario(
    name: "merge with conflicts, moved and changed keys",
    files: words.merging([
      "catalog.json": #"{"tables": {"words": {"onTaken": "moveUser"}}}"#,
      "0004_last/words.csv": csv(
        "id,lemma,rank", (91...110).map { "\($0),word \($0),\($0 % 7)" }),
      "0005_ids/words.update.csv": csv(
        "id,was:id,rank,was:rank", (30...35).map { "\($0 + 970),\($0),8,\($0 % 7)" }),
    ]) { $1 },
    app: notes,
    before: .up(
      to: 2,
      user: """
        CREATE TABLE cards (
          id INTEGER PRIMARY KEY, word_id INTEGER REFERENCES words (id), side TEXT);
        INSERT INTO words (id, lemma, rank, note)
        VALUES (91, 'mine', 1, 'n'), (95, 'mine too', 1, 'n');
        INSERT INTO cards (word_id, side) VALUES (91, 'a'), (31, 'b'), (52, 'c'), (2, 'd');
        UPDATE words SET lemma = 'edited' WHERE id = 5;
        UPDATE words SET note = 'kept' WHERE id = 53;
        DELETE FROM words WHERE id = 7;
        """))

  static let indexSetAside = Scenario(
    name: "index set aside and rebuilt",
    files: [
      "0001_many/up.sql": """
      CREATE TABLE many (id INTEGER PRIMARY KEY, a INTEGER, b TEXT);
      CREATE INDEX many_a ON many (a);
      CREATE INDEX many_b ON many (b);
      """,
      "0002_rows/many.csv": csv(
        "id,a,b", (1...5200).map { "\($0),\($0 * 7919 % 5003),b\($0 * 31 % 977)" }),
    ], app: notes, before: .up(to: 1, user: ""))

  static let foreignKeys = Scenario(
    name: "foreign keys and trees",
    files: [
      "0001_tree/up.sql": """
      CREATE TABLE tree (id INTEGER PRIMARY KEY, above INTEGER REFERENCES tree (id), name TEXT);
      CREATE TABLE leaves (
        id INTEGER PRIMARY KEY,
        tree_id INTEGER NOT NULL REFERENCES tree (id) ON DELETE CASCADE, text TEXT);
      CREATE INDEX leaves_tree ON leaves (tree_id);
      """,
      "0001_tree/tree.csv": csv(
        "id,above,name", (1...40).map { "\($0),\($0 == 1 ? "" : "\($0 / 2)"),node \($0)" }),
      "0002_leaves/leaves.csv": csv(
        "id,tree_id,text", (1...50).map { "\($0),\($0 % 40 + 1),leaf \($0)" }),
      "0003_less/tree.delete.csv": csv(
        "id,above,name", (31...40).map { "\($0),\($0 / 2),node \($0)" }),
      "0003_less/leaves.delete.csv": csv(
        "id,tree_id,text", (30...39).map { "\($0),\($0 % 40 + 1),leaf \($0)" }),
    ], app: notes,
    before: .up(to: 2, user: "INSERT INTO leaves VALUES (1000, 35, 'mine'), (1001, 36, 'mine');"))

  static let withoutRowid = Scenario(
    name: "WITHOUT ROWID",
    files: [
      "0001_pairs/up.sql": """
      CREATE TABLE pairs (a TEXT NOT NULL COLLATE NOCASE, b INTEGER NOT NULL, c REAL,
        PRIMARY KEY (a, b)) WITHOUT ROWID;
      """,
      "0001_pairs/pairs.csv": csv(
        "a,b,c", (1...80).map { "key \($0),\($0),\($0).5" }),
      "0002_pairs/pairs.update.csv": csv(
        "a,b,c,was:c", (1...30).map { "key \($0),\($0),1.25,\($0).5" }),
      "0002_pairs/pairs.csv": csv("a,b,c", (81...120).map { "key \($0),\($0)," }),
    ], app: notes,
    before: .up(
      to: 1,
      user: """
        UPDATE pairs SET c = 0.5 WHERE b = 3;
        INSERT INTO pairs VALUES ('KEY 90', 90, 0.25);
        """))

  static let triggersAndSearch = Scenario(
    name: "triggers and full-text search",
    files: words.filter { $0.key != "0001_words/up.sql" },
    app: """
      CREATE TABLE words (
        id INTEGER PRIMARY KEY, lemma TEXT NOT NULL UNIQUE, rank INTEGER, note TEXT);
      CREATE INDEX words_rank ON words (rank);
      CREATE VIRTUAL TABLE search USING fts5 (lemma, content='words', content_rowid='id');
      CREATE TABLE history (id INTEGER PRIMARY KEY, word INTEGER, what TEXT);
      CREATE TRIGGER words_new AFTER INSERT ON words BEGIN
        INSERT INTO search (rowid, lemma) VALUES (new.id, new.lemma);
        INSERT INTO history (word, what) VALUES (new.id, 'new');
      END;
      CREATE TRIGGER words_gone AFTER DELETE ON words BEGIN
        INSERT INTO search (search, rowid, lemma) VALUES ('delete', old.id, old.lemma);
      END;
      CREATE TRIGGER words_other AFTER UPDATE ON words BEGIN
        INSERT INTO search (search, rowid, lemma) VALUES ('delete', old.id, old.lemma);
        INSERT INTO search (rowid, lemma) VALUES (new.id, new.lemma);
      END;
      """)

  static let download = Scenario(
    name: "a signed download", files: words, shipped: 1, app: notes)

  static let withoutBackup: Scenario = {
    var scenario = oneOfThree
    scenario.name = "without a backup"
    scenario.options.takesBackup = false
    return scenario
  }()

  static let hotJournal = Scenario(
    name: "after a crash of the app", files: words, app: notes,
    before: .killed(
      """
      BEGIN; UPDATE mine SET text = text || 'half';
      INSERT INTO mine (text) SELECT text FROM mine;
      """))

  static let schemaChange = Scenario(
    name: "schema changes around the rows",
    files: words.merging([
      "0003_fixes/up.sql": "ALTER TABLE words ADD COLUMN tone TEXT DEFAULT 'flat';",
      "0003_fixes/after.sql":
        """
      CREATE TABLE tones (tone TEXT, n INTEGER);
      INSERT INTO tones SELECT tone, count(*) FROM words GROUP BY tone;
      DROP INDEX words_rank;
      """,
      "0003_fixes/verify.sql": "SELECT 'too few' WHERE (SELECT count(*) FROM words) < 50;",
    ]) { $1 }, app: notes, before: .up(to: 2, user: ""))

  static let failingVerify = Scenario(
    name: "failing verify.sql",
    files: words.merging([
      "0003_fixes/verify.sql": "SELECT lemma FROM words WHERE rank = 9;",
      "0004_never/up.sql": "DROP TABLE words;",
    ]) { $1 }, app: notes, before: .up(to: 1, user: ""), refusal: .verify)

  /// The pages of these rows do not all stay in memory until COMMIT.
  static let spill = Scenario(
    name: "cache spill",
    files: [
      "0001_long/up.sql": "CREATE TABLE long (id INTEGER PRIMARY KEY, text TEXT);",
      "0001_long/long.csv.gz": csv("id,text", (1...30).map { "\($0),\(row($0))" }),
      "0002_more/long.csv.gz": csv("id,text", (31...60).map { "\($0),\(row($0))" }),
    ], app: notes, before: .up(to: 1, user: "UPDATE mine SET text = 'short' WHERE id < 30"),
    cachePages: 4)

  /// Files that take several reads each: for faults in the catalog alone, it is slow.
  static let longFiles = Scenario(
    name: "long files",
    files: [
      "0001_long/up.sql": """
      CREATE TABLE long (id INTEGER PRIMARY KEY, text TEXT);
      CREATE TABLE packed (id INTEGER PRIMARY KEY, text TEXT);
      """,
      "0002_rows/long.csv": csv("id,text", (1...1000).map { "\($0),\(row($0))" }),
      "0002_rows/packed.csv.gz": csv("id,text", (1...1000).map { "\($0),\(row($0))" }),
    ], app: notes, before: .up(to: 1, user: ""))

  private static func row(_ number: Int) -> String {
    String(repeating: "row \(number) ", count: 100)
  }

  static let down = Scenario(
    name: "down", files: words.merging(["0001_words/down.sql": "DROP TABLE words;"]) { $1 },
    app: notes,
    before: .up(to: 3, user: "INSERT INTO words VALUES (500, 'mine', 1, NULL);"),
    verb: .down(to: 1))

  static let lent = Scenario(
    name: "on the app's handle", files: words, app: notes, before: .up(to: 1, user: ""),
    verb: .upLent)

  /// The backup is the app's there.
  static let inside: Scenario = {
    var scenario = lent
    scenario.name = "inside the app's transaction"
    scenario.verb = .applyInside
    scenario.options.takesBackup = false
    return scenario
  }()

  /// Awaited, while the app reads and writes on its own connection.
  static let beside: Scenario = {
    var scenario = threeInARun
    scenario.name = "while the app reads and writes"
    // Each run goes on beside many reads: those that differ most will do.
    scenario.journals = ["delete", "wal"]
    scenario.verb = .upBeside(
      writing: """
        INSERT OR IGNORE INTO mine
        SELECT 1000 + coalesce(max(version), 0), 'written beside' FROM seedbed_migrations
        """)
    return scenario
  }()

  static let restore = Scenario(
    name: "restore", files: words, app: notes, before: .up(to: 2, user: ""),
    verb: .restore(""))

  /// What leaves the database is in the log: there is no backup.
  static let settle = Scenario(
    name: "conflicts are settled", files: words, app: notes,
    before: .up(
      to: 2,
      user: """
        UPDATE words SET lemma = 'edited ' || id WHERE id < 9; DELETE FROM words WHERE id = 10;
        UPDATE words SET note = 'kept' WHERE id = 53;
        """),
    verb: .settle, options: withoutBackup.options, journals: ["delete", "wal"])
}
