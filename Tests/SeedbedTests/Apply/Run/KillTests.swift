import Foundation
import Testing

@testable import Seedbed

/// A process that is killed at each moment of a run: the database is as it was, or as it is to be.
@Suite(.serialized) struct KillTests {
  /// Those that an `up` of two migrations with a backup reaches.
  static let moments: [Moment] = Moment.allCases.filter {
    ![.begun, .beforeRestoreCopy, .afterRestoreCopy].contains($0)
  }

  private func device(_ journal: String) throws -> Device {
    let device = try CommitTests.device(journal)
    try device.lock()
    return device
  }

  /// In the other process: runs `up` and dies at the n-th time that it reaches the moment.
  private static func die(at moment: String, _ time: Int, in path: String) {
    let count = Guarded(0)
    var host = Seedbed.Host()
    host.reaching = { reached in
      guard reached.rawValue == moment else { return }
      let isTime = count.withLock { count in
        count += 1
        return count == time
      }
      if isTime { kill(getpid(), SIGKILL) }
    }
    guard let catalog = try? Catalog(locked: path + "/Migrations", host: host) else { return }
    var migrator = Migrator(catalog: catalog, at: path + "/app.sqlite")
    migrator.host = host
    _ = try? migrator.up()
  }

  @Test(arguments: moments, ["delete", "wal"])
  func `killed at`(_ moment: Moment, _ journal: String) async throws {
    let device = try device(journal)
    let before = try device.dump()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = device.path as String, moment = moment.rawValue as String] in
      KillTests.die(at: moment, 1, in: path)
    }
    // Nobody repaired anything yet: a look changes nothing.
    let status = try device.migrator().status()
    let isFirstDone: [Moment] = [.afterCommit, .beforeNextMigration, .beforeRunEnd]
    if status.state != .needsRecovery {
      #expect(
        status.lastRun?.interruptedCount
          == (moment == .ledgerPrepared || moment == .beforeRunEnd
            ? (moment == .beforeRunEnd ? 0 : nil) : 1))
      #expect(
        status.current == (moment == .beforeRunEnd ? 2 : isFirstDone.contains(moment) ? 1 : 0))
    }
    if !isFirstDone.contains(moment) {
      #expect(try device.dump() == before)
    }
    let report = try await device.migrator(locked: true).up()
    #expect(report.outcome == (moment == .beforeRunEnd ? .upToDate : .applied))
    #expect(try device.dump() == CommitTests.golden(journal))
    #expect(try device.ledger() == ["1|applied|2|0|0|0|0", "2|applied|1|0|0|0|0"])
    #expect(try device.migrator().verify() == [])
    // Backups: the one of the killed run is replaced, nothing half-done stays.
    let names = try FileManager.default.contentsOfDirectory(
      atPath: device.database + ".backups")
    #expect(!names.contains { $0.hasSuffix(".partial") })
    #expect(names.filter { $0.hasSuffix(".sqlite") }.count >= 1)
  }

  @Test(arguments: [Moment.locked, .beforeRows, .beforeCommit, .afterCommit])
  func `killed in the second migration at`(_ moment: Moment) async throws {
    let device = try device("delete")
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = device.path as String, moment = moment.rawValue as String] in
      KillTests.die(at: moment, 2, in: path)
    }
    #expect(try await device.migrator(locked: true).up().to == 2)
    #expect(try device.dump() == CommitTests.golden("delete"))
    #expect(try device.ledger() == ["1|applied|2|0|0|0|0", "2|applied|1|0|0|0|0"])
  }

  @Test func `killed again and again, it is counted, and ends well`() async throws {
    let device = try device("delete")
    for _ in 1...3 {
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = device.path as String] in
        KillTests.die(at: Moment.afterRows.rawValue, 1, in: path)
      }
    }
    #expect(try device.migrator().status().lastRun?.interruptedCount == 3)
    #expect(try device.migrator().status().lastRun?.outcome == .interrupted)
    try device.up()
    let run = try #require(try device.migrator().status().lastRun)
    #expect(run.outcome == .applied)
    #expect(run.interruptedCount == 3)
    #expect(try device.dump() == CommitTests.golden("delete"))
  }
}
