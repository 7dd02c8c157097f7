import TestSupport
import Testing

@testable import Seedbed

/// What `reseed` cannot put back, and what it says of that.
struct ReseedRefusalTests {
  static let tree = [
    "catalog.json": #"{"tables": {"t": {"key": ["n"]}}}"#,
    "0001_t/up.sql":
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT UNIQUE, up INTEGER REFERENCES t (id));",
    "0001_t/t.csv": "n,up:t.n\n\"x\"\"y\",\nleaf,\"x\"\"y\"\nleaf2,leaf\n",
  ]

  private static func chopped() throws -> Device {
    let device = try Device(tree)
    try device.up()
    try device.run("DELETE FROM t WHERE n = 'leaf2'; DELETE FROM t WHERE n = 'leaf'; DELETE FROM t")
    return device
  }

  @Test func `a tree by natural keys comes back parents first`() throws {
    let device = try Self.chopped()
    for key in [#""x""y""#, "leaf", "leaf2"] { try device.migrator().reseed("t", keys: [key]) }
    #expect(try device.rows("SELECT count(*) FROM t WHERE up IS NOT NULL") == ["2"])
  }

  @Test func `a tree by natural keys comes back as a whole`() throws {
    let device = try Self.chopped()
    let report = try device.migrator().reseed("t")
    #expect(report.counts.inserted == 3)
    #expect(
      try device.rows("SELECT c.n, p.n FROM t AS c JOIN t AS p ON p.id = c.up ORDER BY 1") == [
        #"leaf|x"y"#, "leaf2|leaf",
      ])
  }

  @Test func `what refers to a row that a user's row keeps out stays away with it`() throws {
    let device = try Device([
      "catalog.json": #"{"tables": {"t": {"key": ["n"]}}}"#,
      "0001_t/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT UNIQUE, m TEXT UNIQUE,
                      up INTEGER REFERENCES t (id));
      """,
      "0001_t/t.csv": "n,m,up:t.n\nroot,1,\nleaf,2,root\nother,3,\n",
    ])
    try device.up()
    try device.run(
      """
      DELETE FROM t WHERE n = 'leaf'; DELETE FROM t;
      INSERT INTO t (n, m) VALUES ('mine', '1')
      """)
    let report = try device.migrator().reseed("t")
    #expect(report.counts.inserted == 1 && report.counts.kept == 2)
    #expect(try device.rows("SELECT n FROM t ORDER BY n") == ["mine", "other"])
  }

  static let unique = [
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT UNIQUE);",
    "0001_t/t.csv": "id,n\n1,a\n2,b\n3,c\n",
  ]

  @Test func `UNIQUE values that the user exchanged come back`() throws {
    let device = try Device(Self.unique)
    try device.up()
    try device.run(
      """
      UPDATE t SET n = 'tmp' WHERE id = 1; UPDATE t SET n = 'a' WHERE id = 2;
      UPDATE t SET n = 'b' WHERE id = 1
      """)
    try device.migrator().reseed("t")
    #expect(try device.rows("SELECT n FROM t ORDER BY id") == ["a", "b", "c"])
  }

  private static func held() throws -> Device {
    let device = try Device(unique)
    try device.up()
    try device.run(
      """
      DELETE FROM t WHERE id = 1; INSERT INTO t VALUES (77, 'a');
      UPDATE t SET n = 'x' WHERE id = 3
      """
    )
    return device
  }

  @Test func `what a user's row holds stays, and the rest comes back`() throws {
    let device = try Self.held()
    let report = try device.migrator().reseed("t")
    #expect(report.counts.kept == 1)
    #expect(try device.rows("SELECT n FROM t WHERE id = 3") == ["c"])
    #expect(try device.leftToUser() == [#"1|t|{"id":1}"#])
  }

  @Test func `the row that cannot be put back is named`() throws {
    let device = try Self.held()
    let error = #expect(throws: SeedbedError.self) {
      try device.migrator().reseed("t", keys: ["1"])
    }
    #expect(
      error?.message
        == "The row '1' of 't' cannot be put back: another row holds one of its UNIQUE values. "
        + "Change or remove that one, and try again. Nothing was changed.")
    #expect(error?.code == .constraint)
  }

  /// The user's mark makes the seed's pages break a rule.
  static let books = [
    "0001_t/up.sql":
      "CREATE TABLE t (id TEXT PRIMARY KEY, pages INTEGER, mark INTEGER, CHECK (mark <= pages));",
    "0001_t/t.csv": "id,pages\na,100\nb,200\n",
  ]

  @Test func `a row that a rule of the table refuses stays the seed's`() throws {
    let device = try Device(Self.books)
    try device.up()
    try device.run("UPDATE t SET pages = 180, mark = 150")
    let error = #expect(throws: SeedbedError.self) {
      try device.migrator().reseed("t", keys: ["a"])
    }
    #expect(
      error?.message
        == "The row 'a' of 't' cannot be put back: a rule of the table refuses it: CHECK "
        + "constraint failed: mark <= pages. Look at the row, and try again. Nothing was changed.")
    let report = try device.migrator().reseed("t")
    #expect(report.counts.kept == 1 && report.counts.updated == 1)
    let rows = "SELECT id, pages, mark FROM t"
    #expect(try device.rows(rows) == ["a|180|150", "b|200|150"])
    #expect(try device.leftToUser() == [])
    let conflict = try device.migrator().conflicts().last
    #expect(conflict?.kind == .edited && conflict?.resolution == .keptUser)
    #expect(conflict?.mine?.values == [180] && conflict?.seed?.values == [100])
    try device.run("UPDATE t SET mark = 20 WHERE id = 'a'")
    try device.migrator().reseed("t")
    #expect(try device.rows(rows) == ["a|100|20", "b|200|150"])
  }

  @Test func `a row whose value another holds stays the seed's`() throws {
    let device = try Device(Self.unique)
    try device.up()
    try device.run("UPDATE t SET n = 'x' WHERE id = 1; INSERT INTO t VALUES (77, 'a')")
    let report = try device.migrator().reseed("t")
    #expect(report.counts.kept == 1)
    #expect(try device.leftToUser() == [])
    #expect(try device.migrator().conflicts().map(\.kind) == [.uniqueTaken])
    try device.run("DELETE FROM t WHERE id = 77")
    try device.migrator().reseed("t")
    #expect(try device.rows("SELECT n FROM t ORDER BY id") == ["a", "b", "c"])
  }

  // MARK: the remedy

  @Test func `the remedy has the key`() throws {
    let device = try Self.chopped()
    let error = #expect(throws: SeedbedError.self) {
      try device.migrator().reseed("t", keys: ["leaf"])
    }
    #expect(error?.remedies == [.reseed("t", key: #""x""y""#)])
  }

  @Test(arguments: ["a\u{1B}[2Jb", "a\nb", String(repeating: "x", count: 300)])
  func `a key that is not to be printed is not in the command`(_ key: String) {
    let error = SeedbedError.reseedParentMissing("t", "p", key)
    // Nor is one for all rows of the table.
    #expect(error.remedies == [])
  }

  @Test func `a catalog that cannot be played says so, and not what it applied`() throws {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      CREATE TRIGGER stays BEFORE DELETE ON t WHEN OLD.a = 'z' BEGIN SELECT RAISE(IGNORE); END;
      """,
      "0001_t/t.csv": "id,a\n1,x\n3,z\n",
      "0002_t/t.update.csv": "id,a,was:a\n1,X,x\n", "0002_t/t.delete.csv": "id,a\n3,z\n",
    ])
    try device.up(to: 1)
    try device.run("UPDATE t SET a = 'mine'")
    try device.up()
    let all = try device.migrator().conflicts()
    let calls: [(Migrator) throws -> Void] = [
      { _ = try $0.resolve(all, with: .seed) }, { _ = try $0.resolve(all, with: .mine) },
      { _ = try $0.reseed("t") }, { _ = try $0.origin(of: ["id": 1], in: "t") },
    ]
    for call in calls {
      let error = try #require(
        throws: SeedbedError.self
      ) { try call(try device.migrator()) }
      #expect(error.code == .constraint && error.applied == [] && error.isDatabaseUnchanged)
      #expect(error.place == .init("0002_t/t.delete.csv", line: 2))
      #expect(
        error.message == """
          The database is unchanged. The catalog cannot be played on a scratch database, which \
          shows what the seed's rows are: The trigger 'stays' of the table 't' ignored this row \
          without an error (RAISE(IGNORE)). Let it pass while Seedbed applies: WHEN NOT EXISTS \
          (SELECT 1 FROM seedbed_applying).
          """)
    }
  }
}
