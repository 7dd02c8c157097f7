import Foundation
import Seedbed
import TestSupport
import Testing

@testable import SeedbedPostgres

/// A run waits for another that writes to the same ledger, and for no other.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Runs on a server take turns` {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    /// The search path and the ledger's prefix of the run that is there first.
    var first = ("a", "seedbed")
    var second: (String, String)
    /// The schemas that have a ledger.
    var ledgers: [String] = []
    var waits: Bool
  }

  private static let cases = [
    Case(testDescription: "two schemas", second: ("b", "seedbed"), waits: false),
    Case(
      testDescription: "two schemas with ledgers", second: ("b", "seedbed"), ledgers: ["a", "b"],
      waits: false),
    Case(testDescription: "one schema, no ledger yet", second: ("a", "seedbed"), waits: true),
    Case(testDescription: "another prefix", second: ("a", "other"), waits: false),
    Case(testDescription: "a prefix in capitals", second: ("a", "SeedBed"), waits: true),
    Case(testDescription: "a second schema behind it", second: ("a,b", "seedbed"), waits: true),
    Case(testDescription: "a schema that is not there", second: ("c,a", "seedbed"), waits: true),
    Case(
      testDescription: "a ledger in the second schema of the path", second: ("b,a", "seedbed"),
      ledgers: ["a"], waits: true),
    Case(
      testDescription: "a ledger in each schema of the path", second: ("b,a", "seedbed"),
      ledgers: ["a", "b"], waits: false),
  ]

  private static func path(_ uri: String, _ path: String) -> String {
    uri + "&options=-csearch_path%3D" + path
  }

  @Test(arguments: cases) func `by the ledger that their search paths find:`(_ example: Case) throws
  {
    try withDatabase { uri in
      let owner = try PostgresSession(uri)
      try owner.executeAll("CREATE SCHEMA a; CREATE SCHEMA b")
      for schema in example.ledgers {
        try owner.execute("CREATE TABLE \(schema).seedbed_ledger (format bigint)")
      }
      let first = try PostgresSession(
        Self.path(uri, example.first.0), ledger: example.first.1)
      try first.beginImmediate()
      let second = try PostgresSession(
        Self.path(uri, example.second.0), lockTimeoutSeconds: 0.2, ledger: example.second.1)
      guard example.waits else { return try second.beginImmediate() }
      let failure = try #require(throws: PostgresFailure.self) { try second.beginImmediate() }
      #expect(failure.isBusy)
      first.rollBack()
      try second.beginImmediate()
    }
  }

  @Test func `and by a ledger that was made while one waited`() throws {
    try withDatabase { uri in
      let owner = try PostgresSession(uri)
      try owner.executeAll("CREATE SCHEMA a; CREATE SCHEMA b")
      let first = try PostgresSession(Self.path(uri, "a"))
      try first.beginImmediate()
      let second = try PostgresSession(Self.path(uri, "a,b"))
      let other = try PostgresSession(Self.path(uri, "b"), lockTimeoutSeconds: 0.2)
      var waits = 0
      second.whileWaiting {
        waits += 1
        if waits != 5 { return }
        try? owner.execute("CREATE TABLE b.seedbed_ledger (format bigint)")
        first.rollBack()
      }
      try second.beginImmediate()
      #expect(waits >= 5)
      #expect(throws: PostgresFailure.self) { try other.beginImmediate() }
    }
  }

  private static let files = [
    "0001_a/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);",
    "0001_a/up.postgresql.sql": "CREATE TABLE t (id int PRIMARY KEY, a text);",
    "0001_a/t.csv": "id,a\n1,x\n", "0002_b/t.update.csv": "id,a,was:a\n1,y,x\n",
    "0002_b/after.sql": "SELECT 1;", "0002_b/after.postgresql.sql": "SELECT pg_sleep(3);",
  ]

  private func start(_ server: Server, on uri: String, _ words: String...) throws -> Child {
    try Child(
      [Child.built("migrate"), "up", "--no-backup", "--quiet", "--migrations", server.path]
        + ["--database", uri] + words)
  }

  /// Waits until a run sleeps in its SQL.
  private func waitForSleep(_ server: Server) throws {
    for _ in 0..<200 {
      let sleeping = try server.session.value(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' "
          + "AND datname = current_database()")
      if sleeping == 1 { return }
      usleep(50_000)
    }
    Issue.record("No run began to sleep.")
  }

  @Test func `so one tenant's release does not hold up another's`() throws {
    try withServer(Self.files) { server in
      let tenants = ["one", "two"].map { Self.path(server.uri, $0) }
      for (tenant, schema) in zip(tenants, ["one", "two"]) {
        try server.session.execute("CREATE SCHEMA \(schema)")
        #expect(try server.migrate("up", "--to", "1", on: tenant).code == 0)
      }
      let first = try start(server, on: tenants[0])
      try waitForSleep(server)
      let second = try start(server, on: tenants[1], "--lock-timeout", "1")
      #expect(second.wait() == 0)
      #expect(first.wait() == 0)
      #expect(try server.rows("SELECT a FROM one.t UNION ALL SELECT a FROM two.t") == ["y", "y"])
    }
  }

  @Test(arguments: ["repeatable read", "serializable"])
  func `and one that waited finds the work done, whatever the default isolation:`(
    _ isolation: String
  ) throws {
    try withServer(Self.files) { server in
      #expect(try server.migrate("up", "--to", "1").code == 0)
      let database = try #require(server.session.value("SELECT current_database()")?.text)
      try server.session.execute(
        "ALTER DATABASE \(database) SET default_transaction_isolation = '\(isolation)'")
      let first = try start(server, on: server.uri)
      try waitForSleep(server)
      let second = try server.migrate("up", "--no-backup", "--lock-timeout", "20")
      #expect(first.wait() == 0)
      #expect(second.code == 0, "\(second)")
      #expect(second.output.contains("at 2"), "\(second)")
      #expect(try server.rows("SELECT id, a FROM t") == ["1|y"])
    }
  }
}
