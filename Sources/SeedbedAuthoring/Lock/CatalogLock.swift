package import Seedbed

/// Writes and checks `seedbed.lock`, which tells devices what the catalog contains.
///
///     let summary = try CatalogLock.write(directory: "Migrations")
package enum CatalogLock {
  /// Reads every file of the catalog and writes the lock again, in one step.
  ///
  /// The same files give the same bytes. An up-to-date lock is not touched.
  ///
  /// - Throws: `SeedbedError` if a folder, a file or an option is invalid. A catalog that cannot be
  ///   applied is not locked.
  @discardableResult
  package static func write(directory: String) throws -> LockSummary {
    let turn = try CatalogTurn(directory)
    defer { turn.end() }
    return try rewrite(directory)
  }

  /// The same for a caller that already has the turn.
  static func rewrite(_ directory: String) throws -> LockSummary {
    let catalog = try Catalog(withoutLock: directory)
    return try write(catalog, base: try catalog.base())
  }

  /// - Parameter base: the last migration whose folder is not in the catalog, or is about to be
  ///   removed.
  static func write(
    _ catalog: Catalog, base: Migration?, dropping dropped: Set<String> = []
  ) throws -> LockSummary {
    let base = try self.base(base, of: catalog)
    let migrations = try migrations(of: catalog, base: base, dropping: dropped)
    // If its migrations have changed since, a snapshot would give new databases other data than
    // existing ones.
    let snapshots = try catalog.snapshots().filter { !dropped.contains($0.folder) }.map {
      let chain =
        $0.version == base?.version ? base?.chain : migrations.chain(of: $0.version)
      try catalog.refuseStale($0, of: chain, above: base?.version)
      var snapshot = $0
      try lock(&snapshot, in: catalog, after: (nil, nil))
      snapshot.chain = chain
      return snapshot
    }
    let first = try FirstDatabase.read(in: catalog.path)
    let text = LockText.text(
      of: migrations, snapshots: snapshots, base: base, first: first,
      options: try catalog.optionsSummary(), pack: try catalog.generalOptions().pack)
    // If the old lock is missing or cannot be read, all migrations count as added.
    let old = try catalog.oldLock()
    let isChanged = old?.bytes != text
    if isChanged { try AtomicFile.write(text, to: Lock.fileName, in: catalog.path) }
    return LockSummary(
      path: catalog.path + "/" + Lock.fileName, isChanged: isChanged,
      from: (old?.lock.migrations ?? []) + (old?.lock.snapshots ?? []), to: migrations, snapshots,
      base: base, first: first)
  }

  /// Checks whether the lock is up to date. Reads every file, writes nothing.
  ///
  /// - Returns: the errors; empty if there are none.
  /// - Throws: `SeedbedError` if the catalog's folder itself cannot be read.
  package static func check(directory: String) throws -> [SeedbedError] {
    do {
      let catalog = try Catalog(directory: directory)
      guard catalog.hasLock else { return [.lockMissing(catalog.path)] }
      return try catalog.findings() + FirstDatabase.findings(in: catalog)
    } catch let error as SeedbedError where error.code == .catalog && error.place != nil {
      return [error]
    }
  }

  /// Whether there is a lock that is not up to date. Reads every file, writes nothing.
  package static func isStale(directory: String) -> Bool {
    guard Paths.exists(directory + "/" + Lock.fileName) else { return false }
    // A lock that cannot be read, for whatever reason, has to be written again.
    return (try? check(directory: directory))?.isEmpty != true
  }

  /// A migration in the lock may have been released, so writing the lock for another reason must
  /// not silently accept a change to it.
  ///
  /// - Parameter folder: the folder of a migration that is made again, and may differ.
  static func refuseRewritten(_ catalog: Catalog, except folder: String? = nil) throws {
    guard let old = try catalog.oldLock()?.lock else { return }
    let now = Dictionary(
      try catalog.migrations().map { ($0.version, $0) }, uniquingKeysWith: { first, _ in first })
    let base = try catalog.base()?.version ?? 0
    let servesSQLite = try catalog.servesSQLite()
    for migration in old.migrations where migration.folder != folder && migration.version > base {
      guard let found = now[migration.version] else {
        throw SeedbedError.gone(migration.folder)
      }
      // An engine for which the lock has no SQL, or no digests, got no release.
      let isOnSQLite =
        servesSQLite && !(old.migrations.haveSQLForPostgreSQLAlone && found.other != nil)
      let isRewritten = try isOnSQLite && catalog.checksum(of: found) != migration.checksum
      let other = try migration.other.flatMap { old in
        try found.ofOtherEngine.map { try catalog.checksum(of: $0) != old.checksum }
      }
      if isRewritten || other == true { throw SeedbedError.rewritten(migration.folder) }
    }
  }

  /// Reads every file of the catalog, as if it had no lock.
  static func read(directory: String) throws -> (Catalog, [Migration]) {
    let catalog = try Catalog(withoutLock: directory)
    return (catalog, try migrations(of: catalog, base: try catalog.base()))
  }

  private static func migrations(
    of catalog: Catalog, base: Migration?, dropping dropped: Set<String> = []
  ) throws -> [Migration] {
    var migrations = try catalog.migrations().filter { !dropped.contains($0.folder) }
    if let base, let below = migrations.first(where: { $0.version <= base.version }) {
      throw SeedbedError.belowBase(below.folder, base: base.version)
    }
    var previous = (base?.chain, base?.other?.chain)
    for index in migrations.indices {
      try lock(&migrations[index], in: catalog, after: previous)
      previous = (migrations[index].chain, migrations[index].other?.chain)
    }
    return migrations
  }

  /// The base, with digests for PostgreSQL if the catalog is for it.
  private static func base(_ base: Migration?, of catalog: Catalog) throws -> Migration? {
    guard var base else { return nil }
    if try catalog.generalOptions().engines.contains(.postgresql) {
      _ = try base.baseOfOtherEngine()
    } else {
      base.other = nil
    }
    return base
  }

  private static func lock(
    _ migration: inout Migration, in catalog: Catalog, after previous: (String?, String?)
  ) throws {
    for index in migration.files.indices {
      let file = migration.files[index]
      migration.files[index] = file.locked(as: try catalog.summary(of: file, in: migration))
    }
    for (index, file) in (migration.other?.sql ?? []).enumerated() {
      let locked = try catalog.summary(of: file, in: migration)
      migration.other?.sql[index] = file.locked(as: locked)
    }
    migration.sum(after: previous.0)
    if var other = migration.ofOtherEngine {
      other.sum(after: previous.1)
      migration.other?.checksum = other.checksum
      migration.other?.chain = other.chain
    }
    migration.rows = migration.files.reduce(0) { $0 + ($1.locked?.rows ?? 0) }
  }
}

/// The result of `CatalogLock.write`, and the differences from the previous lock.
package struct LockSummary: Sendable, Equatable {
  /// The lock's path.
  package internal(set) var path: String
  /// False if the lock was already up to date.
  package let isChanged: Bool
  /// The catalog's last version.
  package let version: Migrator.Version
  /// The number of migrations in the lock.
  package let migrations: Int
  /// The number of their files, without `catalog.json`.
  package let files: Int
  /// The number of rows in these files.
  package let rows: Int
  /// The version of the database that new devices begin with; nil if there is none.
  package let first: Migrator.Version?
  /// The folders that the old lock did not have, in version order.
  package let added: [String]
  /// The folders in which a file was added, changed or removed.
  package let changed: [String]
  /// The folders that only the old lock has.
  package let removed: [String]

  init(
    path: String, isChanged: Bool, from old: [Migration], to migrations: [Migration],
    _ snapshots: [Migration], base: Migration?, first: FirstDatabase?
  ) {
    let new = migrations + snapshots
    self.path = path
    self.isChanged = isChanged
    version = migrations.last?.version ?? base?.version ?? 0
    self.migrations = migrations.count
    self.first = first?.version
    files = new.reduce(0) { $0 + $1.allFiles.count }
    rows = new.reduce(0) { $0 + ($1.rows ?? 0) }
    let before = Dictionary(old.map { ($0.folder, $0.allFiles) }) { first, _ in first }
    let after = Set(new.map(\.folder))
    added = new.map(\.folder).filter { before[$0] == nil }
    changed = new.filter { before[$0.folder] != nil && before[$0.folder] != $0.allFiles }
      .map(\.folder)
    removed = old.map(\.folder).filter { !after.contains($0) }
  }
}

extension SeedbedError {
  fileprivate static func gone(_ folder: String) -> SeedbedError {
    SeedbedError(
      .missing,
      "The lock has this migration, but its folder is missing. Released migrations stay: put it "
        + "back. If it was never released, write the lock first: migrate lock.", at: Place(folder))
  }

  fileprivate static func rewritten(_ folder: String) -> SeedbedError {
    SeedbedError(
      .drift,
      "The data of this migration differ from the lock. Released migrations do not change: put its "
        + "files back. If it was never released, write the lock first: migrate lock.",
      at: Place(folder))
  }
}
