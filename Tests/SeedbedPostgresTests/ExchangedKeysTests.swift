import Seedbed
import SeedbedPostgres
import Testing

/// Rows that exchange keys, of every type. On the way a row has a key that no row has, or is taken
/// out if the type has none.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Exchanged keys on a server` {
  private static let types: [(String, String, String)] = [
    ("INTEGER", "1", "2"), ("SMALLINT", "1", "2"), ("NUMERIC", "1", "2"), ("NUMERIC(3)", "1", "2"),
    ("TEXT", "a", "b"), ("VARCHAR(3)", "a", "b"), ("CHAR(1)", "a", "b"), ("BYTEA", "00", "01"),
    (
      "UUID", "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
    ),
    ("DATE", "2024-01-01", "2024-01-02"),
    ("TIMESTAMPTZ", "2024-01-01 00:00:00+00", "2024-01-02 00:00:00+00"),
    ("TIME", "10:00:00", "11:00:00"), ("TIMETZ", "10:00:00+00", "11:00:00+00"),
    ("INTERVAL", "1 day", "2 days"), ("INET", "10.0.0.1", "10.0.0.2"),
    ("MACADDR", "08:00:2b:01:02:03", "08:00:2b:01:02:04"), ("BOOLEAN", "false", "true"),
    ("BIT(2)", "00", "01"), ("FLOAT8", "1.5", "2.5"), ("mood", "a", "b"), ("word", "a", "b"),
    ("small", "1", "2"),
  ]

  private static func files(_ type: String, _ one: String, _ two: String, _ more: String)
    -> [String: String]
  {
    [
      "catalog.json":
        #"{"engines": ["postgresql"], "tables": {"t": {"blobs": {"k": "hex"}}}}"#
        .replacing(
          #"{"blobs": {"k": "hex"}}"#, with: type == "BYTEA" ? #"{"blobs": {"k": "hex"}}"# : "{}"),
      "0001_t/up.postgresql.sql": """
      CREATE TYPE mood AS ENUM ('a', 'b'); CREATE DOMAIN word AS TEXT CHECK (VALUE ~ '^[a-z]+$');
      CREATE DOMAIN small AS INT CHECK (VALUE BETWEEN 0 AND 9);
      CREATE TABLE t (k \(type), n INT DEFAULT 1, w TEXT, PRIMARY KEY (k\(more)));
      """,
      "0001_t/t.csv": "k,n,w\n\(one),1,x\n\(two),1,y\n",
      "0002_t/t.update.csv": "k,n,was:k\n\(two),1,\(one)\n\(one),1,\(two)\n",
    ]
  }

  @Test(arguments: types, [", n", ""])
  func `of one column or two`(_ type: (String, String, String), _ more: String) throws {
    var files = Self.files(type.0, type.1, type.2, more)
    if more.isEmpty {
      files["0002_t/t.update.csv"] = "k,was:k\n\(type.2),\(type.1)\n\(type.1),\(type.2)\n"
    }
    try withServer(files) { server in
      let report = try server.migrator().up()
      #expect(report.migrations.flatMap(\.conflicts).isEmpty)
      #expect(try server.rows("SELECT n, w FROM t ORDER BY k") == ["1|y", "1|x"])
    }
  }

  private static let many: [(String, @Sendable (Int) -> String)] = [
    ("SMALLINT", { "\($0)" }),
    (
      "VARCHAR(2)",
      { "\(Unicode.Scalar(97 + $0 / 26) ?? "?")\(Unicode.Scalar(97 + $0 % 26) ?? "?")" }
    ),
  ]

  @Test(arguments: [0, 1]) func `more than a type seems to have room for`(_ which: Int) throws {
    let (type, key) = Self.many[which]
    let rows = (0..<600).map { "\(key($0)),\($0)\n" }.joined()
    let exchange = (0..<600).map { "\(key($0 ^ 1)),\(key($0))\n" }.joined()
    try withServer([
      "catalog.json": #"{"engines": ["postgresql"]}"#,
      "0001_t/up.postgresql.sql": """
      CREATE TABLE t (k \(type) PRIMARY KEY, n INT);
      CREATE TABLE c (id INT PRIMARY KEY, k \(type) REFERENCES t DEFERRABLE);
      """,
      "0001_t/t.csv": "k,n\n" + rows, "0001_t/c.csv": "id,k\n1,\(key(8))\n",
      "0002_t/t.update.csv": "k,was:k\n" + exchange,
    ]) { server in
      let report = try server.migrator().up()
      #expect(report.migrations.flatMap(\.conflicts).isEmpty)
      #expect(try server.rows("SELECT t.n, c.k FROM c JOIN t USING (k)") == ["8|\(key(9))"])
      #expect(try server.rows("SELECT n FROM t ORDER BY n").count == 600)
    }
  }

  @Test func `is refused where rows refer to keys that have no other value`() throws {
    var files = Self.files("BOOLEAN", "false", "true", "")
    files["0001_t/up.postgresql.sql"]? +=
      "CREATE TABLE c (id INT PRIMARY KEY, k BOOLEAN REFERENCES t DEFERRABLE);"
    files["0002_t/t.update.csv"] = "k,was:k\ntrue,false\nfalse,true\n"
    try withServer(files) { server in
      try server.migrator().up(to: 1)
      let error = #expect(throws: SeedbedError.self) { try server.migrator().up() }
      #expect(
        error?.description == """
          0002_t/t.update.csv:1: Rows of 't' exchange keys, and 'k' can hold no spare value for a \
          row meanwhile, as rows refer to it. Exchange their other values instead.
          """)
      #expect(try server.rows("SELECT w FROM t ORDER BY k") == ["x", "y"])
    }
  }
}
