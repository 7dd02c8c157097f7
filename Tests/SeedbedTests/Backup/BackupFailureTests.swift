import CSeedbedSQLite
import Foundation
import Testing
import TestSupport

@testable import Seedbed

/// A backup that does not come about leaves nothing behind.
struct BackupFailureTests {
  @Test func `whichever system call fails, no half a backup is there`() throws {
    let shop = try Workshop()
    try shop.make("wal", notes: 2000)
    let before = try shop.bytes(shop.database)
    var fired: [SystemCall] = []
    var turn = 0
    while true {
      turn += 1
      let count = Guarded(0)
      let hit = Guarded<SystemCall?>(nil)
      let store = shop.store(failing: { [turn] call, _ in
        count.withLock { $0 += 1 }
        guard count.withLock({ $0 }) == turn else { return 0 }
        hit.withLock { $0 = call }
        return EIO
      })
      let error = seedbedError { try shop.take(store) }
      guard let call = hit.withLock({ $0 }) else {
        #expect(error == nil)
        break
      }
      fired.append(call)
      let left = shop.names(store.path)
      #expect(left == [], "call \(turn), \(call): \(error?.message ?? "no error")")
      #expect(error?.code == .backup)
      #expect(error?.message.contains("Input/output error") == true)
    }
    // The loop must have met what it is about.
    #expect(Set(fired).isSuperset(of: [.makeFolder, .create, .sync, .link, .syncFolder, .list]))
    #expect(try shop.store().list().count == 1)
    #expect(try shop.hasBytes(before))
  }

  @Test(arguments: [Moment.backupCopied, .backupChecked, .backupSynced, .backupPublished])
  func `a kill leaves a whole backup or none, and the next run sweeps`(
    _ moment: Moment
  ) async throws {
    let shop = try Workshop()
    try shop.make("wal", notes: 2000)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [database = shop.database as String, moment = moment.rawValue as String] in
      let host = Host(reaching: { if $0.rawValue == moment { kill(getpid(), SIGKILL) } })
      let store = BackupStore(databasePath: database, folder: nil, host: host)
      _ = try store.take(version: 2)
    }
    let whole = try shop.store().list()
    #expect(whole.count == (moment == .backupPublished ? 1 : 0))
    for backup in whole { #expect(try shop.notes(backup.path) == 2000) }
    #expect(shop.names(shop.store().path).count == 1)
    try shop.take()
    #expect(try shop.store().list().count == shop.names(shop.store().path).count)
  }

  @Test func `whoever has the database to himself is waited for as long as was asked`() throws {
    let shop = try Workshop()
    try shop.make()
    let other = try Connection(shop.database, .readWrite, setup: nil)
    try other.execute("BEGIN EXCLUSIVE")
    var store = shop.store()
    store.lockTimeoutSeconds = 0.01
    let clock = ContinuousClock()
    let started = clock.now
    #expect(throws: SeedbedError.self) { try store.take(version: 2) }
    // SQLite's usual wait here is five seconds.
    #expect(clock.now - started < .seconds(3))
  }

  @Test func `a failed fsync is not tried again`() throws {
    let shop = try Workshop()
    try shop.make()
    let count = Guarded(0)
    let store = shop.store(failing: { call, _ in
      guard call == .sync else { return 0 }
      return count.withLock {
        $0 += 1; return $0 == 1 ? EIO : 0
      }
    })
    #expect(seedbedError { try shop.take(store) }?.code == .backup)
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `cancelling is heard at a step`() throws {
    let shop = try Workshop()
    try shop.make(notes: 40_000)
    let cancellation = Migrator.Cancellation()
    var steps = 0
    let error = seedbedError {
      try shop.take(cancellation: cancellation) { _ in
        steps += 1
        cancellation.cancel()
      }
    }
    #expect(error?.code == .cancelled)
    #expect(steps == 1)
    #expect(shop.names(shop.store().path) == [])
  }

  // MARK: space

  @Test func `too little space is said beforehand, with both numbers`() throws {
    let shop = try Workshop()
    try shop.make()
    let error = seedbedError { try shop.store().checkSpace(for: 1 << 60) }
    #expect(error?.code == .diskFull)
    let free = try Paths.freeBytes(shop.folder, host: .real)
    let words = try #require(error?.message.split(separator: " ").map(String.init))
    #expect(words.prefix(4) == ["It", "needs", "\((1 << 60) + 65536)", "bytes"])
    // The disk is not ours alone.
    let told = try #require(words.compactMap(Int64.init).last)
    #expect(abs(told - free) < 1 << 30)
  }

  @Test(.enabled(if: SmallDisk.isAvailable))
  func `a small disk is refused before anything is written`() throws {
    let shop = try Workshop()
    try shop.make(notes: 40_000)
    let disk = try SmallDisk(bytes: 1 << 20)
    let pages = try #require(Paths.size(shop.database))
    let error = seedbedError { try shop.take(shop.store(disk.path)) }
    #expect(error?.code == .diskFull)
    let message = try #require(error?.message)
    #expect(
      message.hasPrefix(
        "No backup could be made, so nothing was changed. It needs \(pages + 65536) bytes in "
          + "'\(disk.path)/app.sqlite-"))
    #expect(
      message.hasSuffix(
        "are free. Free some space and try again. Backups can go to another folder, or be "
          + "left out."))
    #expect(try shop.store(disk.path).list() == [])
    #expect(try shop.notes() == 40_000)
  }

  @Test(.enabled(if: SmallDisk.isAvailable))
  func `exactly as many free bytes as it takes are enough`() throws {
    let shop = try Workshop()
    try shop.make()
    let disk = try SmallDisk(bytes: 1 << 20)
    let store = shop.store(disk.path)
    let free = try Paths.freeBytes(disk.path, host: .real)
    try store.checkSpace(for: free - 65_536)
    let error = seedbedError { try store.checkSpace(for: free - 65_535) }
    #expect(error?.code == .diskFull)
  }

  @Test(.enabled(if: SmallDisk.isAvailable))
  func `a disk that fills up while the backup is written leaves nothing`() throws {
    let shop = try Workshop()
    try shop.make(notes: 40_000)
    let disk = try SmallDisk(bytes: 8 << 20)
    let store = shop.store(disk.path)
    let error = seedbedError { try shop.take(store) { _ in disk.fill() } }
    #expect(error?.code == .diskFull)
    #expect(
      error?.message == "No backup could be made, so nothing was changed. The disk is full (SQLite "
        + "error 13: database or disk is full). Free some space and try again. Backups can go to "
        + "another folder, or be left out.")
    #expect(shop.names(store.path) == [])
    #expect(try shop.notes() == 40_000)
  }

  @Test func `a file that may not grow that far leaves nothing`() async throws {
    let shop = try Workshop()
    try shop.make(notes: 40_000)
    await #expect(processExitsWith: .success) { [database = shop.database as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let store = BackupStore(databasePath: database, folder: nil, host: .real)
      let error = seedbedError { _ = try store.take(version: 2) }
      #expect(error?.code == .backup)
      #expect(error?.message.contains("disk I/O error") == true)
    }
    #expect(shop.names(shop.store().path) == [])
    #expect(try shop.notes() == 40_000)
  }

  // MARK: the check

  @Test func `a damaged database is refused`() throws {
    let shop = try Workshop()
    try shop.make(notes: 5000)
    try shop.damage(204_800..<208_896)
    let error = seedbedError { try shop.take() }
    #expect(error?.code == .backup)
    let message = try #require(error?.message)
    // What stands between is SQLite's, and each version has its own words.
    #expect(
      message.hasPrefix(
        "No backup could be made, so nothing was changed. The copy did not pass SQLite's check "
          + "(*** in database main *** "))
    #expect(
      message.hasSuffix(
        "): the database itself is damaged. Restore a backup."))
    #expect(shop.names(shop.store().path) == [])
  }

  @Test func `a check that needs the app's own collation makes the backup unverified`() throws {
    let shop = try Workshop()
    try shop.make()
    let app = try shop.open()
    sqlite3_create_collation_v2(
      app.handle, "APPS", SQLITE_UTF8, nil, { _, _, _, _, _ in 0 }, nil)
    try app.execute("CREATE INDEX own ON notes (text COLLATE APPS)")
    let backup = try shop.take()
    #expect(!backup.isVerified && !backup.isDamaged)
    #expect(backup.path.hasSuffix("Z.unverified.sqlite"))
    #expect(try shop.store().list() == [backup])
    // It can be restored all the same.
    #expect(try shop.restore().restored == backup)
  }
}

/// A file system of a few bytes, mounted for one test; needs root.
final class SmallDisk: Sendable {
  private let place: Place
  var path: String { place.path }

  static let isAvailable: Bool = {
    guard geteuid() == 0 else { return false }
    return (try? SmallDisk(bytes: 1 << 20)) != nil
  }()

  init(bytes: Int) throws {
    place = try Place()
    guard mount("tmpfs", place.path, "tmpfs", 0, "size=\(bytes)") == 0 else {
      throw SeedbedError(.io, "cannot mount")
    }
  }

  deinit { umount2(path, Int32(MNT_DETACH)) }

  /// Takes all the space that is left.
  func fill() {
    let descriptor = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let zeros = [UInt8](repeating: 0, count: 4096)
    while write(descriptor, zeros, zeros.count) > 0 {}
    close(descriptor)
  }
}
