@testable import Seedbed
import Testing

@testable import SeedbedPostgres

@Suite(.enabled(if: Cluster.isInstalled)) struct `The dialect compares as the type does` {
  struct Case: CustomTestStringConvertible {
    let type: String
    let first: String
    let second: String
    let isSame: Bool
    let isSameExactly: Bool

    init(_ type: String, _ first: String, _ second: String, _ isSame: Bool, exactly: Bool? = nil) {
      (self.type, self.first, self.second, self.isSame) = (type, first, second, isSame)
      isSameExactly = exactly ?? isSame
    }

    var testDescription: String { "\(type): \(first), \(second)" }
  }

  static let cases = [
    Case("integer", "1", "1", true), Case("integer", "1", "NULL", false),
    Case("integer", "NULL", "NULL", true), Case("numeric(9,3)", "1.5", "1.500", true),
    Case("numeric", "1.5", "1.500", true, exactly: false),
    Case("double precision", "0.1", "0.1::float8 + 1e-17", true, exactly: false),
    Case("double precision", "0.3", "0.1::float8 + 0.2", true, exactly: false),
    Case("double precision", "0.3", "0.30000000000001", false),
    Case("double precision", "'NaN'", "'NaN'", true),
    Case("double precision", "'infinity'", "1e308", false),
    Case("real", "0.1", "0.1000001", true, exactly: false), Case("real", "0.1", "0.10001", false),
    Case("text", "''", "NULL", false), Case("text", "'a'", "'A'", false),
    Case("text COLLATE ci", "'a'", "'A'", false),
    Case("text", "'ä'", "U&'a\\0308'", false), Case("character varying(3)", "'a'", "'a '", false),
    Case("json", "'{\"a\":1, \"b\":2}'", "'{\"b\":2,\"a\":1.0}'", true, exactly: false),
    Case("jsonb", "'[1]'", "'[2]'", false), Case("boolean", "true", "false", false),
    Case("uuid", "md5('a')::uuid", "upper(md5('a'))::uuid", true),
    Case("bytea", "'\\x00'", "'\\x0000'", false), Case("date", "'2026-1-1'", "'2026-01-01'", true),
    Case("timestamp with time zone", "'2026-01-01 12:00+02'", "'2026-01-01 10:00Z'", true),
    Case("integer[]", "'{1,2}'", "'{1, 2}'", true), Case("point", "'1,2'", "'(1,2)'", true),
    Case("xml", "'<a/>'", "'<b/>'", false), Case("mood", "'glad'", "'glad'", true),
    Case("amount", "'1.5'", "'1.50'", true, exactly: false),
  ]

  @Test func `two values of a column`() throws {
    try withSession { session in
      try session.executeAll(
        """
        CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        CREATE TYPE mood AS ENUM ('glad', 'sad'); CREATE DOMAIN amount AS numeric
        """)
      let dialect = session.dialect
      for (number, c) in Self.cases.enumerated() {
        let name = "t\(number)"
        try session.execute("CREATE TABLE \(name) (a \(c.type), b \(c.type))")
        try session.execute("INSERT INTO \(name) VALUES (\(c.first), \(c.second))")
        let table = try session.schema(of: name)
        let column = try #require(table.column("a"))
        let sql = """
          SELECT \(dialect.same("a", "b", column, of: table)), \(dialect.differExactly("a", "b"))
          FROM \(name)
          """
        let expected: [Value] = [c.isSame ? 1 : 0, c.isSameExactly ? 0 : 1]
        #expect(try session.rows(sql) == [expected], "\(c.testDescription)")
        // A column of the same type in a table of ours compares the same.
        let type = dialect.type(of: column, in: table)
        try session.execute("CREATE TABLE \(dialect.temporary(name)) (a \(type))")
        try session.execute("DROP TABLE \(dialect.temporary(name))")
      }
    }
  }

  @Test(arguments: [
    "smallint", "integer", "bigint", "numeric", "real", "double precision", "uuid", "bytea",
    "date", "timestamp without time zone", "timestamp with time zone", "text",
    "character varying(4)", "jsonb", "numeric(6,2)", "oid", "time without time zone",
    "time with time zone", "interval", "inet", "cidr", "macaddr", "macaddr8", "char(1)",
    "varchar(2)",
    "varchar(17)", "citext",
  ])
  func `marks are values that differ`(type: String) throws {
    try withSession { session in
      if type == "citext" { try session.execute("CREATE EXTENSION citext") }
      try session.execute("CREATE TABLE t (a \(type))")
      let table = try session.schema(of: "t")
      let column = try #require(table.column("a"))
      let mark = try #require(session.dialect.mark("n", column, of: table))
      // The first and the last row of two files, as far as there is room.
      let last = min(mark.room, 1 << 36) - 1
      try session.execute(
        """
        INSERT INTO t SELECT \(mark.sql)
        FROM generate_series(0, 1) AS file, generate_series(0, \(min(mark.room, 400) / 2 - 1)) AS i,
          LATERAL (VALUES ((file::bigint << 36) + i), ((file::bigint << 36) + \(last) - i)) AS r (n)
        """)
      let count = min(mark.room, 400) / 2 * 4
      #expect(try session.value("SELECT count(DISTINCT a) FROM t") == .integer(count))
    }
  }

  @Test(arguments: ["boolean", "bit(2)", "mood", "point[]", "money"])
  func `types that have no marks`(type: String) throws {
    try withSession { session in
      try session.executeAll(
        "CREATE TYPE mood AS ENUM ('glad', 'sad'); CREATE TABLE t (a \(type))")
      let table = try session.schema(of: "t")
      #expect(session.dialect.mark("n", try #require(table.column("a")), of: table) == nil)
    }
  }

  @Test func `names of tables, temporary ones and their indexes`() throws {
    try withSession { session in
      let dialect = session.dialect
      #expect(dialect.table("a \"b\"") == "\"a \"\"b\"\"\"")
      #expect(dialect.table("content.words") == "\"content\".\"words\"")
      let computed = dialect.computed("j * 2", isStored: false)
      let columns = "(i \(dialect.rowNumber) PRIMARY KEY, j int, k int \(computed))"
      try session.executeAll(
        """
        CREATE TABLE \(dialect.temporary("t 1")) \(columns);
        CREATE INDEX \(dialect.temporaryIndex("i 1", on: "t 1")) (j);
        \(dialect.insert) INTO \(dialect.temporary("t 1")) (i, j) VALUES (1, 2), (2, 3);
        \(dialect.update) \(dialect.temporary("t 1")) SET j = 4 WHERE i = 2
        """)
      let sql = """
        SELECT \(dialect.anyOf("a.k", "")), count(*) FROM \(dialect.temporary("t 1")) AS a
        \(dialect.orderedJoin) \(dialect.temporary("t 1")) AS b
        ON \(dialect.notSearched)a.j = b.j AND \(dialect.differ("a.i", "3"))
        GROUP BY \(dialect.collated("a.j::text", "C")) ORDER BY 1
        """
      #expect(try session.rows(sql) == [[4, 1], [8, 1]])
    }
  }
}
