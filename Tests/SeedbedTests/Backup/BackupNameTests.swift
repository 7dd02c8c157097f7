import Testing

@testable import Seedbed

struct BackupNameTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var base = "app"
    var expected: BackupName?
    var testDescription: String { name }
  }

  static func ours(
    _ version: Version, _ condition: BackupName.Condition = .verified, base: String = "app"
  ) -> BackupName {
    BackupName(
      base: base, version: version, takenAt: "20261120T081244.120Z", condition: condition)
  }

  static let cases = [
    Case(name: "app.v2.20261120T081244.120Z.sqlite", expected: ours(2)),
    Case(name: "app.v0.20261120T081244.120Z.sqlite", expected: ours(0)),
    Case(
      name: "app.v9223372036854775807.20261120T081244.120Z.sqlite", expected: ours(.max)),
    Case(name: "app.v2.20261120T081244.120Z.unverified.sqlite", expected: ours(2, .unverified)),
    Case(name: "app.v2.20261120T081244.120Z.damaged.sqlite", expected: ours(2, .damaged)),
    Case(
      name: "my.app.v2.20261120T081244.120Z.sqlite", base: "my.app",
      expected: ours(2, base: "my.app")),
    Case(
      name: "app.v1.v2.20261120T081244.120Z.sqlite", base: "app.v1",
      expected: ours(2, base: "app.v1")),
    Case(name: "app.v1.v2.20261120T081244.120Z.sqlite"),
    Case(name: "other.v2.20261120T081244.120Z.sqlite"),
    Case(name: "app2.v2.20261120T081244.120Z.sqlite"),
    Case(name: "App.v2.20261120T081244.120Z.sqlite"),
    Case(name: "app.v02.20261120T081244.120Z.sqlite"),
    Case(name: "app.v+2.20261120T081244.120Z.sqlite"),
    Case(name: "app.v-2.20261120T081244.120Z.sqlite"),
    Case(name: "app.v9223372036854775808.20261120T081244.120Z.sqlite"),
    Case(name: "app.v2.20261120T081244Z.sqlite"),
    Case(name: "app.v2.20261120T081244.12Z.sqlite"),
    Case(name: "app.v2.2026112OT081244.120Z.sqlite"),
    Case(name: "app.v2.20261120T081244.120Z..sqlite"),
    Case(name: "app.v2.20261120T081244.120Z.old.sqlite"),
    Case(name: "app.v2.20261120T081244.120Z.sqlite-wal"),
    Case(name: "app.v2.20261120T081244.120Z.sqlite.bak"),
    Case(name: "app.v2.20261120T081244.120Z"),
    Case(name: "app.v2.20261120T081244.120Z.SQLITE"),
    Case(name: "app.v.sqlite"),
    Case(name: ".sqlite"),
    // The same to a reader, other bytes: the letter é, and e with an accent.
    Case(name: "caf\u{e9}.v2.20261120T081244.120Z.sqlite", base: "cafe\u{301}"),
  ]

  /// Paths of backups, and their databases.
  static let found = [
    ("/srv/a.sqlite.backups/a.v2.20261120T081244.120Z.sqlite", "/srv/a.sqlite"),
    ("/srv/a.backups/a.v2.20261120T081244.120Z.sqlite", "/srv/a"),
    ("/srv/a.db.backups/a.v2.20261120T081244.120Z.damaged.sqlite", "/srv/a.db"),
    ("/backups/a.sqlite-4b9755f2f0805e5d/a.v2.20261120T081244.120Z.sqlite", "a.sqlite"),
  ]

  @Test(arguments: found) func `a path shows a backup`(_ path: String, _ database: String) {
    let found = BackupName.found(at: path)
    #expect(found?.database == database && found?.name.version == 2)
    #expect(Migrator.Backup.isOne(path))
  }

  @Test(arguments: [
    "/srv/a.sqlite", "/srv/a.v2.20261120T081244.120Z.sqlite",
    "/srv/a.sqlite.backups/b.v2.20261120T081244.120Z.sqlite", "/srv/a.sqlite.backups/a.sqlite",
    "/srv/a.sqlite.backup/a.v2.20261120T081244.120Z.sqlite",
    "/backups/a.sqlite-4b9755f2f0805e5/a.v2.20261120T081244.120Z.sqlite",
    "/backups/a.sqlite-4b9755f2f0805e5D/a.v2.20261120T081244.120Z.sqlite", "",
  ])
  func `a path shows none`(_ path: String) {
    #expect(BackupName.found(at: path) == nil && !Migrator.Backup.isOne(path))
  }

  @Test(arguments: cases) func `only our own names are read`(_ c: Case) {
    #expect(BackupName(c.name, base: c.base) == c.expected)
  }

  @Test(arguments: cases.compactMap(\.expected)) func `a name reads back`(_ name: BackupName) {
    #expect(BackupName(name.text, base: name.base) == name)
  }

  static let temporaries: [(String, Bool)] = [
    ("app.0123456789abcdef.partial", true),
    ("app.0123456789abcdef.partial-wal", true),
    ("app.0123456789abcdef.partial-shm", true),
    ("app.0123456789abcdef.partial-journal", true),
    ("app.0123456789abcdef.partial-other", false),
    ("app.0123456789ABCDEF.partial", false),
    ("app.0123456789abcde.partial", false),
    ("app.0123456789abcdef0.partial", false),
    ("app.v2.20261120T081244.120Z.partial", false),
    ("other.0123456789abcdef.partial", false),
    ("app.0123456789abcdef.sqlite", false),
  ]

  @Test(arguments: temporaries)
  func `only our own leftovers are swept`(_ name: String, _ expected: Bool) {
    #expect(TemporaryBackup.isOurs(name, base: "app") == expected)
  }

  static let folders: [(database: String, chosen: String?, path: String, base: String)] = [
    ("/data/app.sqlite", nil, "/data/app.sqlite.backups", "app"),
    ("/data/app.db", nil, "/data/app.db.backups", "app"),
    ("/data/app", nil, "/data/app.backups", "app"),
    ("/data/my.app.sqlite", nil, "/data/my.app.sqlite.backups", "my.app"),
    ("/data/.hidden", nil, "/data/.hidden.backups", ".hidden"),
    ("/app.sqlite", nil, "/app.sqlite.backups", "app"),
    (
      "/data/app.sqlite", "/nowhere/backups",
      "/nowhere/backups/app.sqlite-2326dcb317d481a3", "app"
    ),
  ]

  @Test(arguments: folders)
  func `each database has a folder of its own`(
    _ c: (database: String, chosen: String?, path: String, base: String)
  ) {
    let store = BackupStore(databasePath: c.database, folder: c.chosen, host: .real)
    #expect(store.path == c.path)
    #expect(store.base == c.base)
  }
}
