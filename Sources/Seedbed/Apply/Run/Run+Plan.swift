extension Run {
  /// Does all that `up` would do inside one transaction, and rolls it back.
  ///
  /// - Returns: the download, too, if one is damaged and was to bring more.
  /// - Throws: `MigrationTransaction.BrokenForeignKeys` if a copy is needed for that.
  func plan(
    to last: Version?
  ) throws -> (report: Migrator.Report, damaged: Migrator.PassedOver?) {
    let (before, pending, steps) = try begin(to: last)
    let final = steps.last?.version ?? before.current
    if try steps.isEmpty && !hasNewOwners() {
      return (nothingToDo(before), nil)
    }
    let sizeBefore = try connection.storage().bytes
    let trial = try lock().withoutBackup()
    defer { connection.rollBack() }
    try ledger.create(on: connection)
    // Another process may have applied some while this one waited for the lock.
    let first = Ledger.Run(id: 0, direction: .up)
    let left = try adoptInPlan(pending, first, trial)
    let rest = left == pending ? steps : left
    if rest.first?.isSnapshot != true { try refuseNothingToBeginWith() }
    for migration in rest {
      do {
        if try isWanted(migration) { try tryOut(migration, trial) }
      } catch let error as SeedbedError {
        guard let reached = report.done.last?.version, let found = resolved.damage(behind: error)
        else { throw error }
        return (try planned(before.current, max(before.current, reached), sizeBefore), found)
      }
      meter.pass(migration)
    }
    try fillNewOwners(trial)
    if report.isEmpty {
      return (makeReport(from: final, to: final, .upToDate), nil)
    }
    try noteRowsBefore(before)
    return (try planned(before.current, final, sizeBefore), nil)
  }

  private func tryOut(_ migration: Migration, _ trial: borrowing Writable) throws {
    let started = Clock.monotonic()
    let run = Ledger.Run(id: 0, direction: .up)
    let enforced = try enforces(migration)
    let transaction = try transaction(migration, run, trial, enforcesForeignKeys: enforced)
    let isTold = connection.isLent || migration.isWithdrawn
    guard enforced || isTold else {
      throw MigrationTransaction.BrokenForeignKeys(keys: [])
    }
    do {
      meter.begin(migration.version)
      meter.enter(.applying)
      let outcome = try connection.interruptible { try transaction.apply() }
      // The check of COMMIT, after each migration.
      guard try !connection.hasForeignKeyViolations() else {
        throw try refusedByForeignKeys()
      }
      report.note(try logged(outcome, of: migration), outcome, since: started)
    } catch let broken as MigrationTransaction.BrokenForeignKeys {
      guard connection.isLent else { throw broken }
      throw SeedbedError.foreignKeysAreOn(migration.folder, broken.reason).in(migration.version)
    } catch {
      throw SeedbedError.from(error).of(migration)
    }
  }

  func planned(
    _ from: Version, _ to: Version, _ sizeBefore: Int64, isWAL: Bool? = nil,
    takesBackup: Bool? = nil
  ) throws -> Migrator.Report {
    let storage = try connection.storage()
    let growth = max(0, storage.bytes - sizeBefore)
    let isWAL = isWAL ?? storage.hasLog
    let backup =
      (takesBackup ?? options.takesBackup)
      && context.tablesBefore.keys.contains { !ledger.tableNames.contains($0) }
    var report = makeReport(from: from, to: to, .planned)
    // The log is rolled back, and its numbers with it.
    for index in report.migrations.indices { report.migrations[index].conflicts.forgetNumbers() }
    report.adopted?.conflicts.forgetNumbers()
    let kept = growth * (isWAL ? 2 : 1) + (backup ? sizeBefore : 0)
    report.neededBytes = kept + storage.temporaryBytes
    return report
  }
}

extension [Migrator.Conflict] {
  mutating func forgetNumbers() {
    for index in indices { self[index].id = 0 }
  }
}
