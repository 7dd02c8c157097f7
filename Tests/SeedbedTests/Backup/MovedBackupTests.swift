import Foundation
import Testing

@testable import Seedbed

/// Apple's systems may give the container of an app another path at each update.
struct MovedBackupTests {
  private func migrator(_ device: Device, in home: String) throws -> Migrator {
    var options = Migrator.Options()
    options.backupFolder = home + "/Library/Caches/Backups"
    return Migrator(
      catalog: try Catalog(directory: device.catalog), at: home + "/Documents/app.sqlite",
      options: options)
  }

  @Test func `backups are found after the home folder moved`() throws {
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (a)"])
    let (old, new) = (device.path + "/old", device.path + "/new")
    for folder in ["/Documents", "/Library/Caches"] {
      try FileManager.default.createDirectory(
        atPath: old + folder, withIntermediateDirectories: true)
    }
    _ = try migrator(device, in: old).up()
    try device.write(["0002_bad/up.sql": "SELECT missing()"])
    func names(_ home: String) throws -> [String] {
      try migrator(device, in: home).backups().map { Paths.split($0.path).name }
    }
    #expect(throws: SeedbedError.self) { try migrator(device, in: old).up() }
    let before = try names(old)
    #expect(before.count == 1)

    try FileManager.default.moveItem(atPath: old, toPath: new)
    #expect(try names(new) == before)
    // The backup of the run that failed makes room for that of the next one.
    #expect(throws: SeedbedError.self) { try migrator(device, in: new).up() }
    #expect(try names(new).count == 1)
    #expect(try names(new) != before)
    _ = try migrator(device, in: new).restore()
  }

  @Test func `a folder that has the digest of the whole path gets the new name`() throws {
    let device = try Device()
    let kept = device.path + "/kept"
    let store = BackupStore(databasePath: device.database, folder: kept, host: .real)
    let (new, old) = (store.path, kept + "/app.sqlite-" + Digest.of(device.database).prefix(16))
    #expect(new != old)
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: old + "/backup"))
    #expect(store.path == old)
    _ = try store.makeFolder(like: device.path)
    #expect(store.path == new && Paths.exists(new + "/backup") && !Paths.exists(old))
  }

  /// Both are folders of their own on Linux.
  @Test func `folders are told apart by their bytes`() {
    let (composed, decomposed) = ("/\u{E9}", "/e\u{301}")
    let way = BackupStore.way(from: composed + "/b", to: decomposed + "/app.db")
    #expect(way == "../..\(decomposed)/app.db")
  }

  @Test(arguments: [
    ("/a/b", "/a/b/c.db", "c.db"), ("/a/b", "/a/c.db", "../c.db"),
    ("/a", "/b/c/d.db", "../b/c/d.db"), ("/", "/c.db", "c.db"), ("/a/b/c", "/a/b.db", "../../b.db"),
  ])
  func `the way leads up and down again`(folder: String, path: String, way: String) {
    #expect(BackupStore.way(from: folder, to: path) == way)
  }
}
