import Testing

@testable import Seedbed

/// The tables that record what was applied.
struct LedgerTests {
  static let files = [
    "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY, v TEXT);",
    "0001_t/t.csv": "a,v\n1,x\n",
    "0003_more/t.csv": "a,v\n3,z\n",
    "0010_most/t.csv": "a,v\n10,w\n",
  ]

  @Test func `a row says what, when, how long and by what`() throws {
    let device = try Device(Self.files)
    try device.up()
    #expect(
      try device.rows(
        """
        SELECT version, name, state, inserted, updated, deleted, unchanged, kept, run, tool
        FROM seedbed_migrations
        """) == [
          "1|t|applied|1|0|0|0|0|1|\(Tool.name)", "3|more|applied|1|0|0|0|0|1|\(Tool.name)",
          "10|most|applied|1|0|0|0|0|1|\(Tool.name)",
        ])
    #expect(
      try device.rows(
        """
        SELECT count(*) FROM seedbed_migrations
        WHERE applied_at GLOB '20[2-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:*Z'
          AND checksum GLOB 'sha256:*' AND length(checksum) = 71
        """) == ["3"])
    #expect(
      try device.rows(
        "SELECT id, direction, from_version, to_version, outcome, error, backup FROM seedbed_runs")
        == ["1|up|0|10|applied|NULL|NULL"])
    #expect(try device.rows("SELECT * FROM seedbed_applying") == [])
  }

  /// The chain as the contract has it: from the previous chain, the version and the checksum.
  private func isChained(_ device: Device) throws -> Bool {
    var previous: String?
    for row in try device.rows("SELECT version, checksum, chain FROM seedbed_migrations ORDER BY 1")
    {
      let parts = row.split(separator: "|").map(String.init)
      let version = try #require(Version(parts[0]))
      let chain = Checksum.chain(after: previous, version: version, checksum: parts[1])
      if chain != parts[2] { return false }
      previous = chain
    }
    return true
  }

  @Test(arguments: [true, false])
  func `the head is the lock's head`(_ isLocked: Bool) throws {
    let device = try Device(Self.files)
    try device.lock()
    let head = try #require(try Catalog(locked: device.catalog).head)
    if !isLocked { try device.remove("seedbed.lock") }
    try device.up()
    #expect(try isChained(device))
    #expect(
      try device.rows("SELECT version, chain FROM seedbed_migrations ORDER BY 1 DESC LIMIT 1")
        == ["\(head.version)|\(head.chain)"])
  }

  @Test func `a migration applied out of order rewrites the later chains`() throws {
    let device = try Device(Self.files)
    try device.up()
    let chains = "SELECT version, chain FROM seedbed_migrations ORDER BY 1"
    let before = try device.rows(chains)
    try device.write(["0002_late/t.csv": "a,v\n2,y\n"])
    let error = try device.failure()
    #expect(error.code == .outOfOrder)
    #expect(
      error.message == """
        Migration 2 (late) is pending, but the database is already at 10. Give it a number above \
        10, or allow it.
        """)
    #expect(try device.migrator().status().state == .outOfOrder)
    #expect(try device.rows(chains) == before)
    device.options.allowsOutOfOrder = true
    let report = try device.up()
    #expect(report.lines == ["2 t +1 ~0 -0 =0 kept 0"])
    #expect(report.from == 10)
    #expect(report.to == 10)
    #expect(try isChained(device))
    let after = try device.rows(chains)
    #expect(after[0] == before[0])
    #expect(after[2...] != before[1...])
    // A device that applied all in order has the same head: the fast path knows it.
    try device.lock()
    #expect(try device.migrator(locked: true).up().outcome == .upToDate)
  }

  @Test func `a prefix of its own, and two ledgers in one database`() throws {
    let first = try Device(Self.files)
    try first.up()
    let second = try Device(["0001_u/up.sql": "CREATE TABLE u (a);", "0005_u/up.sql": "SELECT 1;"])
    var options = Migrator.Options()
    options.ledger = "Plug_in2"
    let migrator = Migrator(
      catalog: try Catalog(directory: second.catalog), at: first.database,
      options: options)
    #expect(try migrator.status().state == .pending)
    #expect(try migrator.up().to == 5)
    #expect(try migrator.status().current == 5)
    #expect(try first.migrator().status().current == 10)
    #expect(try first.up().outcome == .upToDate)
    #expect(
      try first.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'plug%' ORDER BY name")
        == [
          "applying", "conflicts", "ledger", "left_to_user", "migrations", "runs",
        ].map { "Plug_in2_\($0)" })
  }

  @Test(arguments: ["", "a b", "a-b", "sqlite", "SQLite_x", "naïve", "a\"b", "a.b", "1"])
  func `a prefix that cannot begin a table's name is refused:`(_ name: String) throws {
    let device = try Device(Self.files)
    device.options.ledger = name
    let error = try device.failure()
    #expect(error.code == .usage)
    #expect(
      error.message == """
        The ledger's name '\(name)' must be letters, digits and _, and must not begin with a digit \
        or sqlite.
        """)
    #expect(try device.dump() == [])
  }

  @Test func `a ledger of a later format is left alone`() throws {
    let device = try Device(Self.files)
    try device.up(to: 1)
    try device.run("UPDATE seedbed_ledger SET format = 4")
    let error = try device.failure()
    #expect(error.code == .newer)
    #expect(
      error.message == """
        The ledger in this database has format 4, written by a newer Seedbed. Update the app or \
        the command.
        """)
    #expect(throws: SeedbedError.self) { try device.migrator().status() }
  }

  @Test func `a ledger of an earlier format is refused`() throws {
    let device = try Device(Self.files)
    try device.up(to: 1)
    try device.run("UPDATE seedbed_ledger SET format = 1")
    let error = try device.failure()
    #expect(error.code == .tooOld)
    #expect(
      error.message == """
        The ledger in this database has format 1, of a Seedbed before its first release. Drop the \
        ledger's tables and mark what is applied.
        """)
  }

  static let nonsense = [
    "UPDATE seedbed_migrations SET state = 'half done'",
    "UPDATE seedbed_migrations SET checksum = 'md5:1'",
    "UPDATE seedbed_migrations SET applied_at = 'yesterday'",
    "UPDATE seedbed_migrations SET duration_ms = -1",
    "UPDATE seedbed_migrations SET inserted = 'many'",
    "UPDATE seedbed_runs SET outcome = 'fine'",
    "INSERT INTO seedbed_left_to_user VALUES ('t', NULL, 'keyTaken', 1)",
    "INSERT INTO seedbed_left_to_user VALUES ('t', '{}', 'edited', 1)",
    "INSERT INTO seedbed_conflicts (version, table_name, key, kind, resolution, at)"
      + " VALUES (1, 't', '{}', 'dislike', 'moved', '2026-01-01T00:00:00.000Z')",
  ]

  @Test(arguments: nonsense)
  func `its tables refuse nonsense`(_ sql: String) throws {
    let device = try Device(Self.files)
    try device.up()
    #expect(throws: SQLiteFailure.self) { try device.run(sql) }
  }

  @Test func `a withdrawn migration is recorded and skipped, and stays where it was applied`()
    throws
  {
    let json = ["0003_more/migration.json": #"{"withdrawn":true}"#]
    let device = try Device(Self.files.merging(json) { $1 })
    let report = try device.up()
    #expect(report.migrations.map(\.isWithdrawn) == [false, true, false])
    #expect(
      try device.ledger()
        == ["1|applied|1|0|0|0|0", "3|withdrawn|0|0|0|0|0", "10|applied|1|0|0|0|0"])
    #expect(try device.rows("SELECT a FROM t") == ["1", "10"])
    #expect(
      try device.migrator().status().migrations.map(\.state) == [.applied, .withdrawn, .applied])
    #expect(try isChained(device))

    let applied = try Device(Self.files)
    try applied.up()
    try applied.write(json)
    #expect(try applied.up().outcome == .upToDate)
    #expect(try applied.rows("SELECT a FROM t") == ["1", "3", "10"])
    #expect(try applied.migrator().status().state == .upToDate)
  }

  @Test func `only a table makes a ledger`() throws {
    let device = try Device(app: "CREATE TABLE t (a); CREATE INDEX my_left_to_user ON t (a)")
    #expect(try Ledger(of: device.open()) == nil)
    try device.run("CREATE TABLE own_left_to_user (a)")
    #expect(try Ledger(of: device.open())?.prefix == "own")
  }

  @Test(arguments: [
    "migrations SET checksum = upper(checksum)", "migrations SET chain = upper(chain)",
    "migrations SET applied_at = lower(applied_at)", "runs SET started_at = lower(started_at)",
  ]) func `its texts have one spelling`(_ change: String) throws {
    let device = try Device(Self.files)
    try device.up()
    #expect(throws: SQLiteFailure.self) { try device.run("UPDATE seedbed_\(change)") }
  }

  @Test func `a key signs one lock for each version`() throws {
    let connection = try Connection("", .memory, setup: nil)
    let ledger = try Ledger(prefix: "seedbed")
    try ledger.create(on: connection)
    for _ in 0..<2 { try ledger.note([.init(key: "k", version: 3, lock: "a")], on: connection) }
    let error = #expect(throws: SeedbedError.self) {
      try ledger.note([.init(key: "k", version: 3, lock: "b")], on: connection)
    }
    #expect(error?.code == .busy)
    try ledger.note([.init(key: "k", version: 4, lock: "b")], on: connection)
    #expect(try ledger.signedHeads(on: connection).map(\.version) == [4])
  }
}
