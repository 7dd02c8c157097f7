import Seedbed
import SeedbedPostgres
import Testing

/// What an empty field is, by the types of PostgreSQL.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Empty fields on a server` {
  private static func files(_ empty: String, _ type: String) -> [String: String] {
    [
      "catalog.json": """
      {"engines": ["sqlite", "postgresql"], "tables": {"words": {"empty": "\(empty)"}}}
      """,
      "0001_words/up.sql": """
      CREATE TABLE words (
        id INTEGER PRIMARY KEY, a TEXT NOT NULL, b VARCHAR(9) NOT NULL, c TEXT, n INTEGER);
      """,
      "0001_words/up.postgresql.sql": """
      CREATE DOMAIN word AS text NOT NULL;
      CREATE TABLE words (
        id BIGINT PRIMARY KEY, a \(type), b varchar(9) NOT NULL, c text, n integer);
      """,
      "0001_words/words.csv": "id,a,b,c,n\n1,,,,\n2,x,y,z,3\n",
      "0002_words/words.update.csv": "id,a,was:a,b,was:b\n1,new,,,\n2,,x,,y\n",
    ]
  }

  @Test func `they are the empty text where the option says so`() throws {
    try withServer(Self.files("text", "word")) { server in
      try server.migrator().up()
      #expect(
        try server.rows(
          "SELECT id, a, b, (c IS NULL)::text, (n IS NULL)::text FROM words ORDER BY id")
          == ["1|new||true|true", "2|||false|false"])
      #expect(try server.migrator().conflicts().isEmpty)
    }
  }

  @Test func `without it the error names it`() throws {
    try withServer(Self.files("null", "text NOT NULL")) { server in
      let error = try #require(throws: SeedbedError.self) { try server.migrator().up() }
      #expect(error.description.hasPrefix("0001_words/words.csv:2: "), "\(error)")
      #expect(
        error.message.hasSuffix(
          "An empty field is NULL. For the empty text write \"\", or give the table the option "
            + "\"empty\": \"text\"."), "\(error)")
    }
  }
}
