import Foundation
import TestSupport
import Testing

@testable import Seedbed

/// The run of `down`: its order, its backup, its row in the ledger, races and kills.
struct DownRunTests {
  static let scripted = Releases.both.merging([
    "0002_next/up.sql": "CREATE TABLE log (step TEXT, elements INTEGER);",
    "0002_next/after.sql": "CREATE TABLE extra (a);",
    "0002_next/after.down.sql":
      "DROP TABLE extra; INSERT INTO log SELECT 'after.down', count(*) FROM elements;",
    "0002_next/down.sql": """
    INSERT INTO log SELECT 'down', count(*) FROM elements;
    CREATE TABLE kept AS SELECT * FROM log;
    DELETE FROM log WHERE step IS NOT NULL;
    DROP TABLE log;
    """,
  ]) { $1 }

  @Test func `after.down.sql first, then the rows, down.sql last`() throws {
    let device = try Device(Self.scripted)
    try device.up()
    try device.run("DELETE FROM elements WHERE number = 2")
    let report = try device.down(to: 1)
    #expect(try device.rows("SELECT * FROM kept") == ["after.down|3", "down|3"])
    #expect(report.touchedTables == ["elements", "extra", "isotopes", "kept", "log"])
  }

  @Test func `a backup, a row in the ledger, and nothing the second time`() throws {
    let device = try Releases.atFirst()
    try device.up()
    let before = try device.dump()
    device.options.reporting = .keys
    let report = try device.down(to: 1)
    let backup = try #require(report.backup)
    #expect(backup.version == 2 && backup.isVerified)
    let copy = try Connection(backup.path, .readOnly, setup: nil)
    #expect(try copy.value("SELECT count(*) FROM elements")?.integer == 4)
    #expect(try copy.value("SELECT count(*) FROM seedbed_migrations")?.integer == 2)
    let keys = report.migrations[0].tables.map { Set($0.changedKeys ?? []) }
    #expect(keys[0] == Set([1, 2, 3, 4, 20, 21].map { Migrator.Row(["number"], [.integer($0)]) }))
    #expect(keys[1] == [#"{"id":11}"#, #"{"id":12}"#])
    let runs = "SELECT direction, from_version, to_version, outcome FROM seedbed_runs ORDER BY id"
    #expect(try device.rows(runs).last == "down|2|1|reverted")
    let again = try device.down(to: 1)
    #expect(again.outcome == .upToDate && again.backup == nil && again.from == 1)
    #expect(try device.rows(runs).count == 3)
    try device.up()
    #expect(try device.dump() == before)
  }

  @Test func `versions one by one, the newest first, and all the way`() throws {
    let device = try Device(
      Self.scripted.merging([
        "0003_more/elements.csv": "number,symbol\n30,Zn\n",
        "0004_oops/migration.json": #"{"withdrawn": true}"#,
      ]) { $1 })
    try device.up()
    let report = try device.down(to: 1)
    #expect(report.migrations.map(\.version) == [4, 3, 2])
    #expect(try device.ledger().count == 1)
    try device.run("DROP TABLE kept")
    #expect(try device.down(to: 0).to == 0)
    #expect(try device.dump() == [])
    #expect(try device.up().migrations.map(\.version) == [1, 2, 3, 4])
  }

  @Test func `SQL after which a row would refer to nothing does not go back`() throws {
    let device = try Device([
      "catalog.json": #"{"tables": {"p": {"references": {"c": ["p"]}}}}"#,
      "0001_p/up.sql": "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p INTEGER);",
      "0001_p/p.csv": "id\n1\n", "0002_p/after.sql": "UPDATE p SET id = 2;",
      "0002_p/after.down.sql": "UPDATE p SET id = 1;",
    ])
    try device.up()
    try device.run("INSERT INTO c VALUES (2)")
    let error = #expect(throws: SeedbedError.self) { try device.down(to: 1) }
    #expect(error?.code == .foreignKey)
    #expect(error?.message.hasPrefix("1 row of 'c' would refer to rows of 'p'") == true)
    #expect(try device.rows("SELECT id FROM p") == ["2"])
  }

  @Test func `a rebuild with foreign keys off goes back too`() throws {
    let device = try Releases.atFirst([
      "0003_wide/migration.json": #"{"foreignKeys": "off"}"#,
      "0003_wide/up.sql": """
      CREATE TABLE wide (number INTEGER PRIMARY KEY, symbol TEXT UNIQUE, name TEXT, low, high,
        favourite, more TEXT);
      INSERT INTO wide SELECT *, 'x' FROM elements; DROP TABLE elements;
      ALTER TABLE wide RENAME TO elements;
      """,
      "0003_wide/down.sql": """
      CREATE TABLE narrow (number INTEGER PRIMARY KEY, symbol TEXT UNIQUE, name TEXT, low, high,
        favourite);
      INSERT INTO narrow SELECT number, symbol, name, low, high, favourite FROM elements;
      DROP TABLE elements; ALTER TABLE narrow RENAME TO elements;
      """,
    ])
    try device.up(to: 2)
    let rows = try device.rows("SELECT * FROM elements")
    try device.up()
    try device.migrator().down(to: 2, discardsUserRows: true)
    #expect(try device.rows("SELECT * FROM elements") == rows)
  }

  // MARK: other processes

  @Test func `what another process took back meanwhile is not taken back again`() throws {
    let device = try Releases.atFirst()
    try device.up()
    let other = try device.migrator()
    device.host.reaching = { moment in
      if moment == .runStarted { #expect(throws: Never.self) { try other.down(to: 1) } }
    }
    let report = try device.down(to: 1)
    #expect(report.migrations.isEmpty && report.to == 1)
    #expect(try device.ledger().count == 1)
  }

  @Test func `what another process applied meanwhile is not passed over`() throws {
    let device = try Releases.atFirst(["0003_more/elements.csv": "number,symbol\n30,Zn\n"])
    try device.up(to: 2)
    let other = try device.migrator()
    device.host.reaching = { moment in
      if moment == .runStarted { #expect(throws: Never.self) { try other.up() } }
    }
    let error = #expect(throws: SeedbedError.self) { try device.down(to: 1) }
    #expect(error?.code == .busy)
    #expect(
      error?.description
        == "Another process applied migration 3 meanwhile. Try again after a look at the "
        + "database.")
    #expect(try device.ledger().count == 3)
  }

  @Test func `cancelled, it rolls back`() throws {
    let device = try Releases.atFirst()
    try device.up()
    let before = try device.dump()
    let cancellation = Migrator.Cancellation()
    device.host.reaching = { if $0 == .beforeCommit { cancellation.cancel() } }
    let error = #expect(throws: SeedbedError.self) {
      try device.migrator().down(to: 1, cancellation: cancellation)
    }
    #expect(error?.code == .cancelled && error?.isDatabaseUnchanged == true)
    #expect(try device.dump() == before)
    #expect(try device.rows("SELECT outcome FROM seedbed_runs ORDER BY id").last == "cancelled")
  }

  // MARK: kills

  static let killed = scripted.merging(["0003_more/elements.csv": "number,symbol\n30,Zn\n"]) { $1 }

  private static func beforeDown() throws -> Device {
    let device = try Device(killed)
    try device.up(to: 1)
    try device.run(PlanRunTests.quarrel)
    device.options.policies = DownTests.seedWins
    _ = try device.migrator().up()
    return device
  }

  /// A down from 3 to 1 that nothing disturbs: every moment that it passes, and both states.
  private static let golden: (moments: [Moment], top: [String], bottom: [String]) = {
    let seen = Guarded<[Moment]>([])
    guard let device = try? beforeDown() else { return ([], [], []) }
    device.host.reaching = { moment in seen.withLock { $0.append(moment) } }
    let top = (try? device.dump()) ?? []
    _ = try? device.migrator().down(to: 1)
    return (seen.withLock { $0 }, top, (try? device.dump()) ?? [])
  }()

  @Test func `every moment of a run is passed`() {
    let others: Set<Moment> = [.begun, .beforeRestoreCopy, .afterRestoreCopy]
    let expected = Set(Moment.allCases).subtracting(others)
    #expect(Set(Self.golden.moments) == expected)
  }

  @Test(arguments: golden.moments.indices)
  func `killed at each moment, the next run ends in the golden state`(_ index: Int) async throws {
    let device = try Self.beforeDown()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [database = device.database as String, catalog = device.catalog as String, index] in
      let left = Guarded(index)
      let host = Host(reaching: { _ in
        let isDue = left.withLock { count in
          defer { count -= 1 }
          return count == 0
        }
        if isDue { kill(getpid(), SIGKILL) }
      })
      var migrator = Migrator(
        catalog: try Catalog(directory: catalog, host: host), at: database)
      migrator.host = host
      _ = try migrator.down(to: 1)
    }
    let versions = try device.ledger().count
    #expect((1...3).contains(versions))
    if index.isMultiple(of: 2) {
      try device.down(to: 1)
      #expect(try device.dump() == Self.golden.bottom)
    } else {
      if versions == 1 { try device.run("DROP TABLE kept") }
      _ = try await device.migrator().up()
      #expect(try device.dump() == Self.golden.top)
    }
  }
}
