import Seedbed

extension DeviceChecks {
  /// Two releases. The second changes more than the page cache holds, so it reaches the file before
  /// its COMMIT.
  private static let files = [
    "0001_words/up.sql": """
    CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL);
    WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    INSERT INTO words SELECT i, 'word ' || i FROM n;
    """,
    "0002_upper/up.sql": "UPDATE words SET word = upper(word) || hex(zeroblob(5000));",
  ]

  func path(_ name: String) -> String { folder + "/" + name }

  static func releases() throws -> Catalog {
    try Catalog(files: files.mapValues { Array($0.utf8) })
  }

  func small(_ name: String) throws -> Migrator {
    Migrator(catalog: try Self.releases(), at: path(name))
  }

  /// On a database that is not there yet.
  func fresh(_ name: String) throws -> Migrator {
    remove(name)
    return try small(name)
  }

  func remove(_ name: String) { DeviceFile.remove(path(name)) }

  func afterKill() throws -> (Line.Outcome, String) {
    guard DeviceFile.exists(path("killed.sqlite")) else {
      return (.absent, "call killMidway(), and start the app again")
    }
    defer { remove("killed.sqlite") }
    let migrator = try small("killed.sqlite")
    // The first one that opens the file takes back what was half done.
    try expect(changed: 0)
    let before = try migrator.status()
    let report = try migrator.up()
    try expect(changed: 2000)
    let isRight = before.current == 1 && report.to == 2
    return (isRight ? .ok : .no, "at \(before.current) after the kill, at \(report.to) after 'up'")
  }

  private func expect(changed count: Int64) throws {
    let connection = try SQLiteHandle(path("killed.sqlite"))
    let changed = try connection.integer("SELECT count(*) FROM words WHERE length(word) > 1000")
    let all = try connection.integer("SELECT count(*) FROM words")
    guard changed == count, all == 2000 else {
      throw DeviceError("\(changed) of \(all) rows are changed, and not \(count) of 2000")
    }
    try connection.checkIntegrity()
  }

  func backup() throws -> (Line.Outcome, String) {
    let migrator = try fresh("backup.sqlite")
    defer { remove("backup.sqlite") }
    try migrator.up(to: 1)
    try migrator.up()
    let backups = try migrator.backups()
    guard let backup = backups.first, backup.isVerified else {
      return (.no, "\(backups.count) backups, none of them verified")
    }
    try migrator.restore()
    let current = try migrator.status().current
    return (current == 1 ? .ok : .no, "\(backup.bytes) bytes, at \(current) again")
  }

  func protection() throws -> (Line.Outcome, String) {
    let migrator = try fresh("class.sqlite")
    defer { remove("class.sqlite") }
    try migrator.up(to: 1)
    let connection = try SQLiteHandle(path("class.sqlite"))
    // While a connection is open that read something, the WAL stays.
    defer { withExtendedLifetime(connection) {} }
    try connection.execute("PRAGMA journal_mode = WAL; SELECT count(*) FROM words")
    try migrator.up()
    guard let backup = try migrator.backups().first else { return (.no, "there is no backup") }
    let files = [
      ("database", path("class.sqlite")), ("WAL", path("class.sqlite-wal")),
      ("backup", backup.path),
    ]
    let classes = try files.map { ($0.0, try DeviceFile.protection(of: $0.1)) }
    let temporary = try DeviceFile.protectionOfTemporaryFile()
    guard let own = classes[0].1 else {
      return (.absent, "files have no protection class here")
    }
    let seen = (classes + [("temporary file", temporary)]).map { "\($0.0) \($0.1 ?? "none")" }
    return (classes.allSatisfy { $0.1 == own } ? .ok : .no, seen.joined(separator: ", "))
  }

  func exclusion() throws -> (Line.Outcome, String) {
    let migrator = try fresh("excluded.sqlite")
    defer { remove("excluded.sqlite") }
    try migrator.up(to: 1)
    try migrator.up()
    guard let backup = try migrator.backups().first else { return (.no, "there is no backup") }
    guard let isExcluded = try DeviceFile.isExcluded(backup.path) else {
      return (.absent, "no device backups here")
    }
    let own = try DeviceFile.isExcluded(path("excluded.sqlite")) ?? false
    return (isExcluded && !own ? .ok : .no, "backup \(isExcluded), database \(own)")
  }

  func firstStart() throws -> (Line.Outcome, String) {
    remove("first.sqlite")
    defer { remove("first.sqlite") }
    var migrator = Migrator(catalog: catalog, at: path("first.sqlite"))
    configure(&migrator)
    let before = Memory.peakBytes()
    var report: Migrator.Report?
    let time = try ContinuousClock().measure { report = try migrator.up() }
    let after = Memory.peakBytes()
    try SQLiteHandle(path("first.sqlite")).checkIntegrity()
    let again = try migrator.up()
    let milliseconds = time / Duration.milliseconds(1)
    return (
      again.outcome == .upToDate ? .ok : .no,
      "up to \(report?.to ?? 0) in \(Int(milliseconds)) ms, "
        + "peak of the process \(before / 1024) KiB before, \(after / 1024) KiB after"
    )
  }
}
