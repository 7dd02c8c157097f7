/// Applies what is pending, one migration after the other, each in its own transaction.
final class Run {
  let catalog: Catalog
  let path: String
  let options: Migrator.Options
  let ledger: Ledger
  let host: Host
  let cancellation: Cancellation?
  let report: ((Progress) -> Void)?

  private var connection: Connection
  private var meter: ProgressMeter
  private var tablesBefore: [String: Int64] = [:]
  private var backup: BackupFile?
  private var done: [MigrationReport] = []
  private var touched: Set<String> = []
  private var notes: [String] = []
  /// SQLite's number for the state that the plan was made from.
  private var plannedAt: Int64?
  /// What was pending then.
  private var stillPending: Set<Version> = []

  init(
    catalog: Catalog, path: String, options: Migrator.Options, host: Host,
    cancellation: Cancellation?, report: ((Progress) -> Void)?
  ) throws {
    self.catalog = catalog
    self.path = path
    self.options = options
    self.host = host
    self.cancellation = cancellation
    self.report = report
    ledger = try Ledger(prefix: options.ledger)
    meter = ProgressMeter(totalBytes: 0, report: report)
    connection = try Self.open(path, options, cancellation)
  }

  private static func open(
    _ path: String, _ options: Migrator.Options, _ cancellation: Cancellation?
  ) throws -> Connection {
    let connection = try Connection(
      path, options.mustExist ? .readWrite : .create,
      lockTimeoutSeconds: options.lockTimeoutSeconds, cancellation: cancellation)
    try connection.configureForWriting(foreignKeys: true)
    return connection
  }

  // MARK: the run

  func up(to last: Version?) throws -> Report {
    try connection.refuseCoreData()
    let before = try connection.inReadTransaction {
      try Planning(catalog, ledger).plan(on: connection)
    }
    let pending = try before.migrationsToApply(
      to: last, allowOutOfOrder: options.allowOutOfOrder, lineEndings: lineEndings)
    guard !pending.isEmpty else {
      return makeReport(from: before.current, to: before.current, .upToDate)
    }
    tablesBefore = try connection.rootPages()
    let totalBytes = pending.flatMap(\.files).filter(\.isRows).reduce(0) { $0 + $1.size }
    meter = ProgressMeter(totalBytes: totalBytes, report: report)
    meter.enter(.waiting, version: pending[0].version)
    try Preflight(catalog: catalog, path: path, options: options, host: host)
      .check(pending, on: connection)

    let run = try start(from: before.current, to: pending[pending.count - 1].version)
    do {
      for migration in pending {
        try apply(migration, of: run, isLast: migration.version == pending.last?.version)
      }
      // All is applied: a request to stop finds nothing that could be rolled back.
      connection.forgetCancellation()
      let current = try ledger.head(on: connection)?.version ?? 0
      try finish(run)
      meter.finish()
      // Another process may have applied them all.
      return makeReport(
        from: before.current, to: current, done.isEmpty ? .upToDate : .applied)
    } catch {
      throw fail(run, error)
    }
  }

  private func lineEndings(
    _ migration: Migration, _ row: AppliedMigration
  ) throws -> [LineEndingRule] {
    try catalog.lineEndings(of: migration, applied: row.checksum)
  }

  private func apply(_ migration: Migration, of run: Ledger.Run, isLast: Bool) throws {
    if !done.isEmpty { host.reached(.beforeNextMigration) }
    do {
      try attempt(migration, of: run, isLast: isLast, foreignKeys: true)
    } catch let broken as MigrationTransaction.BrokenForeignKeys {
      connection.rollBack()
      let names = broken.keys.map(\.sentence).joined(separator: "; ")
      notes.append(
        "\(migration.folder) was applied without SQLite's enforcement of foreign keys, under "
          + "Seedbed's own check, since a declaration is broken: \(names).")
      try attempt(migration, of: run, isLast: isLast, foreignKeys: false)
    } catch {
      throw SeedbedError.from(error).in(migration.version)
    }
  }

  /// One turn: lock, look again, back up, apply, commit.
  private func attempt(
    _ migration: Migration, of run: Ledger.Run, isLast: Bool, foreignKeys: Bool
  ) throws {
    let started = Clock.monotonic()
    let options = try catalog.options(of: migration)
    let enforces = foreignKeys && options.foreignKeys == .on
    // Inside a transaction SQLite ignores this in silence (SQLITE.md 11).
    try connection.execute("PRAGMA foreign_keys=\(enforces ? 1 : 0)")
    meter.enter(.waiting, version: migration.version)
    // A deferred transaction that writes later gets SQLITE_BUSY at once (SQLITE.md 3).
    try connection.execute("BEGIN IMMEDIATE")
    host.reached(.locked)
    guard try isStillPending(migration) else { return connection.rollBack() }
    if backup == nil, done.isEmpty, try wantsBackup() { try takeBackup(run) }

    meter.enter(.applying, version: migration.version)
    connection.authorizer.forgetWritten()
    let transaction = MigrationTransaction(
      connection: connection, catalog: catalog, ledger: ledger, migration: migration,
      options: options, policies: self.options.policies, run: run, host: host, meter: meter,
      enforcesForeignKeys: enforces, tablesBefore: tablesBefore)
    // One statement of an SQL file may take hours: cancelling must not wait for its end.
    let outcome = try connection.interruptible { try transaction.apply() }
    if let backup { try ledger.setBackup(backup.path, of: run, on: connection) }
    if isLast { try ledger.finishRun(run, .applied, on: connection) }
    meter.enter(.committing)
    let conflicts = try loggedConflicts(of: migration)
    try commit(migration, of: run)
    host.reached(.afterCommit)
    // From COMMIT to here nothing may throw, not even `cancelled`: the migration is applied.
    note(outcome, migration, conflicts, seconds: Clock.monotonic() - started)
  }

  /// Another process may have applied it while this one waited for the lock.
  private func isStillPending(_ migration: Migration) throws -> Bool {
    let state = try connection.pragma("data_version").integer
    defer { plannedAt = state }
    if let plannedAt, plannedAt == state { return stillPending.contains(migration.version) }
    let plan = try Planning(catalog, ledger).plan(on: connection)
    let pending = try plan.migrationsToApply(
      allowOutOfOrder: options.allowOutOfOrder, lineEndings: lineEndings)
    stillPending = Set(pending.map(\.version))
    return stillPending.contains(migration.version)
  }

  /// The log holds all; a report the first 1,000.
  private func loggedConflicts(
    of migration: Migration
  ) throws -> (first: [Conflict], count: Int) {
    let first = try ledger.conflicts(on: connection, version: migration.version, limit: 1000)
    if first.count < 1000 { return (first, first.count) }
    return (first, try ledger.conflictCount(of: migration.version, on: connection))
  }

  private func note(
    _ outcome: MigrationTransaction.Outcome, _ migration: Migration,
    _ conflicts: (first: [Conflict], count: Int), seconds: Double
  ) {
    let tables = outcome.counts.sorted { $0.key < $1.key }
      .map { TableReport(table: $0.key, counts: $0.value) }
    done.append(
      MigrationReport(
        version: migration.version, name: migration.name, durationMs: Int(seconds * 1000),
        tables: tables, conflicts: conflicts.first, conflictCount: conflicts.count,
        isWithdrawn: migration.isWithdrawn))
    touched.formUnion(outcome.touched)
    notes += outcome.notes
  }

  // MARK: COMMIT

  private func commit(_ migration: Migration, of run: Ledger.Run) throws {
    host.reached(.beforeCommit)
    try cancellation?.check()
    let deadline = Clock.monotonic() + options.lockTimeoutSeconds
    while true {
      do {
        return try connection.execute("COMMIT")
      } catch let failure as SQLiteFailure {
        // > COMMIT may fail with SQLITE_BUSY if there is a reader; the transaction remains active
        // > and can be retried. (SQLITE.md 2)
        if failure.isBusy, connection.isInTransaction {
          try cancellation?.check()
          guard Clock.monotonic() < deadline else { throw failure }
          Clock.sleep(milliseconds: 5)
        } else if failure.isForeignKey, connection.isInTransaction {
          throw ForeignKeyChecks.refusedCommit(on: connection)
        } else {
          return try resolve(failure, migration, run)
        }
      }
    }
  }

  /// An error from COMMIT does not mean "rolled back" (SQLITE.md 1): close, reopen, and believe
  /// the ledger.
  private func resolve(
    _ failure: SQLiteFailure, _ migration: Migration, _ run: Ledger.Run
  ) throws {
    connection.rollBack()
    do {
      connection = try Self.open(path, options, cancellation)
      plannedAt = nil
      if try ledger.contains(migration.version, run: run.id, on: connection) { return }
    } catch {
      throw SeedbedError.outcomeUnknown(
        cause: failure.sentence, then: SeedbedError.from(error).message)
    }
    throw failure
  }

  // MARK: the run's own row and the backup

  private func start(from: Version, to: Version) throws -> Ledger.Run {
    try connection.execute("BEGIN IMMEDIATE")
    do {
      try ledger.create(on: connection)
      host.reached(.ledgerPrepared)
      let run = try ledger.startRun(.up, from: from, to: to, on: connection)
      try connection.execute("COMMIT")
      host.reached(.runStarted)
      return run
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Where another process applied the last ones, the run is still to be closed.
  private func finish(_ run: Ledger.Run) throws {
    host.reached(.beforeRunEnd)
    try ledger.finishRun(run, .applied, on: connection)
  }

  private func wantsBackup() throws -> Bool {
    guard options.backs else { return false }
    return try connection.tableNames().contains {
      !ledger.tableNames.contains($0.asciiLowercased())
    }
  }

  private func takeBackup(_ run: Ledger.Run) throws {
    meter.enter(.backingUp)
    let store = BackupStore(databasePath: path, folder: options.backupFolder, host: host)
    let taken = try store.take(from: path, version: run.from, cancellation: cancellation) { _ in }
    try store.removeSuperseded(by: taken, ledger: ledger, on: connection)
    backup = taken
    if !taken.isVerified {
      notes.append(
        "The backup could not be checked, since the database uses functions of its app: "
          + "\(taken.path)")
    }
  }

  // MARK: the end

  private func fail(_ run: Ledger.Run, _ cause: any Error) -> SeedbedError {
    connection.rollBack()
    connection.forgetCancellation()
    var error = SeedbedError.from(cause)
    error.applied = done.map(\.version)
    error.isDatabaseUnchanged = done.isEmpty && error.code != .outcomeUnknown
    // The cause counts: a run row that cannot be closed shows as interrupted, which is true too.
    try? ledger.finishRun(
      run, error.code == .cancelled ? .cancelled : .failed, error: error.description,
      on: connection)
    return error
  }

  private func makeReport(from: Version, to: Version, _ outcome: Report.Outcome) -> Report {
    Report(
      database: path, from: from, to: to, backup: backup, outcome: outcome, migrations: done,
      touchedTables: touched.sorted(), notes: notes)
  }
}

extension SeedbedError {
  func `in`(_ version: Version) -> SeedbedError {
    var error = self
    if error.version == nil { error.version = version }
    return error
  }

  static func outcomeUnknown(cause: String, then: String) -> SeedbedError {
    SeedbedError(
      .outcomeUnknown, "COMMIT failed (\(cause)), and the database could not be opened again to see "
        + "whether it took effect (\(then)). Look with: migrate status.",
      isDatabaseUnchanged: false)
  }
}
