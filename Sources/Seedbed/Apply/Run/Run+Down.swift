extension Run {
  /// Undoes the migrations above a version, the newest first, each in its own transaction.
  func down(to last: Version) throws -> Migrator.Report {
    try requireRegistered()
    let (current, reverting) = try applied(above: last)
    guard let first = reverting.first else {
      return makeReport(from: current, to: current, .upToDate)
    }
    try refusePacksAbove(last)
    context.tablesBefore = try connection.tableNumbers()
    // All are tried first, so that a refusal half-way changes nothing, as far as that works with
    // foreign keys on. One migration without SQL has nothing that could be refused later.
    let isTriedFirst =
      reverting.count > 1 || first.file(.afterDown) != nil || first.file(.down) != nil
    let bytes = reverting.reduce(0) { $0 + $1.rowBytes }
    meter.expect(isTriedFirst ? 2 * bytes : bytes)
    meter.begin(first.version)
    for migration in reverting {
      try catalog.checkPresence(of: migration)
      try refuseDown(migration)
    }
    if isTriedFirst {
      try tryOut(reverting)
      // If foreign keys must be off, the trial ends early.
      meter.pass(to: bytes)
    }
    try recorded(.down, from: current, to: last) { run in
      for migration in reverting {
        try turn(migration, of: run, isLast: migration == reverting.last)
      }
    }
    // All is committed. A ledger that cannot be read now is not a failure of the run.
    let reached = (try? ledger.head(on: connection)).map { $0?.version ?? 0 } ?? last
    return makeReport(from: current, to: reached, .reverted)
  }

  /// The applied migrations, the newest first.
  private func applied(above last: Version) throws -> (current: Version, [Migration]) {
    let comparison = try currentComparison()
    if last != 0, !comparison.steps.contains(where: { $0.version == last }) {
      throw SeedbedError(
        .usage,
        "There is no migration \(last) to go down to; the database is at \(comparison.current). "
          + "List the migrations."
      ).remedied(by: .lookAtStatus)
    }
    let steps = comparison.steps.filter { $0.version > last && $0.applied != nil }
    if !steps.isEmpty { try refuseNewer(comparison) }
    try comparison.refuseDrift(lineEndings, above: last)
    for step in steps {
      let reason: String
      switch step.state {
      case .baseline: reason = "a snapshot or a baseline marked it as applied; it never ran here"
      case .superseded: reason = "its folder was dropped from the catalog"
      default: continue
      }
      throw SeedbedError.downRefused(step.version, step.name, reason)
    }
    let migrations = steps.reversed().compactMap(\.migration)
    assert(migrations.count == steps.count, "A migration to undo is not in the catalog.")
    return (comparison.current, migrations)
  }

  /// Throws if the catalog does not have the last of what the database has.
  func refuseNewer(_ comparison: LedgerComparison) throws {
    if comparison.current <= comparison.target { return }
    try comparison.refuseChanged(lineEndings)
    guard let choice = resolved.choice else {
      throw SeedbedError.newer(current: comparison.current, target: comparison.target)
    }
    throw SeedbedError.downloadNeeded(
      current: comparison.current, target: comparison.target, choice.passedOver)
  }

  /// Whether it is still applied: another process may have undone it while this one waited for the
  /// lock, or applied more.
  func isStillApplied(_ migration: Migration) throws -> Bool {
    let head = try ledger.head(on: connection)?.version ?? 0
    if head > migration.version { throw SeedbedError.appliedMeanwhile(head) }
    return head == migration.version
  }

  private func tryOut(_ migrations: [Migration]) throws {
    let trial = try lock().withoutBackup()
    defer { connection.rollBack() }
    for migration in migrations {
      let run = Ledger.Run(id: 0, direction: .down)
      // A migration that needs foreign keys off cannot be tried in this transaction.
      guard try enforces(migration) else { return }
      let transaction = try transaction(migration, run, trial, enforcesForeignKeys: true)
      meter.begin(migration.version)
      meter.enter(.checking)
      do {
        _ = try connection.interruptible { try transaction.revert() }
      } catch is MigrationTransaction.BrokenForeignKeys {
        return
      } catch {
        throw SeedbedError.from(error).in(migration.version)
      }
      meter.pass(migration)
    }
  }
}
