/// One call of `up`, `plan` or `down`: its connection, its row in the ledger, its backup and its
/// report. Each verb has a file of its own.
final class Run {
  var context: RunContext
  let database: any DatabaseKind
  let cancellation: Migrator.Cancellation?
  let hooks: Migrator.Hooks
  /// The state that runs at the same time share.
  var disk: SharedDisk?
  /// The result of the adoption.
  var adopted = Adopted()
  /// The snapshots that an empty database may begin with.
  var usesSnapshot: (Migration) -> Bool = { _ in true }

  var connection: any DatabaseSession { context.connection }
  var resolved: ResolvedCatalog { context.resolved }
  var catalog: Catalog { context.catalog }
  var ledger: Ledger { context.ledger }
  var options: Migrator.Options { context.options }
  @inline(never) var host: Host { context.host }
  var meter: ProgressMeter { context.meter }

  var backup: Migrator.Backup?
  /// SQLite's number for the state that the backup has.
  var backedUpAt: Int64?
  var done: [Migrator.Report.Migration] = []
  var touched: Set<ExactText> = []
  var notes: [String] = []
  /// On a scratch database: keys that releases changed.
  var newKeys: [(version: Version, keys: MergeContext.NewKeys)] = []
  /// SQLite's number for the state in which catalog and ledger were last compared.
  var plannedAt: Int64?
  /// The versions that were pending then.
  var stillPending: Set<Version> = []

  /// - Parameter connection: an open connection, for a plan on a copy.
  init(
    _ resolved: ResolvedCatalog, database: any DatabaseKind, options: Migrator.Options, host: Host,
    cancellation: Migrator.Cancellation?, meter: ProgressMeter,
    hooks: Migrator.Hooks = Migrator.Hooks(), connection: (any DatabaseSession)? = nil
  ) throws {
    (self.database, self.cancellation, self.hooks) = (database, cancellation, hooks)
    context = try RunContext(
      resolved, options, host, meter, on: connection ?? database.open(options, cancellation))
    prepareConnection()
  }

  func prepareConnection() {
    connection.whileWaiting { [meter = context.meter] in meter.tick() }
    connection.protect(ledger.tableNames)
  }

  // MARK: the run's own row

  /// Runs `body` between the start and the end of the run's row in the ledger. Any error is
  /// reported with the migrations committed before it.
  func recorded(
    _ direction: Ledger.Run.Direction, from: Version, to: Version,
    _ body: (Ledger.Run) throws -> Void
  ) throws {
    let run = try start(direction, from: from, to: to)
    do {
      try body(run)
      host.reached(.beforeRunEnd)
      // All is committed, so a cancellation has nothing to roll back.
      connection.forgetCancellation()
      // If another process did the last step, the row is still open. All is committed, so a row
      // that cannot be closed is not a failure of the run.
      try? ledger.finishRun(run.id, direction == .down ? .reverted : .applied, on: connection)
    } catch {
      throw fail(run, error)
    }
  }

  private func start(
    _ direction: Ledger.Run.Direction, from: Version, to: Version
  ) throws -> Ledger.Run {
    try connection.beginImmediate()
    defer { connection.rollBack() }
    do {
      try ledger.create(on: connection)
      host.reached(.ledgerPrepared)
      let run = try ledger.startRun(direction, from: from, to: to, on: connection)
      try connection.execute("COMMIT")
      host.reached(.runStarted)
      return run
    } catch let failure as any EngineFailure {
      // It may have taken effect: the row of a run that did nothing.
      throw failure.rolledBack
    }
  }

  // MARK: the end

  /// The result of one migration, without its duration. Read before COMMIT, since nothing may throw
  /// between COMMIT and `note`.
  func logged(
    _ outcome: MigrationTransaction.Outcome, of migration: Migration
  ) throws -> Migrator.Report.Migration {
    var report = Migrator.Report.Migration(
      version: migration.version, name: migration.name, isWithdrawn: migration.isWithdrawn,
      isSnapshot: migration.isSnapshot)
    // The log also has earlier conflicts.
    let start = outcome.conflictsBefore
    report.conflictCount = try ledger.conflictCount(
      of: migration.version, after: start, on: connection)
    if options.reporting == .outcome { return report }
    if report.conflictCount > 0 {
      report.conflicts = try ledger.conflicts(
        on: connection, version: migration.version, after: start, limit: 1000)
      report.moved = try ledger.movedRows(of: migration.version, after: start, on: connection)
    }
    report.tables = try outcome.findings.counts.ordered(by: \.key).map { table, counts in
      Migrator.Report.Table(
        table: table.text, counts: counts,
        changedKeys: try outcome.findings.changedKeys?[table]?.map {
          try Migrator.Row(logged: $0, "changed key")
        })
    }
    return report
  }

  /// Adds the result of one migration to the report.
  func note(
    _ migration: Migrator.Report.Migration, _ outcome: MigrationTransaction.Outcome, since: Double
  ) {
    done.append(migration)
    done[done.count - 1].duration = .milliseconds(Int((Clock.monotonic() - since) * 1000))
    touched.formUnion(outcome.touched)
    notes += outcome.notes
    newKeys += outcome.findings.newKeys.map { (migration.version, $0) }
  }

  private func fail(_ run: Ledger.Run, _ cause: any Error) -> SeedbedError {
    connection.rollBack()
    connection.forgetCancellation()
    let cause = SeedbedError.from(cause)
    let error = cause.with {
      $0.applied = [adopted.committed].compactMap(\.self) + done.map(\.version)
      $0.isDatabaseUnchanged = $0.applied.isEmpty && cause.code != .outcomeUnknown
    }
    if done.isEmpty, adopted.baseline.isEmpty, resolved.damage(behind: error) != nil, forget(run) {
      return error
    }
    // The caller who cancelled waits for the locks. The unfinished work here is not needed.
    if error.code == .cancelled, !connection.isLent { try? connection.stopSyncing() }
    // The cause counts. A row that cannot be closed shows as interrupted, which is also true.
    try? ledger.finishRun(
      run.id, error.code == .cancelled ? .cancelled : .failed, error: error.description,
      on: connection)
    return error
  }

  /// Leaves no trace of a run that a damaged download ended before it changed anything: it ends
  /// each start of an app until the file is replaced, and the database must not grow by that.
  ///
  /// - Returns: whether the row is gone. The cause counts, and a backup that stays does no harm.
  private func forget(_ run: Ledger.Run) -> Bool {
    guard (try? ledger.forgetRun(run.id, on: connection)) != nil else { return false }
    guard let taken = backup, !database.path.isEmpty else { return true }
    // The backup of an earlier run that failed made room for this one, which takes its place.
    if (try? ledger.replaceBackup(with: taken, on: connection)) != false { return true }
    let store = BackupStore(of: database.path, options, host, database.setup)
    if (try? store.remove([taken.path])) != nil { backup = nil }
    return true
  }

  func makeReport(from: Version, to: Version, _ outcome: Migrator.Report.Outcome) -> Migrator.Report
  {
    var report = Migrator.Report(
      database: databaseName, from: from, to: to, backup: backup, outcome: outcome,
      migrations: done, touchedTables: touched.texts, notes: notes,
      passedOver: resolved.passedOver)
    report.adopted = adopted.report
    return report
  }

  var databaseName: String { connection.isLent ? connection.shownPath : database.name }
}
