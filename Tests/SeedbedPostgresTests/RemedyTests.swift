import Foundation
import Seedbed
import SeedbedAuthoring
import SeedbedPostgres
import TestSupport
import Testing

/// What is refused on a server, and whether what is advised works from start to end.
@Suite(.enabled(if: Cluster.isInstalled)) struct `A remedy on a server` {
  private static let files = [
    "0001_words/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, term TEXT);",
    "0001_words/up.postgresql.sql": "CREATE TABLE words (id INT PRIMARY KEY, term TEXT);",
    "0001_words/down.sql": "DROP TABLE words;",
    "0001_words/down.postgresql.sql": "DROP TABLE words;",
    "0001_words/words.csv": "id,term\n1,cat\n2,dog\n",
    "0002_june/words.update.csv": "id,term,was:term\n1,Cat,cat\n",
    "0002_june/words.csv": "id,term\n3,fox\n",
  ]

  // MARK: schemas

  private static let advice = """
    names a schema. The connection's search path says in which schema the tables are: use the \
    name 'words', and the URL postgresql://…?options=-csearch_path%3Dcontent.
    """

  @Test(arguments: ["0002_june/content.words.csv", "0002_june/migration.json"])
  func `is the search path for a table whose name has a schema`(_ path: String) throws {
    var files = Self.files
    files[path] =
      path.hasSuffix(".csv")
      ? "id,term\n4,owl\n" : #"{"tables": {"content.words": {"key": ["id"]}}}"#
    try withServer(files) { server in
      try server.session.execute("CREATE SCHEMA content")
      try server.session.execute("CREATE TABLE content.words (id INT PRIMARY KEY, term TEXT)")
      let error = #expect(throws: SeedbedError.self) { try server.migrator().up() }
      #expect(error?.message == "The table's name 'content.words' \(Self.advice)")
      #expect(error?.isDatabaseUnchanged == true)
      #expect(
        error?.place?.file == (path.hasSuffix(".csv") ? "0002_june/content.words.csv" : "0002_june")
      )
      #expect(try server.migrator().status().current == 0)
    }
  }

  @Test func `is the search path for a ledger whose name has a schema`() throws {
    try withServer(Self.files) { server in
      for call in [{ _ = try $0.up() }, { _ = try $0.status() }] as [(Migrator) throws -> Void] {
        let migrator = try server.migrator { $0.ledger = "content.words" }
        let error = #expect(throws: SeedbedError.self) { try call(migrator) }
        #expect(error?.message == "The ledger's name 'content.words' \(Self.advice)")
        #expect(error?.code == .usage)
      }
    }
  }

  @Test func `brings all tables into the schema of the search path`() throws {
    try withServer(Self.files) { server in
      try server.session.execute("CREATE SCHEMA content")
      let uri = server.uri + "&options=-csearch_path%3Dcontent"
      let migrator = try server.migrator(on: uri)
      #expect(try migrator.status().state == .pending)
      #expect(try migrator.up(to: 1).to == 1)
      try server.session.execute("UPDATE content.words SET term = 'mine' WHERE id = 1")
      #expect(try migrator.up().migrations.map(\.conflictCount) == [1])
      #expect(try migrator.conflicts().map(\.table) == ["words"])
      #expect(try migrator.status().state == .upToDate)
      #expect(try migrator.up().outcome == .upToDate)
      let all = "SELECT * FROM content.words ORDER BY id"
      #expect(try server.rows(all) == ["1|mine", "2|dog", "3|fox"])
      #expect(try migrator.down(to: 1).to == 1)
      #expect(try server.rows(all) == ["1|mine", "2|dog"])
      #expect(try migrator.up().to == 2)
      // These two play the catalog on a scratch database, where the path must lead somewhere, too.
      #expect(try migrator.reseed("words", keys: ["1"]).counts.updated == 1)
      let catalog = try Catalog(directory: server.path)
      let engine = PostgresServer(uri, ledger: "seedbed")
      #expect(try ServerTrial.run(catalog, on: engine, Migrator.Options()) == nil)
      #expect(
        try server.rows(
          """
          SELECT schemaname, count(*) FROM pg_tables
          WHERE schemaname !~ '^pg_' AND schemaname <> 'information_schema' GROUP BY 1
          """) == ["content|7"])
      #expect(try server.rows("SELECT count(*) FROM content.seedbed_migrations") == ["2"])
    }
  }

  @Test func `is a schema if the search path names none that exists`() throws {
    try withServer(Self.files) { server in
      let nowhere = server.uri + "&options=-csearch_path%3Dcontent"
      for verb in ["up", "status", "plan", "conflicts", "verify", "down", "baseline"] {
        let words = ["down": ["--to", "0"], "baseline": ["1"]][verb] ?? []
        let refused = try Child.run(
          [Child.built("migrate"), verb, "--migrations", server.path]
            + ["--database", nowhere] + words)
        #expect(
          refused.output.hasPrefix("The connection's search path names no schema that exists, "),
          "\(verb): \(refused)")
        #expect(refused.code == 2)
      }
      try server.session.execute("CREATE SCHEMA content")
      #expect(try server.migrate("up", on: nowhere).code == 0)
    }
  }

  // MARK: triggers

  /// What passes a row over, what is said of it, and the same as it is advised.
  private static let silences:
    [(made: String, told: String, advised: @Sendable (Substring) -> String)] = [
      (
        """
        CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
        CREATE TRIGGER keep BEFORE UPDATE ON words FOR EACH ROW EXECUTE FUNCTION keep();
        """,
        "The trigger 'keep' of the table 'words' ignored this row without an error (RETURN NULL). "
          + "Let it pass while Seedbed applies: begin its function with ",
        {
          "CREATE OR REPLACE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS "
            + "$$ BEGIN \($0) RETURN NULL; END $$"
        }
      ),
      (
        "CREATE RULE keep AS ON UPDATE TO words DO INSTEAD NOTHING",
        "The rule 'keep' of the table 'words' ignored this row without an error (DO INSTEAD). "
          + "Let it pass while Seedbed applies: write ",
        {
          let condition = $0.replacing(" before its DO INSTEAD.", with: "")
          return "CREATE OR REPLACE RULE keep AS ON UPDATE TO words \(condition) DO INSTEAD NOTHING"
        }
      ),
    ]

  @Test(arguments: silences.indices)
  func `is PostgreSQL's own for what passes rows over`(_ index: Int) throws {
    let silence = Self.silences[index]
    try withServer(Self.files) { server in
      try server.migrator().up(to: 1)
      try server.session.executeAll(silence.made)
      let error = #expect(throws: SeedbedError.self) { try server.migrator().up() }
      let message = error?.message ?? ""
      #expect(message.hasPrefix(silence.told), "\(message)")
      #expect(error?.place?.description == "0002_june/words.update.csv:2")
      try server.session.execute(silence.advised(message.dropFirst(silence.told.count)))
      #expect(try server.migrator().up().to == 2)
      try server.session.execute("UPDATE words SET term = 'mine'")
      #expect(try server.rows("SELECT term FROM words ORDER BY id") == ["Cat", "dog", "fox"])
    }
  }

  @Test func `names the rule that keeps a disposable row`() throws {
    let notes = "CREATE TABLE notes (id INT PRIMARY KEY, word INT REFERENCES words);"
    let files = Self.files.merging([
      "catalog.json": """
      {"engines": ["sqlite", "postgresql"], "tables": {"words": {"disposable": ["notes"]}}}
      """,
      "0001_words/up.sql": Self.files["0001_words/up.sql"]! + notes,
      "0001_words/up.postgresql.sql": Self.files["0001_words/up.postgresql.sql"]! + notes,
      "0003_less/words.delete.csv": "id,term\n2,dog\n",
    ]) { $1 }
    try withServer(files) { server in
      try server.migrator().up(to: 2)
      try server.session.executeAll(
        """
        INSERT INTO notes VALUES (1, 2);
        CREATE RULE keep AS ON DELETE TO notes DO INSTEAD NOTHING;
        """)
      let error = #expect(throws: SeedbedError.self) { try server.migrator().up() }
      #expect(error?.message.contains(": a rule silently keeps them (DO INSTEAD).") == true)
    }
  }

  // MARK: verbs

  private func migrate(
    _ server: Server, _ words: String..., backup: String = ""
  ) throws -> (code: Int32, output: String) {
    try Child.run(
      ["/usr/bin/env", "MIGRATE_BACKUP_COMMAND=\(backup)", Child.built("migrate")] + words
        + ["--migrations", server.path, "--database", server.uri])
  }

  @Test func `is the server's own tools for restore, and backups lists what they made`() throws {
    try withServer(Self.files) { server in
      _ = try CatalogLock.write(directory: server.path)
      #expect(try migrate(server, "backups").output == "No backups.\n")
      try server.migrator().up(to: 1)
      let backup = "echo saved > \(server.path)/copy"
      #expect(try migrate(server, "up", backup: backup).code == 0)
      let listed = try migrate(server, "backups")
      #expect(listed.output.contains(#/ 1  \d{4}-\d\d-\d\dT.*Z  echo saved > .*\n1 backup\n/#))
      let json = try migrate(server, "backups", "--json")
      #expect(json.output.contains(#""backups":[{"command":"echo saved > "#), "\(json)")
      let refused = try migrate(server, "restore")
      #expect(refused.code == 64 && refused.output.contains("such as pg_restore or psql;"))
    }
  }

  @Test(arguments: [("exit 3", "exit code 3"), ("kill -9 $$", "signal 9")])
  func `has how the backup command ended`(_ command: String, _ how: String) throws {
    try withServer(Self.files) { server in
      try server.migrator().up(to: 1)
      let failed = try migrate(server, "up", backup: command)
      #expect(failed.code == 6 && failed.output.contains("failed (\(how)), so"), "\(failed)")
    }
  }

  @Test func `is no command of blanks, and no restore of ours`() throws {
    try withServer(Self.files) { server in
      try server.migrator().up(to: 1)
      let blank = try migrate(server, "up", backup: "  \t")
      #expect(blank.code == 6 && blank.output.contains("names no command"), "\(blank)")
      try server.session.execute("DROP TABLE words CASCADE")
      let gone = try migrate(server, "up", "--no-backup")
      #expect(gone.output.contains("restore a backup that has it"), "\(gone)")
      #expect(!gone.output.contains("migrate restore"), "\(gone)")
    }
  }

  @Test func `names the command as it was called`() throws {
    try withServer(Self.files) { server in
      let name = server.path + "/seedbed"
      #expect(symlink(Child.built("migrate"), name) == 0)
      defer { unlink(name) }
      try server.migrator().up(to: 1)
      try server.session.execute("UPDATE words SET term = 'mine' WHERE id = 1")
      let up = try Child.run([
        name, "up", "--no-backup", "--migrations", server.path, "--database", server.uri,
      ])
      #expect(up.code == 0 && up.output.contains("seedbed conflicts"), "\(up)")
    }
  }

  @Test func `is not that of a failed backup if the backup was interrupted`() throws {
    try withServer(Self.files) { server in
      try server.migrator().up(to: 1)
      let stopped = try migrate(server, "up", backup: "kill -INT $PPID; sleep 1; exit 1")
      #expect(stopped.code == 130 && stopped.output.contains("Interrupted."), "\(stopped)")
      #expect(try server.migrator().status().current == 1)
    }
  }

  @Test func `is not needed after an interrupt`() throws {
    var files = Self.files
    files["0001_words/after.sql"] = "-- none"
    files["0001_words/after.postgresql.sql"] = "SELECT pg_sleep(600);"
    try withServer(files) { server in
      let child = try Child([
        Child.built("migrate"), "up", "--migrations", server.path, "--database", server.uri,
      ])
      let others = """
        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
          AND pid <> pg_backend_pid() AND backend_type = 'client backend'
        """
      let sleeping = others + " AND query LIKE 'SELECT pg_sleep%' AND state = 'active'"
      for _ in 0..<600 where try server.rows(sleeping) == ["0"] { usleep(50_000) }
      child.send(SIGINT)
      #expect(child.wait() == 130)
      for _ in 0..<100 where try server.rows(others) != ["0"] { usleep(10_000) }
      #expect(try server.rows(others) == ["0"])
      #expect(try server.rows("SELECT outcome FROM seedbed_runs") == ["cancelled"])
      #expect(try server.rows("SELECT to_regclass('words') IS NULL") == ["1"])
    }
  }
}
