import CSeedbedSQLite
import Foundation
import SeedbedFaults
import TestSupport
import Testing

@testable import Seedbed

/// What an app does to each connection that Seedbed opens for it.
struct ConnectionSetupTests {
  /// Neither the schema nor a row of the table can be looked at without the function.
  private static let files = [
    "0001_t/up.sql": """
    CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT CHECK (of_the_setup_test(word)));
    """,
    "0001_t/t.csv": "id,word\n1,one\n",
    "0002_t/t.csv": "id,word\n2,two\n",
  ]

  private static let setup: @Sendable (OpaquePointer) throws -> Void = { handle in
    sqlite3_create_function_v2(
      handle, "of_the_setup_test", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, _ in sqlite3_result_int(context, 1) }, nil, nil, nil)
  }

  private static func device() throws -> (Device, Migrator) {
    let device = try Device(files)
    device.isChecked = false  // only such a program can
    #expect(try device.failure().code == .needsConnection)
    var migrator = try device.migrator()
    migrator.hooks.onConnection = setup
    return (device, migrator)
  }

  @Test func `a rehearsal has the app's functions`() throws {
    let (device, migrator) = try Self.device()
    try migrator.up(to: 1)
    #expect(try Rehearsal(migrator, points: .sample(5)).run().failures.isEmpty)
    #expect(FileManager.default.fileExists(atPath: device.database))
  }

  @Test func `each database of a fleet has them`() throws {
    let (device, migrator) = try Self.device()
    try migrator.up(to: 1)
    var fleet = Fleet(catalog: try device.migrator().catalog, at: [device.database])
    #expect(try fleet.up().failures.map(\.error.code) == [.needsConnection])
    fleet.hooks.onConnection = Self.setup
    #expect(try fleet.up().failures.isEmpty)
  }

  @Test func `what a lent handle's migrator opens beside it has them`() throws {
    let (device, migrator) = try Self.device()
    try migrator.up(to: 1)
    let app = try AppHandle(device.database)
    try Self.setup(app.handle)
    let count = Guarded(0)
    var lent = try LentHandleTests.lent(device)
    lent.hooks.onConnection = {
      count.withLock { $0 += 1 }
      try Self.setup($0)
    }
    #expect(try lent.up(on: app.handle).backup?.isVerified == true)
    #expect(count.withLock { $0 } > 1)
  }

  /// The locks of two different ones do not know of each other.
  @Test func `what it opens beside a handle has the handle's VFS`() throws {
    let device = try Device(Releases.both)
    let other = "unix-none"
    let app = try AppHandle(device.database, vfs: other, setup: "CREATE TABLE own (a)")
    let found = Guarded<[String?]>([])
    var lent = try LentHandleTests.lent(device)
    lent.hooks.onConnection = { handle in
      // What has no file needs none.
      guard let path = sqlite3_db_filename(handle, "main"), path.pointee != 0 else { return }
      let vfs = ConnectionSetup.vfs(of: handle)
      found.withLock { $0.append(vfs) }
    }
    #expect(try lent.up(on: app.handle).backup?.isVerified == true)
    #expect(found.withLock { Set($0) } == [other])
    // The default one has no name.
    let plain = try AppHandle(device.database + ".other", setup: "CREATE TABLE own (a)")
    found.withLock { $0 = [] }
    try lent.up(on: plain.handle)
    #expect(found.withLock { Set($0) } == [nil])
  }

  /// SQLite3MultipleCiphers refuses a key where there is no file, and here a function stands in.
  @Test func `a key that is refused for a database without a file is not needed there`() throws {
    let device = try Device(Releases.both)
    var migrator = try device.migrator()
    let refused = Guarded(0)
    migrator.hooks.onConnection = { handle in
      sqlite3_create_function_v2(
        handle, "set_key", 1, SQLITE_UTF8, nil,
        { context, _, values in
          if sqlite3_value_int(values?[0]) == 1 { return }
          let words = "Setting key not supported for in-memory or temporary databases."
          sqlite3_result_error(context, words, -1)
        }, nil, nil, nil)
      let hasFile = sqlite3_db_filename(handle, "main").map { $0.pointee != 0 } ?? false
      let query = "SELECT set_key(\(hasFile ? 1 : 0))"
      guard sqlite3_exec(handle, query, nil, nil, nil) == SQLITE_OK else {
        refused.withLock { $0 += 1 }
        throw Refused()
      }
    }
    #expect(try migrator.up().outcome == .applied)
    #expect(refused.withLock { $0 } > 0)
    // Another failure is one, also there.
    migrator.hooks.onConnection = { _ in throw Refused() }
    #expect(throws: SeedbedError.self) { try migrator.plan() }
  }

  private struct Refused: Error {}

  /// A connection of ours that forgets the app would only fail on that app's device.
  @Test func `each connection that the library opens is told what to do first`() throws {
    let root = Checkout.root.appending(path: "Sources/Seedbed")
    let files = try #require(FileManager.default.enumerator(atPath: root.path))
    for case let name as String in files where name.hasSuffix(".swift") {
      let text = try Checkout.text("Sources/Seedbed/" + name)
      #expect(!text.contains("setup: nil"), "\(name)")
    }
  }
}
