import Foundation
import Testing

@testable import Seedbed

/// What an app asks at its start.
struct StartTests {
  @Test(arguments: [true, false])
  func `up to date is known without a run, with a lock and without`(_ isLocked: Bool) throws {
    let device = try CommitTests.device("delete")
    if isLocked { try device.lock() }
    #expect(try device.migrator(locked: isLocked).estimate().pending == [1, 2])
    try device.up(to: 1)
    #expect(try device.migrator(locked: isLocked).estimate().pending == [2])
    try device.up()
    #expect(try device.migrator(locked: isLocked).outlook() == .upToDate)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: device.database))
    _ = try device.migrator(locked: isLocked).outlook()
    #expect(try Data(contentsOf: URL(fileURLWithPath: device.database)) == bytes)
  }

  @Test func `without a database all is pending, and none is made`() throws {
    let device = try Device(CommitTests.files)
    try device.lock()
    #expect(try device.migrator(locked: true).estimate().pending == [1, 2])
    #expect(!FileManager.default.fileExists(atPath: device.database))
  }

  @Test func `the question costs one small read and one query`() throws {
    let device = try CommitTests.device("delete")
    try device.lock()
    try device.up()
    let calls = Guarded<[String]>([])
    device.host.failing = { call, _ in
      calls.withLock { $0.append(call.rawValue) }
      return 0
    }
    #expect(try device.migrator(locked: true).outlook() == .upToDate)
    // The folder and the lock in it; the migrations' folders are not looked at.
    #expect(calls.withLock { $0.filter { $0 == "read" } } == ["read"])
    #expect(calls.withLock { !$0.contains("list") })
  }

  @Test func `a damaged database is an error, not a no`() throws {
    let device = try CommitTests.device("delete")
    try device.lock()
    let migrator = try device.migrator(locked: true)
    device.isChecked = false
    try Data(repeating: 7, count: 8192).write(to: URL(fileURLWithPath: device.database))
    let error = #expect(throws: SeedbedError.self) { try migrator.outlook() }
    #expect(error?.code == .corrupt)
  }

  // MARK: an app that went back

  /// A database at 2, and the catalog of the release before.
  private func downgraded(_ isLocked: Bool) throws -> Device {
    let device = try CommitTests.device("delete")
    try device.up()
    try device.remove("0002_t")
    if isLocked { try device.lock() }
    return device
  }

  @Test(arguments: [true, false])
  func `a newer database is told, with a lock and without`(_ isLocked: Bool) throws {
    let device = try downgraded(isLocked)
    #expect(try device.migrator(locked: isLocked).outlook() == .newer)
    let error = #expect(throws: SeedbedError.self) {
      try device.migrator(locked: isLocked).up()
    }
    #expect(error?.code == .newer)
  }

  @Test(arguments: [true, false])
  func `an app that proceeds finds it as it was, with a lock and without`(
    _ isLocked: Bool
  ) throws {
    let device = try downgraded(isLocked)
    device.options.allowsNewer = true
    let before = try device.dump()
    for report in [
      try device.migrator(locked: isLocked).up(), try device.migrator(locked: isLocked).plan(),
      try device.migrator(locked: isLocked).up(to: 1),
    ] {
      #expect(report.outcome == .upToDate)
      #expect(report.from == 2 && report.to == 2 && report.backup == nil)
      #expect(
        report.notes == [
          "The database is at 2, newer than this catalog, which ends at 1. It was not changed."
        ])
    }
    #expect(try device.migrator(locked: isLocked).outlook() == .newer)
    #expect(try device.dump() == before)
    // Going down would need the folders that are not there.
    #expect(throws: SeedbedError.self) { try device.migrator().down(to: 0) }
  }

  @Test func `a newer release that wins the race is let pass`() throws {
    let device = try CommitTests.device("delete")
    let newer = try device.migrator()
    let older = device.path + "/Older"
    try FileManager.default.copyItem(atPath: device.catalog, toPath: older)
    try FileManager.default.removeItem(atPath: older + "/0002_t")
    device.options.allowsNewer = true
    var migrator = Migrator(
      catalog: try Catalog(directory: older), at: device.database,
      options: device.options)
    migrator.host.reaching = { moment in
      guard moment == .runStarted else { return }
      do { _ = try newer.up() } catch { Issue.record("\(error)") }
    }
    let report = try migrator.up()
    #expect(report.outcome == .upToDate && report.to == 2)
  }

  // MARK: the last run

  @Test func `runs that were killed are counted, before and after the next one`() throws {
    let device = try CommitTests.device("delete")
    try device.up(to: 1)
    for _ in 0..<2 {
      try device.run(
        """
        INSERT INTO seedbed_runs (direction, from_version, to_version, process, started_at)
        VALUES ('up', 1, 2, '\(RunsTests.gone)', '2026-01-01T00:00:00.000Z')
        """)
    }
    let lastRun = try device.migrator().status().lastRun
    #expect(lastRun?.outcome == .interrupted && lastRun?.interruptedCount == 2)
    try device.up()
    let next = try device.migrator().status().lastRun
    #expect(next?.outcome == .applied && next?.interruptedCount == 2)
  }
}
