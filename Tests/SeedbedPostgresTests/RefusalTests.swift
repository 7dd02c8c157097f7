import Foundation
import Seedbed
import TestSupport
import Testing

@testable import SeedbedPostgres

@Suite(.enabled(if: Cluster.isInstalled)) struct `What cannot work is said in a sentence` {
  @Test func `a host that is not there`() throws {
    let error = try #require(throws: SeedbedError.self) {
      try PostgresSession("postgresql:///x?host=/tmp/seedbed-no-such-folder&user=postgres")
    }
    #expect(error.code == .io)
    #expect(error.message.hasPrefix("Cannot connect to PostgreSQL: connection to server on"))
    #expect(error.message.hasSuffix("Check the host, port, user and database."))
  }

  @Test func `a URI that is none`() throws {
    let error = try #require(throws: SeedbedError.self) {
      try PostgresSession("postgresql://host:port:more/")
    }
    #expect(error.message.hasPrefix("Cannot connect to PostgreSQL: "))
  }

  @Test func `a database that is not there`() throws {
    let cluster = try #require(Cluster.shared)
    let error = try #require(throws: SeedbedError.self) { try PostgresSession(cluster.uri("nope")) }
    #expect(error.message.contains("\"nope\" does not exist. Check the host, port"))
  }

  @Test func `a password that is missing or wrong`() throws {
    let rules = try Place([
      "hba": "local all postgres trust\nlocal all all scram-sha-256\n"
    ])
    chmod(rules.path, 0o755)  // The server's own user reads them.
    let cluster = try Cluster(
      try #require(Cluster.programs), settings: ["fsync=off", "hba_file=\(rules.path)/hba"])
    defer { cluster.stop() }
    let admin = try PostgresSession(cluster.uri("postgres"))
    try admin.execute("CREATE ROLE guest LOGIN PASSWORD 'secret'")
    let guest = "postgresql:///postgres?host=\(cluster.folder)&user=guest"
    let missing = try #require(throws: SeedbedError.self) {
      try PostgresSession(guest + "&passfile=/tmp/seedbed-no-such-file")
    }
    #expect(missing.message.hasPrefix("The server asks for a password, and there is none"))
    let wrong = try #require(throws: SeedbedError.self) {
      try PostgresSession(guest + "&password=other")
    }
    #expect(wrong.message.hasPrefix("The server asked for the password and refused"))
    #expect(!wrong.message.contains("other"))
    let session = try PostgresSession(guest + "&password=secret")
    #expect(session.shownPath == "postgresql:///postgres")
  }

  @Test func `a privilege that is missing`() throws {
    try withDatabase { uri in
      let owner = try PostgresSession(uri)
      try owner.executeAll("CREATE TABLE t (i int); CREATE ROLE reader_\(getpid()) LOGIN")
      let reader = try PostgresSession(
        uri.replacingOccurrences(of: "user=postgres", with: "user=reader_\(getpid())"))
      let failure = try #require(throws: PostgresFailure.self) {
        try reader.execute("INSERT INTO t VALUES (1)")
      }
      #expect(failure.seedbedError.code == .io)
      #expect(failure.seedbedError.message.contains("Grant it, or connect as the owner"))
      try owner.execute("DROP ROLE reader_\(getpid())")
    }
  }

  @Test func `a policy that would hide rows`() throws {
    try withDatabase { uri in
      let owner = try PostgresSession(uri)
      let role = "guarded_\(getpid())"
      try owner.executeAll(
        """
        CREATE ROLE \(role) LOGIN; CREATE TABLE t (i int); GRANT SELECT ON t TO \(role);
        ALTER TABLE t ENABLE ROW LEVEL SECURITY
        """)
      let reader = try PostgresSession(
        uri.replacingOccurrences(of: "user=postgres", with: "user=\(role)"))
      #expect(try reader.rows("SELECT * FROM t") == [])
      try reader.inReadTransaction {
        _ = #expect(throws: PostgresFailure.self) { try reader.rows("SELECT * FROM t") }
      }
      try owner.executeAll("DROP OWNED BY \(role); DROP ROLE \(role)")
    }
  }

  @Test func `a server that takes no writes`() throws {
    try withDatabase { uri in
      let session = try PostgresSession(uri + "&options=-cdefault_transaction_read_only%3Don")
      let error = try #require(throws: SeedbedError.self) { try session.beginImmediate() }
      #expect(error.code == .io && error.message.hasPrefix("The server takes no writes"))
      #expect(!session.isInTransaction)
      #expect(try session.inReadTransaction { try session.value("SELECT 1") } == 1)
    }
  }

  @Test func `a standby`() throws {
    let cluster = try Cluster(try #require(Cluster.programs), isStandby: true)
    defer { cluster.stop() }
    let session = try PostgresSession(cluster.uri("postgres"))
    #expect(try session.inReadTransaction { try session.value("SELECT 1") } == 1)
    let error = try #require(throws: SeedbedError.self) { try session.beginImmediate() }
    #expect(error.message.hasPrefix("The server is a standby, which takes no writes."))
  }

  @Test func `a server that is too old`() throws {
    let error = try #require(throws: SeedbedError.self) {
      try SeedbedError.refuseOld(server: 140_011)
    }
    #expect(
      error.message
        == "The server is PostgreSQL 14, and Seedbed needs 15 or later. Upgrade the server.")
    try SeedbedError.refuseOld(server: 150_000)
  }

  @Test func `a connection that was lost`() throws {
    try withDatabase { uri in
      let (session, other) = (try PostgresSession(uri), try PostgresSession(uri))
      for sql in ["SELECT 1", "COMMIT"] {
        let session = sql == "COMMIT" ? try PostgresSession(uri) : session
        try session.beginImmediate()
        let process = try session.value("SELECT pg_backend_pid()") ?? .null
        try other.execute("SELECT pg_terminate_backend(?)", [process])
        usleep(200_000)
        let failure = try #require(throws: PostgresFailure.self) { try session.execute(sql) }
        #expect(failure.isConnectionLost)
        #expect(failure.isOutcomeUnknown == (sql == "COMMIT"))
        #expect(failure.seedbedError.code == (sql == "COMMIT" ? .outcomeUnknown : .io))
        #expect(!session.isInTransaction)
        session.rollBack()
      }
    }
  }
}
