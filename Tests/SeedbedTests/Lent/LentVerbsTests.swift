import CSeedbedSQLite
import TestSupport
import Testing

@testable import Seedbed

/// The verbs that a handle has through the doors for other languages.
struct LentVerbsTests {
  private static let files = [
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT);",
    "0001_t/down.sql": "DROP TABLE t;",
    "0001_t/t.csv": "id,word\n1,one\n2,two\n",
    "0002_t/t.update.csv": "id,word,was:word\n1,ONE,one\n",
  ]

  /// A database in memory at release 2, whose user had edited a row before.
  private static func edited() throws -> (AppHandle, HandleMigrator, Device) {
    let device = try Device(files)
    let app = try AppHandle(":memory:")
    let migrator = try LentHandleTests.lent(device)
    try migrator.up(on: app.handle, to: 1)
    try app.run("UPDATE t SET word = 'mine' WHERE id = 1")
    try migrator.up(on: app.handle)
    return (app, migrator, device)
  }

  @Test func `conflicts are listed and settled`() throws {
    let (app, migrator, device) = try Self.edited()
    defer { withExtendedLifetime(device) {} }
    let before = try app.state()
    let settled = try migrator.lending(app.handle) {
      try $0.resolve($0.conflicts(), with: .seed)
    }
    #expect(settled.conflicts == [1])
    #expect(try app.values("SELECT word FROM t") == ["ONE", "two"])
    #expect(try app.state() == before)
    // A statement on the handle sees the log too.
    let logged = try Migrator.Conflict.logged(on: app.handle, ledger: "seedbed")
    #expect(logged.map(\.settled) == [.seed])
    #expect(try Migrator.Conflict.logged(on: app.handle, ledger: "other").isEmpty)
  }

  @Test func `a row is pinned by its key's values, and its origin is known`() throws {
    let (app, migrator, device) = try Self.edited()
    defer { withExtendedLifetime(device) {} }
    let key = Migrator.Row(positional: [.text("2")])
    let origins = try migrator.lending(app.handle) { migrator in
      try migrator.pin(key, in: "t")
      let pinned = try migrator.origin(of: key, in: "t")
      try migrator.unpin(key, in: "t")
      return [pinned, try migrator.origin(of: key, in: "t")]
    }
    #expect(origins.map { $0?.isPinned } == [true, false])
    let two = Migrator.Row(positional: [1, 2])
    #expect(throws: SeedbedError.self) {
      try migrator.lending(app.handle) { try $0.pin(two, in: "t") }
    }
    #expect(throws: SeedbedError.self) {
      try migrator.lending(app.handle) { try $0.unpin(two, in: "t") }
    }
  }

  @Test func `a release is taken back`() throws {
    let (app, migrator, device) = try Self.edited()
    defer { withExtendedLifetime(device) {} }
    try migrator.lending(app.handle) { _ = try $0.down(to: 1) }
    #expect(try migrator.status(on: app.handle).current == 1)
    #expect(try app.values("SELECT word FROM t") == ["mine", "two"])
  }

  @Test func `nothing that writes is done inside a transaction of the app`() throws {
    let (app, migrator, device) = try Self.edited()
    defer { withExtendedLifetime(device) {} }
    try app.run("BEGIN")
    let error = #expect(throws: SeedbedError.self) {
      try migrator.lending(app.handle) { try $0.resolve($0.conflicts(), with: .seed) }
    }
    #expect(error == SeedbedError.handleInTransaction())
    #expect(try migrator.lending(app.handle) { try $0.conflicts().count } == 1)
  }
}
