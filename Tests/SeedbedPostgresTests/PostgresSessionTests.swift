import Foundation
import Seedbed
import Testing

@testable import SeedbedPostgres

@Suite(.enabled(if: Cluster.isInstalled)) struct `A session runs SQL` {
  @Test func `values come back as what they are`() throws {
    try withSession { session in
      let rows = try session.rows(
        """
        SELECT NULL, true, false, 1::smallint, -2::integer, 9223372036854775807::bigint,
          0.5::real, 1e300::double precision, 1.50::numeric, 'wörd', '\\x0001ff'::bytea,
          date '2026-11-23', '{"a": 1}'::jsonb, 17::oid
        """)
      #expect(
        rows == [
          [
            .null, 1, 0, 1, -2, .integer(.max), .real(0.5), .real(1e300), "1.50", "wörd",
            .blob([0, 1, 255]), "2026-11-23", "{\"a\": 1}", 17,
          ]
        ])
    }
  }

  @Test func `values go there as what they are`() throws {
    try withSession { session in
      try session.execute(
        "CREATE TABLE t (i bigint, r double precision, t text, b bytea, n numeric)")
      let values: [Value] = [
        .integer(.min), .real(0.1), "it's \\ \"?\"", .blob([0, 0xFF, 0x5C]), "1.10",
      ]
      try session.execute("INSERT INTO t VALUES (?, ?, ?, ?, ?)", values)
      #expect(try session.rows("SELECT * FROM t") == [values])
      try session.execute("UPDATE t SET t = ?2, b = ?1", [.null, ""])
      #expect(try session.rows("SELECT t, b FROM t") == [["", .null]])
      #expect(throws: PostgresFailure.self) {
        try session.execute("UPDATE t SET t = ?", ["a\0b"])
      }
      #expect(throws: PostgresFailure.self) {
        try session.execute("UPDATE t SET t = ?", [.invalidText([0xFF])])
      }
      #expect(try session.value("SELECT t FROM t") == "")
      #expect(try session.value("SELECT t FROM t WHERE i = ?", [7]) == nil)
    }
  }

  @Test func `rows that a statement wrote are counted`() throws {
    try withSession { session in
      try session.executeAll("CREATE TABLE t (i int); INSERT INTO t VALUES (1), (2), (3)")
      #expect(session.changes == 3)
      try session.execute("UPDATE t SET i = 0 WHERE i < 3")
      _ = try session.rows("SELECT * FROM t")
      #expect(session.changes == 2)
    }
  }

  @Test func `only one statement runs at a time`() throws {
    try withSession { session in
      #expect(throws: PostgresFailure.self) { try session.execute("SELECT 1; SELECT 2") }
      // What copies through the connection is ended, and the connection works on.
      try session.execute("CREATE TABLE t (i int)")
      #expect(throws: PostgresFailure.self) { try session.execute("COPY t FROM STDIN") }
      _ = try? session.execute("COPY (SELECT generate_series(1, 100000)) TO STDOUT")
      #expect(try session.value("SELECT 1") == 1)
    }
  }

  @Test func `an error has what the server says of it`() throws {
    try withSession { session in
      try session.execute("CREATE TABLE t (i int PRIMARY KEY)")
      try session.execute("INSERT INTO t VALUES (1)")
      let twice = try #require(throws: PostgresFailure.self) {
        try session.execute("INSERT INTO t VALUES (?)", [1])
      }
      #expect(twice.isConstraint && twice.isUniqueness && !twice.isForeignKey)
      #expect(
        twice.sentence
          == "PostgreSQL error 23505: duplicate key value violates unique constraint \"t_pkey\" "
          + "(Key (i)=(1) already exists.) - while executing 'INSERT INTO t VALUES ($1)'")
      #expect(twice.seedbedError.code == .constraint)
      let unknown = try #require(throws: PostgresFailure.self) {
        try session.execute("SELECT 1, nothing")
      }
      #expect(unknown.sqlState == "42703" && unknown.position == 11)
      #expect(unknown.seedbedError.code == .sql)
    }
  }
}

@Suite(.enabled(if: Cluster.isInstalled)) struct `A cursor reads rows one by one` {
  @Test(arguments: [0, 1, 999, 1000, 1001, 2500])
  func `all of them, while other statements run`(count: Int) throws {
    try withSession { session in
      try session.beginImmediate()
      let cursor = try session.cursor("SELECT n, 'x' || n FROM generate_series(1, ?::int) AS n")
      for _ in 0..<3 {
        cursor.bind([.integer(Int64(count))])
        var sum: Int64 = 0
        while try cursor.step() {
          sum += cursor.integer(0)
          #expect(cursor[1] == .text("x\(cursor.integer(0))"))
          if sum % 500 == 0 { #expect(try session.value("SELECT 1") == 1) }
        }
        #expect(sum == Int64(count * (count + 1) / 2))
      }
      session.rollBack()
    }
  }

  @Test func `a table can be dropped once they are read, or no longer wanted`() throws {
    try withSession { session in
      try session.execute("CREATE TABLE t AS SELECT generate_series(1, 5000) AS n")
      try session.beginImmediate()
      for isRead in [true, false] {
        try session.execute("SAVEPOINT s")
        do {
          let cursor = try session.cursor("SELECT n FROM t")
          while try cursor.step(), isRead {}
        }
        try session.execute("DROP TABLE t")
        try session.execute("ROLLBACK TO s")
      }
      // One that a savepoint took with it does no harm.
      try session.execute("SAVEPOINT s")
      let cursor = try session.cursor("SELECT n FROM t")
      #expect(try cursor.step())
      try session.execute("ROLLBACK TO s")
      cursor.bind([])
      #expect(try cursor.step() && cursor.integer(0) == 1)
      try session.execute("COMMIT")
    }
  }

  @Test func `a statement is prepared once and forgotten`() throws {
    try withSession { session in
      try session.execute("CREATE TABLE t (i int, t text)")
      do {
        let insert = try session.cursor("INSERT INTO t VALUES (?, ?)")
        for number in 1...5 { try insert.run([.integer(Int64(number)), "a"]) }
        #expect(try session.value("SELECT count(*) FROM pg_prepared_statements") == 1)
      }
      #expect(try session.value("SELECT count(*) FROM pg_prepared_statements") == 0)
      #expect(try session.value("SELECT sum(i)::int FROM t") == 15)
      // In a transaction that failed, it is forgotten after its end.
      try session.beginImmediate()
      do {
        let insert = try session.cursor("INSERT INTO t VALUES (?, ?)")
        for number in 1...2 { try insert.run([.integer(Int64(number)), "a"]) }
        try? session.execute("SELECT 1 / 0")
      }
      session.rollBack()
      #expect(try session.value("SELECT count(*) FROM pg_prepared_statements") == 0)
    }
  }
}
