import CSeedbedSQLite
import Testing

@testable import Seedbed

/// Closures of the app that run in the middle of a migration, and on each connection.
struct HooksTests {
  static let files = [
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT);",
    "0001_t/t.csv": "id,word\n1,one\n",
    "0002_t/t.csv": "id,word\n2,two\n",
  ]

  private struct NoTwos: Error {}

  // MARK: before COMMIT

  @Test func `it sees each migration's rows before they are committed`() throws {
    let device = try Device(Self.files)
    var migrator = try device.migrator()
    let heard = Guarded<[String]>([])
    migrator.hooks.beforeCommit = { version, database in
      let count = try database.integer("SELECT count(*) FROM t") ?? 0
      let last = try database.text("SELECT word FROM t ORDER BY id DESC") ?? ""
      let isThere = try database.hasTable("t")
      heard.withLock { $0.append("\(version) \(count) \(last) \(isThere)") }
    }
    let expected = ["1 1 one true", "2 2 two true"]
    _ = try migrator.plan()
    #expect(heard.withLock { $0 } == expected)
    try migrator.up()
    #expect(heard.withLock { $0 } == expected + expected)
    // What is up to date is not asked again, and nothing is when migrations are taken back.
    try migrator.up()
    try migrator.down(to: 1)
    #expect(heard.withLock { $0.count } == 4)
  }

  @Test func `its error rolls the migration back, and the one before stays`() throws {
    let device = try Device(Self.files)
    var migrator = try device.migrator()
    migrator.hooks.beforeCommit = { _, database in
      if try database.integer("SELECT 1 FROM t WHERE word = 'two'") == 1 { throw NoTwos() }
    }
    let error = #expect(throws: SeedbedError.self) { try migrator.up() }
    #expect(error?.code == .verify && error?.version == 2 && error?.applied == [1])
    #expect(error?.message == "The app refused what 0002_t made: NoTwos(). It was rolled back.")
    #expect(try device.rows("SELECT word FROM t") == ["one"])
    #expect(try migrator.status().current == 1)
  }

  @Test func `an error of Seedbed's kind leaves as it is`() throws {
    let device = try Device(Self.files)
    var migrator = try device.migrator()
    migrator.hooks.beforeCommit = { _, _ in throw SeedbedError(.conflict, "Not now.") }
    let error = #expect(throws: SeedbedError.self) { try migrator.up() }
    #expect(error?.code == .conflict && error?.message == "Not now.")
    #expect(error?.isDatabaseUnchanged == true)
  }

  @Test(arguments: ["DELETE FROM t RETURNING 1", "COMMIT", "ROLLBACK", "SAVEPOINT s"])
  func `it only looks`(_ sql: String) throws {
    let device = try Device(Self.files)
    var migrator = try device.migrator()
    migrator.hooks.beforeCommit = { _, database in _ = try database.text(sql) }
    let error = #expect(throws: SeedbedError.self) { try migrator.up() }
    #expect(error?.message == "'\(sql)' would write. This only looks at the database.")
    #expect(try migrator.status().current == 0)
  }

  @Test func `on a handle of the app's it has the app's functions`() throws {
    let device = try Device(Self.files)
    let app = try AppHandle(device.database)
    try Self.addFunction(to: app.handle)
    var migrator = try LentHandleTests.lent(device)
    migrator.hooks.beforeCommit = { _, database in
      guard try database.integer("SELECT of_the_hooks_test()") == 7 else { throw NoTwos() }
    }
    #expect(try migrator.up(on: app.handle, to: 1).outcome == .applied)
    migrator.hooks.beforeCommit = { _, _ in throw NoTwos() }
    try app.run("BEGIN")
    #expect(throws: SeedbedError.self) { try migrator.applyIfPending(2, on: app.handle) }
    try app.run("COMMIT")
    #expect(try app.values("SELECT word FROM t") == ["one"])
  }

  // MARK: each connection

  private static func addFunction(to handle: OpaquePointer) throws {
    let code = sqlite3_create_function_v2(
      handle, "of_the_hooks_test", 0, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, _ in sqlite3_result_int(context, 7) }, nil, nil, nil)
    try #require(code == SQLITE_OK)
  }

  private static let withFunction = [
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY CHECK (id < of_the_hooks_test()));",
    "0001_t/t.csv": "id\n1\n",
    "0002_t/t.csv": "id\n2\n",
  ]

  @Test func `every connection has the app's functions, and only for this migrator`() async throws {
    let device = try Device(Self.withFunction)
    device.isChecked = false  // only the app can
    var migrator = try device.migrator()
    let count = Guarded(0)
    migrator.hooks.onConnection = { handle in
      count.withLock { $0 += 1 }
      try Self.addFunction(to: handle)
    }
    _ = try await migrator.up(to: 1)
    #expect(try await migrator.plan().migrations.map(\.version) == [2])
    // The backup's check runs the schema's functions too.
    let report = try await migrator.up()
    #expect(report.backup?.isVerified == true && report.notes == [])
    #expect(try migrator.verify() == [])
    try await migrator.restore()
    #expect(count.withLock { $0 } > 5)
    #expect(try device.failure().code == .needsConnection)
  }

  @Test func `what it throws is the error of the call`() throws {
    let device = try Device(Self.files)
    var migrator = try device.migrator()
    migrator.hooks.onConnection = { _ in throw NoTwos() }
    let error = #expect(throws: SeedbedError.self) { try migrator.up() }
    #expect(error?.message == "The app's own setup of a connection failed: NoTwos().")
  }
}
