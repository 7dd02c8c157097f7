import Seedbed
import SeedbedPostgres
import Testing

/// UNIQUE as only PostgreSQL has it.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Unique values on a server` {
  private static func words(_ unique: String) -> [String: String] {
    [
      "0001_words/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, term TEXT UNIQUE);",
      "0001_words/up.postgresql.sql":
        "CREATE TABLE words (id BIGINT PRIMARY KEY, term TEXT, \(unique));",
      "0001_words/words.csv": "id,term\n1,cat\n2,dog\n",
    ]
  }

  private static let next = [
    "0002_words/words.csv": "id,term\n3,cow\n4,\n5,hen\n",
    "0002_words/words.update.csv": "id,term,was:term\n1,dog,cat\n2,cat,dog\n",
  ]

  @Test(arguments: ["UNIQUE (term) DEFERRABLE", "UNIQUE (term) DEFERRABLE INITIALLY DEFERRED"])
  func `it may wait for the end`(_ unique: String) throws {
    try withServer(Self.words(unique)) { server in
      try server.migrator().up()
      try server.session.execute("INSERT INTO words VALUES (10, 'cow')")
      try server.add(Self.next)
      try server.migrator().up()
      #expect(
        try server.rows("SELECT id, term FROM words ORDER BY id")
          == ["1|dog", "2|cat", "4|", "5|hen", "10|cow"])
      #expect(try server.migrator().conflicts().map(\.kind) == [.uniqueTaken])
    }
  }

  @Test func `it may take NULL for a value`() throws {
    try withServer(Self.words("UNIQUE NULLS NOT DISTINCT (term)")) { server in
      try server.migrator().up()
      try server.session.execute("INSERT INTO words VALUES (10, NULL)")
      try server.add(Self.next)
      try server.migrator().up()
      #expect(
        try server.rows("SELECT id, term FROM words ORDER BY id")
          == ["1|dog", "2|cat", "3|cow", "5|hen", "10|"])
      #expect(try server.migrator().conflicts().map(\.kind) == [.uniqueTaken])
    }
  }

  struct Computed: CustomTestStringConvertible, Sendable {
    var name: String
    var column = "term text"
    var index = "(lower(term))"
    var user = ""
    var rows = ["1|Dog", "2|Cat", "5|Hen"]
    var kinds: [Migrator.Conflict.Kind] = []
    var testDescription: String { name }
  }

  /// Two rows exchange their terms, and a retired one passes its on.
  static let computed = [
    Computed(name: "an expression"),
    Computed(name: "that must not be NULL", column: "term text NOT NULL"),
    Computed(name: "of a short text", column: "term varchar(20)"),
    Computed(
      name: "of a domain", column: "term word", index: "(lower(term), (term || '') COLLATE \"C\")"),
    Computed(name: "of part of the table", index: "(lower(term)) WHERE id < 20 AND term <> ''"),
    Computed(name: "beside a column", index: "((id > 0), lower(term))"),
    Computed(name: "where NULL is a value", index: "(coalesce(lower(term), ''))"),
    Computed(name: "in a form of its own", index: "(md5(lower(term)))"),
    Computed(
      name: "of a generated column",
      column: "term text, low text GENERATED ALWAYS AS (lower(term)) STORED", index: "(low)"),
    Computed(
      name: "over a generated column",
      column: "term text, low text GENERATED ALWAYS AS (lower(term)) STORED",
      index: "((low || '!')) WHERE low <> ''"),
    Computed(
      name: "that a user's row has", user: "INSERT INTO words (id, term) VALUES (10, 'HEN')",
      rows: ["1|Dog", "2|Cat", "5|cow", "10|HEN"], kinds: [.uniqueTaken]),
    Computed(
      name: "that a user's row has outside of the part", index: "(lower(term)) WHERE id < 10",
      user: "INSERT INTO words (id, term) VALUES (10, 'HEN')",
      rows: ["1|Dog", "2|Cat", "5|Hen", "10|HEN"]),
  ]

  @Test(arguments: computed) func `they may be those of`(_ c: Computed) throws {
    try withServer([
      "0001_words/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, term TEXT);",
      "0001_words/up.postgresql.sql":
        "CREATE DOMAIN word AS text CHECK (VALUE <> 'bad'); CREATE TABLE words "
        + "(id BIGINT PRIMARY KEY, \(c.column)); CREATE UNIQUE INDEX i ON words \(c.index);",
      "0001_words/words.csv": "id,term\n1,cat\n2,dog\n4,hen\n5,cow\n",
    ]) { server in
      try server.migrator().up()
      if !c.user.isEmpty {
        try server.session.execute("DELETE FROM words WHERE id = 4")
        try server.session.execute(c.user)
      }
      try server.add([
        "0002_words/words.update.csv": "id,term,was:term\n1,Dog,cat\n2,Cat,dog\n5,Hen,cow\n",
        "0002_words/words.delete.csv": "id,term\n4,hen\n",
      ])
      try server.migrator().up()
      #expect(try server.rows("SELECT id, term FROM words ORDER BY id") == c.rows)
      #expect(try server.migrator().conflicts().map(\.kind) == c.kinds)
    }
  }
}
