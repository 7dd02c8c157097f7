import Seedbed
import SeedbedPostgres
import Testing

/// A table that others inherit shows their rows, too, but they are none of its own.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Rows of tables that inherit` {
  private static let files = [
    "catalog.json": """
    {"engines": ["sqlite", "postgresql"], "tables": {"words": {"disposable": ["notes"]}}}
    """,
    "0001_words/up.sql": """
    CREATE TABLE words (id INTEGER PRIMARY KEY, term TEXT UNIQUE);
    CREATE TABLE senses (id INTEGER PRIMARY KEY, word INTEGER REFERENCES words);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, word INTEGER REFERENCES words);
    """,
    "0001_words/up.postgresql.sql": """
    CREATE TABLE words (id INT PRIMARY KEY, term TEXT UNIQUE);
    CREATE TABLE senses (id INT PRIMARY KEY, word INT REFERENCES words DEFERRABLE);
    CREATE TABLE notes (id INT PRIMARY KEY, word INT REFERENCES words DEFERRABLE);
    CREATE TABLE old_words (why TEXT) INHERITS (words);
    CREATE TABLE old_senses () INHERITS (senses);
    CREATE TABLE old_notes () INHERITS (notes);
    """,
    "0001_words/words.csv": "id,term\n1,cat\n2,dog\n3,fox\n",
  ]

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// What an editor does after the first release.
    let edit: String
    /// The second.
    let file: String
    let rows: String
    /// Of `words`, and of `senses` and `notes` after it.
    let words: [String]
    var others: [String] = []
    var kinds: [Migrator.Conflict.Kind] = []
    var testDescription: String { name }
  }

  private static let copies = "INSERT INTO old_words SELECT *, 'copy' FROM ONLY words;"
  private static let there = ["1|cat", "2|dog", "3|fox"]

  static let cases = [
    Case(
      name: "that an editor moved there stay",
      edit: """
        WITH gone AS (DELETE FROM ONLY words WHERE id = 2 RETURNING *)
        INSERT INTO old_words SELECT *, 'mine' FROM gone;
        """,
      file: "words.update.csv", rows: "id,term,was:term\n1,Cat,cat\n2,Dog,dog\n",
      words: ["1|Cat", "3|fox"], kinds: [.deletedByUser]),
    Case(
      name: "that are copies are not changed", edit: copies,
      file: "words.update.csv", rows: "id,term,was:term\n1,Cat,cat\n2,Dog,dog\n",
      words: ["1|Cat", "2|Dog", "3|fox"]),
    Case(
      name: "that are copies are not deleted", edit: copies,
      file: "words.delete.csv", rows: "id,term\n2,dog\n3,fox\n", words: ["1|cat"]),
    Case(
      name: "that are copies keep their keys", edit: copies,
      file: "words.update.csv", rows: "id,was:id\n2,1\n1,2\n",
      words: ["1|dog", "2|cat", "3|fox"]),
    Case(
      name: "hold no key and no UNIQUE value",
      edit: "INSERT INTO old_words VALUES (4, 'elk', ''), (9, 'owl', '');",
      file: "words.csv", rows: "id,term\n4,ant\n5,owl\n",
      words: there + ["4|ant", "5|owl"]),
    Case(
      name: "are not meant by a name",
      edit: "INSERT INTO old_words VALUES (2, 'dog', ''), (9, 'owl', '');",
      file: "senses.csv", rows: "id,word:words.term\n1,dog\n2,owl\n", words: there,
      others: ["1|2"], kinds: [.parentDeleted]),
    Case(
      name: "are no parents", edit: "INSERT INTO old_words VALUES (5, 'owl', '');",
      file: "senses.csv", rows: "id,word\n1,1\n2,5\n", words: there, others: ["1|1"],
      kinds: [.parentDeleted]),
    Case(
      name: "do not keep what they refer to", edit: "INSERT INTO old_senses VALUES (1, 3);",
      file: "words.delete.csv", rows: "id,term\n3,fox\n", words: ["1|cat", "2|dog"]),
    Case(
      name: "of a disposable table stay",
      edit: "INSERT INTO notes VALUES (1, 3), (2, 1); INSERT INTO old_notes VALUES (1, 3), (2, 3);",
      file: "words.delete.csv", rows: "id,term\n3,fox\n", words: ["1|cat", "2|dog"],
      others: ["2|1"]),
  ]

  @Test(arguments: cases) func `those`(_ example: Case) throws {
    try withServer(Self.files) { server in
      let inheriting = { () throws -> [String] in
        try ["old_words", "old_senses", "old_notes"].flatMap {
          try server.rows("SELECT * FROM \($0) ORDER BY id")
        }
      }
      try server.migrator().up()
      try server.session.executeAll(example.edit)
      let before = try inheriting()
      try server.add(["0002_june/" + example.file: example.rows])
      #expect(try server.migrator().plan().migrations[0].conflictCount == example.kinds.count)
      let report = try server.migrator().up()
      #expect(report.to == 2 && !report.touchedTables.contains { $0.hasPrefix("old") })
      #expect(try server.rows("SELECT * FROM ONLY words ORDER BY id") == example.words)
      let others = "SELECT * FROM ONLY senses UNION ALL SELECT * FROM ONLY notes"
      #expect(try server.rows(others) == example.others)
      #expect(try server.migrator().conflicts().map(\.kind) == example.kinds)
      #expect(try inheriting() == before)
      try server.migrator().down(to: 1)
      #expect(try inheriting() == before)
    }
  }

  /// Nobody else waits for the release.
  @Test func `those are written to meanwhile`() throws {
    try withServer(Self.files) { server in
      try server.migrator().up()
      try server.add(["0002_june/words.csv": "id,term\n4,owl\n"])
      var migrator = try server.migrator()
      migrator.hooks.beforeCommit = { [uri = server.uri] _, _ in
        let other = try PostgresSession(uri)
        try other.execute("SET lock_timeout = '1s'")
        try other.execute("INSERT INTO old_words VALUES (4, 'mine', '')")
      }
      try migrator.up()
      #expect(try server.rows("SELECT count(*) FROM words WHERE id = 4") == ["2"])
    }
  }
}
