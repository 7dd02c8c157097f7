/// Adopts a database that an app filled before it had Seedbed: with `up`, or by `baseline`.
extension Run {
  /// What was adopted.
  struct Adopted {
    /// Whether the app, its options or the catalog could say that the database is to be adopted.
    var isAsked = false
    /// The migrations that were recorded.
    var baseline: [Migration] = []
    var report: Adoption.Report?
    /// The version, once all of it is committed.
    var committed: Version?
  }

  /// The migrations left to apply. The app is asked only while the ledger is empty.
  func adopt(_ pending: [Migration], _ run: Ledger.Run) throws -> [Migration] {
    report.adopted.isAsked = try mayAdopt()
    guard report.adopted.isAsked, let order = try connection.inReadTransaction(ask) else {
      return pending
    }
    try refuseStop(before: order, pending)
    let database = try AdoptedDatabase(self, order, from: 0)
    var rest = pending
    try enforcing("The adoption") { isEnforced in
      let locked = try lock()
      defer { connection.rollBack() }
      // Another process may have adopted it while this one waited for its turn.
      guard try question.hasNoHistory(connection) else { return }
      let writable = try backUp(locked, run)
      try adoptRows(database, run, writable, isEnforced)
      let changed = try writable.changing { rest = try note(database, pending, run) }
      try commit(changed) { try ledger.contains(order.version, run: run.id, on: $0) }
      report.adopted.committed = order.version
      host.reached(.afterCommit)
    }
    return rest
  }

  /// The same inside the transaction of a plan.
  func adoptInPlan(
    _ pending: [Migration], _ run: Ledger.Run, _ writable: borrowing Writable
  ) throws -> [Migration] {
    report.adopted.isAsked = try mayAdopt()
    guard report.adopted.isAsked, let order = try ask() else { return pending }
    try refuseStop(before: order, pending)
    let database = try AdoptedDatabase(self, order, from: 0)
    try adoptRows(database, run, writable, connection.enforcesForeignKeys())
    return try note(database, pending, run)
  }

  private func refuseStop(before order: AdoptionOrder, _ pending: [Migration]) throws {
    guard let last = pending.last?.version, last < order.version else { return }
    throw SeedbedError(
      .usage,
      "The database is to be adopted at \(order.version), and this run stops at \(last). Stop at "
        + "\(order.version) or later, or adopt it at \(last).")
  }

  /// Marks the migrations up to a version as applied, and makes its rows those of that version.
  ///
  /// - Parameter isPlan: true changes nothing.
  func baseline(
    at version: Version, absent: Adoption.AbsentRows, isPlan: Bool = false
  ) throws -> Migrator.Report {
    if let pack = catalog.pack { throw SeedbedError.notAdopted(pack) }
    let before = try currentComparison()
    // Again is no error, whatever was applied since.
    if before.current >= version, before.current > 0 {
      return makeReport(from: before.current, to: before.current, .upToDate)
    }
    let pending = try before.migrationsToApply(to: version, lineEndings: lineEndings)
    guard !pending.isEmpty || before.current == 0 && before.base != nil else {
      return makeReport(from: before.current, to: before.current, .upToDate)
    }
    let order = AdoptionOrder(version: version, absent: absent)
    let database = try AdoptedDatabase(self, order, from: before.current)
    adoptsOwners = true
    if isPlan {
      try enforcing("The adoption") { isEnforced in
        let trial = try lock().withoutBackup()
        defer { connection.rollBack() }
        try ledger.create(on: connection)
        let first = Ledger.Run(id: 0, direction: .up)
        try adoptRows(database, first, trial, isEnforced)
        _ = try note(database, pending, first)
        try fillNewOwners(trial)
      }
      report.adopted.report?.conflicts.forgetNumbers()
      return makeReport(from: before.current, to: version, .planned)
    }
    try recorded(.baseline, from: before.current, to: version) { run in
      try enforcing("The adoption") { isEnforced in
        let writable = try backUp(lock(at: before.current), run)
        try adoptRows(database, run, writable, isEnforced)
        let changed = try writable.changing {
          let base = before.current == 0 ? try catalog.base() : nil
          try note([base].compactMap(\.self) + pending, run)
          if let last = pending.last ?? base { try hooks.verify(last, on: connection) }
        }
        try ledger.finishRun(run.id, .applied, on: connection)
        try commit(changed) { try ledger.head(on: $0)?.version ?? 0 >= version }
        host.reached(.afterCommit)
      }
      try fillNewOwners(run)
    }
    return makeReport(from: before.current, to: version, .applied)
  }

  // MARK: without adoption

  /// Says that a database without a ledger had rows of the catalog, and that the app did not say
  /// what they are.
  func noteRowsBefore(_ before: LedgerComparison) throws {
    guard before.current == 0, catalog.pack == nil, !context.isOnScratch, !report.adopted.isAsked,
      try !ledger.wasTakenBack(on: connection),
      let first = try ledger.applied(on: connection).first(where: { $0.state == .applied }),
      first.counts.unchanged + first.counts.kept > 0
    else { return }
    let count = first.counts.unchanged + first.counts.kept
    report.notes.append(
      "\(count) \(count == 1 ? "row" : "rows") of migration \(first.version) were there before the "
        + "ledger. What differs in them counts as the user's. If that is true, nothing is left to "
        + "do. If the app put them there, restore the backup, and adopt the database at the last "
        + "edition that the app shipped: with 'adopt' in catalog.json or of 'up', or by "
        + "'baseline'.")
  }

  // MARK: the rows

  private func adoptRows(
    _ database: AdoptedDatabase, _ run: Ledger.Run, _ writable: borrowing Writable,
    _ isEnforced: Bool
  ) throws {
    assert(!connection.isOutsideTransaction, "Rows are adopted with the ledger's rows.")
    meter.enter(.applying)
    let checks = try ForeignKeyChecks(connection, isNeeded: !isEnforced) { [] }
    try connection.deferForeignKeys()
    try connection.interruptible { try database.adopt(run, writable, isEnforced) }
    try checks.refuseNewViolations()
    if try connection.hasForeignKeyViolations() { throw try refusedByForeignKeys() }
    report.adopted.report = database.report
    report.notes += database.notes
    report.touched.formUnion(database.touched)
  }

  /// - Returns: the migrations left to apply.
  private func note(
    _ database: AdoptedDatabase, _ pending: [Migration], _ run: Ledger.Run
  ) throws -> [Migration] {
    let version = database.report.version
    let last = try catalog.migrationsFromBase().filter { $0.version <= version }
    try note(last, run)
    if let last = last.last { try hooks.verify(last, on: connection) }
    let rest = pending.filter { $0.version > version }
    meter.expect(rest.reduce(0) { $0 + $1.rowBytes })
    return rest
  }

  /// Writes the ledger's rows in the caller's transaction.
  private func note(_ migrations: [Migration], _ run: Ledger.Run) throws {
    let head = try ledger.head(on: connection)
    for row in try catalog.rowsAsTheyAre(migrations, after: head?.chain) {
      try ledger.insert(row, run: run.id, on: connection)
    }
    // The ledger must know that they are signed, as if they had been applied.
    if let download = migrations.lazy.compactMap(resolved.download).first {
      try ledger.note(download.heads, on: connection)
    }
    if let owners = try owners() { try ledger.create(for: owners, on: connection) }
    report.adopted.baseline = migrations
  }

  // MARK: the question

  private var question: AdoptionQuestion {
    AdoptionQuestion(hooks: hooks, options: options, catalog: catalog, ledger: ledger)
  }

  /// Whether the app, its options or the catalog may say that the database is to be adopted.
  func mayAdopt() throws -> Bool { try !context.isOnScratch && question.isAsked() }

  private func ask() throws -> AdoptionOrder? { try question.ask(on: connection) }
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
