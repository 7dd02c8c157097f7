import CSeedbedSQLite
import Foundation
import SeedbedAuthoring
import SeedbedFaults
import Testing

@testable import Seedbed

/// Apple's SQLite answers SQLITE_IOERR_VNODE on an open file once its name or its number of names
/// has changed.
struct LostNameTests {
  enum Change: CaseIterable { case removed, renamed, replaced, linked }

  private func change(_ change: Change, _ path: String) throws {
    let files = FileManager.default
    switch change {
    case .removed: try files.removeItem(atPath: path)
    case .renamed: try files.moveItem(atPath: path, toPath: path + ".old")
    case .replaced:
      try files.copyItem(atPath: path, toPath: path + ".new")
      #expect(rename(path + ".new", path) == 0)
    case .linked: try files.linkItem(atPath: path, toPath: path + ".old")
    }
  }

  @Test(arguments: Change.allCases)
  func `a file that lost its name is no longer read`(_ change: Change) throws {
    let device = try Device(["0001_t/t.csv": "a\n1\n"], app: "CREATE TABLE t (a PRIMARY KEY)")
    try device.up()
    let migrator = HandleMigrator(catalog: try device.migrator().catalog)
    try DiskLayer.observing(device.path, with: LosingNames()) {
      let app = try AppHandle(device.database)
      #expect(try app.values("SELECT a FROM t") == ["1"])
      _ = try migrator.up(on: app.handle)
      try self.change(change, device.database)
      #expect(throws: AppHandle.Failure.self) { try app.run("SELECT a FROM t") }
      #expect(sqlite3_extended_errcode(app.handle) == 6922)
      let error = seedbedError { _ = try migrator.up(on: app.handle) }
      #expect(error?.code == .io)
      #expect(error?.message.hasSuffix("Close the handle, and open the database again.") == true)
    }
  }

  /// A backup and its removal, beside another connection, change no name of the database's file.
  @Test(arguments: ["DELETE", "WAL"])
  func `updates and backups leave the names alone`(_ journal: String) throws {
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (a)"])
    device.options.backupsToKeep = 1
    try DiskLayer.observing(device.path, with: LosingNames()) {
      try device.up()
      let app = try AppHandle(device.database, setup: "PRAGMA journal_mode = \(journal)")
      for version in 2...4 {
        try device.write(["000\(version)_more/up.sql": "INSERT INTO t VALUES (\(version))"])
        try device.up()
        #expect(try app.values("SELECT count(*) FROM t") == ["\(version - 1)"])
      }
      _ = try device.migrator().restore()
      #expect(try app.values("SELECT count(*) FROM t") == ["2"])
      try app.run("INSERT INTO t VALUES (5)")
    }
  }

  /// Another connection finds the file in the middle, when it has two names or has just one.
  @Test(arguments: [true, false])
  func `a ready-made database gets its name in one step`(_ inOneStep: Bool) throws {
    let device = try Device(BeginningTests.files)
    try device.lock()
    _ = try FirstDatabase.build(directory: device.catalog)
    var migrator = Migrator(
      catalog: try Catalog(locked: device.catalog), at: device.database,
      beginningWith: device.catalog + "/data/first.sqlite")
    migrator.host.renamesInOneStep = inOneStep
    let path = device.database
    let found = Guarded<AppHandle?>(nil)
    migrator.host.changing = { change in
      switch change {
      case .linked(_, path), .renamed(_, path):
        found.withLock { found in
          found = try? AppHandle(path)
          _ = try? found?.values("SELECT count(*) FROM words")
        }
      default: break
      }
    }
    try DiskLayer.observing(device.path, with: LosingNames()) {
      _ = try migrator.up()
      let app = try #require(found.withLock { $0 })
      let isRead = (try? app.run("SELECT count(*) FROM words")) != nil
      #expect(isRead == inOneStep)
    }
  }
}

/// Answers like Apple's SQLite, for each opening of a database's file by itself.
private final class LosingNames: DiskObserver {
  func observer(of path: String) -> any DiskObserver {
    path.hasSuffix(".sqlite") ? OpenedFile(path) : self
  }
}

private final class OpenedFile: DiskObserver {
  private struct Names: Equatable { var file, count: UInt64 }

  private let path: String
  private let names: Names?

  init(_ path: String) {
    self.path = path
    names = Self.names(path)
  }

  private static func names(_ path: String) -> Names? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    return Names(file: UInt64(facts.st_ino), count: UInt64(facts.st_nlink))
  }

  func answer(to request: DiskRequest) -> DiskAnswer {
    Self.names(path) == names ? .pass : .fail(6922)
  }
}
