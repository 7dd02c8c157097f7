import Foundation
import SeedbedCells
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedPostgres

@Suite(.enabled(if: Cluster.isInstalled)) struct `The rows of a file are a table` {
  static let csv = """
    i,r,t,b
    1,0.1,plain,
    -9223372036854775808,1e300,"tab\t, back\\slash, ""quote"", \\N, line
    feed\r\ncarriage",AAH/XA==
    ,,"",
    0,-0.0,\\.,
    12345678,2.2250738585072014e-308,\u{1}ünïcödé 🙂 long enough for words of eight,AA==

    """

  static let decoders: [FieldDecoder] = [.integer, .real, .verbatim, .base64]
  static let types = ["bigint", "double precision", "text", "bytea"]

  static let values: [[Value]] = [
    [1, .real(0.1), "plain", .null, 2, 1],
    [
      .integer(.min), .real(1e300), "tab\t, back\\slash, \"quote\", \\N, line\nfeed\r\ncarriage",
      .blob([0, 1, 0xFF, 0x5C]), 3, 2,
    ],
    [.null, .null, "", .null, 6, 3],
    [0, .real(-0.0), "\\.", .null, 7, 4],
    [
      12_345_678, .real(2.2250738585072014e-308), "\u{1}ünïcödé 🙂 long enough for words of eight",
      .blob([0]), 8,
      5,
    ],
  ]

  @Test(arguments: [1, 7, 64, 1 << 18]) func `of the same values`(chunkBytes: Int) throws {
    try withSession { session in
      var limits = RowReader.Limits()
      limits.chunkBytes = chunkBytes
      for isInside in [false, true] {
        if isInside { try session.beginImmediate() }
        let reader = try rows(Self.csv, Self.decoders, limits: limits)
        var advance: [Int] = []
        let table = try session.read(reader, types: Self.types) { advance.append($1) }
        let dialect = session.dialect
        let found = try session.rows(
          "SELECT s.*, \(dialect.fileRow) FROM \(dialect.fileRows) AS s ORDER BY line")
        #expect(found.map { Array($0.prefix(6)) } == Self.values)
        #expect(found.map(\.last) == [1, 2, 3, 4, 5])
        #expect(table.rowCount == 5 && table.totals.rows == 5)
        #expect(advance.last == 5 && advance == advance.sorted())
        #expect(!table.totals.digest.isEmpty)
      }
    }
  }

  @Test func `until the value is released, or the next file is read`() throws {
    try withSession { session in
      let isThere = {
        try session.value("SELECT to_regclass('\(session.dialect.fileRows)') IS NOT NULL") == 1
      }
      let read = { try session.read(rows("n\n1\n", [.integer]), types: ["bigint"]) }
      try session.beginImmediate()
      var first: (any FileRows)? = try read()
      #expect(try isThere())
      let second = try read()
      #expect(first?.rowCount == 1)
      first = nil
      #expect(try isThere())
      withExtendedLifetime(second) {}
      do { _ = second }
      try session.execute("COMMIT")
      #expect(try !isThere())
      do { _ = try read() }
      #expect(try !isThere())
      // In a transaction that failed nothing can be dropped, and nothing needs to be.
      try session.beginImmediate()
      do {
        let rows = try read()
        try? session.execute("SELECT 1 / 0")
        withExtendedLifetime(rows) {}
      }
      session.rollBack()
      #expect(try !isThere())
    }
  }

  @Test func `an error in the file has its place, and the session works on`() throws {
    try withSession { session in
      let csv = "n,t\n1,a\n2,b\nthree,c\n"
      let error = try #require(throws: SeedbedError.self) {
        try session.read(rows(csv, [.integer, .verbatim]), types: ["bigint", "text"])
      }
      #expect(error.description.hasPrefix("0001_words/words.csv:4:1: found 'three'"))
      #expect(try session.value("SELECT 1") == 1)
    }
  }

  @Test func `what the server refuses has its line`() throws {
    try withSession { session in
      let csv = "a,t\n10.0.0.1,\"two\nlines\"\n10.0.0.2,b\nnowhere,c\n10.0.0.3,d\n"
      let error = try #require(throws: SeedbedError.self) {
        try session.read(rows(csv, [.verbatim, .verbatim]), types: ["inet", "text"])
      }
      #expect(
        error.description == "0001_words/words.csv:5: PostgreSQL refuses this row: "
          + "invalid input syntax for type inet: \"nowhere\".")
      #expect(try session.value("SELECT 1") == 1)
    }
  }

  @Test func `whoever looks at the chunks may stop`() throws {
    struct Stop: Error {}
    try withSession { session in
      try session.beginImmediate()
      let csv = "n\n" + (1...100_000).map { "\($0)\n" }.joined()
      #expect(throws: Stop.self) {
        try session.read(rows(csv, [.integer]), types: ["bigint"]) { _, rows in
          if rows > 50_000 { throw Stop() }
        }
      }
      session.rollBack()
      #expect(try session.value("SELECT 1") == 1)
    }
  }

  @Test func `a file with no rows is an empty table`() throws {
    try withSession { session in
      let table = try session.read(rows("n\n", [.integer]), types: ["bigint"])
      #expect(table.rowCount == 0)
      #expect(try session.value("SELECT count(*) FROM \(session.dialect.fileRows)") == 0)
    }
  }
}

@Suite(.enabled(if: Cluster.isInstalled)) struct `Rows go straight into a table` {
  @Test func `all of them`() throws {
    try withSession { session in
      try session.executeAll(
        "CREATE SCHEMA s; CREATE TABLE s.\"W 2, a\" (id serial, \"T\" text, n int UNIQUE)")
      let csv = "n,t\n" + (1...30_000).map { "\($0),word \($0)\n" }.joined()
      try session.load(
        rows(csv, [.integer, .verbatim]), into: "s.W 2, a", columns: ["n", "T"], onRows: { _ in },
        onChunk: { _, _ in })
      #expect(session.changes == 30_000)
      let sql = "SELECT count(*), sum(n), max(id), max(\"T\") FROM s.\"W 2, a\""
      #expect(try session.rows(sql) == [[30_000, 450_015_000, 30_000, "word 9999"]])
    }
  }

  @Test func `a row that breaks a constraint has its line`() throws {
    try withSession { session in
      try session.execute("CREATE TABLE \"w 2, a\" (n int UNIQUE)")
      var line: (any FileRows)?
      let failure = try #require(throws: PostgresFailure.self) {
        try session.load(
          rows("n\n1\n2\n1\n", [.integer]), into: "w 2, a", columns: ["n"], onRows: { line = $0 },
          onChunk: { _, _ in })
      }
      #expect(failure.isUniqueness)
      #expect(line?.currentLine == 4)
    }
  }

  @Test func `a table that is not there is an error`() throws {
    try withSession { session in
      let failure = try #require(throws: PostgresFailure.self) {
        try session.load(
          rows("n\n1\n", [.integer]), into: "nope", columns: ["n"], onRows: { _ in },
          onChunk: { _, _ in })
      }
      #expect(failure.sqlState == "42P01")
      #expect(try session.value("SELECT 1") == 1)
    }
  }
}
