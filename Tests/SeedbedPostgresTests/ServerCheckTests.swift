import Foundation
import Seedbed
import Testing

@testable import SeedbedPostgres

@Suite(.enabled(if: Cluster.isInstalled)) struct `The check of a server` {
  private static func missing(
    _ uri: String, _ tables: [String] = []
  ) throws -> [EngineNeed] {
    try needs(uri, tables).filter { !$0.isMet }
  }

  private static func needs(_ uri: String, _ tables: [String] = []) throws -> [EngineNeed] {
    try PostgresServer(uri, ledger: "seedbed").needs(of: tables, Migrator.Options())
  }

  @Test func `misses nothing on a server of one's own, and leaves nothing there`() throws {
    try withServer(["0001_a/a.csv": "i\n1\n", "0001_a/up.postgresql.sql": Self.table]) { server in
      let before = try Self.needs(server.uri, ["a"])
      #expect(before.filter { !$0.isMet } == [])
      #expect(before.map(\.name).contains("new tables"))
      #expect(try server.rows("SELECT relname FROM pg_class WHERE relname ~ 'seedbed'") == [])
      try server.add(["0001_a/up.sql": "CREATE TABLE a (i INTEGER PRIMARY KEY);"])
      try server.migrator().up()
      let after = try Self.needs(server.uri, ["a"])
      #expect(after.filter { !$0.isMet } == [])
      #expect(after.map(\.name).contains("rows of a"))
      #expect(after.map(\.name).contains("rows of seedbed_migrations"))
      #expect(!after.map(\.name).contains("new tables"))
    }
  }

  @Test func `finds no pooler before a schema of its own`() throws {
    try withDatabase { uri in
      try PostgresSession(uri).execute("CREATE SCHEMA tenant")
      let needs = try PostgresServer(uri, ledger: "seedbed", schema: "tenant")
        .needs(of: [], Migrator.Options())
      #expect(needs.filter { !$0.isMet } == [])
    }
  }

  private static let table = "CREATE TABLE a (i serial PRIMARY KEY)"

  /// Connects as a role that may nothing, and does what the remedies say until nothing is missing.
  @Test func `names each privilege that is missing, and the GRANT that gives it`() throws {
    try withDatabase { uri in
      let owner = try PostgresSession(uri)
      let role = "checked_\(getpid())"
      let database = try owner.value("SELECT current_database()")?.text ?? ""
      try owner.executeAll(
        """
        CREATE ROLE \(role) LOGIN; \(Self.table);
        REVOKE ALL ON SCHEMA public FROM PUBLIC; GRANT USAGE ON SCHEMA public TO \(role);
        REVOKE TEMPORARY ON DATABASE \(database) FROM PUBLIC; GRANT SELECT ON a TO \(role)
        """)
      defer {
        // Another test may make a role of this name.
        try? owner.executeAll("DROP OWNED BY \(role); DROP ROLE \(role)")
      }
      let guest = uri.replacingOccurrences(of: "user=postgres", with: "user=\(role)")
      let missing = try Self.missing(guest, ["a"])
      #expect(
        missing.first { $0.name == "rows of a" }
          == EngineNeed(
            "rows of a", found: "no INSERT, UPDATE, DELETE",
            remedy: "Grant it: GRANT INSERT, UPDATE, DELETE ON \"a\" TO \"\(role)\"."))
      #expect(
        missing.map(\.name) == ["temporary tables", "new tables", "rows of a"])
      for _ in 1...3 {
        for remedy in try Self.missing(guest, ["a"]).compactMap(\.remedy) {
          guard let grant = remedy.split(separator: ": ", maxSplits: 1).last else { continue }
          try owner.execute(String(grant.dropLast()))
        }
      }
      #expect(try Self.missing(guest, ["a"]) == [])
    }
  }

  @Test func `asks for nothing more than a run needs`() throws {
    let files = [
      "0001_a/up.sql": "CREATE TABLE a (i INTEGER PRIMARY KEY, t TEXT);",
      "0001_a/up.postgresql.sql": "CREATE TABLE a (i int PRIMARY KEY, t text);",
      "0001_a/a.csv": "i,t\n1,x\n2,y\n", "0002_b/a.update.csv": "i,t,was:t\n1,X,x\n",
    ]
    try withServer(files) { server in
      let role = "plain_\(getpid())"
      try server.migrator().up(to: 1)
      try server.session.executeAll(
        """
        CREATE ROLE \(role) LOGIN;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role);
        UPDATE a SET t = 'mine' WHERE i = 1;
        """)
      defer { try? server.session.executeAll("DROP OWNED BY \(role); DROP ROLE \(role)") }
      let guest = server.uri.replacingOccurrences(of: "user=postgres", with: "user=\(role)")
      #expect(try Self.missing(guest, ["a"]) == [])
      #expect(try server.migrator(on: guest).up().migrations.map(\.conflictCount) == [1])
      #expect(try server.migrator(on: guest).down(to: 1).to == 1)
    }
  }

  @Test func `sees policies that hide rows`() throws {
    try withDatabase { uri in
      let owner = try PostgresSession(uri)
      let role = "hidden_\(getpid())"
      try owner.executeAll(
        """
        CREATE ROLE \(role) LOGIN; \(Self.table); GRANT ALL ON a TO \(role);
        GRANT ALL ON SEQUENCE a_i_seq TO \(role); GRANT CREATE ON SCHEMA public TO \(role);
        ALTER TABLE a ENABLE ROW LEVEL SECURITY
        """)
      defer { try? owner.executeAll("DROP OWNED BY \(role); DROP ROLE \(role)") }
      let guest = uri.replacingOccurrences(of: "user=postgres", with: "user=\(role)")
      #expect(try Self.missing(guest, ["a"]).map(\.found) == ["policies may hide some"])
      #expect(try Self.missing(uri, ["a"]) == [])
    }
  }

  @Test func `sees a server that takes no writes`() throws {
    try withDatabase { uri in
      let missing = try Self.missing(uri + "&options=-cdefault_transaction_read_only%3Don")
      #expect(missing.first?.found == "transactions are read-only")
      #expect(missing.first?.remedy == "Connect as a user who may write.")
    }
  }

  @Test func `sees a standby`() throws {
    let cluster = try Cluster(try #require(Cluster.programs), isStandby: true)
    defer { cluster.stop() }
    let missing = try Self.missing(cluster.uri("postgres"))
    #expect(missing.first?.found == "a standby takes none")
    #expect(missing.first?.remedy?.contains("target_session_attrs=read-write") == true)
  }

  @Test func `says that a run holds the lock, which is no fault`() throws {
    try withDatabase { uri in
      let run = try PostgresSession(uri)
      try run.beginImmediate()
      let lock = try Self.needs(uri).first { $0.name == "advisory locks" }
      #expect(lock == EngineNeed("advisory locks", found: "a run holds it now"))
    }
  }

  /// In another database nobody waits for this one's locks.
  @Test func `sees locks that nobody waits for`() throws {
    let cluster = try #require(Cluster.shared)
    try withDatabase { uri in
      let check = try ServerCheck(session: PostgresSession(uri)) {
        try PostgresSession(cluster.uri("postgres"))
      }
      #expect(
        try check.turns() == [
          EngineNeed(
            "advisory locks", found: "two connections hold one at once",
            remedy: "Connect to a PostgreSQL server, which has this.")
        ])
    }
  }

  @Test(arguments: [("READ COMMITTED", true), ("REPEATABLE READ", false), ("SERIALIZABLE", false)])
  func `sees a run that reads what was there before it waited`(
    isolation: String, isMet: Bool
  ) throws {
    try withDatabase { uri in
      let check = try ServerCheck(session: PostgresSession(uri)) { try PostgresSession(uri) }
      let need = try check.readCommitted(PostgresSession(uri), isolation: isolation)
      #expect(need.isMet == isMet, "\(need)")
    }
  }

  @Test func `asks for a second connection`() throws {
    try withDatabase { uri in
      let owner = try PostgresSession(uri)
      let role = "single_\(getpid())"
      try owner.executeAll(
        """
        CREATE ROLE \(role) LOGIN CONNECTION LIMIT 1; GRANT ALL ON SCHEMA public TO \(role)
        """)
      defer { try? owner.executeAll("DROP OWNED BY \(role); DROP ROLE \(role)") }
      let guest = uri.replacingOccurrences(of: "user=postgres", with: "user=\(role)")
      let missing = try Self.missing(guest)
      #expect(missing.map(\.remedy) == ["Allow the role a second connection."])
      #expect(missing.first?.found.hasPrefix("not tried: Cannot connect to PostgreSQL: ") == true)
    }
  }

  @Test func `names the tables that a subscription feeds`() throws {
    try withDatabase { uri in
      let cluster = try #require(Cluster.shared)
      let publisher = try cluster.newDatabase()
      let tables = """
        CREATE TABLE a (i int PRIMARY KEY); CREATE TABLE b (i int PRIMARY KEY);
        CREATE TABLE parted (i int PRIMARY KEY) PARTITION BY RANGE (i);
        CREATE TABLE low PARTITION OF parted FOR VALUES FROM (0) TO (9);
        """
      try PostgresSession(publisher).executeAll(
        tables + "CREATE PUBLICATION p FOR TABLE a, low")
      let owner = try PostgresSession(uri)
      try owner.executeAll(tables)
      let source = "host=\(cluster.folder) user=postgres dbname=" + Self.name(of: publisher)
      let subscription = "S \(getpid())"
      try owner.execute(
        """
        CREATE SUBSCRIPTION "\(subscription)" CONNECTION '\(source)' PUBLICATION p
        WITH (create_slot = false, enabled = false, copy_data = false)
        """)
      defer {
        try? owner.executeAll(
          """
          ALTER SUBSCRIPTION "\(subscription)" SET (slot_name = NONE);
          DROP SUBSCRIPTION "\(subscription)"
          """)
      }
      let missing = try Self.missing(uri, ["a", "b", "parted"])
      #expect(missing.map(\.name) == ["rows of a", "rows of parted"])
      #expect(
        missing.first
          == EngineNeed(
            "rows of a", found: "fed by the subscription \"\(subscription)\"",
            remedy: "Apply releases on the publisher alone, and publish the ledger's tables, too."))
      // Everybody may see that.
      let role = "reader_\(getpid())"
      try owner.executeAll("CREATE ROLE \(role) LOGIN; GRANT ALL ON a TO \(role)")
      defer { try? owner.executeAll("DROP OWNED BY \(role); DROP ROLE \(role)") }
      let guest = uri.replacingOccurrences(of: "user=postgres", with: "user=\(role)")
      #expect(try Self.missing(guest, ["a"]).contains { $0.name == "rows of a" })
      #expect(try Self.missing(publisher, ["a", "b", "parted"]) == [])
    }
  }

  private static func name(of uri: String) -> String {
    String(uri.trimmingPrefix("postgresql:///").prefix { $0 != "?" })
  }

  @Test(.enabled(if: Pooler.isInstalled), arguments: ["session", "transaction", "statement"])
  func `sees a pooler that scatters transactions`(mode: String) throws {
    try withDatabase { uri in
      let pooler = try Pooler(mode: mode)
      let missing = try Self.missing(pooler.uri(uri))
      #expect(
        missing.map(\.name) == (mode == "statement" ? ["one connection for a transaction"] : []))
    }
  }
}
