import Seedbed

/// Reads every file and compares it with the lock.
struct FileLint {
  let catalog: Catalog
  let findings: LintFindings
  let isForPostgreSQL: Bool
  /// Whether the catalog serves SQLite, but all SQL is for PostgreSQL.
  let lacksSQLite: Bool
  /// The files that cannot be read to their end: `0001_words/words.csv`.
  private(set) var broken: Set<ExactText> = []

  static let largestPlainCSV: Int64 = 1 << 20

  init(catalog: Catalog, findings: LintFindings) {
    self.catalog = catalog
    self.findings = findings
    // An error in catalog.json was reported when it was read.
    let engines = (try? catalog.generalOptions().engines) ?? []
    isForPostgreSQL = engines.contains(.postgresql)
    lacksSQLite =
      engines.contains(.sqlite) && (try? catalog.migrations().haveSQLForPostgreSQLAlone) == true
  }

  mutating func check(_ migrations: [Migration], _ snapshots: [Migration]) throws {
    let lock = try lock()
    if let lock {
      try compareFolders(migrations, lock)
      try compareSnapshots(snapshots, lock)
    }
    try checkAdoption()
    do {
      try checkOptions(lock)
    } catch {
      try findings.add(error)
    }
    for error in try SignatureCheck(directory: catalog.path).mistakes {
      findings.add(LintFinding(error, .signature, in: nil))
    }
    let locked = Dictionary(
      (lock?.migrations ?? []).map { ($0.folder, $0) }, uniquingKeysWith: { first, _ in first })
    for migration in migrations {
      try checkDown(migration)
      try checkTwins(migration)
      for file in migration.allFiles {
        try check(file, in: migration, locked[migration.folder])
      }
      lookForMissing(in: migration, locked[migration.folder])
    }
  }

  /// A version that the catalog no longer has is no fault: databases of that edition are refused,
  /// and new ones begin with a snapshot.
  private func checkAdoption() throws {
    let last = try catalog.migrationsFromBase().last?.version ?? 0
    guard let version = (try? catalog.generalOptions())?.adopt, version > last else { return }
    try findings.add(
      SeedbedError(
        .catalog,
        "\"adopt\" names migration \(version), which the catalog does not have: its last is "
          + "\(last). Name the last edition that the app shipped before it had Seedbed.",
        at: SeedbedError.Place(Lock.optionsName)))
  }

  private func checkOptions(_ lock: Lock?) throws {
    guard let summary = try catalog.optionsSummary() else {
      if lock?.options != nil {
        findings.add(
          .rewritten, SeedbedError.Place(Lock.optionsName),
          "The lock has this file, but it is not in the folder.")
      }
      return
    }
    if let lock {
      try compare(summary, lock.options, Lock.optionsName, nil)
      if summary.digest == lock.options?.digest,
        try lock.head.pack != catalog.generalOptions().pack
      {
        findings.add(
          .unlocked, SeedbedError.Place(Lock.fileName, line: 2),
          "The lock's head does not say which pack the catalog is.")
      }
    }
    checkLineEndings(try catalog.bytes(of: Lock.optionsName), Lock.optionsName, isRows: false, nil)
  }

  /// The lock; nil if there is none that can be read.
  private func lock() throws -> Lock? {
    do {
      if let lock = try catalog.existingLock() { return lock.lock }
      findings.add(
        .unlocked, SeedbedError.Place(Lock.fileName, line: 1),
        "There is no lock, so devices cannot check that they have the released files.")
    } catch {
      try findings.add(error)
    }
    return nil
  }

  private func compareFolders(_ migrations: [Migration], _ lock: Lock) throws {
    let known = Set(lock.migrations.map(\.folder))
    let versions = Set(lock.migrations.map(\.version))
    let last = lock.migrations.last
    for migration in migrations where !known.contains(migration.folder) {
      let place = SeedbedError.Place(migration.folder)
      findings.add(.unlocked, place, "The lock does not have this migration.", migration)
      if let last, migration.version < last.version, !versions.contains(migration.version) {
        findings.add(
          .outOfOrder, place,
          "It is new, but its number is below that of '\(last.folder)', which is in the lock: "
            + "devices that have that one refuse it.", migration)
      }
    }
    let present = Set(migrations.map(\.folder))
    for migration in lock.migrations where !present.contains(migration.folder) {
      findings.add(
        .rewritten, SeedbedError.Place(migration.folder),
        "The lock has this migration, but it is not in the folder.", migration)
    }
  }

  /// Snapshots are generated, so only a change to them is reported.
  private mutating func compareSnapshots(_ snapshots: [Migration], _ lock: Lock) throws {
    let locked = Dictionary(
      lock.snapshots.map { ($0.folder, $0) }, uniquingKeysWith: { first, _ in first })
    for snapshot in snapshots {
      guard let known = locked[snapshot.folder] else {
        findings.add(
          .unlocked, SeedbedError.Place(snapshot.folder),
          "The lock does not have this snapshot.", snapshot)
        continue
      }
      for file in snapshot.allFiles { try compare(file, in: snapshot, known) }
      lookForMissing(in: snapshot, known)
      if try catalog.options(of: snapshot).snapshot == nil { continue }
      do {
        let chain = lock.chain(of: snapshot.version)
        try catalog.refuseStale(snapshot, of: chain, above: lock.base?.version)
      } catch {
        try findings.add(error, in: snapshot)
      }
    }
    let present = Set(snapshots.map(\.folder))
    for snapshot in lock.snapshots where !present.contains(snapshot.folder) {
      findings.add(
        .rewritten, SeedbedError.Place(snapshot.folder),
        "The lock has this snapshot, but it is not in the folder.", snapshot)
    }
  }

  private func compare(
    _ found: LockedFile, _ locked: LockedFile?, _ path: String, _ migration: Migration?
  ) throws {
    let place = SeedbedError.Place(path, line: 1)
    guard let locked else {
      return findings.add(.unlocked, place, "The lock does not have this file.", migration)
    }
    do {
      try Catalog.compare(found, locked, path)
    } catch let error as SeedbedError {
      var finding = LintFinding(error, .rewritten, in: migration)
      finding.place = place
      findings.add(finding)
    }
  }

  private func lookForMissing(in migration: Migration, _ locked: Migration?) {
    for file in locked?.allFiles ?? [] {
      if migration.allFiles.contains(where: { $0.name == file.name }) { continue }
      findings.add(
        .rewritten, SeedbedError.Place(migration.place(of: file)),
        "The lock has this file, but it is not in the folder.", migration)
    }
  }

  private mutating func compare(
    _ file: MigrationFile, in migration: Migration, _ locked: Migration?
  ) throws {
    let path = migration.place(of: file)
    do {
      let summary = try catalog.summary(of: file, in: migration)
      if let locked {
        let entry = locked.allFiles.first { $0.name == file.name }
        try compare(summary, entry?.locked, path, migration)
      }
    } catch {
      broken.insert(path)
      try findings.add(error, in: migration)
    }
  }

  private mutating func check(
    _ file: MigrationFile, in migration: Migration, _ locked: Migration?
  ) throws {
    let path = migration.place(of: file)
    try compare(file, in: migration, locked)
    if file.isCompressed { return }
    checkLineEndings(
      try catalog.bytes(of: file.name, in: migration.folder), path, isRows: file.isRows, migration)
    if file.isRows, file.size > Self.largestPlainCSV {
      findings.add(
        .largeCSV, SeedbedError.Place(path, line: 1),
        "The file has \(file.size) bytes; as .csv.gz, every clone and every app would be smaller.",
        migration)
    }
  }

  /// In a CSV, only line breaks outside quotes count.
  private func checkLineEndings(
    _ bytes: [UInt8], _ path: String, isRows: Bool, _ migration: Migration?
  ) {
    var isQuoted = false
    var line = 1
    var first: Bool?
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == UInt8(ascii: "\""), isRows { isQuoted.toggle() }
      if byte == 0x0A {
        let isWindows = previous == 0x0D
        if !isQuoted {
          if let first, first != isWindows {
            return findings.add(
              .mixedLineEndings, SeedbedError.Place(path, line: line),
              "This line ends in \(isWindows ? "CRLF" : "LF"), the first one in "
                + "\(isWindows ? "LF" : "CRLF"). Converting the file changes its digest.",
              migration)
          }
          first = isWindows
        }
        line += 1
      }
      previous = byte
    }
  }
}
