import Seedbed
import SeedbedPostgres
import Testing

@Suite(.enabled(if: Cluster.isInstalled)) struct `Keys on a server` {
  // MARK: references by natural key

  private static func named(_ type: String, _ ids: [String]) -> [String: String] {
    [
      "0001_p/up.sql": """
      CREATE TABLE p (id ANY PRIMARY KEY, term TEXT UNIQUE) STRICT;
      CREATE TABLE c (id INTEGER PRIMARY KEY, p ANY REFERENCES p (id)) STRICT;
      """,
      "0001_p/up.postgresql.sql": """
      CREATE TABLE p (id \(type) PRIMARY KEY, term TEXT UNIQUE);
      CREATE TABLE c (id BIGINT PRIMARY KEY, p \(type) REFERENCES p (id));
      """,
      "0001_p/p.csv": "id,term\n\(ids[0]),cat\n\(ids[1]),dog\n",
      "0001_p/c.csv": "id,p:p.term\n1,cat\n2,\n",
    ]
  }

  @Test(arguments: [
    ("SMALLINT", ["1", "2"]), ("INTEGER", ["1", "2"]), ("BIGINT", ["1", "2"]),
    ("NUMERIC(6)", ["1", "2"]), ("NUMERIC(5,2)", ["1.25", "2.50"]), ("REAL", ["1", "2"]),
    ("DOUBLE PRECISION", ["1", "2"]), ("TEXT", ["a", "b"]), ("VARCHAR(3)", ["a", "b"]),
    ("DATE", ["2024-01-01", "2024-01-02"]),
    ("TIMESTAMP", ["2024-01-01 00:00:00", "2024-01-02 00:00:00"]),
    (
      "UUID",
      ["6b0c2f4e-1111-4222-8333-000000000001", "6b0c2f4e-1111-4222-8333-000000000002"]
    ),
  ])
  func `rows name their parents`(_ type: String, _ ids: [String]) throws {
    try withServer(Self.named(type, ids)) { server in
      try server.migrator().up()
      let joined = "SELECT c.id, p.term FROM c LEFT JOIN p ON p.id = c.p ORDER BY c.id"
      #expect(try server.rows(joined) == ["1|cat", "2|"])
      try server.session.execute("DELETE FROM p WHERE term = 'dog'")
      try server.add([
        "0002_c/c.csv": "id,p:p.term\n3,dog\n4,cat\n",
        "0002_c/c.update.csv": "id,p:p.term,was:p:p.term\n1,dog,cat\n2,cat,\n",
      ])
      try server.migrator().up()
      #expect(try server.rows(joined) == ["1|cat", "2|cat", "4|cat"])
      let conflicts = try server.migrator().conflicts()
      #expect(conflicts.map(\.kind) == [.parentDeleted, .parentDeleted])
      #expect(conflicts.allSatisfy { "\($0.columns)".contains("dog") })
    }
  }

  // MARK: foreign keys that cannot wait

  /// A word's kind is NOT NULL, and its foreign key is checked after each statement.
  private static let plain = [
    "0001_words/up.sql": """
    CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
      above INTEGER REFERENCES kinds);
    CREATE TABLE words (id INTEGER PRIMARY KEY, term TEXT NOT NULL,
      kind INTEGER NOT NULL REFERENCES kinds);
    """,
    "0001_words/up.postgresql.sql": """
    CREATE TABLE kinds (id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE,
      above BIGINT REFERENCES kinds);
    CREATE TABLE words (id BIGINT PRIMARY KEY, term TEXT NOT NULL,
      kind BIGINT NOT NULL REFERENCES kinds);
    """,
    "0001_words/kinds.csv": "id,name,above\n1,noun,2\n2,word,\n3,verb,2\n",
    "0001_words/words.csv": "id,term,kind\n1,cat,1\n2,run,3\n3,dog,1\n",
  ]

  @Test func `a row moves to a new parent, and the old one goes`() throws {
    try withServer(Self.plain) { server in
      try server.migrator().up()
      try server.session.execute("UPDATE words SET term = 'hound' WHERE id = 3")
      try server.add([
        "0002_kinds/kinds.csv": "id,name,above\n10,noun,11\n11,content,2\n",
        "0002_kinds/kinds.update.csv": "id,above,was:above\n3,11,2\n",
        "0002_kinds/kinds.delete.csv": "id,name,above\n1,noun,2\n",
        "0002_kinds/words.update.csv": "id,kind,was:kind\n1,10,1\n3,10,1\n",
        "0002_kinds/words.csv": "id,term,kind\n4,be,10\n",
      ])
      let report = try server.migrator().up()
      #expect(report.migrations[0].conflictCount == 0)
      #expect(
        try server.rows("SELECT id, term, kind FROM words ORDER BY id")
          == ["1|cat|10", "2|run|3", "3|hound|10", "4|be|10"])
      #expect(
        try server.rows("SELECT id, name, above FROM kinds ORDER BY id")
          == ["2|word|", "3|verb|11", "10|noun|11", "11|content|2"])
    }
  }

  @Test func `new rows refer to each other across 10,000`() throws {
    try withServer(Self.plain) { server in
      try server.migrator().up()
      let rows = (100..<10_100).map { "\($0),k\($0),\(10_199 - $0)\n" }
      try server.add(["0002_kinds/kinds.csv": "id,name,above\n" + rows.joined()])
      try server.migrator().up()
      #expect(try server.rows("SELECT count(*) FROM kinds") == ["10003"])
    }
  }

  // MARK: new keys

  @Test(arguments: ["", "ON UPDATE CASCADE"])
  func `a key that cannot wait refuses new ones`(_ clause: String) throws {
    try withServer(Self.files("REFERENCES kinds \(clause)")) { server in
      try server.migrator().up()
      try server.add(["0002_keys/kinds.update.csv": "id,was:id\n20,1\n"])
      let error = #expect(throws: SeedbedError.self) { try server.migrator().up() }
      #expect(error?.code == .csv && error?.message.contains("Declare it DEFERRABLE") == true)
      #expect(try server.rows("SELECT id FROM kinds ORDER BY id") == ["1", "2", "3"])
    }
  }

  @Test func `a value that comes later is an error of the release`() throws {
    var files = Self.plain
    for file in ["up.sql", "up.postgresql.sql"] {
      files["0001_words/\(file)"]? += "ALTER TABLE words ADD name TEXT REFERENCES kinds (name);"
    }
    try withServer(files) { server in
      try server.migrator().up()
      try server.session.execute("UPDATE words SET term = 'mine'")
      try server.add([
        "0002_keys/kinds.update.csv": "id,name,was:name\n1,thing,noun\n",
        "0002_keys/words.update.csv": "id,name,was:name\n1,thing,\n",
      ])
      let error = #expect(throws: SeedbedError.self) { try server.migrator().up() }
      #expect(error?.code == .constraint && error?.place?.line == 2)
      #expect(error?.message.contains("Declare it DEFERRABLE") == true)
    }
  }

  @Test(arguments: [("DEFERRABLE", "51", "51|mine"), ("", "50", "50|mine")])
  func `a user's row moves if what refers to it can follow`(
    _ clause: String, _ kind: String, _ row: String
  ) throws {
    let files = Self.files("REFERENCES kinds \(clause)").mapValues {
      $0.replacing("kinds (id BIGINT", with: "kinds (id BIGINT GENERATED BY DEFAULT AS IDENTITY")
    }
    try withServer(files) { server in
      try server.migrator().up()
      try server.session.executeAll(
        "INSERT INTO kinds VALUES (50, 'mine', NULL); INSERT INTO words VALUES (90, 'my', 50)")
      try server.add(["0002_kinds/kinds.csv": "id,name,above\n50,adverb,2\n"])
      try server.migrator { $0.policies.onTaken = .moveUser }.up()
      #expect(try server.rows("SELECT id, name FROM kinds WHERE name = 'mine'") == [row])
      #expect(try server.rows("SELECT kind FROM words WHERE id = 90") == [kind])
      #expect(try server.migrator().conflicts().map(\.kind) == [.keyTaken])
    }
  }

  private static func files(_ reference: String) -> [String: String] {
    plain.mapValues { $0.replacing("REFERENCES kinds", with: reference) }
  }

  @Test func `what refers to a row follows its new key`() throws {
    let files = Self.files("REFERENCES kinds DEFERRABLE")
    try withServer(files) { server in
      try server.migrator().up()
      try server.session.execute("INSERT INTO words VALUES (90, 'mine', 1)")
      try server.add([
        "0002_keys/up.sql": "SELECT 1;", "0002_keys/down.sql": "SELECT 1;",
        "0002_keys/down.postgresql.sql": "SELECT 1;",
        "0002_keys/up.postgresql.sql": "SET CONSTRAINTS ALL IMMEDIATE;",
        "0002_keys/kinds.update.csv": "id,was:id\n3,1\n1,3\n20,2\n",
      ])
      try server.migrator().up()
      #expect(
        try server.rows("SELECT id, name, above FROM kinds ORDER BY id")
          == ["1|verb|20", "3|noun|20", "20|word|"])
      #expect(
        try server.rows("SELECT id, kind FROM words ORDER BY id")
          == ["1|3", "2|1", "3|3", "90|3"])
      try server.migrator().down(to: 1)
      #expect(try server.rows("SELECT id FROM kinds ORDER BY id") == ["1", "2", "3"])
    }
  }
}
