import Seedbed
import SeedbedPostgres
import Testing

/// A table in partitions is one table, whose rows may come to another partition with a new key.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Tables in partitions` {
  private static func files(_ parts: String) -> [String: String] {
    [
      "0001_words/up.sql": """
      CREATE TABLE words (id INTEGER NOT NULL, lang TEXT NOT NULL, term TEXT, note TEXT,
        PRIMARY KEY (id, lang));
      """,
      "0001_words/up.postgresql.sql": """
      CREATE TABLE words (id INT NOT NULL, lang TEXT NOT NULL, term TEXT, note TEXT DEFAULT 'none',
        loud TEXT GENERATED ALWAYS AS (upper(term)) STORED, PRIMARY KEY (id, lang)) \(parts);
      """,
      "0001_words/words.csv": "id,lang,term\n1,de,eins\n2,en,two\n3,en,three\n",
    ]
  }

  private static let range = """
    PARTITION BY RANGE (id); CREATE TABLE low PARTITION OF words FOR VALUES FROM (1) TO (3);
    CREATE TABLE high PARTITION OF words FOR VALUES FROM (3) TO (9)
    """
  private static let list = """
    PARTITION BY LIST (lang); CREATE TABLE de PARTITION OF words FOR VALUES IN ('de');
    CREATE TABLE en PARTITION OF words FOR VALUES IN ('en')
    """

  static let parts = [
    "PARTITION BY RANGE (id); CREATE TABLE one PARTITION OF words FOR VALUES FROM (1) TO (9)",
    range,
    """
    PARTITION BY RANGE (id); CREATE TABLE low PARTITION OF words FOR VALUES FROM (1) TO (3);
    CREATE TABLE rest PARTITION OF words DEFAULT
    """,
    """
    PARTITION BY HASH (id); CREATE TABLE zero PARTITION OF words
      FOR VALUES WITH (MODULUS 2, REMAINDER 0);
    CREATE TABLE one PARTITION OF words FOR VALUES WITH (MODULUS 2, REMAINDER 1)
    """,
    list,
    """
    PARTITION BY RANGE (id, lang); CREATE TABLE one PARTITION OF words
      FOR VALUES FROM (1, 'a') TO (9, 'z')
    """,
    """
    PARTITION BY RANGE (id); CREATE TABLE low PARTITION OF words FOR VALUES FROM (1) TO (9)
      PARTITION BY LIST (lang);
    CREATE TABLE de PARTITION OF low FOR VALUES IN ('de');
    CREATE TABLE en PARTITION OF low FOR VALUES IN ('en')
    """,
  ]

  /// Of each: a file that changes keys, and the rows after it.
  private static let changes = [
    // An exchange.
    (
      "id,lang,was:id,was:lang\n2,en,1,de\n1,de,2,en\n",
      ["1|de|two|none|TWO", "2|en|eins|mine|EINS", "3|en|three|none|THREE"]
    ),
    // In a ring, with another value.
    (
      "id,lang,was:id,was:lang,term,was:term\n2,en,1,de,zwei,eins\n3,en,2,en,two,two\n"
        + "1,de,3,en,three,three\n",
      ["1|de|three|none|THREE", "2|en|zwei|mine|ZWEI", "3|en|two|none|TWO"]
    ),
    // Passed on.
    (
      "id,lang,was:id,was:lang\n2,en,1,de\n4,en,2,en\n",
      ["2|en|eins|mine|EINS", "3|en|three|none|THREE", "4|en|two|none|TWO"]
    ),
  ]

  @Test(arguments: parts) func `let rows exchange their keys:`(_ parts: String) throws {
    for (file, rows) in Self.changes {
      try withServer(Self.files(parts)) { server in
        let all = "SELECT * FROM words ORDER BY id"
        try server.migrator().up()
        try server.session.execute("UPDATE words SET note = 'mine' WHERE id = 1")
        let before = try server.rows(all)
        try server.add(["0002_june/words.update.csv": file])
        try server.migrator().up()
        #expect(try server.rows(all) == rows)
        try server.migrator().down(to: 1)
        #expect(try server.rows(all) == before)
        #expect(try server.migrator().conflicts().map(\.kind) == [])
      }
    }
  }

  @Test func `keep the keys of rows to which others refer`() throws {
    var files = Self.files(Self.range)
    files["0001_words/up.sql"]! +=
      "CREATE TABLE c (id INTEGER PRIMARY KEY, i INTEGER, l TEXT, FOREIGN KEY (i, l) "
      + "REFERENCES words);"
    files["0001_words/up.postgresql.sql"]! +=
      "CREATE TABLE c (id INT PRIMARY KEY, i INT, l TEXT, FOREIGN KEY (i, l) REFERENCES words "
      + "ON DELETE CASCADE DEFERRABLE);"
    files["0001_words/words.csv"]! += "4,en,four\n5,en,five\n"
    files["0002_june/words.update.csv"] =
      "id,lang,was:id,was:lang\n2,en,1,de\n1,de,2,en\n5,en,4,en\n4,en,5,en\n"
    try withServer(files) { server in
      try server.migrator().up(to: 1)
      try server.session.execute("INSERT INTO c VALUES (7, 1, 'de')")
      try server.migrator().up()
      let rows = try server.rows("SELECT id, term FROM words ORDER BY id")
      #expect(rows == ["1|eins", "2|two", "3|three", "4|five", "5|four"])
      #expect(try server.rows("SELECT * FROM c") == ["7|1|de"])
      let kinds = try server.migrator().conflicts().map(\.kind)
      #expect(kinds == [.referenced, .keyTaken])
    }
  }

  @Test(arguments: ["DELETE", "INSERT"])
  func `keep the keys of rows that a trigger keeps`(_ event: String) throws {
    let trigger = """
      CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER nothing BEFORE \(event) ON words FOR EACH ROW EXECUTE FUNCTION nothing();
      """
    try withServer(Self.files(Self.range)) { server in
      try server.migrator().up()
      let before = try server.rows("SELECT * FROM words ORDER BY id")
      try server.session.executeAll(trigger)
      try server.add(["0002_june/words.update.csv": Self.changes[0].0])
      try server.migrator().up()
      #expect(try server.rows("SELECT * FROM words ORDER BY id") == before)
      #expect(try server.migrator().conflicts().map(\.kind) == [.referenced, .referenced])
    }
  }

  @Test func `are named as a whole`() throws {
    var files = Self.files(Self.range)
    files["0001_words/low.csv"] = "id,lang,term\n1,fr,un\n"
    try withServer(files) { server in
      let error = #expect(throws: SeedbedError.self) { try server.migrator().up() }
      #expect(
        error?.description == """
          0001_words/low.csv: 'low' is a partition of 'words', and its rows may move to another \
          one. Name the whole table, 'words'.
          """)
    }
  }
}
