extension Run {
  /// The same as `up` on a database of a user: if a download turns out to be damaged after some
  /// migrations were committed, that is no error, since they are whole. A scratch database must
  /// have all of them.
  ///
  /// - Returns: the download, too.
  func upWithDownload(
    to last: Version?
  ) throws -> (report: Migrator.Report, damaged: Migrator.PassedOver?) {
    assert(!context.isOnScratch, "A scratch database has all of the catalog, or none.")
    do {
      return (try up(to: last), nil)
    } catch let error as SeedbedError {
      guard let before = resolved.choice?.current, let reached = report.done.last?.version,
        let found = resolved.damage(behind: error)
      else { throw error }
      var report = makeReport(from: before, to: max(before, reached), .applied)
      report.passedOver.append(found)
      return (report, found)
    }
  }

  /// Applies the pending migrations one after the other, each in its own transaction.
  func up(to last: Version?) throws -> Migrator.Report {
    try preparePack(takesOver: true)
    let (before, pending, steps) = try begin(to: last)
    let final = steps.last?.version ?? before.current
    if try steps.isEmpty && !hasNewOwners() { return nothingToDo(before) }
    var number: Int64 = 0
    try recorded(.up, from: before.current, to: final) { run in
      number = run.id
      let left = try adopt(pending, run)
      try applyAll(left == pending ? steps : left, insteadOf: pending, run)
      // All releases are committed. If this is cancelled, they stay, and the next run fills owners.
      if (try? ledger.hasOwners(on: connection)) == true { try fillNewOwners(run) }
    }
    // All is committed. A ledger that cannot be read now is not a failure of the run.
    try? noteOthers(than: number, since: before)
    try? noteRowsBefore(before)
    try? nameOwners()
    let reached = max(before.current, report.done.last?.version ?? final)
    let current = (try? ledger.head(on: connection))?.version ?? reached
    // Another process applied them all. This run had nothing to do when its turn came.
    let isIdle = report.isEmpty
    return makeReport(
      from: isIdle ? current : before.current, to: current, isIdle ? .upToDate : .applied)
  }

  /// Tells the app about migrations that other processes applied while this run waited for its
  /// turn. The ledger does not record which tables they changed, so all may have changed.
  private func noteOthers(than run: Int64, since before: LedgerComparison) throws {
    let known = Set(before.steps.compactMap(\.applied?.version))
    let others = try ledger.versions(besides: run, on: connection).filter { !known.contains($0) }
    guard let first = others.first, let last = others.last else { return }
    let which =
      first == last ? "migration \(first)" : "\(others.count) migrations up to \(last)"
    report.touched.formUnion(try connection.tableNames().filter { !ledger.owns($0) }.asTexts)
    report.notes.append("Another process applied \(which) while this run waited for its turn.")
  }

  /// The pending migrations, and the steps that apply them. Errors come before the first change.
  func begin(
    to last: Version?
  ) throws -> (before: LedgerComparison, pending: [Migration], steps: [Migration]) {
    try preparePack()
    let (before, pending) = try pending(to: last)
    let steps = try steps(pending)
    if steps.isEmpty { try refuseNothingToBeginWith() } else { try prepare(steps) }
    return (before, pending, steps)
  }

  /// Throws errors that can be found before the first change.
  func refuseBeginning(to last: Version?) throws {
    try preparePack()
    let steps = try steps(pending(to: last).1)
    if !steps.isEmpty { try prepare(steps) }
    if try mayAdopt() { return }
    try refuseTablesOfApp(in: steps)
    if steps.first?.isSnapshot != true { try refuseNothingToBeginWith() }
  }

  private func applyAll(
    _ steps: [Migration], insteadOf pending: [Migration], _ run: Ledger.Run
  ) throws {
    var rest = steps
    if let snapshot = steps.first, snapshot.isSnapshot {
      try apply(snapshot, of: run, isLast: steps.count == 1)
      // Another process may have begun to fill the database meanwhile.
      if report.done.isEmpty { rest = pending } else { rest.removeFirst() }
    }
    try refuseNothingToBeginWith()
    for migration in rest {
      try apply(migration, of: run, isLast: migration == rest.last)
    }
  }

  func currentComparison() throws -> LedgerComparison {
    try connection.refuseCoreData()
    if connection.isInTransaction { return try resolved.compared(for: ledger, on: connection) }
    return try connection.inReadTransaction { try resolved.compared(for: ledger, on: connection) }
  }

  /// The work to do, from one read of the ledger.
  func pending(to last: Version?) throws -> (before: LedgerComparison, [Migration]) {
    let before = try currentComparison()
    let pending = try before.migrationsToApply(
      to: last, allowsOutOfOrder: options.allowsOutOfOrder, allowsNewer: options.allowsNewer,
      lineEndings: lineEndings)
    return (before, pending)
  }

  func nothingToDo(_ comparison: LedgerComparison) -> Migrator.Report {
    if comparison.current > comparison.target {
      report.notes.append(
        SeedbedError.newerNote(current: comparison.current, target: comparison.target))
    }
    return makeReport(from: comparison.current, to: comparison.current, .upToDate)
  }

  func lineEndings(
    _ migration: Migration, _ row: AppliedMigration
  ) throws -> [LineEndingRule] {
    try catalog.lineEndings(of: migration, applied: row.checksum)
  }

  private func apply(_ migration: Migration, of run: Ledger.Run, isLast: Bool) throws {
    // Another process applied it while this one waited for its turn, so there is no lock to wait
    // for.
    if plannedAt != nil, !migration.isSnapshot, !stillPending.contains(migration.version) {
      return meter.pass(migration)
    }
    try turn(migration, of: run, isLast: isLast)
  }

  /// Whether it is still pending: another process may have applied it while this one waited for the
  /// lock.
  func isStillPending(_ migration: Migration) throws -> Bool {
    let state = try connection.stateNumber()
    defer { plannedAt = state }
    if let plannedAt, plannedAt == state { return stillPending.contains(migration.version) }
    let comparison = try resolved.compared(for: ledger, on: connection)
    let pending = try comparison.migrationsToApply(
      allowsOutOfOrder: options.allowsOutOfOrder, allowsNewer: options.allowsNewer,
      lineEndings: lineEndings)
    stillPending = Set(pending.map(\.version))
    return stillPending.contains(migration.version)
  }
}
