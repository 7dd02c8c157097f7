import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// `--each` over the schemas of a database, and over URLs, as a process.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Tenants on a server` {
  /// The app makes the tables. Its own role's search path leads to what tenants share.
  private static let catalog = [
    "catalog.json": #"{"engines": ["postgresql"], "tables": {"words": {"key": ["term"]}}}"#,
    "0001_words/schema.postgresql.sql": "CREATE TABLE words (term TEXT PRIMARY KEY, freq INT);\n",
    "0001_words/words.csv": "term,freq\ncat,1\ndog,2\n",
    "0002_june/words.update.csv": "term,freq,was:freq\ncat,10,1\n",
  ]

  private func withTenants(
    _ names: [String] = ["t1", "t2", "t3"], _ files: [String: String] = catalog,
    _ body: (Server) throws -> Void
  ) throws {
    try withServer(files) { server in
      for name in names { try server.makeTenant(name) }
      try body(server)
    }
  }

  @Test func `each has its own ledger, rows and conflicts`() throws {
    try withTenants { server in
      let first = try server.each("up", "--to", "1", "--schemas", "t?")
      #expect(first.code == 0, "\(first)")
      #expect(first.output.hasPrefix("3 databases: 3 brought up to date\n"), "\(first)")
      try server.session.execute("UPDATE t2.words SET freq = 7 WHERE term = 'cat'")
      let second = try server.each("up", "--schemas", "t?", "--no-backup", "--json")
      let document = try Server.document(second.output)
      #expect(document["changed"] as? Int == 3 && document["withConflicts"] as? Int == 1)
      #expect(
        try server.rows(
          """
          SELECT 1, freq FROM t1.words WHERE term = 'cat'
          UNION SELECT 2, freq FROM t2.words WHERE term = 'cat'
          UNION SELECT 3, freq FROM t3.words WHERE term = 'cat' ORDER BY 1
          """) == ["1|10", "2|7", "3|10"])
      let again = try server.each("up", "--schemas", "t?")
      #expect(again.output.hasPrefix("3 databases: 3 had nothing pending\n"), "\(again)")
      let conflicts = try server.each("conflicts", "--schemas", "t?")
      #expect(conflicts.output.contains("&schema=t2  1 conflict\n"), "\(conflicts)")
    }
  }

  @Test func `what others have in the search path is not theirs`() throws {
    try withTenants(["t1"]) { server in
      // Both are in the search path of each tenant.
      try server.session.executeAll(
        """
        CREATE TABLE words (term TEXT PRIMARY KEY, freq INT); CREATE SCHEMA t2;
        CREATE TABLE t2.other (a INT)
        """)
      try server.migrator().up()
      try server.session.execute("DELETE FROM words")
      let status = try server.each("status", "--schemas", "t1", "--json")
      #expect(status.output.contains(#""current":0"#), "\(status)")
      #expect(try server.each("up", "--schemas", "t1").code == 0)
      #expect(try server.rows("SELECT count(*) FROM t1.words") == ["2"])
      // Words of others do not count.
      try server.session.executeAll("DROP TABLE t1.words; DELETE FROM t1.seedbed_migrations")
      let without = try server.migrate("up", on: server.uri + "&schema=t1")
      #expect(without.code == 2 && without.output.contains("There is no table 'words'"))
      #expect(try server.rows("SELECT count(*) FROM words") == ["0"])
    }
  }

  @Test(arguments: [
    "DROP TABLE words", "ALTER TABLE IF EXISTS ONLY words ADD b INT", "TRUNCATE words",
    "UPDATE words SET freq = 0", "DELETE FROM words", "INSERT INTO words VALUES ('owl', 1)",
  ])
  func `SQL does not change what tenants share`(_ sql: String) throws {
    let files = [
      "catalog.json": #"{"engines": ["postgresql"]}"#,
      "0001_tags/up.postgresql.sql": "CREATE TEMPORARY TABLE t (a INT); INSERT INTO t VALUES (1);",
      "0002_more/up.postgresql.sql": sql + ";",
    ]
    try withTenants([], files) { server in
      try server.session.executeAll(
        """
        CREATE SCHEMA t1; CREATE TABLE words (term TEXT, freq INT);
        INSERT INTO words VALUES ('cat', 1)
        """
      )
      let up = try server.each("up", "--schemas", "t1", "--no-backup")
      #expect(up.code == 2, "\(up)")
      #expect(
        up.output.contains(
          "0002_more/up.postgresql.sql:1:1: The schema 't1' has no table 'words', and this would "
            + "change that of 'public'."), "\(up)")
      #expect(try server.rows("SELECT * FROM words") == ["cat|1"])
    }
  }

  @Test func `a URL may name the schema, for every verb`() throws {
    try withTenants(["t1", "a b"]) { server in
      // A ledger that the search path leads to, and a function that tenants share.
      try server.session.executeAll(
        """
        CREATE TABLE words (term TEXT PRIMARY KEY, freq INT);
        CREATE FUNCTION halved(n INT) RETURNS INT LANGUAGE sql AS 'SELECT n / 2';
        CREATE FUNCTION t1.halve() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN NEW.freq = halved(NEW.freq); RETURN NEW; END';
        CREATE TRIGGER halve BEFORE INSERT ON t1.words FOR EACH ROW EXECUTE FUNCTION t1.halve()
        """)
      try server.migrator().up()
      let (there, spaced) = (server.uri + "&schema=t1", server.uri + "&schema=a%20b")
      let up = try server.migrate("up", "--to", "1", on: there)
      #expect(up.code == 0 && up.output.contains("+2 added"), "\(up)")
      #expect(try server.rows("SELECT freq FROM t1.words WHERE term = 'dog'") == ["1"])
      try server.session.execute("UPDATE t1.words SET freq = 7 WHERE term = 'cat'")
      #expect(try server.migrate("up", "--no-backup", on: there).output.contains("1 conflict"))
      let reseed = try server.migrate("reseed", "words", "cat", "--no-backup", on: there)
      #expect(reseed.output.contains("~1 changed"), "\(reseed)")
      let status = try server.migrate("status", on: there)
      #expect(status.output.contains("?schema=t1 is at 2 of 2\n"), "\(status)")
      #expect(try server.migrate("up", on: spaced).code == 0)
      #expect(try server.rows("SELECT count(*) FROM \"a b\".words") == ["2"])
      let none = try server.migrate("status", on: server.uri + "&schema=none")
      #expect(none.code == 2 && none.output.contains("There is no schema 'none', or"), "\(none)")
    }
  }

  @Test func `a schema without the app's tables is passed over`() throws {
    try withTenants { server in
      try server.session.executeAll("CREATE SCHEMA t4; CREATE SCHEMA t5; CREATE TABLE t5.x (a INT)")
      // A run that failed leaves a ledger in which nothing was applied.
      #expect(try server.migrate("up", on: server.uri + "&schema=t4").code != 0)
      #expect(try server.rows("SELECT to_regclass('t4.seedbed_ledger') IS NULL") == ["0"])
      let all = try server.each("up", "--schemas", "t*")
      #expect(all.code == 0 && all.output.contains("3 databases: 3 brought up to date"), "\(all)")
      #expect(
        all.output.contains(
          "'--schemas' passes over 2 schemas without a table of the catalog.\n"), "\(all)")
      #expect(try server.rows("SELECT to_regclass('t5.seedbed_ledger') IS NULL") == ["1"])
      let json = try server.each("status", "--schemas", "t*", "--json", "--quiet")
      #expect(try Server.document(json.output)["schemasPassedOver"] as? Int == 2)
      let none = try server.each("up", "--schemas", "t[45]")
      #expect(
        none.code == 2
          && none.output.contains("'t[45]' only matches 2 schemas without a table of the catalog."),
        "\(none)")
    }
  }

  @Test func `releases that create tables fill an empty schema`() throws {
    let files = [
      "catalog.json": #"{"engines": ["postgresql"]}"#,
      "0001_words/up.postgresql.sql": "CREATE TABLE words (term TEXT PRIMARY KEY, freq INT);\n",
      "0001_words/words.csv": "term,freq\ncat,1\n",
    ]
    try withTenants([], files) { server in
      try server.session.executeAll("CREATE SCHEMA t1; CREATE SCHEMA t2")
      #expect(try server.each("up", "--schemas", "t*").code == 0)
      #expect(try server.rows("SELECT term FROM t1.words TABLESAMPLE SYSTEM (100)") == ["cat"])
      #expect(try server.rows("SELECT count(*) FROM t2.seedbed_migrations") == ["1"])
    }
  }

  // MARK: what is named

  @Test(arguments: [
    (["--schemas", "x*"], 2, "No schema of 'postgresql:///DB' matches 'x*'. Name them by a"),
    (["--schemas", "pg_*"], 2, "No schema of 'postgresql:///DB' matches 'pg_*'."),
    ([], 64, "A URL is one database. Name its schemas with '--schemas PATTERN', or"),
    (["--schemas", "t*", "--database", "x"], 64, "Name all databases with '--each', or one"),
    (["--schemas", "t*"], 64, "The name of the schema 't.9' has a dot in it"),
  ])
  func `a wrong line`(_ words: [String], _ code: Int32, _ says: String) throws {
    try withTenants(["t.9"]) { server in
      let found = try server.each(words: ["up"] + words)
      let name = server.uri.trimmingPrefix("postgresql:///").prefix { $0 != "?" }
      #expect(found.code == code, "\(found)")
      #expect(found.output.contains(says.replacing("DB", with: name)), "\(found)")
    }
  }

  @Test func `URLs come on stdin, to the program that knows servers`() throws {
    try withTenants { server in
      let urls = ["t1", "t2"].map { "\(server.uri)&options=-csearch_path%3D\($0)" }
      let up = try server.list(urls, "up", "--jobs", "1")
      #expect(up.code == 0 && up.output.hasPrefix("2 databases: 2 brought"), "\(up)")
      #expect(try server.rows("SELECT count(*) FROM t1.words, t2.words") == ["4"])
      let both = try server.list([server.uri], "status", "--schemas", "t*", "--except", "t2")
      #expect(both.output.contains("2 databases: 1 pending, 1 up to date"), "\(both)")
      let one = try server.list(urls, "status", "--except", "*t2")
      #expect(one.output.contains("'--except' leaves out none"), "\(one)")
      let whole = try server.list(urls, "status", "--except", "*/*t2")
      #expect(whole.output.contains("'--except' leaves out none"), "\(whole)")
      #expect(try server.list([], "status").output == "0 databases\n")
    }
  }

  @Test(arguments: [
    (["postgresql:///app", "app.sqlite"], "has URLs of servers and paths of files. Give them to"),
    (["mysql://me:Geheim@host/app"], "Line 1 on stdin is a URL, but not of a PostgreSQL server."),
    (
      ["postgresql://a/app?password=Geheim", "postgresql://a/app?password=Geheim2"],
      "Two lines on stdin name 'postgresql://a/app', without what may not be shown of them."
    ),
  ])
  func `a list with what cannot be`(_ lines: [String], _ says: String) throws {
    try withTenants([]) { server in
      let found = try server.list(lines, "status")
      #expect(found.code == 64 && found.output.contains(says), "\(found)")
      #expect(!found.output.contains("Geheim"), "\(found)")
    }
  }

  /// The server trusts everyone, so the password is of no use but may not be printed.
  @Test func `no password is printed`() throws {
    try withTenants { server in
      let host = server.uri.components(separatedBy: "host=")[1].components(separatedBy: "&")[0]
      let name = server.uri.trimmingPrefix("postgresql:///").prefix { $0 != "?" }
      let url = "postgresql://postgres:Ge%2Fheim@/\(name)?host=\(host)&sslpassword=Geheim"
      try server.session.executeAll("BEGIN; LOCK TABLE t1.words")
      let words = ["--migrations", server.path, "--keep-going", "--lock-timeout", "0.1"]
      for more in [[], ["--json"]] {
        let found = try Child.run(
          [Child.built("migrate"), "up", "--each", url, "--schemas", "t*"] + words + more)
        #expect(!found.output.contains("heim"), "\(found)")
        #expect(
          more.isEmpty
            || found.output.contains(
              "\"postgresql://postgres@/\(name)?host=\(host)&schema=t1\"")
        )
      }
    }
  }
}

extension Server {
  func makeTenant(_ name: String) throws {
    try session.executeAll(
      "CREATE SCHEMA \"\(name)\"; CREATE TABLE \"\(name)\".words (term TEXT PRIMARY KEY, freq INT)")
  }

  /// The document among what a command printed.
  static func document(_ output: String) throws -> [String: Any] {
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("{") }, "\(output)")
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(object as? [String: Any])
  }

  /// Runs the command, with `--each` for this database.
  func each(_ words: String...) throws -> (code: Int32, output: String) { try each(words: words) }

  func each(words: [String], on other: String? = nil) throws -> (code: Int32, output: String) {
    try Child.run(
      [Child.built("migrate")] + words + ["--each", other ?? uri, "--migrations", path])
  }

  /// Runs the command with a list of databases on stdin.
  func list(_ lines: [String], _ words: String...) throws -> (code: Int32, output: String) {
    try Child.run(
      [Child.built("migrate")] + words + ["--each", "-", "--migrations", path],
      input: Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}
