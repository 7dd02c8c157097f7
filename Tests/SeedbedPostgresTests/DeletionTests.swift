import Seedbed
import SeedbedPostgres
import Testing

/// Rows that refer to each other go together, though RESTRICT never waits.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Rows that go` {
  private static func pair(_ own: String, _ other: String, options: String = "") -> [String: String]
  {
    let sql = { (type: String) in
      """
      CREATE TABLE a (id \(type) PRIMARY KEY, a \(type) REFERENCES a \(own), b \(type));
      CREATE TABLE b (id \(type) PRIMARY KEY, a \(type) REFERENCES a \(other));
      """
    }
    return [
      "catalog.json": #"{"engines": ["sqlite", "postgresql"]\#(options)}"#,
      "0001_rows/up.sql": sql("INTEGER"),
      "0001_rows/up.postgresql.sql": sql("BIGINT")
        + "ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES b ON DELETE RESTRICT DEFERRABLE;",
    ]
  }

  private static let chain = "id,a,b\n1,,\n2,1,\n3,2,\n4,3,\n"

  @Test(arguments: ["ON DELETE RESTRICT DEFERRABLE", "ON DELETE RESTRICT", ""])
  func `those of one table in one statement, from all its files`(_ action: String) throws {
    try withServer(Self.pair(action, "")) { server in
      try server.add(["0001_rows/a.csv": Self.chain])
      try server.migrator().up()
      try server.add([
        "0002_less/a.one~.delete.csv": "id,a,b\n2,1,\n4,3,\n",
        "0002_less/a.two~.delete.csv": "id,a,b\n1,,\n3,2,\n",
      ])
      try server.migrator().up()
      #expect(try server.rows("SELECT count(*) FROM a") == ["0"])
    }
  }

  @Test func `those that go with others, too`() throws {
    let options = #", "tables": {"a": {"disposable": ["a"]}}"#
    try withServer(Self.pair("ON DELETE RESTRICT", "", options: options)) { server in
      try server.add(["0001_rows/a.csv": Self.chain])
      try server.migrator().up()
      // 4 is retired and refers to 3, which goes with 2.
      try server.add(["0002_less/a.delete.csv": "id,a,b\n2,1,\n4,3,\n"])
      try server.migrator().up()
      #expect(try server.rows("SELECT id FROM a") == ["1"])
    }
  }

  @Test func `those of two tables, and first those that RESTRICT does not keep`() throws {
    try withServer(Self.pair("DEFERRABLE", "DEFERRABLE")) { server in
      try server.add(Self.circle)
      try server.migrator().up()
      try server.add(Self.withoutCircle)
      try server.migrator().up()
      #expect(try server.rows("SELECT id FROM a UNION ALL SELECT id FROM b") == [])
    }
  }

  @Test func `those that no order lets go are refused`() throws {
    try withServer(Self.pair("DEFERRABLE", "ON DELETE RESTRICT DEFERRABLE")) { server in
      try server.add(Self.circle)
      try server.migrator().up()
      try server.add(Self.withoutCircle)
      let error = #expect(throws: SeedbedError.self) { try server.migrator().up() }
      #expect(error?.code == .constraint && error?.place?.line == 2)
      #expect(error?.message.contains("not ON DELETE RESTRICT") == true)
      #expect(try server.rows("SELECT id FROM a UNION ALL SELECT id FROM b") == ["1", "1"])
    }
  }

  @Test func `but not one to which a row refers that a rule keeps as it was`() throws {
    let sql = { (type: String) in
      """
      CREATE TABLE t (id \(type) PRIMARY KEY, up \(type) REFERENCES t, low \(type), high \(type),
        CHECK (low <= high))
      """
    }
    let files = [
      "0001_t/up.sql": sql("INTEGER"), "0001_t/up.postgresql.sql": sql("BIGINT"),
      "0001_t/t.csv": "id,up,low,high\n1,,,\n2,1,,3\n",
    ]
    try withServer(files) { server in
      try server.migrator().up()
      try server.session.execute("UPDATE t SET high = 1 WHERE id = 2")
      try server.add([
        "0002_t/t.update.csv": "id,up,low,was:up,was:low\n2,,3,1,\n",
        "0002_t/t.delete.csv": "id,up,low,high\n1,,,\n",
      ])
      try server.migrator().up()
      #expect(try server.rows("SELECT * FROM t ORDER BY id") == ["1|||", "2|1||1"])
      let kinds = try server.migrator().conflicts().map(\.kind.rawValue).sorted()
      #expect(kinds == ["edited", "referenced"])
    }
  }

  @Test func `those of one table, beside a row that another keeps out`() throws {
    try withServer(Self.pair("ON DELETE RESTRICT", "")) { server in
      try server.add(["0001_rows/a.csv": Self.chain, "0001_rows/b.csv": "id,a\n1,\n"])
      try server.migrator().up()
      try server.session.execute("CREATE UNIQUE INDEX one ON b ((1)) WHERE a IS NULL")
      try server.add([
        "0002_less/a.delete.csv": "id,a,b\n2,1,\n3,2,\n4,3,\n",
        "0002_less/b.csv": "id,a\n2,\n",
      ])
      try server.migrator().up()
      #expect(try server.rows("SELECT id FROM a") == ["1"])
      #expect(try server.rows("SELECT id FROM b") == ["1"])
      #expect(try server.migrator().conflicts().map(\.kind) == [.uniqueTaken])
    }
  }

  private static let circle = [
    "0001_rows/a.csv": "id,a,b\n1,,1\n", "0001_rows/b.csv": "id,a\n1,1\n",
  ]
  private static let withoutCircle = [
    "0002_less/a.delete.csv": "id,a,b\n1,,1\n", "0002_less/b.delete.csv": "id,a\n1,1\n",
  ]
}
