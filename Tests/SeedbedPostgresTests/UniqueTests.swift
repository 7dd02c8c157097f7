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
}
