import CSeedbedSQLite
import TestSupport
import Testing

@testable import Seedbed

/// The verbs of a handle.
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
    let settled = try migrator.with(app.handle) {
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
    let origins = try migrator.with(app.handle) { migrator in
      try migrator.pin(key, in: "t")
      let pinned = try migrator.origin(of: key, in: "t")
      try migrator.unpin(key, in: "t")
      return [pinned, try migrator.origin(of: key, in: "t")]
    }
    #expect(origins.map { $0?.isPinned } == [true, false])
    let two = Migrator.Row(positional: [1, 2])
    #expect(throws: SeedbedError.self) {
      try migrator.with(app.handle) { try $0.pin(two, in: "t") }
    }
    #expect(throws: SeedbedError.self) {
      try migrator.with(app.handle) { try $0.unpin(two, in: "t") }
    }
  }

  @Test func `a release is taken back`() throws {
    let (app, migrator, device) = try Self.edited()
    defer { withExtendedLifetime(device) {} }
    try migrator.with(app.handle) { _ = try $0.down(to: 1) }
    #expect(try migrator.with(app.handle) { try $0.status() }.current == 1)
    #expect(try app.values("SELECT word FROM t") == ["mine", "two"])
  }

  @Test func `several calls on one loan are each cancelled by their own`() throws {
    let (app, migrator, device) = try Self.edited()
    defer { withExtendedLifetime(device) {} }
    let cancellation = Migrator.Cancellation()
    cancellation.cancel()
    let versions = try migrator.with(app.handle) { migrator in
      #expect(throws: SeedbedError.self) {
        try migrator.down(to: 1, cancellation: cancellation)
      }
      return [
        try migrator.status().current, try migrator.down(to: 1).to, try migrator.up().to,
      ]
    }
    #expect(versions == [2, 1, 2])
  }

  @Test(arguments: [true, false]) func `every verb is there`(isFile: Bool) throws {
    let device = try Device(Self.files)
    let app = try AppHandle(isFile ? device.database : ":memory:")
    let migrator = try LentHandleTests.lent(device)
    try migrator.up(on: app.handle, to: 1)
    try app.run("UPDATE t SET word = 'mine' WHERE id = 1")
    try migrator.with(app.handle) { migrator in
      try migrator.up()
      _ = try migrator.outlook()
      _ = try migrator.counts()
      _ = try migrator.suggestions()
      _ = try migrator.reseed("t", keys: ["2"])
      _ = try migrator.absent()
      _ = try migrator.reseed(missingFrom: nil)
      _ = try migrator.backups()
    }
    let found = try migrator.with(app.handle) { try $0.verify() }
    #expect(found.isEmpty, "\(found)")
    let restored = Result { try migrator.with(app.handle) { try $0.restore() } }
    if isFile {
      _ = try restored.get()
    } else {
      #expect(throws: SeedbedError.self) { try restored.get() }
    }
    #expect(try app.values("SELECT word FROM t WHERE id = 1") == ["mine"])
  }

  @Test func `a migrator that was kept does nothing, and says so`() throws {
    let (app, migrator, device) = try Self.edited()
    defer { withExtendedLifetime(device) {} }
    let kept = try migrator.with(app.handle) { $0 }
    let calls: [(Migrator) throws -> Void] = [
      { _ = try $0.status() }, { _ = try $0.down(to: 1) }, { _ = try $0.conflicts() },
      { _ = try $0.outlook() }, { _ = try $0.plan() },
    ]
    for call in calls {
      let error = #expect(throws: SeedbedError.self) { try call(kept) }
      #expect(error?.message.contains("The handle was given back.") == true, "\(error as Any)")
    }
    struct Own: Error {}
    #expect(throws: Own.self) { try migrator.with(app.handle) { _ in throw Own() } }
  }

  @Test func `nothing that writes is done inside a transaction of the app`() throws {
    let (app, migrator, device) = try Self.edited()
    defer { withExtendedLifetime(device) {} }
    try app.run("BEGIN")
    let error = #expect(throws: SeedbedError.self) {
      try migrator.with(app.handle) { try $0.resolve($0.conflicts(), with: .seed) }
    }
    #expect(error == SeedbedError.handleInTransaction())
    #expect(try migrator.with(app.handle) { try $0.conflicts().count } == 1)
  }
}
