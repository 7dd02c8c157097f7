import CSeedbedSQLite
import Foundation
import Testing

@testable import Seedbed

struct BackupTakeTests {
  struct Shape: CustomTestStringConvertible {
    var mode: String
    var pageSize: Int
    var notes: Int
    /// The app has the database open, and its last rows are only in the `-wal`.
    var isOpen = false
    var testDescription: String {
      "\(mode), pages of \(pageSize), \(notes) notes\(isOpen ? ", open" : "")"
    }
  }

  static let shapes = [
    Shape(mode: "delete", pageSize: 4096, notes: 100),
    Shape(mode: "delete", pageSize: 512, notes: 20_000),
    Shape(mode: "delete", pageSize: 65536, notes: 5000),
    Shape(mode: "persist", pageSize: 4096, notes: 5000),
    Shape(mode: "wal", pageSize: 4096, notes: 5000),
    Shape(mode: "wal", pageSize: 8192, notes: 5000, isOpen: true),
  ]

  @Test(arguments: shapes) func `a backup is exactly the database`(_ shape: Shape) throws {
    let shop = try Workshop()
    try shop.make(shape.mode, pageSize: shape.pageSize, notes: shape.notes)
    let app = shape.isOpen ? try shop.open() : nil
    try app?.execute("PRAGMA wal_autocheckpoint=0")
    try app?.execute("UPDATE notes SET text = 'mine' WHERE id % 3 = 0")
    let backup = try shop.take()
    // All connections are closed, so that what was in the -wal is in the file.
    try withExtendedLifetime(app) { try app?.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    #expect(try shop.isCopy(backup.path, of: shop.bytes(shop.database)))
    #expect(backup.version == 2)
    #expect(backup.isVerified && !backup.isDamaged)
    #expect(backup.bytes == Paths.size(backup.path))
    // Nothing beside it, and no trace of the temporary.
    #expect(shop.names(shop.database + ".backups") == [Paths.split(backup.path).name])
    #expect(try shop.store().list() == [backup])
  }

  @Test func `what a user sees: the name and the folder`() throws {
    let shop = try Workshop("my notes.db")
    try shop.make()
    let backup = try shop.take(version: 17)
    let name = try #require(backup.path.split(separator: "/").last)
    #expect(backup.path == shop.folder + "/my notes.db.backups/" + name)
    #expect(name.hasPrefix("my notes.v17.20") && name.hasSuffix("Z.sqlite"))
    #expect(name.contains(backup.takenAt.text.filter { $0 != "-" && $0 != ":" }))
  }

  @Test(arguments: ["100% ?#&.sqlite", "file:app.sqlite", "é\u{301} 日本.db", "-rf", "a'b\"c"])
  func `odd names of databases are no trouble`(_ name: String) throws {
    let shop = try Workshop(name)
    try shop.make("wal", notes: 10, version: 2)
    let backup = try shop.take()
    #expect(try shop.store().list() == [backup])
    try shop.make("wal", notes: 20, version: 4)
    #expect(try shop.restore().restored == backup)
    #expect(try shop.notes() == 10)
  }

  @Test func `a chosen folder is created, and holds one folder for each database`() throws {
    let shop = try Workshop()
    try shop.make()
    let chosen = shop.folder + "/kept"
    let store = shop.store(chosen)
    #expect(try store.list() == [])
    #expect(shop.names(shop.folder) == ["app.sqlite"])
    let backup = try shop.take(store)
    #expect(shop.names(chosen).count == 1)
    #expect(backup.path.hasPrefix(chosen + "/app.sqlite-"))
    #expect(try store.list() == [backup])
  }

  @Test func `a chosen folder in a folder that is not there is refused`() throws {
    let shop = try Workshop()
    try shop.make()
    let error = seedbedError { try shop.take(shop.store(shop.folder + "/a/b")) }
    #expect(error?.code == .backup)
    #expect(
      error?.message == "No backup could be made, so nothing was changed. Cannot open "
        + "'\(shop.folder)/a': No such file or directory. Backups can go to another folder, or "
        + "be left out.")
    #expect(shop.names(shop.folder) == ["app.sqlite"])
  }

  // MARK: modes

  @Test(arguments: [0o600, 0o640, 0o644, 0o664, 0o666] as [mode_t])
  func `a backup has the mode of its database`(_ mode: mode_t) throws {
    let shop = try Workshop()
    try shop.make()
    chmod(shop.database, mode)
    let backup = try shop.take()
    #expect(Paths.mode(backup.path) == mode)
    let expected = 0o700 | (mode & 0o044) | (mode & 0o044) >> 2
    #expect(Paths.mode(shop.store().path).map { $0 & ~expected } == 0)
  }

  @Test func `a bit that runs programs is not carried over`() throws {
    let shop = try Workshop()
    try shop.make()
    chmod(shop.database, 0o4755)
    #expect(Paths.mode(try shop.take().path) == 0o644)
  }

  @Test func `the umask neither widens nor narrows it`() async throws {
    let shop = try Workshop()
    try shop.make()
    chmod(shop.database, 0o640)
    await #expect(processExitsWith: .success) { [database = shop.database as String] in
      umask(0)
      let store = BackupStore(databasePath: database, folder: nil, host: .real)
      let first = try store.take(version: 1)
      umask(0o077)
      let second = try store.take(version: 2)
      #expect(Paths.mode(first.path) == 0o640)
      #expect(Paths.mode(second.path) == 0o640)
    }
    #expect(try shop.store().list().count == 2)
  }

  @Test(.enabled(if: geteuid() == 0)) func `a backup by root belongs to the user`() throws {
    let shop = try Workshop()
    try shop.make()
    chown(shop.database, 4321, 1234)
    chmod(shop.database, 0o660)
    var facts = stat()
    stat(try shop.take().path, &facts)
    #expect(facts.st_uid == 4321)
    #expect(facts.st_gid == 1234)
    #expect(facts.st_mode & 0o777 == 0o660)
  }

  // MARK: links

  @Test(arguments: [SystemCall.create, .link])
  func `a link at the temporary's or the final name is not followed`(_ call: SystemCall) throws {
    let shop = try Workshop()
    try shop.make()
    let precious = shop.folder + "/precious"
    try "precious".write(toFile: precious, atomically: false, encoding: .utf8)
    let store = shop.store(failing: { found, path in
      // Just before the name is used, somebody puts a link there.
      if found == call { symlink(precious, path) }
      return 0
    })
    let error = seedbedError { try shop.take(store) }
    #expect(error?.code == .backup)
    #expect(error?.message.contains("File exists") == true)
    #expect(try String(contentsOfFile: precious, encoding: .utf8) == "precious")
    #expect(try shop.store().list() == [])
  }

  // MARK: leftovers

  @Test func `leftovers of killed runs are swept, other files are not`() throws {
    let shop = try Workshop()
    try shop.make()
    let folder = shop.database + ".backups"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let dead = ["app.0123456789abcdef.partial", "app.0123456789abcdef.partial-wal"]
    let others = [
      "other.0123456789abcdef.partial", "notes.txt", "app.v1.20200101T000000.000Z.sqlite.old",
    ]
    for name in dead + others {
      try name.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
    }
    let backup = try shop.take()
    #expect(shop.names(folder) == (others + [Paths.split(backup.path).name]).sorted())
  }

  @Test func `two backups in one millisecond get two names`() throws {
    let shop = try Workshop()
    try shop.make(notes: 1)
    for _ in 0..<8 { try shop.take() }
    #expect(Set(try shop.store().list().map(\.path)).count == 8)
  }

  @Test func `progress goes up to 1`() throws {
    let shop = try Workshop()
    try shop.make(notes: 40_000)
    var seen: [Double] = []
    try shop.take { seen.append($0) }
    #expect(seen == seen.sorted())
    #expect(seen.count > 3)
    #expect(seen.last == 1)
    #expect(try #require(seen.first) > 0)
  }

  @Test func `the moments are reached in their order`() throws {
    let shop = try Workshop()
    try shop.make()
    let seen = Guarded<[Moment]>([])
    try shop.take(shop.store(reaching: { moment in seen.withLock { $0.append(moment) } }))
    #expect(
      seen.withLock { $0 } == [.backupCopied, .backupChecked, .backupSynced, .backupPublished])
  }
}
