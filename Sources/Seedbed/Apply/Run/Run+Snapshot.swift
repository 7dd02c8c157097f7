/// Fills an empty database from the newest snapshot instead of all migrations up to it.
extension Run {
  /// The migrations to apply: if the database is empty, a snapshot and the migrations after it.
  func steps(_ pending: [Migration]) throws -> [Migration] {
    guard let last = try pending.last?.version ?? catalog.base()?.version,
      let snapshot = try catalog.snapshots().last(where: { $0.version <= last && usesSnapshot($0) }
      ),
      try isFresh(for: snapshot)
    else { return pending }
    return [snapshot] + pending.filter { $0.version > snapshot.version }
  }

  /// Whether nothing was ever applied, and the tables that the snapshot creates or fills are
  /// missing or empty.
  func isFresh(for snapshot: Migration) throws -> Bool {
    try catalog.canBegin(with: snapshot, ledger, on: connection)
  }

  /// Whether the snapshot is still wanted: another process may have been faster.
  func isWanted(_ migration: Migration) throws -> Bool {
    try migration.isSnapshot ? isFresh(for: migration) : isStillPending(migration)
  }

  /// A catalog whose old folders were dropped cannot begin with its first folder.
  func refuseNothingToBeginWith() throws {
    guard let base = try catalog.base(),
      try !ledger.exists(on: connection) || ledger.head(on: connection) == nil
    else { return }
    throw SeedbedError.noWayFromNothing(
      base: base.version, snapshot: try catalog.snapshots().last?.version, engine: catalog.engine,
      advice: try catalog.generalOptions().tooOld)
  }
}

extension Catalog {
  /// Whether a database is empty enough for a snapshot.
  func canBegin(
    with snapshot: Migration, _ ledger: Ledger, on connection: any DatabaseSession
  ) throws -> Bool {
    if try ledger.exists(on: connection), try ledger.head(on: connection) != nil { return false }
    let mark = try options(of: snapshot).snapshot
    for name in mark?.creates ?? [] where try connection.object(named: name) != nil {
      return false
    }
    for table in snapshot.files.compactMap(\.table) + (mark?.fills ?? []) {
      guard let found = try connection.object(named: table) else { continue }
      let row = try connection.value(
        "SELECT 1 FROM \(connection.schema(of: found.name).sql) LIMIT 1")
      if row != nil { return false }
    }
    return true
  }
}

extension MigrationTransaction {
  /// Records all migrations that the snapshot replaces, as ones that exist without having been run.
  func noteSnapshot(counts: [ExactText: Migrator.Counts], seconds: Double) throws {
    let covered = try catalog.migrationsFromBase().filter { $0.version <= migration.version }
    var rows = try catalog.rowsAsTheyAre(covered, after: nil)
    guard let last = rows.indices.last, rows[last].version == migration.version else {
      throw SeedbedError.snapshotStale(migration.folder)
    }
    try catalog.refuseStale(migration, of: rows[last].chain, above: catalog.base()?.version)
    rows[last].counts = counts.values.reduce(into: Migrator.Counts(), +=)
    rows[last].durationMs = Duration.clamped(seconds: seconds).milliseconds
    for row in rows { try ledger.insert(row, run: run.id, on: connection) }
  }
}
