import CSeedbedSQLite
import Testing

@testable import Seedbed

/// `applyIfPending(_:on:)`: one migration inside the app's own transaction.
struct ApplyInsideTests {
  private static func open(_ files: [String: String] = Releases.both) throws -> (
    AppHandle, HandleMigrator, Device
  ) {
    let device = try Device(files)
    let app = try AppHandle(
      device.database,
      setup: "PRAGMA foreign_keys=1; CREATE TABLE schema_versions (version INTEGER PRIMARY KEY)")
    return (app, try LentHandleTests.lent(device), device)
  }

  @Test func `the app's ledger and ours are committed together`() throws {
    let (app, migrator, device) = try Self.open()
    try app.run("BEGIN; INSERT INTO schema_versions VALUES (1)")
    let inside = try app.state()
    #expect(try migrator.applyIfPending(1, on: app.handle).migrations.map(\.version) == [1])
    #expect(try app.state() == inside)
    try app.run("ROLLBACK")
    #expect(try app.values("SELECT name FROM sqlite_schema") == ["schema_versions"])
    try app.run("BEGIN IMMEDIATE; INSERT INTO schema_versions VALUES (1)")
    _ = try migrator.applyIfPending(1, on: app.handle)
    try app.run("INSERT INTO schema_versions VALUES (2)")
    _ = try migrator.applyIfPending(2, on: app.handle)
    try app.run("COMMIT")
    #expect(try device.migrator().status().state == .upToDate)
    #expect(try app.values("SELECT count(*) FROM schema_versions") == ["2"])
  }

  @Test func `after an error the transaction goes on without it`() throws {
    let (app, migrator, device) = try Self.open(
      Releases.both.merging(["0002_next/verify.sql": "SELECT 'wrong'"]) { $1 })
    try app.run("BEGIN; INSERT INTO schema_versions VALUES (1)")
    _ = try migrator.applyIfPending(1, on: app.handle)
    let error = #expect(throws: SeedbedError.self) {
      try migrator.applyIfPending(2, on: app.handle)
    }
    #expect(error?.code == .verify)
    #expect(error?.version == 2)
    try app.run("INSERT INTO schema_versions VALUES (2); COMMIT")
    #expect(try device.migrator().status().current == 1)
    #expect(try app.values("SELECT name FROM elements WHERE number = 1") == ["Hydrogen"])
    #expect(try app.values("SELECT count(*) FROM schema_versions") == ["2"])
  }

  @Test func `the next one that is pending, or none`() throws {
    let (app, migrator, device) = try Self.open()
    defer { withExtendedLifetime(device) {} }
    try app.run("BEGIN")
    let early = #expect(throws: SeedbedError.self) {
      try migrator.applyIfPending(2, on: app.handle)
    }
    #expect(early?.code == .outOfOrder)
    let unknown = #expect(throws: SeedbedError.self) {
      try migrator.applyIfPending(9, on: app.handle)
    }
    #expect(unknown?.code == .usage)
    _ = try migrator.applyIfPending(1, on: app.handle)
    let again = try migrator.applyIfPending(1, on: app.handle)
    #expect(again.outcome == .upToDate && again.migrations == [])
    #expect(again.notes == ["Migration 1 is already applied. Nothing was done."])
    try app.run("COMMIT")
  }

  @Test func `a row whose parent the user deleted before is skipped`() throws {
    let (app, migrator, device) = try Self.open(
      Releases.both.merging(["0002_next/isotopes.csv": "id,element,name\n12,2,Helium-4\n"]) { $1 })
    defer { withExtendedLifetime(device) {} }
    try app.run("BEGIN")
    _ = try migrator.applyIfPending(1, on: app.handle)
    try app.run("DELETE FROM elements WHERE number = 2")
    let report = try migrator.applyIfPending(2, on: app.handle)
    #expect(report.migrations[0].conflicts.map(\.kind) == [.deletedByUser, .parentDeleted])
    try app.run("COMMIT")
  }

  @Test func `rows that refer to nothing are refused before COMMIT`() throws {
    let (app, migrator, device) = try Self.open(
      Releases.both.merging(["0002_next/after.sql": "INSERT INTO notes VALUES (1, 99)"]) { $1 })
    defer { withExtendedLifetime(device) {} }
    try app.run("BEGIN")
    _ = try migrator.applyIfPending(1, on: app.handle)
    let error = #expect(throws: SeedbedError.self) {
      try migrator.applyIfPending(2, on: app.handle)
    }
    #expect(error?.code == .foreignKey)
    try app.run("PRAGMA defer_foreign_keys=1; INSERT INTO notes VALUES (1, 99)")
    let open = #expect(throws: SeedbedError.self) { try migrator.applyIfPending(2, on: app.handle) }
    #expect(open?.message.contains("already has rows") == true)
    try app.run("DELETE FROM notes; COMMIT")
  }

  @Test func `a transaction that SQLite ended is told`() throws {
    let (app, migrator, device) = try Self.open(
      Releases.both.merging([
        "0002_next/after.sql": "INSERT OR ROLLBACK INTO elements (number) VALUES (1)"
      ]) { $1 })
    defer { withExtendedLifetime(device) {} }
    try app.run("BEGIN; INSERT INTO schema_versions VALUES (1)")
    _ = try migrator.applyIfPending(1, on: app.handle)
    let error = #expect(throws: SeedbedError.self) {
      try migrator.applyIfPending(2, on: app.handle)
    }
    #expect(error?.message.contains("whole transaction") == true)
    #expect(sqlite3_get_autocommit(app.handle) != 0)
  }

  @Test func `cancelling leaves the app's transaction alone`() throws {
    let (app, migrator, device) = try Self.open()
    defer { withExtendedLifetime(device) {} }
    try app.run("BEGIN; INSERT INTO schema_versions VALUES (1)")
    let cancellation = Migrator.Cancellation()
    var migrating = migrator
    migrating.host.reaching = { if $0 == .afterRows { cancellation.cancel() } }
    let error = #expect(throws: SeedbedError.self) {
      try migrating.applyIfPending(1, on: app.handle, cancellation: cancellation)
    }
    #expect(error?.code == .cancelled)
    #expect(try app.values("SELECT version FROM schema_versions") == ["1"])
    try app.run("COMMIT")
  }
}
