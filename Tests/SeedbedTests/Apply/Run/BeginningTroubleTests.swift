import Foundation
import SeedbedAuthoring
import Testing

@testable import Seedbed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A first start with a ready-made database that goes wrong.
struct BeginningTroubleTests {
  private func device(built version: Version? = nil) throws -> Device {
    let device = try Device(BeginningTests.files)
    try device.lock()
    _ = try FirstDatabase.build(directory: device.catalog, version: version)
    return device
  }

  private func migrator(_ device: Device) throws -> Migrator {
    var migrator = Migrator(
      catalog: try Catalog(locked: device.catalog), at: device.database,
      beginningWith: device.catalog + "/data/first.sqlite")
    migrator.host = device.host
    return migrator
  }

  private func partials(_ device: Device) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: device.path)
      .filter { $0.hasSuffix(".partial") }
  }

  @Test func `of many at once one copies, and all go on with it`() async throws {
    for version in [2, 3] as [Version] {
      let device = try device(built: version)
      let migrator = try migrator(device)
      let reports = try await withThrowingTaskGroup(of: Migrator.Report.self) { group in
        for _ in 0..<8 { group.addTask { try await migrator.up() } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(reports.allSatisfy { $0.to == 3 })
      let began = reports.filter { $0.notes.first?.hasPrefix("The database began") == true }
      #expect(began.count == 1)
      let others = reports.filter { $0.notes.first?.hasPrefix("The database began") != true }
      // Of those that waited, each says at most that.
      #expect(others.allSatisfy { $0.notes.count < 2 })
      #expect(try device.rows("SELECT count(*) FROM words") == ["302"])
      #expect(try partials(device) == [])
    }
  }

  /// Another process puts its database there at the last moment.
  @Test func `who loses goes on with what is there`() throws {
    let device = try device()
    let path = device.database
    device.host.failing = { call, name in
      guard call == .link, name == path else { return 0 }
      let sql = "CREATE TABLE mine (id); INSERT INTO mine VALUES (7)"
      try? Connection(path, .create, setup: nil).executeAll(sql)
      return 0
    }
    let report = try migrator(device).up()
    #expect(report.notes == [] && report.migrations.map(\.version) == [1, 2, 3])
    #expect(try device.rows("SELECT id FROM mine") == ["7"])
    #expect(try partials(device) == [])
  }

  @Test(arguments: [
    (SystemCall.create, ENOSPC, SeedbedError.Code.diskFull), (.create, EIO, .io),
    (.sync, EIO, .io), (.link, EIO, .io),
  ])
  func `a copy that fails leaves nothing`(
    _ call: SystemCall, _ number: Int32, _ code: SeedbedError.Code
  ) throws {
    let device = try device()
    device.host.failing = { [path = device.path] found, name in
      found == call && name.hasPrefix(path + "/app.sqlite") ? number : 0
    }
    let error = #expect(throws: SeedbedError.self) { try migrator(device).up() }
    #expect(error?.code == code && error?.applied == [] && error?.isDatabaseUnchanged == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: device.path) == ["Migrations"])
    device.host.failing = nil
    #expect(try migrator(device).up().migrations.map(\.version) == [3])
  }

  @Test func `what was copied stays when the rest fails, and the error says so`() throws {
    let device = try device(built: 2)
    try device.write(["0003_last/words.csv": "id,word\n302,spoilt\n"])
    let error = #expect(throws: SeedbedError.self) { try migrator(device).up() }
    #expect(error?.applied == [2] && error?.isDatabaseUnchanged == false)
    #expect(try device.rows("SELECT count(*) FROM words") == ["301"])
    // The folder may not be durable, but the database is there.
    let other = try self.device()
    other.host.failing = { [path = other.path] call, name in
      call == .syncFolder && name == path ? EIO : 0
    }
    let failed = #expect(throws: SeedbedError.self) { try migrator(other).up() }
    #expect(failed?.applied == [3] && failed?.isDatabaseUnchanged == false)
  }

  @Test func `a cancelled copy leaves nothing`() throws {
    let device = try device()
    let cancellation = Migrator.Cancellation()
    cancellation.cancel()
    let error = #expect(throws: SeedbedError.self) {
      try migrator(device).up(cancellation: cancellation)
    }
    #expect(error?.code == .cancelled)
    #expect(try FileManager.default.contentsOfDirectory(atPath: device.path) == ["Migrations"])
  }

  @Test func `copies that killed processes left are removed`() throws {
    let device = try device(built: 2)
    let left = device.path + "/app.sqlite.0123456789abcdef.partial"
    let others = device.path + "/other.sqlite.0123456789abcdef.partial"
    for path in [left, others] { try Data("half".utf8).write(to: URL(fileURLWithPath: path)) }
    _ = try migrator(device).up()
    #expect(try partials(device) == ["other.sqlite.0123456789abcdef.partial"])
    // Killed between the two names, and nothing is pending any more.
    try FileManager.default.linkItem(atPath: device.database, toPath: left)
    #expect(try migrator(device).up().outcome == .upToDate)
    #expect(try partials(device) == ["other.sqlite.0123456789abcdef.partial"])
  }

  /// If it were killed afterwards, with nothing pending, no later run would look for them.
  @Test func `they are removed before the copy loses its second name`() throws {
    let device = try device()
    let left = device.path + "/app.sqlite.0123456789abcdef.partial"
    try Data("half".utf8).write(to: URL(fileURLWithPath: left))
    var migrator = try migrator(device)
    let removed = Guarded<[String]>([])
    migrator.host.changing = { change in
      if case .removed(let name) = change { removed.withLock { $0.append(name) } }
    }
    _ = try migrator.up()
    #expect(removed.withLock { $0.first } == left)
    #expect(removed.withLock { $0.count { $0.hasSuffix(".partial") } } == 2)
  }

  /// As it must be to give the key of an encrypted file.
  @Test func `the app sets up the connection that looks at the file`() throws {
    struct Refused: Error {}
    let device = try device()
    var migrator = try migrator(device)
    let count = Guarded(0)
    migrator.hooks.onConnection = { _ in count.withLock { $0 += 1 } }
    _ = try migrator.estimate()
    #expect(count.withLock { $0 } == 1)
    _ = try migrator.up()
    #expect(count.withLock { $0 } > 2)
    let other = try self.device()
    migrator = try self.migrator(other)
    migrator.hooks.onConnection = { _ in throw Refused() }
    let error = #expect(throws: SeedbedError.self) { try migrator.up() }
    #expect(error?.message.contains("Refused") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["Migrations"])
  }

  /// As on Apple's systems, and as elsewhere.
  @Test(arguments: [true, false])
  func `a name that is taken is not given again`(_ inOneStep: Bool) throws {
    let device = try Device()
    device.host.renamesInOneStep = inOneStep
    let links = Guarded(0)
    device.host.changing = { change in
      if case .linked = change { links.withLock { $0 += 1 } }
    }
    let root = try Folder(device.path, host: device.host)
    let file = try root.create("a.partial", mode: 0o600)
    try file.write([1])
    #expect(try root.claim("b", for: "a.partial"))
    #expect(try root.kind(of: "a.partial") == nil && root.kind(of: "b") == .file)
    _ = try root.create("c.partial", mode: 0o600)
    #expect(throws: SeedbedError.self) { try root.claim("b", for: "c.partial") }
    #expect(root.size(of: "b") == 1)
    #expect(links.withLock { $0 } == (inOneStep ? 0 : 1))
    let other = try self.device()
    other.host.renamesInOneStep = inOneStep
    _ = try migrator(other).up()
    #expect(try partials(other) == [])
  }

  @Test func `the copy has the permissions of a new database`() throws {
    let device = try device()
    let source = device.catalog + "/data/first.sqlite"
    #expect(chmod(source, 0o444) == 0)
    _ = try migrator(device).up()
    let other = try Device(BeginningTests.files)
    _ = try other.up()
    #expect(Paths.mode(device.database) == Paths.mode(other.database))
  }
}
