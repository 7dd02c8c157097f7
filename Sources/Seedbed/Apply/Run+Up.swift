extension Run {
  /// Applies what is pending, one migration after the other, each in its own transaction.
  func up(to last: Version?) throws -> Migrator.Report {
    let (before, pending) = try pending(to: last)
    let steps = try steps(pending)
    guard let final = steps.last else {
      try refuseNothingToBeginWith()
      return nothingToDo(before)
    }
    try prepare(steps)
    try recorded(.up, from: before.current, to: final.version) { run in
      let left = try adopt(pending, run)
      try applyAll(left == pending ? steps : left, insteadOf: pending, run)
    }
    // All is committed: where the ledger cannot be read any more, that is no failure of the run.
    let reached = max(before.current, done.last?.version ?? final.version)
    let current = (try? ledger.head(on: connection))?.version ?? reached
    // Another process may have applied them all.
    let isDone = done.isEmpty && adopted.baseline.isEmpty
    return makeReport(from: before.current, to: current, isDone ? .upToDate : .applied)
  }

  /// Throws what is wrong before the first change.
  func refuseBeginning(to last: Version?) throws {
    let steps = try steps(pending(to: last).1)
    if !steps.isEmpty { try prepare(steps) }
    if steps.first?.isSnapshot != true, adoption == nil { try refuseNothingToBeginWith() }
  }

  private func applyAll(
    _ steps: [Migration], insteadOf pending: [Migration], _ run: Ledger.Run
  ) throws {
    var rest = steps
    if let snapshot = steps.first, snapshot.isSnapshot {
      try apply(snapshot, of: run, isLast: steps.count == 1)
      // Another process may have begun to fill the database meanwhile.
      if done.isEmpty { rest = pending } else { rest.removeFirst() }
    }
    try refuseNothingToBeginWith()
    for migration in rest {
      try apply(migration, of: run, isLast: migration == rest.last)
    }
  }

  /// What there is to do, from one look at the ledger.
  func pending(to last: Version?) throws -> (before: Plan, [Migration]) {
    try connection.refuseCoreData()
    let before = try connection.inReadTransaction {
      try Planning(catalog, ledger).plan(on: connection)
    }
    let pending = try before.migrationsToApply(
      to: last, allowsOutOfOrder: options.allowsOutOfOrder, ifNewer: options.ifNewer,
      lineEndings: lineEndings)
    return (before, pending)
  }

  func nothingToDo(_ plan: Plan) -> Migrator.Report {
    if plan.current > plan.target {
      notes.append(SeedbedError.newerNote(current: plan.current, target: plan.target))
    }
    return makeReport(from: plan.current, to: plan.current, .upToDate)
  }

  /// A clear error before anything is touched.
  func prepare(_ pending: [Migration]) throws {
    tablesBefore = try connection.rootPages()
    meter.expect(pending.reduce(0) { $0 + $1.rowBytes })
    meter.begin(pending[0].version)
    try Preflight(catalog: catalog, path: path, options: options, host: host)
      .check(pending, on: connection)
  }

  func lineEndings(
    _ migration: Migration, _ row: AppliedMigration
  ) throws -> [LineEndingRule] {
    try catalog.lineEndings(of: migration, applied: row.checksum)
  }

  private func apply(_ migration: Migration, of run: Ledger.Run, isLast: Bool) throws {
    if !done.isEmpty { host.reached(.beforeNextMigration) }
    // Another process applied it while this one waited for its turn: there is no lock to wait for.
    if plannedAt != nil, !migration.isSnapshot, !stillPending.contains(migration.version) {
      return meter.pass(migration)
    }
    do {
      try attempt(migration, of: run, isLast: isLast, foreignKeys: true)
    } catch let broken as MigrationTransaction.BrokenForeignKeys {
      connection.rollBack()
      if connection.isLent {
        throw SeedbedError.foreignKeysAreOn(migration.folder, broken.reason).in(migration.version)
      }
      notes.append(broken.note(migration))
      try attempt(migration, of: run, isLast: isLast, foreignKeys: false)
    } catch {
      throw SeedbedError.from(error).in(migration.version)
    }
    meter.pass(migration)
  }

  /// One turn: lock, look again, back up, apply, commit.
  private func attempt(
    _ migration: Migration, of run: Ledger.Run, isLast: Bool, foreignKeys: Bool
  ) throws {
    let started = Clock.monotonic()
    var transaction = try transaction(migration, run, foreignKeys: foreignKeys)
    if !connection.isLent {
      // Inside a transaction SQLite ignores this in silence (SQLITE.md 11).
      try connection.execute("PRAGMA foreign_keys=\(transaction.enforcesForeignKeys ? 1 : 0)")
    }
    meter.begin(migration.version)
    try connection.beginImmediate()
    host.reached(.locked)
    guard try isWanted(migration) else { return connection.rollBack() }
    try takeBackupOnce(run)
    transaction.isOnScratch = isOnScratch
    transaction.onStatement = onStatement
    transaction.passesOverMissingParents = passesOverMissingParents
    transaction.rowsBegun = try rowsBegun(migration, run)

    meter.enter(.applying)
    // One statement of an SQL file may take hours: cancelling must not wait for its end.
    let outcome = try connection.interruptible { try transaction.apply() }
    if isLast { try ledger.finishRun(run, .applied, on: connection) }
    meter.enter(.committing)
    let conflicts = try loggedConflicts(of: migration.version, outcome)
    try commit { try ledger.contains(migration.version, run: run.id, on: $0) }
    host.reached(.afterCommit)
    // From COMMIT to here nothing may throw, not even `cancelled`: the migration is applied.
    note(outcome, migration, conflicts, seconds: Clock.monotonic() - started)
  }

  func transaction(
    _ migration: Migration, _ run: Ledger.Run, foreignKeys: Bool
  ) throws -> MigrationTransaction {
    let options = try catalog.options(of: migration)
    connection.authorizer.forgetWritten()
    return MigrationTransaction(
      connection: connection, catalog: catalog, ledger: ledger, migration: migration,
      options: options, policies: self.options.policies, run: run, host: host, meter: meter,
      enforcesForeignKeys: try enforces(options, migration, foreignKeys),
      tablesBefore: tablesBefore,
      collectsKeys: self.options.reporting == .keys,
      discardsUserRows: self.options.discardsUserRows)
  }

  /// On a handle of the app's they stay as they are.
  private func enforces(
    _ options: MigrationOptions, _ migration: Migration, _ foreignKeys: Bool
  ) throws -> Bool {
    guard connection.isLent else { return foreignKeys && options.foreignKeys == .on }
    let isOn = try connection.enforcesForeignKeys()
    if isOn, options.foreignKeys == .off {
      throw SeedbedError.foreignKeysAreOn(migration.folder, "its migration.json says so")
    }
    return isOn
  }

  /// Another process may have applied it while this one waited for the lock.
  func isStillPending(_ migration: Migration) throws -> Bool {
    let state = try connection.pragma("data_version").integer
    defer { plannedAt = state }
    if let plannedAt, plannedAt == state { return stillPending.contains(migration.version) }
    let plan = try Planning(catalog, ledger).plan(on: connection)
    let pending = try plan.migrationsToApply(
      allowsOutOfOrder: options.allowsOutOfOrder, ifNewer: options.ifNewer,
      lineEndings: lineEndings)
    stillPending = Set(pending.map(\.version))
    return stillPending.contains(migration.version)
  }
}
