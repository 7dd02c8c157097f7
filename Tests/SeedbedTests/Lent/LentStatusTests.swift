import CSeedbedSQLite
import Testing

@testable import Seedbed

/// A look through a handle of the app's.
struct LentStatusTests {
  private static func states(_ status: Migrator.Status) -> [Migrator.Status.Migration.State] {
    status.migrations.map(\.state)
  }

  @Test func `it says what the migrator of the file says`() throws {
    let device = try Device(Releases.both)
    let app = try AppHandle(device.database, setup: "CREATE TABLE own (a)")
    let migrator = try LentHandleTests.lent(device)
    #expect(Self.states(try migrator.with(app.handle) { try $0.status() }) == [.pending, .pending])
    _ = try migrator.up(on: app.handle, to: 1)
    let status = try migrator.with(app.handle) { try $0.status() }
    #expect(status == (try device.migrator().status()))
    #expect(Self.states(status) == [.applied, .pending])
    #expect(status.lastRun?.outcome == .applied)
    _ = try migrator.up(on: app.handle)
    #expect(try migrator.with(app.handle) { try $0.status() }.state == .upToDate)
  }

  private func pending(_ outlook: Migrator.Outlook) -> [Version]? {
    if case .pending(let estimate) = outlook { estimate.pending } else { nil }
  }

  @Test(arguments: [true, false])
  func `whether anything is to be done, with a lock and without`(locked: Bool) throws {
    let device = try Device(Releases.both)
    if locked { try device.lock() }
    let app = try AppHandle(device.database)
    let migrator = HandleMigrator(
      catalog: try device.migrator(locked: locked).catalog)
    #expect(try pending(migrator.with(app.handle) { try $0.outlook() }) == [1, 2])
    _ = try migrator.up(on: app.handle, to: 1)
    #expect(try pending(migrator.with(app.handle) { try $0.outlook() }) == [2])
    _ = try migrator.up(on: app.handle)
    #expect(try migrator.with(app.handle) { try $0.outlook() } == .upToDate)
  }

  @Test(arguments: ["", "PRAGMA journal_mode=wal;"], ["", "BEGIN; INSERT INTO own VALUES (1);"])
  func `the handle stays exactly as it was`(journal: String, transaction: String) throws {
    let device = try Device(Releases.both)
    let app = try AppHandle(
      device.database,
      setup: journal + """
        PRAGMA foreign_keys=1; PRAGMA legacy_alter_table=1; PRAGMA ignore_check_constraints=1;
        CREATE TABLE own (id INTEGER PRIMARY KEY); INSERT INTO own VALUES (4711);
        CREATE TEMP TABLE kept (a);
        """)
    let migrator = try LentHandleTests.lent(device)
    _ = try migrator.up(on: app.handle, to: 1)
    // It ends with the transaction, so there is none outside of one.
    try app.run(transaction + (transaction.isEmpty ? "" : "PRAGMA defer_foreign_keys=1"))
    let before = try app.state()
    let changes = sqlite3_total_changes(app.handle)
    #expect(try migrator.with(app.handle) { try $0.status() }.current == 1)
    #expect(try migrator.with(app.handle) { try $0.outlook() } != .upToDate)
    #expect(try app.state() == before)
    #expect(sqlite3_total_changes(app.handle) == changes)
    if !transaction.isEmpty { try app.run("ROLLBACK") }
    #expect(try app.values("SELECT count(*) FROM own") == ["1"])
  }

  /// What an app's migrator sees in the middle of its own steps.
  @Test func `it sees what the transaction it stands in has applied`() throws {
    let device = try Device(Releases.both)
    let app = try AppHandle(device.database, setup: "CREATE TABLE own (a); BEGIN")
    let migrator = try LentHandleTests.lent(device)
    _ = try migrator.applyIfPending(1, on: app.handle)
    #expect(try migrator.with(app.handle) { try $0.status() }.current == 1)
    #expect(try device.migrator().status().current == 0)
    try app.run("ROLLBACK")
    #expect(try migrator.with(app.handle) { try $0.status() }.current == 0)
  }

  @Test func `a database in memory has one, too`() throws {
    let device = try Device(Releases.both)
    let app = try AppHandle(":memory:")
    let migrator = try LentHandleTests.lent(device)
    _ = try migrator.up(on: app.handle, to: 1)
    let status = try migrator.with(app.handle) { try $0.status() }
    #expect(status.database == ":memory:")
    let outlook = try migrator.with(app.handle) { try $0.outlook() }
    guard case .pending(let estimate) = outlook else {
      Issue.record("nothing pending")
      return
    }
    // No disk to fill.
    #expect(estimate.pending == [2] && estimate.freeBytes == nil)
    #expect(Self.states(status) == [.applied, .pending])
  }

  /// As GRDB's readers are.
  @Test func `a handle that may only read is enough`() throws {
    let device = try Device(Releases.both)
    try device.up()
    let app = try AppHandle(device.database, setup: "PRAGMA query_only=1")
    #expect(
      try LentHandleTests.lent(device).with(app.handle) { try $0.status() }.state == .upToDate)
    #expect(try LentHandleTests.lent(device).with(app.handle) { try $0.outlook() } == .upToDate)
  }

  /// Observers such as GRDB's take a rollback for a change of theirs.
  @Test func `the app's hooks hear nothing of it`() throws {
    let device = try Device(Releases.both)
    let app = try AppHandle(device.database)
    let heard = Heard()
    let pointer = Unmanaged.passUnretained(heard).toOpaque()
    sqlite3_rollback_hook(
      app.handle, { Unmanaged<Heard>.fromOpaque($0!).takeUnretainedValue().count += 1 }, pointer)
    sqlite3_commit_hook(
      app.handle,
      {
        Unmanaged<Heard>.fromOpaque($0!).takeUnretainedValue().count += 1
        return 0
      }, pointer)
    _ = try LentHandleTests.lent(device).with(app.handle) { try $0.status() }
    #expect(heard.count == 0)
    try app.run("BEGIN; ROLLBACK")
    #expect(heard.count == 1)
  }

  private final class Heard { var count = 0 }

  @Test func `what cannot be lent is refused, and a database of Core Data too`() throws {
    let device = try Device(Releases.both)
    let app = try AppHandle(
      device.database, setup: "CREATE TABLE own (a); INSERT INTO own VALUES (1)")
    let migrator = try LentHandleTests.lent(device)
    var statement: OpaquePointer?
    sqlite3_prepare_v2(app.handle, "SELECT a FROM own", -1, &statement, nil)
    sqlite3_step(statement)
    #expect(
      failureText { _ = try migrator.with(app.handle) { try $0.status() } }?.contains(
        "SELECT a FROM own")
        == true)
    sqlite3_finalize(statement)
    let other = #expect(throws: SeedbedError.self) {
      try migrator.with(app.handle, sourceID: "2020-01-01 another copy") { try $0.status() }
    }
    #expect(other?.code == .needsConnection)
    try app.run("CREATE TABLE Z_METADATA (a)")
    let foreign = #expect(throws: SeedbedError.self) {
      try migrator.with(app.handle) { try $0.status() }
    }
    #expect(foreign?.code == .foreignDatabase)
  }
}
