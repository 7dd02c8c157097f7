import Foundation
import Seedbed
import TestSupport
import Testing

@testable import SeedbedPostgres

@Suite(.enabled(if: Cluster.isInstalled)) struct `A transaction of ours` {
  @Test func `sets what it needs, and leaves the session as it was`() throws {
    try withDatabase { uri in
      let session = try PostgresSession(uri, lockTimeoutSeconds: 7)
      let names = [
        "lock_timeout", "statement_timeout", "row_security", "timezone", "transaction_isolation",
        "synchronous_commit",
      ]
      let show = { try names.map { try session.value("SHOW \($0)") } }
      try session.execute("SET statement_timeout = 12345")
      try session.execute("SET default_transaction_isolation = 'serializable'")
      try session.execute("SET synchronous_commit = off")
      let before = try show()
      try session.beginImmediate()
      #expect(session.isInTransaction)
      #expect(try show() == ["7s", "0", "off", "UTC", "read committed", "on"])
      session.rollBack()
      #expect(!session.isInTransaction)
      #expect(try show() == before)
    }
  }

  @Test func `is open until it is rolled back, even after an error`() throws {
    try withSession { session in
      try session.beginImmediate()
      #expect(throws: PostgresFailure.self) { try session.execute("SELECT 1 / 0") }
      #expect(session.isInTransaction)
      // COMMIT answers with ROLLBACK, which is no success.
      let failure = try #require(throws: PostgresFailure.self) { try session.execute("COMMIT") }
      #expect(failure.sqlState == "25P02" && !failure.isOutcomeUnknown)
      #expect(!session.isInTransaction)
    }
  }

  @Test func `does not begin inside another`() throws {
    try withSession { session in
      try session.execute("BEGIN")
      #expect(throws: PostgresFailure.self) { try session.beginImmediate() }
      #expect(throws: PostgresFailure.self) { try session.inReadTransaction {} }
      #expect(session.isInTransaction)
    }
  }

  @Test func `waits for another under the same ledger, and not for one under another`() throws {
    try withDatabase { uri in
      let first = try PostgresSession(uri)
      try first.beginImmediate()
      let second = try PostgresSession(uri, lockTimeoutSeconds: 0.3)
      var waits = 0
      second.whileWaiting { waits += 1 }
      let failure = try #require(throws: PostgresFailure.self) { try second.beginImmediate() }
      #expect(failure.isBusy && failure.seedbedError.code == .busy)
      #expect(waits > 3)
      #expect(!second.isInTransaction)
      let other = try PostgresSession(uri, lockTimeoutSeconds: 0.3, ledger: "other")
      try other.beginImmediate()
      first.rollBack()
      try second.beginImmediate()
    }
  }

  @Test func `sees what the one before committed while it waited`() throws {
    try withDatabase { uri in
      let first = try PostgresSession(uri)
      try first.execute("CREATE TABLE t (i int)")
      try first.beginImmediate()
      try first.execute("INSERT INTO t VALUES (1)")
      let second = try PostgresSession(uri)
      var isDone = false
      second.whileWaiting {
        if !isDone { try? first.execute("COMMIT") }
        isDone = true
      }
      try second.beginImmediate()
      #expect(try second.value("SELECT count(*) FROM t") == 1)
    }
  }

  @Test func `reads one state, and writes nothing`() throws {
    try withDatabase { uri in
      let (reader, writer) = (try PostgresSession(uri), try PostgresSession(uri))
      try writer.execute("CREATE TABLE t (i int)")
      try reader.inReadTransaction {
        #expect(try reader.value("SELECT count(*) FROM t") == 0)
        try writer.execute("INSERT INTO t VALUES (1)")
        #expect(try reader.value("SELECT count(*) FROM t") == 0)
        #expect(throws: PostgresFailure.self) { try reader.execute("DELETE FROM t") }
      }
      #expect(!reader.isInTransaction)
      #expect(try reader.value("SELECT count(*) FROM t") == 1)
    }
  }

  @Test func `stops when it is cancelled, whatever the server is doing`() throws {
    try withDatabase { uri in
      let holder = try PostgresSession(uri)
      try holder.beginImmediate()
      for sql in ["SELECT pg_sleep(30)", ""] {
        let cancellation = Migrator.Cancellation()
        let session = try PostgresSession(uri, lockTimeoutSeconds: 30, cancellation: cancellation)
        let started = Date()
        session.whileWaiting {
          if Date().timeIntervalSince(started) > 0.2 { cancellation.cancel() }
        }
        let failure = try #require(throws: PostgresFailure.self) {
          if sql.isEmpty { return try session.beginImmediate() }
          try session.interruptible { try session.execute(sql) }
        }
        #expect(failure.isInterrupt && failure.seedbedError.code == .cancelled)
        #expect(Date().timeIntervalSince(started) < 5)
        #expect(throws: SeedbedError.self) { try session.execute("SELECT 1") }
        session.rollBack()
        session.forgetCancellation()
        #expect(try session.value("SELECT 1") == 1)
      }
    }
  }

  @Test func `a query of the app's only looks`() throws {
    try withSession { session in
      try session.execute("CREATE TABLE t (i int)")
      let writing = [
        "INSERT INTO t VALUES (1)", "DELETE FROM t RETURNING i", "COMMIT", "DROP TABLE t",
        "WITH a AS (INSERT INTO t VALUES (1) RETURNING i) SELECT * FROM a",
        "SELECT setval('s', 4)",
      ]
      try session.execute("CREATE SEQUENCE s")
      for isInside in [false, true] {
        if isInside { try session.beginImmediate() }
        #expect(try session.look("SELECT 4 WHERE '{}'::jsonb ? 'a' IS NOT NULL") == 4)
        for sql in writing {
          let error = try #require(throws: SeedbedError.self) { try session.look(sql) }
          #expect(error.code == .usage, "\(error)")
        }
        #expect(session.isInTransaction == isInside)
      }
      try session.execute("INSERT INTO t VALUES (1)")
      try session.execute("COMMIT")
    }
  }
}

@Suite(.enabled(if: Cluster.isInstalled)) struct `Foreign keys wait until the end` {
  static let tables = """
    CREATE TABLE parent (id int PRIMARY KEY);
    CREATE TABLE child (parent int REFERENCES parent DEFERRABLE, number int UNIQUE DEFERRABLE);
    CREATE TABLE strict (parent int REFERENCES parent)
    """

  @Test func `those that can be deferred`() throws {
    try withSession { session in
      try session.executeAll(Self.tables)
      try session.beginImmediate()
      try session.deferForeignKeys()
      try session.execute("INSERT INTO child VALUES (1, 1)")
      #expect(try session.hasForeignKeyViolations())
      // They are still deferred.
      try session.execute("INSERT INTO child VALUES (2, 2)")
      try session.execute("INSERT INTO parent VALUES (1), (2)")
      #expect(try !session.hasForeignKeyViolations())
      try session.execute("INSERT INTO child VALUES (3, 3)")
      let failure = try #require(throws: PostgresFailure.self) { try session.execute("COMMIT") }
      #expect(failure.isForeignKey && failure.isConstraint && !failure.isOutcomeUnknown)
      #expect(!session.isInTransaction)
    }
  }

  @Test func `but not where the role has switched them off`() throws {
    try withSession { session in
      #expect(try session.enforcesForeignKeys())
      try session.execute("SET session_replication_role = replica")
      #expect(try !session.enforcesForeignKeys())
    }
  }

  @Test func `other deferred constraints are errors of their own`() throws {
    try withSession { session in
      try session.executeAll(Self.tables)
      try session.beginImmediate()
      try session.deferForeignKeys()
      try session.execute("INSERT INTO child VALUES (NULL, 1), (NULL, 1)")
      let failure = try #require(throws: PostgresFailure.self) {
        try session.hasForeignKeyViolations()
      }
      #expect(failure.isUniqueness)
    }
  }
}

@Suite(.enabled(if: Cluster.isInstalled)) struct `What was read before a lock` {
  @Test func `does not charge a release with what another session committed`() throws {
    try withServer([
      "catalog.json": #"""
      {"engines": ["postgresql"], "tables": {"p": {"references": {"c": ["p"]}}}}
      """#,
      "0001_p/up.postgresql.sql":
        "CREATE TABLE p (id int PRIMARY KEY, w text); CREATE TABLE c (id int PRIMARY KEY, p int);",
      "0001_p/p.csv": "id,w\n1,one\n2,two\n", "0001_p/c.csv": "id,p\n1,1\n",
      "0002_p/up.postgresql.sql": "CREATE TABLE other (id int);",
      "0002_p/p.update.csv": "id,w,was:w\n1,ONE,one\n",
    ]) { server in
      try server.migrator().up(to: 1)
      try server.session.execute("INSERT INTO c VALUES (100, 2)")
      let uri = server.uri
      Thread.detachNewThread {
        try? PostgresSession(uri)
          .executeAll("BEGIN; DELETE FROM p WHERE id = 2; SELECT pg_sleep(0.5); COMMIT")
      }
      let isHeld = """
        SELECT count(*) FROM pg_locks WHERE relation = 'p'::regclass AND mode = 'RowExclusiveLock'
        """
      while try server.rows(isHeld) != ["1"] { usleep(5000) }
      #expect(try server.migrator().up().migrations.count == 1)
      #expect(try server.rows("SELECT * FROM c ORDER BY id") == ["1|1", "100|2"])
    }
  }
}
