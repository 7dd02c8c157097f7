import Testing

@testable import Seedbed

/// Indexes that are dropped for a large load, and must be there afterwards as they were.
struct SecondaryIndexTests {
  /// As many as make setting indexes aside worth it.
  static let csv =
    "id,up,name,kind\n"
    + (1...SecondaryIndexes.leastRows).map { "\($0),,name \($0 % 97),\($0 % 7)\n" }.joined()

  static let table = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, up INTEGER REFERENCES t (id), name TEXT, kind INTEGER);
    CREATE INDEX by_name ON t (name);
    CREATE UNIQUE INDEX by_both ON t (name, id);
    CREATE INDEX by_up ON t (up);
    CREATE INDEX by_expression ON t (lower(name));
    CREATE INDEX "by part" ON t (kind DESC) WHERE kind > 3;
    CREATE INDEX by_kind_and_up ON t (kind, up);
    INSERT INTO t VALUES (1000001, NULL, 'mine', 5), (1000002, NULL, 'mine', 6);
    """

  static let indexes = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name"

  /// The names of the indexes that a trace of the load saw dropped.
  private func setAside(
    _ device: Device, rows: Int64, options: MigrationOptions = MigrationOptions()
  ) throws -> [String] {
    let connection = try device.open()
    let ledger = try Ledger(prefix: "seedbed")
    let target = try TableTarget.read(
      "t", options: TableOptions(),
      keyOptions: KeyOptions(options, ledger: ledger, on: connection, insists: (true, true)),
      place: .init("t.csv"), ledger: ledger, on: connection)
    func names() throws -> Set<String> {
      Set(
        try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'index'")
          .compactMap { $0[0].text })
    }
    let before = try names()
    try connection.execute("BEGIN")
    defer { connection.rollBack() }
    let indexes = try SecondaryIndexes.setAside(for: target, rows: rows, on: connection)
    let gone = before.subtracting(try names()).sorted()
    try indexes.putBack()
    #expect(try names() == before)
    return gone
  }

  @Test func `a load puts all indexes and their statistics back`() throws {
    let device = try Device(["0001_t/t.csv": Self.csv], app: Self.table)
    try device.run("ANALYZE")
    let before = try device.rows(Self.indexes)
    let statistics = try device.rows("SELECT * FROM sqlite_stat1 ORDER BY tbl, idx, stat")
    #expect(statistics.count >= 6)
    #expect(try device.up().lines == ["1 t +5000 ~0 -0 =0 kept 0"])
    #expect(try device.rows(Self.indexes) == before)
    #expect(
      try device.rows("SELECT * FROM sqlite_stat1 WHERE tbl = 't' ORDER BY tbl, idx, stat")
        == statistics)
    #expect(
      try device.rows("SELECT count(*) FROM t INDEXED BY \"by part\" WHERE kind > 3")
        == device.rows("SELECT count(*) FROM t NOT INDEXED WHERE kind > 3"))
  }

  @Test func `only plain indexes that nothing needs meanwhile are set aside`() throws {
    let device = try Device(app: Self.table)
    #expect(
      try setAside(device, rows: 5000) == ["by part", "by_expression", "by_kind_and_up", "by_name"])
  }

  @Test func `one that leads with a reference of the options stays`() throws {
    let device = try Device(app: Self.table)
    var options = MigrationOptions()
    options.tables["t"] = TableOptions(
      references: [.init(child: "t", columns: ["name"], place: .init("catalog.json"))])
    #expect(
      try setAside(device, rows: 5000, options: options)
        == ["by part", "by_expression", "by_kind_and_up"])
  }

  @Test func `a load that does not outweigh the table keeps them`() throws {
    let device = try Device(app: Self.table)
    #expect(try setAside(device, rows: 4999) == [])
    try device.run(
      """
      INSERT INTO t (id) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000)
      SELECT i FROM n
      """)
    #expect(try setAside(device, rows: 5000) == [])
    #expect(try setAside(device, rows: 6000).count == 4)
  }

  @Test func `a trigger on the table may need them`() throws {
    let device = try Device(app: Self.table)
    try device.run("CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END")
    #expect(try setAside(device, rows: 5000) == [])
  }

  @Test func `a child's index stays in a table that another refers to`() throws {
    let device = try Device(
      app: """
        CREATE TABLE p (id INTEGER PRIMARY KEY);
        CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, B INTEGER,
          FOREIGN KEY (a, b) REFERENCES q (a, b));
        CREATE TABLE q (a, b, PRIMARY KEY (a, b));
        CREATE INDEX first ON t (A);
        CREATE INDEX second ON t (b, id);
        CREATE INDEX third ON t (id, a);
        """)
    device.mayHoldOrphans = true
    #expect(try setAside(device, rows: 5000) == ["third"])
  }

  @Test func `an index that cannot be built again rolls everything back`() throws {
    let device = try Device(
      [
        "0001_t/t.csv": "id,name\n" + (1...5000).map { "\($0),no json\n" }.joined()
      ],
      app: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
        CREATE INDEX by_json ON t (json_extract(name, '$.a'));
        """)
    let before = try device.dump()
    let error = try device.failure()
    #expect(error.message.contains("malformed JSON"))
    #expect(try device.dump() == before)
  }
}
