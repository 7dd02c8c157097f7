import CSeedbedSQLite
import Foundation
import SeedbedFaults
import Testing

@testable import Seedbed

/// A restore that does not come to its end leaves the old database or the new one.
struct RestoreFailureTests {
  @Test(arguments: ["delete", "wal"])
  func `whichever system call fails, the database is the old one or the new`(
    _ mode: String
  ) throws {
    let shop = try Workshop()
    try shop.make(mode, notes: 300, version: 2)
    let backup = try shop.take()
    var fired: [SystemCall] = []
    var turn = 0
    while true {
      turn += 1
      try shop.make(mode, notes: 400, version: 4)
      let count = Guarded(0)
      let hit = Guarded<SystemCall?>(nil)
      let store = shop.store(failing: { [turn] call, _ in
        count.withLock { $0 += 1 }
        guard count.withLock({ $0 }) == turn else { return 0 }
        hit.withLock { $0 = call }
        return EIO
      })
      let error = seedbedError { try shop.restore(backup.path, store) }
      guard let call = hit.withLock({ $0 }) else {
        #expect(error == nil)
        break
      }
      fired.append(call)
      let about = "call \(turn), \(call): \(error?.message ?? "no error")"
      #expect(try shop.notes() == (error == nil ? 300 : 400), "\(about)")
      let left = shop.names(store.path).filter { $0.hasSuffix("partial") }
      // Where removing is what failed, the next run sweeps.
      #expect(call == .remove || left == [], "\(about)")
      let others = try shop.store().list().filter { $0.path != backup.path }
      for other in others { #expect(try shop.notes(other.path) == 400) }
      if let error { #expect(error.message.contains("othing was")) }
    }
    #expect(Set(fired).isSuperset(of: [.create, .sync, .link, .syncFolder, .remove, .freeSpace]))
  }

  @Test func `whichever read fails, what is kept bears the version that it holds`() throws {
    let shop = try Workshop()
    try shop.make(notes: 300, version: 2)
    let backup = try shop.take()
    var turn = 0
    while true {
      turn += 1
      try shop.make(notes: 400, version: 4)
      let disk = FailingRead(turn, of: shop.database)
      let error = try DiskLayer.observing(shop.folder, with: disk) {
        seedbedError { try shop.restore(backup.path) }
      }
      let kept = try shop.store().list().filter { $0.path != backup.path }
      #expect(kept.allSatisfy { $0.version == 4 }, "read \(turn): \(error?.message ?? "no error")")
      if !disk.hasFired { break }
    }
    #expect(turn > 10)
  }

  private final class FailingRead: DiskObserver {
    private let database: String
    private let number: Int
    private let count = Guarded(0)

    init(_ number: Int, of database: String) {
      self.number = number
      self.database = database
    }

    var hasFired: Bool { count.withLock { $0 >= number } }

    func answer(to request: DiskRequest) -> DiskAnswer {
      guard case .read(database) = request else { return .pass }
      let isTime = count.withLock { count in
        count += 1
        return count == number
      }
      return isTime ? .fail(SQLITE_IOERR) : .pass
    }
  }

  @Test func `a database that was missing is missing again after a failure`() throws {
    let shop = try Workshop()
    try shop.make(notes: 40_000)
    let backup = try shop.take()
    unlink(shop.database)
    let cancellation = Migrator.Cancellation()
    let error = seedbedError {
      try shop.restore(cancellation: cancellation) { _ in cancellation.cancel() }
    }
    #expect(error?.code == .cancelled)
    #expect(shop.names(shop.folder) == ["app.sqlite.backups"])
    #expect(try shop.store().list() == [backup])
  }

  @Test(arguments: [true, false])
  func `after an error from COMMIT the ledger tells whether it was restored`(
    _ takesEffect: Bool
  ) throws {
    let shop = try Workshop()
    try shop.make(notes: 300, version: 2)
    let backup = try shop.take()
    try shop.make(notes: 400, version: 4)
    let isArmed = Guarded(false)
    let store = shop.store(reaching: { moment in
      if moment == .beforeRestoreCopy { isArmed.withLock { $0 = true } }
    })
    let error = try FaultyDisk.with(shop.database) { operation, suffix in
      guard operation == .delete, suffix == "-journal" else { return .pass }
      let isFirst = isArmed.withLock { isArmed in
        defer { isArmed = false }
        return isArmed
      }
      if !isFirst { return .pass }
      return takesEffect ? .doneButFail(1290) : .fail(2570)
    } _: {
      seedbedError { try shop.restore(backup.path, store) }
    }
    #expect(!isArmed.withLock { $0 })
    #expect((error == nil) == takesEffect, "\(error?.message ?? "no error")")
    #expect(try shop.notes() == (takesEffect ? 300 : 400))
  }

  // MARK: kills

  static let kills: [(mode: String, moment: Moment, after: Int64)] = ["delete", "wal"].flatMap {
    [
      ($0, .backupCopied, 9000), ($0, .backupPublished, 9000), ($0, .beforeRestoreCopy, 9000),
      ($0, .afterRestoreCopy, 8000),
    ]
  }

  @Test(arguments: kills)
  func `a kill leaves the old database or the new one`(
    _ c: (mode: String, moment: Moment, after: Int64)
  ) async throws {
    let shop = try Workshop()
    try shop.make(c.mode, notes: 8000, version: 2)
    try shop.take()
    try shop.make(c.mode, notes: 9000, version: 4)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = shop.database as String, moment = c.moment.rawValue as String] in
      let store = BackupStore(
        databasePath: path, folder: nil,
        host: Host(reaching: { if $0.rawValue == moment { kill(getpid(), SIGKILL) } }))
      _ = try store.restore(
        nil, ledger: Ledger(prefix: "seedbed"), keep: 2)
    }
    #expect(try shop.notes() == c.after)
    try repaired(shop)
  }

  @Test(arguments: ["delete", "wal"], [0.1, 0.5, 0.8])
  func `a kill in the middle of the copy leaves the old database`(
    _ mode: String, _ fraction: Double
  ) async throws {
    let shop = try Workshop()
    try shop.make(mode, notes: 80_000, version: 2)
    try shop.take()
    try shop.make(mode, notes: 90_000, version: 4)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = shop.database as String, limit = fraction as Double] in
      let store = BackupStore(databasePath: path, folder: nil, host: .real)
      _ = try store.restore(
        nil, ledger: Ledger(prefix: "seedbed"), keep: 2,
        progress: { if $0 >= limit { kill(getpid(), SIGKILL) } })
    }
    #expect(try shop.notes() == 90_000)
    try repaired(shop)
  }

  @Test func `a kill over a damaged database leaves the same damage`() async throws {
    let shop = try Workshop()
    try shop.make(notes: 80_000, version: 2)
    try shop.take()
    try shop.make(notes: 90_000, version: 4)
    try shop.damage(0..<4096)
    let before = try shop.bytes(shop.database)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = shop.database as String] in
      let store = BackupStore(databasePath: path, folder: nil, host: .real)
      _ = try store.restore(
        nil, ledger: Ledger(prefix: "seedbed"), keep: 2,
        progress: { if $0 > 0.5 { kill(getpid(), SIGKILL) } })
    }
    // The first to open it rolls the journal back, and then sees the garbage again.
    #expect(throws: SQLiteFailure.self) { try shop.open().value("SELECT count(*) FROM notes") }
    #expect(try shop.hasBytes(before))
    #expect(try shop.restore().backup?.isDamaged == true)
    #expect(try shop.notes() == 80_000)
  }

  /// The next restore does its work, and sweeps what the killed one left.
  private func repaired(_ shop: Workshop) throws {
    let version2 = try #require(try shop.store().list().first { $0.version == 2 })
    try shop.restore(version2.path)
    #expect(shop.names(shop.store().path).filter { $0.contains("partial") } == [])
  }

  // MARK: space

  @Test(.enabled(if: SmallDisk.isAvailable))
  func `too little space is said beforehand`() throws {
    let shop = try Workshop()
    try shop.make(notes: 40_000, version: 2)
    let backup = try shop.take()
    let disk = try SmallDisk(bytes: 6 << 20)
    let error = seedbedError { try shop.restore(backup.path, shop.store(disk.path)) }
    #expect(error?.code == .diskFull)
    let needed = 2 * backup.bytes + 65_536
    #expect(
      error?.message.hasPrefix(
        "Nothing was restored; the database is unchanged. It needs \(needed) bytes in "
          + "'\(disk.path)/app.sqlite-") == true)
    #expect(try shop.notes() == 40_000)
  }

  @Test(.enabled(if: SmallDisk.isAvailable), arguments: ["delete", "wal"])
  func `a disk that fills up while it restores leaves the old database`(_ mode: String) throws {
    let disk = try SmallDisk(bytes: 32 << 20)
    let shop = try Workshop()
    try shop.make(mode, notes: 40_000, version: 2)
    let backup = try shop.take()
    let live = disk.path + "/app.sqlite"
    try shop.make(mode, notes: 20, version: 4, at: live)
    let store = BackupStore(databasePath: live, folder: shop.folder + "/kept", host: .real)
    let error = seedbedError {
      _ = try store.restore(
        backup.path, ledger: shop.ledger, keep: 2,
        progress: { _ in disk.fill() })
    }
    #expect(error?.code == .diskFull)
    #expect(
      error?.message == "Nothing was restored; the database is unchanged. The disk is full (SQLite "
        + "error 13: database or disk is full). Free some space and try again.")
    unlink(disk.path + "/filler")
    #expect(try shop.notes(live) == 20)
    #expect(shop.names(store.path) == [])
  }
}
