import CSeedbedSQLite
import Foundation
import Testing

@testable import Seedbed

/// Restoring when things are already bad: the database is damaged or gone, or the backup is.
struct RestoreTroubleTests {
  // MARK: the database

  struct Damage: CustomTestStringConvertible {
    var name: String
    var mode = "delete"
    /// Whether SQLite can still read the version in the ledger.
    var isReadable = false
    /// Whether the header still tells the journal mode.
    var keepsHeader = true
    var harm: @Sendable (Workshop) throws -> Void
    var testDescription: String { "\(name), \(mode)" }
  }

  static let damages = ["delete", "wal"].flatMap { mode in
    [
      Damage(name: "garbage in the header", mode: mode, keepsHeader: false) {
        try $0.damage(0..<100)
      },
      Damage(name: "garbage in the first page", mode: mode, keepsHeader: false) {
        try $0.damage(0..<4096)
      },
      Damage(name: "garbage in the schema", mode: mode) { try $0.damage(110..<4096) },
      Damage(name: "garbage inside", mode: mode, isReadable: true) {
        try $0.damage(200_704..<204_800)
      },
      Damage(name: "cut short", mode: mode) { _ = truncate($0.database, 20_000) },
      Damage(name: "a text file", mode: mode, keepsHeader: false) {
        try "hello".write(toFile: $0.database, atomically: false, encoding: .utf8)
      },
      Damage(name: "a file that ends in its change counter", mode: mode, keepsHeader: false) {
        try Data(repeating: 7, count: 30).write(to: URL(fileURLWithPath: $0.database))
      },
    ]
  }

  @Test(arguments: damages) func `a damaged database is replaced`(_ damage: Damage) throws {
    let shop = try Workshop()
    // The backup has the other mode.
    try shop.make(damage.mode == "wal" ? "delete" : "wal", notes: 50, version: 2)
    let backup = try shop.take()
    try shop.make(damage.mode, notes: 5000, version: 4)
    try damage.harm(shop)
    let before = try shop.bytes(shop.database)

    let report = try shop.restore()
    #expect(try shop.notes() == 50)
    if damage.keepsHeader { #expect(try shop.journalMode() == damage.mode) }
    #expect(report.restored == backup)
    #expect(report.from == (damage.isReadable ? 4 : 0) && report.to == 2)
    // What was there is kept as it was: something may be got out of it.
    let kept = try #require(report.backup)
    #expect(kept.isDamaged && !kept.isVerified)
    #expect(kept.path.hasSuffix("Z.damaged.sqlite"))
    if damage.isReadable {
      #expect(try shop.isCopy(kept.path, of: before))
    } else {
      let isSame = try shop.bytes(kept.path) == before
      #expect(isSame)
    }
    // The damaged one is not what "the newest" means.
    #expect(try shop.restore().restored.isDamaged == false)
    let error = seedbedError { try shop.restore(Paths.split(kept.path).name) }
    #expect(error?.code == .backup)
    #expect(error?.message.hasPrefix("The backup '\(kept.path)' is damaged (") == true)
  }

  @Test func `what was only in the -wal of a damaged database is kept`() throws {
    let shop = try Workshop()
    try shop.make("wal", notes: 5000, version: 2)
    try shop.take()
    // A killed app leaves its -wal.
    let app = try shop.open()
    try app.execute("PRAGMA wal_autocheckpoint=0")
    try app.execute("UPDATE notes SET text = 'only in the wal' WHERE id = 4999")
    let (main, log) = (try shop.bytes(shop.database), try shop.bytes(shop.database + "-wal"))
    try app.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try withExtendedLifetime(app) {
      try shop.make(notes: 1, at: shop.folder + "/unused")
    }
    let other = try Workshop()
    try Data(main).write(to: URL(fileURLWithPath: other.database))
    try Data(log).write(to: URL(fileURLWithPath: other.database + "-wal"))
    truncate(other.database, 3000)
    let report = try other.restore(try shop.store().list()[0].path)
    #expect(try other.notes() == 5000)
    #expect(try other.journalMode() == "wal")
    let kept = try #require(report.backup)
    let isKept = try other.bytes(kept.path + "-wal") == log
    #expect(isKept)
    // It goes with the copy that it belongs to.
    try other.store().remove([kept.path])
    #expect(other.names(other.store().path) == [])
  }

  @Test(arguments: ["delete", "wal"])
  func `a missing database is created`(_ mode: String) throws {
    let shop = try Workshop()
    try shop.make(mode, notes: 50, version: 2)
    chmod(shop.database, 0o640)
    let backup = try shop.take()
    unlink(shop.database)
    // What a careless hand left behind.
    for ending in ["-wal", "-journal"] {
      try Data(repeating: 7, count: 9000)
        .write(to: URL(fileURLWithPath: shop.database + ending))
    }
    let report = try shop.restore()
    #expect(report.backup == nil && report.from == 0 && report.to == 2)
    #expect(try shop.notes() == 50)
    #expect(try shop.journalMode() == mode)
    #expect(Paths.mode(shop.database) == 0o640)
    #expect(try shop.store().list() == [backup])
  }

  @Test func `an empty database is nothing to keep`() throws {
    let shop = try Workshop()
    try shop.make(notes: 50, version: 2)
    try shop.take()
    truncate(shop.database, 0)
    #expect(try shop.restore().backup == nil)
    #expect(try shop.notes() == 50)
  }

  // MARK: the backup

  @Test(arguments: [0..<100, 0..<4096, 110..<4096, 200_704..<204_800])
  func `a damaged backup is refused`(_ range: Range<Int>) throws {
    let shop = try Workshop()
    try shop.make("wal", notes: 5000, version: 2)
    let backup = try shop.take()
    try shop.damage(range, of: backup.path)
    try shop.make(notes: 50, version: 4)
    let before = try shop.bytes(shop.database)
    let error = seedbedError { try shop.restore() }
    #expect(error?.code == .backup)
    let message = try #require(error?.message)
    #expect(message.hasPrefix("The backup '\(backup.path)' is damaged ("))
    #expect(
      message.hasSuffix("). Nothing was restored. Choose another."))
    #expect(try shop.hasBytes(before))
    #expect(shop.names(shop.store().path) == [Paths.split(backup.path).name])
  }

  @Test func `an empty file is refused`() throws {
    let shop = try Workshop()
    try shop.make(notes: 50)
    let empty = shop.folder + "/empty"
    try Data().write(to: URL(fileURLWithPath: empty))
    #expect(
      seedbedError { try shop.restore(empty) }?.message == "'\(empty)' is an empty database. "
        + "Nothing was restored. Choose a backup.")
    #expect(try shop.notes() == 50)
  }

  @Test func `a copy of a killed app's database with its -wal is restored whole`() throws {
    let shop = try Workshop()
    try shop.make("wal", notes: 50, version: 2)
    let app = try shop.open()
    try app.execute("INSERT INTO notes (text) VALUES ('in the wal')")
    let copy = shop.folder + "/copy"
    for ending in ["", "-wal"] {
      try Data(shop.bytes(shop.database + ending)).write(to: URL(fileURLWithPath: copy + ending))
    }
    let other = try Workshop()
    try withExtendedLifetime(app) { try other.make(notes: 1, version: 4) }
    let report = try other.restore(copy)
    #expect(report.restored.path == copy && report.restored.isVerified == true)
    #expect(report.restored.version == 2)
    #expect(try other.notes() == 51)
    #expect(try other.journalMode() == "delete")
  }

  @Test func `a file in the middle of a transaction is refused`() async throws {
    let shop = try Workshop()
    try shop.make(notes: 5000, version: 2)
    // A process killed after its pages reached the file leaves a hot journal.
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = shop.database as String] in
      let app = try Connection(path, .readWrite, setup: nil)
      try app.execute("PRAGMA cache_size=5")
      try app.execute("BEGIN")
      try app.execute("UPDATE notes SET text = 'half'")
      kill(getpid(), SIGKILL)
    }
    let other = try Workshop()
    try other.make(notes: 3)
    let error = seedbedError { try other.restore(shop.database) }
    #expect(error?.code == .backup)
    #expect(
      error?.message == "'\(shop.database)' was left in the middle of a transaction, which only a "
        + "program that opens it for writing can roll back. Nothing was restored. Open it once, "
        + "for example with: sqlite3 FILE .tables")
    #expect(try other.notes() == 3)
    // As the database itself it is no trouble: opening it rolls it back.
    #expect(try shop.notes() == 5000)
  }

  // MARK: names

  @Test func `a backup is found by its name or by any path`() throws {
    let shop = try Workshop()
    try shop.make(notes: 10)
    let first = try shop.take(version: 1)
    let second = try shop.take(version: 2)
    let store = shop.store()
    #expect(try store.backup(named: nil) == second)
    #expect(try store.backup(named: Paths.split(first.path).name) == first)
    #expect(try store.backup(named: first.path) == first)
    #expect(
      try store.backup(
        named: shop.folder + "/./app.sqlite.backups/../app.sqlite.backups/"
          + Paths.split(first.path).name) == first)
    let link = shop.folder + "/link"
    symlink(first.path, link)
    #expect(try store.backup(named: link) == first)
  }

  @Test func `an unknown name is answered with what there is`() throws {
    let shop = try Workshop()
    #expect(
      seedbedError { try shop.restore("gone") }?.message
        == "There is no backup 'gone'. There are no backups of this database.")
    #expect(
      seedbedError { try shop.restore() }?.message == "There is no backup of '\(shop.database)' in "
        + "'\(shop.database).backups'. Name the file to restore.")
    try shop.make(notes: 10)
    let made = try (1...12).map { Paths.split(try shop.take(version: $0).path).name }
    #expect(
      seedbedError { try shop.restore("gone") }?.message
        == "There is no backup 'gone'. The backups "
        + "of this database: " + made[2...].reversed().joined(separator: ", ")
        + " and 2 older ones.")
    #expect(seedbedError { try shop.restore(shop.folder) }?.code == .backup)
    #expect(seedbedError { try shop.restore("") }?.code == .backup)
  }

  @Test func `the database itself is no backup of itself`() throws {
    let shop = try Workshop()
    try shop.make(notes: 10)
    let link = shop.folder + "/link"
    Foundation.link(shop.database, link)
    for name in [shop.database, link] {
      let error = seedbedError { try shop.restore(name) }
      #expect(error?.code == .usage)
      #expect(
        error?.message == "'\(Paths.absolute(name))' is the database itself. Name a backup of it.")
    }
  }
}
