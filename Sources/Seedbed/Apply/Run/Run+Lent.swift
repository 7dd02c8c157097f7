/// Runs on a handle of the app's.
extension Run {
  /// Applies one migration inside the transaction that the caller has open.
  ///
  /// It runs in a savepoint: after an error the caller's transaction goes on without it.
  func applyIfPending(_ version: Version) throws -> Migrator.Report {
    let callers = try lockOfCaller().withoutBackup()
    try connection.refuseCoreData()
    try preparePack()
    let before = try resolved.compared(for: ledger, on: connection)
    let steps = try next(version, before)
    guard let last = steps.last else {
      report.notes.append("Migration \(version) is already applied. Nothing was done.")
      return makeReport(from: before.current, to: before.current, .upToDate)
    }
    if try connection.hasForeignKeyViolations() {
      throw SeedbedError(
        .foreignKey,
        "The transaction already has rows that refer to rows that do not exist, and they could not "
          + "be distinguished from those of the migration. Fix them before applyIfPending(_:on:).")
    }
    try prepare(steps)
    try connection.execute("SAVEPOINT seedbed")
    do {
      try applyAll(steps, from: before.current, callers)
      try connection.execute("RELEASE seedbed")
      return makeReport(from: before.current, to: last.version, .applied)
    } catch {
      let error = SeedbedError.from(error).in(version)
      guard connection.isInTransaction else {
        // SQLite itself ends a transaction after some errors, such as a full disk or no memory.
        throw error.with {
          $0.message += " SQLite rolled your whole transaction back."
          $0.remedies = []
        }
      }
      connection.forgetCancellation()
      try connection.execute("ROLLBACK TO seedbed")
      try connection.execute("RELEASE seedbed")
      throw error
    }
  }

  /// The migration, after withdrawn ones before it that only have to be recorded. Empty if it is
  /// already applied.
  private func next(_ version: Version, _ before: LedgerComparison) throws -> [Migration] {
    let pending = try before.migrationsToApply(
      allowsOutOfOrder: options.allowsOutOfOrder, lineEndings: lineEndings)
    if before.current == 0, before.base != nil {
      throw SeedbedError(
        .usage,
        "The catalog's old folders were dropped, so an empty database begins with a snapshot. Call "
          + "up(on:), which uses it, instead of applying \(version) on its own.", version: version)
    }
    if let index = pending.firstIndex(where: { $0.version == version }) {
      let steps = options.allowsOutOfOrder ? [pending[index]] : Array(pending[...index])
      if let other = steps.dropLast().first(where: { !$0.isWithdrawn }) {
        throw SeedbedError(
          .outOfOrder,
          "Migration \(other.version) '\(other.name)' is pending and comes before \(version). "
            + "Apply it first.")
      }
      return steps
    }
    guard before.steps.contains(where: { $0.version == version && $0.migration != nil }) else {
      let versions = before.steps.filter { $0.migration != nil }.map(\.version)
      throw SeedbedError.unknownVersion(version, first: versions.first, last: before.target)
    }
    return []
  }

  private func applyAll(
    _ steps: [Migration], from: Version, _ callers: borrowing Writable
  ) throws {
    try ledger.create(on: connection)
    try notePack(.added)
    let run = try ledger.startRun(.up, from: from, to: steps.last?.version ?? from, on: connection)
    for migration in steps {
      let started = Clock.monotonic()
      meter.begin(migration.version)
      meter.enter(.applying)
      let outcome: MigrationTransaction.Outcome
      do {
        outcome = try transaction(
          migration, run, callers, enforcesForeignKeys: enforces(migration)
        ).apply()
      } catch let broken as MigrationTransaction.BrokenForeignKeys {
        throw SeedbedError.foreignKeysAreOn(migration.folder, broken.reason)
      }
      if try connection.hasForeignKeyViolations() {
        throw ForeignKeyChecks.refusedCommit(on: connection)
      }
      if migration == steps.last { try ledger.finishRun(run.id, .applied, on: connection) }
      report.note(try logged(outcome, of: migration), outcome, since: started)
      meter.pass(migration)
    }
  }
}

extension SeedbedError {
  static func handleInTransaction() -> SeedbedError {
    SeedbedError(
      .usage,
      "The handle is inside a transaction, and this call begins its own. Make it outside, or apply "
        + "one migration inside yours with applyIfPending(_:on:).")
  }

  static func foreignKeysAreOn(_ folder: String, _ reason: String) -> SeedbedError {
    SeedbedError(
      .needsConnection,
      "\(folder) needs foreign keys off, because \(reason), and the handle has them on. Run PRAGMA "
        + "foreign_keys=OFF outside of any transaction, call this again, and switch them on "
        + "afterwards: Seedbed checks the references itself meanwhile.")
  }
}
