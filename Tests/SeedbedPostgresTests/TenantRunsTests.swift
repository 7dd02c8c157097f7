import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// How a run over the schemas of a database goes, and what it leaves to the next schema.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Runs over tenants` {
  private static let catalog = [
    "catalog.json": #"{"engines": ["postgresql"], "tables": {"words": {"key": ["term"]}}}"#,
    "0001_words/words.csv": "term,freq\ncat,1\ndog,2\n",
  ]

  private func withTenants(
    _ count: Int, _ files: [String: String] = [:], _ body: (Server) throws -> Void
  ) throws {
    try withServer(Self.catalog.merging(files) { $1 }) { server in
      for number in 1...count { try server.makeTenant("t\(number)") }
      try body(server)
    }
  }

  // MARK: connections

  /// > sessions: Total number of sessions established to this database (pg_stat_database)
  private func sessions(_ server: Server) throws -> Int {
    usleep(100_000)
    return try #require(
      Int(
        server.rows(
          """
          SELECT sessions FROM pg_stat_database WHERE datname = current_database()
            AND pg_stat_clear_snapshot() IS NOT NULL
          """)[0]))
  }

  @Test func `one connection serves them one after the other`() throws {
    try withTenants(20) { server in
      let before = try sessions(server)
      #expect(try server.each("up", "--schemas", "t*", "--jobs", "1").code == 0)
      // One reads the schemas.
      #expect(try sessions(server) - before == 2)
    }
  }

  /// What a release could leave to the connection, however it does that.
  private static let leftovers = """
    DO $$ BEGIN
      ASSERT current_user = 'tenant_role', current_user;
      ASSERT current_setting('seedbed.test', true) IS DISTINCT FROM 'left';
      ASSERT to_regclass('pg_temp.left_over') IS NULL;
      PERFORM set_config('search_path', 'nowhere', false), set_config('role', 'none', false),
        set_config('seedbed.test', 'left', false), pg_advisory_lock(7);
      CREATE TEMPORARY TABLE left_over (a INT);
    END $$;
    """

  @Test func `a connection is clean for the next one`() throws {
    try withTenants(
      3, ["0001_words/after.postgresql.sql": Self.leftovers]
    ) { server in
      try server.session.executeAll(
        """
        CREATE ROLE tenant_role; GRANT ALL ON DATABASE \(server.databaseName) TO tenant_role;
        GRANT ALL ON SCHEMA t1, t2, t3 TO tenant_role;
        ALTER TABLE t1.words OWNER TO tenant_role; ALTER TABLE t2.words OWNER TO tenant_role;
        ALTER TABLE t3.words OWNER TO tenant_role
        """)
      let url = server.uri + "&options=-crole%3Dtenant_role"
      let up = try server.each(words: ["up", "--schemas", "t*", "--jobs", "1"], on: url)
      #expect(up.code == 0 && up.output.hasPrefix("3 databases: 3 brought"), "\(up)")
      #expect(
        try server.rows(
          """
          SELECT DISTINCT tableowner FROM pg_tables WHERE tablename = 'seedbed_ledger'
          """) == ["tenant_role"])
    }
  }

  @Test func `two calls at once share the work`() throws {
    try withTenants(12) { server in
      let words = ["up", "--each", server.uri, "--schemas", "t*", "--jobs", "2", "--json"]
      let paths = ["first", "second"].map { "\(server.path)/\($0)" }
      let children = try paths.map { path in
        try Child(
          [Child.built("migrate")] + words + ["--migrations", server.path],
          output: .file(path))
      }
      #expect(children.map { $0.wait() } == [0, 0])
      let changed = try paths.map { path in
        try Server.document(String(contentsOfFile: path, encoding: .utf8))["changed"] as? Int ?? 0
      }
      #expect(changed.reduce(0, +) == 12, "\(changed)")
      #expect(
        try server.rows("SELECT count(*) FROM t12.words, t1.seedbed_migrations") == ["2"])
    }
  }

  // MARK: failures

  @Test func `a tenant that is locked holds up none but itself`() throws {
    try withTenants(4) { server in
      try server.session.executeAll("BEGIN; LOCK TABLE t1.words")
      let up = try server.each(
        "up", "--schemas", "t*", "--jobs", "2", "--lock-timeout", "1", "--keep-going", "--json")
      let document = try Server.document(up.output)
      #expect(up.code == 4 && document["changed"] as? Int == 3, "\(up)")
      let failures = try #require(document["failures"] as? [[String: Any]])
      #expect(failures.map { ($0["error"] as? [String: Any])?["code"] as? String } == ["busy"])
      try server.session.execute("ROLLBACK")
      let again = try server.each("up", "--schemas", "t*")
      #expect(again.output.contains("1 brought up to date, 3 had nothing pending"), "\(again)")
    }
  }

  @Test func `a failure ends it, and a canary's failure before the others`() throws {
    try withTenants(6) { server in
      #expect(try server.each("up", "--schemas", "t*").code == 0)
      try server.add(["0002_june/words.csv": "term,freq\nowl,3\n"])
      try server.session.execute("ALTER TABLE t4.words ADD CHECK (freq < 3)")
      let stopped = try server.each("up", "--schemas", "t*", "--jobs", "1", "--no-backup")
      #expect(stopped.code == 2, "\(stopped)")
      #expect(
        stopped.output.contains("6 databases: 3 brought up to date, 1 failed, 2 left as they were"),
        "\(stopped)")
      // Its last run failed, so it is a canary.
      let canary = try server.each(
        "up", "--schemas", "t*", "--canary", "1", "--keep-going", "--no-backup")
      #expect(canary.output.contains("6 databases: 1 failed, 5 left as they were"), "\(canary)")
      let status = try server.each("status", "--schemas", "t*")
      #expect(status.output.contains("1 pending after a run that failed"), "\(status)")
      let line = "&schema=t4  is at 1 of 2, pending. The last run, of"
      #expect(status.output.contains(line), "\(status)")
    }
  }

  @Test func `a schema that the role may not use fails, and nothing goes to another`() throws {
    try withTenants(2) { server in
      try server.session.executeAll(
        """
        CREATE TABLE words (term TEXT PRIMARY KEY, freq INT); CREATE ROLE stranger LOGIN;
        GRANT ALL ON SCHEMA public, t1 TO stranger; GRANT ALL ON words, t1.words TO stranger
        """)
      let url = server.uri.replacing("user=postgres", with: "user=stranger")
      let up = try server.each(words: ["up", "--schemas", "t*", "--keep-going"], on: url)
      #expect(up.code == 2 && up.output.contains("1 brought up to date, 1 failed"), "\(up)")
      #expect(up.output.contains("There is no schema 't2', or this role may not use it."), "\(up)")
      #expect(try server.rows("SELECT count(*) FROM public.words") == ["0"])
    }
  }

  // MARK: interrupts and backups

  @Test func `an interrupt leaves the others as they were`() throws {
    try withTenants(4) { server in
      try server.session.executeAll("BEGIN; LOCK TABLE t2.words")
      let path = server.path + "/said"
      let child = try Child(
        [
          Child.built("migrate"), "up", "--each", server.uri, "--schemas", "t*", "--jobs", "1",
          "--lock-timeout", "60", "--json", "--migrations", server.path,
        ], output: .file(path))
      let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
      for _ in 0..<600 where try server.rows(waiting) == ["0"] { usleep(20_000) }
      child.send(SIGINT)
      #expect(child.wait() == 130)
      let document = try Server.document(String(contentsOfFile: path, encoding: .utf8))
      #expect(document["changed"] as? Int == 1 && document["left"] as? Int == 3, "\(document)")
    }
  }

  @Test func `a backup's command knows what it shall back up`() throws {
    try withTenants(2) { server in
      #expect(try server.each("up", "--schemas", "t*").code == 0)
      try server.add(["0002_june/words.csv": "term,freq\nowl,3\n"])
      let log = server.path + "/log"
      let command = "echo \"$MIGRATE_SCHEMA\" >>'\(log)'; [ $MIGRATE_SCHEMA = t1 ]"
      let up = try Child.run(
        [
          "/usr/bin/env", "MIGRATE_BACKUP_COMMAND=\(command)", Child.built("migrate"), "up",
          "--each", server.uri, "--schemas", "t*", "--jobs", "1", "--migrations",
          server.path,
        ])
      #expect(up.code == 6 && up.output.contains("1 brought up to date, 1 failed"), "\(up)")
      #expect(try String(contentsOfFile: log, encoding: .utf8) == "t1\nt2\n")
      let backups = try server.each("backups", "--schemas", "t*")
      #expect(backups.output.contains("1 with backups, 1 without backups"), "\(backups)")
      #expect(backups.output.contains("&schema=t1  1 backup, of 1\n"), "\(backups)")
    }
  }
}

extension Server {
  fileprivate var databaseName: Substring {
    uri.trimmingPrefix("postgresql:///").prefix { $0 != "?" }
  }
}
