extension Catalog {
  /// Reads every file, and returns a finding for each that differs from the lock or cannot be read.
  ///
  /// - Throws: `catalog` if the lock lists other files than exist.
  package func findings(_ cancellation: Migrator.Cancellation? = nil) throws -> [SeedbedError] {
    if !parts.isEmpty { return try parts.flatMap { try $0.findings(cancellation) } }
    // A download has no folder that could differ from its lock.
    if head != nil, since == nil {
      let root = try source.root()
      if let lock = try Self.lock(in: root) {
        try LockComparison(lock: lock, root: root).check(withFiles: true)
      }
    }
    var findings = try optionsFindings()
    var previous = try base()
    for migration in try migrations() + snapshots() {
      if isLeftOut(migration) {
        previous = migration
        continue
      }
      let before = findings.count
      for file in migration.allFiles {
        try cancellation?.check()
        let place = migration.place(of: file)
        do {
          let found = try summary(of: file, in: migration)
          try Self.compare(found, file.locked, place)
        } catch let error as SeedbedError {
          // Reading migration.json for its options has reported the same error.
          findings.removeAll { $0.message == error.message && $0.place == error.place }
          findings.append(error.in(migration.version))
        }
      }
      // All files match the lock, but their sum does not: the lock was forged.
      if head != nil, findings.count == before, !migration.hasSums(after: previous) {
        findings.append(.lockEdited(line: nil).in(migration.version))
      }
      previous = migration
    }
    return findings
  }

  private func optionsFindings() throws -> [SeedbedError] {
    var findings: [SeedbedError] = []
    for migration in try migrations() + snapshots() where !isLeftOut(migration) {
      do {
        let options = try options(of: migration)
        try refuseStale(migration)
        if options.isWithdrawn != migration.isWithdrawn {
          findings.append(.lockEdited(line: nil).in(migration.version))
        }
      } catch let error as SeedbedError {
        let isKnown = findings.contains { $0.message == error.message && $0.place == error.place }
        // A broken catalog.json breaks the options of every migration.
        if !isKnown { findings.append(error) }
      }
    }
    if findings.isEmpty, let head,
      try generalOptions().engines.contains(.postgresql) != (head.otherChain != nil)
    {
      findings.append(.lockEdited(line: 2))
    }
    return findings
  }

  package static func compare(
    _ found: LockedFile, _ locked: LockedFile?, _ place: String
  ) throws {
    guard let locked else { return }
    try LockedFile.require("size", found.size, locked.size, place)
    try LockedFile.require("decompressed size", found.contentSize, locked.contentSize, place)
    try LockedFile.require("number of rows", found.rows ?? 0, locked.rows ?? 0, place)
    try LockedFile.require("SHA-256", found.digest, locked.digest, place)
  }
}

extension Catalog {
  /// Throws unless the snapshot was made of the migrations in the catalog.
  package func refuseStale(_ snapshot: Migration) throws {
    guard snapshot.isSnapshot, head != nil || snapshot.chain != nil else { return }
    let chain = try migrationsFromBase().chain(of: snapshot.version)
    try refuseStale(snapshot, of: chain, above: base()?.version)
  }

  /// The withdrawn migrations must be the same too, since the chain does not cover that. For
  /// migrations up to a base, the catalog no longer knows which were withdrawn.
  ///
  /// - Parameter chain: the chain of the catalog up to the snapshot's version.
  package func refuseStale(
    _ snapshot: Migration, of chain: String?, above base: Version?
  ) throws {
    let stale = SeedbedError.snapshotStale(snapshot.folder)
    guard let mark = try options(of: snapshot).snapshot, mark.chain == chain else { throw stale }
    let withdrawn = try migrations().filter {
      $0.isWithdrawn && $0.version <= snapshot.version && $0.version > base ?? 0
    }.map(\.version)
    if mark.withdrawn.filter({ $0 > base ?? 0 }) != withdrawn { throw stale }
  }
}
