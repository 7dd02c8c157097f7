/// Adopts a database that an app filled before it had Seedbed.
extension Run {
  /// The app's answer, compared with the catalog.
  final class Adopted {
    /// Migrations to record without touching a row.
    var baseline: [Migration] = []
    /// The migration that the app had begun, and the number of rows of each table that it certainly
    /// inserted.
    var begun: (migration: Migration, rows: [Name: Int])?
  }

  /// The migrations left to apply. The app is asked only while the ledger is empty.
  func adopt(_ pending: [Migration], _ run: Ledger.Run) throws -> [Migration] {
    guard hooks.adoption != nil else { return pending }
    let backedUp = try lock().withoutBackup()
    defer { connection.rollBack() }
    let rest = try adoptInPlan(pending, run, backedUp)
    if adopted.begun == nil, let last = adopted.baseline.last {
      try commit(backedUp.changing {}) { try ledger.contains(last.version, run: run.id, on: $0) }
    }
    return rest
  }

  /// The same inside the transaction of a plan.
  func adoptInPlan(
    _ pending: [Migration], _ run: Ledger.Run, _ backedUp: borrowing BackedUp
  ) throws -> [Migration] {
    guard try ask() else { return pending }
    // Otherwise together with the rows of the migration that was begun.
    if adopted.begun == nil { try noteBaseline(adopted.baseline, run, backedUp) }
    let done = adopted.baseline.last?.version ?? 0
    let rest = pending.filter { $0.version > done }
    meter.expect(rest.reduce(0) { $0 + $1.rowBytes })
    return rest
  }

  /// False if there is nothing to adopt.
  private func ask() throws -> Bool {
    guard try ledger.applied(on: connection).isEmpty else { return false }
    let all = try catalog.migrationsFromBase()
    func known(_ version: Version) throws -> Migration {
      if let migration = all.first(where: { $0.version == version }) { return migration }
      if let base = try catalog.base(), version < base.version {
        throw SeedbedError.tooOld(
          current: version, base: base.version, advice: try catalog.generalOptions().tooOld)
      }
      throw SeedbedError(
        .usage,
        "The adoption names migration \(version), which the catalog does not have: its last is "
          + "\(all.last?.version ?? 0). Name one of the catalog's.")
    }
    switch try hooks.adopted(on: connection) {
    case nil, .nothing: return false
    case .version(let version):
      _ = try known(version)
      adopted.baseline = all.filter { $0.version <= version }
    case .partOf(let version, let rows):
      let migration = try known(version)
      adopted.baseline = all.filter { $0.version < version }
      adopted.begun = (migration, try counted(rows, of: migration))
    }
    return true
  }

  /// The rows by the names in the files.
  private func counted(_ rows: [String: Int], of migration: Migration) throws -> [Name: Int] {
    let inserted = migration.files.compactMap(\.kind.rows).filter { $0.operation == "insert" }
    let seeded = inserted.map(\.table)
    for (table, count) in rows {
      guard seeded.contains(name: table) else {
        throw SeedbedError(
          .usage,
          "The adoption reported rows of '\(table)', but \(migration.folder) inserts into "
            + (seeded.isEmpty ? "no table" : seeded.ordered().joined(separator: ", "))
            + ". Count the rows of those.")
      }
      guard count >= 0 else {
        throw SeedbedError(
          .usage,
          "The adoption reported \(count) rows of '\(table)'. Row counts cannot be negative.")
      }
    }
    return Dictionary(rows.map { (Name($0.key), $0.value) }, uniquingKeysWith: { min($0, $1) })
  }

  /// Writes the ledger's rows in the caller's transaction.
  private func noteBaseline(
    _ migrations: [Migration], _ run: Ledger.Run, _ backedUp: borrowing BackedUp
  ) throws {
    let head = try ledger.head(on: connection)
    for row in try catalog.rowsAsTheyAre(migrations, after: head?.chain) {
      try ledger.insert(row, run: run.id, on: connection)
    }
    // The ledger must know that they are signed, as if they had been applied.
    if let download = migrations.lazy.compactMap(resolved.download).first {
      try ledger.note(download.heads, on: connection)
    }
    guard let first = migrations.first, let last = migrations.last else { return }
    notes.append(
      first == last
        ? "Migration \(first.version) was recorded as already applied."
        : "Migrations \(first.version) to \(last.version) were recorded as already applied.")
  }

  /// Records the migrations below the one that the app had begun, in that one's transaction.
  func rowsBegun(
    _ migration: Migration, _ run: Ledger.Run, _ backedUp: borrowing BackedUp
  ) throws -> [Name: Int]? {
    guard let begun = adopted.begun, begun.migration == migration else { return nil }
    if try ledger.applied(on: connection).isEmpty {
      try noteBaseline(adopted.baseline, run, backedUp)
    }
    return begun.rows
  }

  /// Marks the migrations up to a version as applied, without touching a row.
  func baseline(at version: Version) throws -> Migrator.Report {
    let before = try currentComparison()
    let pending = try before.migrationsToApply(to: version, lineEndings: lineEndings)
    guard !pending.isEmpty || before.current == 0 && before.base != nil else {
      return makeReport(from: before.current, to: before.current, .upToDate)
    }
    try recorded(.baseline, from: before.current, to: version) { run in
      let backedUp = try lock().withoutBackup()
      let state = try resolved.compared(for: ledger, on: connection)
      let missing = try state.migrationsToApply(to: version, lineEndings: lineEndings)
      let base = state.current == 0 ? try catalog.base() : nil
      try noteBaseline([base].compactMap(\.self) + missing, run, backedUp)
      try ledger.finishRun(run.id, .applied, on: connection)
      try commit(backedUp.changing {}) { try ledger.head(on: $0)?.version ?? 0 >= version }
    }
    return makeReport(from: before.current, to: version, .applied)
  }
}

extension Catalog {
  /// The ledger's rows for migrations that exist without having been run.
  package func rowsAsTheyAre(
    _ migrations: [Migration], after previous: String?
  ) throws -> [AppliedMigration] {
    var chain = previous
    let base = try base()
    return try migrations.map { migration in
      let checksum = try checksum(of: migration)
      let next =
        migration.version == base?.version
        ? base?.chain ?? ""
        : Checksum.chain(after: chain, version: migration.version, checksum: checksum)
      chain = next
      return AppliedMigration(
        version: migration.version, name: migration.name,
        state: migration.isWithdrawn ? .withdrawn : .baseline, checksum: checksum, chain: next,
        appliedAt: Clock.timestamp(), durationMs: 0, counts: Migrator.Counts())
    }
  }
}
