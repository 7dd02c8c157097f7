// What changes the database.

// MARK: up

extension Migrator {
  /// Applies what is pending, each migration in one transaction.
  ///
  /// With a locked catalog and nothing pending it costs one small read and one query.
  ///
  /// - Parameters:
  ///   - version: stop after this one; nil for all. A database that is beyond it is
  ///     refused with `usage`.
  ///   - cancellation: checked between all steps; the migration in flight is rolled back.
  ///   - progress: called on this thread, at most 30 times a second.
  /// - Throws: `SeedbedError`, which carries the versions that this run had committed before.
  @discardableResult
  public func up(
    to version: Version? = nil, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    try metered(progress) { meter in
      // Without a ledger, or with a damaged one, the run below looks at everything and reports it.
      if version == nil, catalog.head != nil, let found = try? ledgerHead(),
        let report = forecast.reportIfUpToDate(found)
      {
        // A process that was killed as it gave the copy its name left the other name.
        if first != nil, Paths.linkCount(path) > 1 { sweepCopies() }
        return report
      }
      if options.requiresExistingDatabase { try refuseMissingDatabase() }
      try engine.refuseBadPlace()
      let beginning = try begin(to: version, cancellation, meter)
      defer { sweepCopies() }
      do {
        if !engine.exists { try refuseBeforeCreating(to: version) }
        return try up(to: version, after: beginning, cancellation, meter)
      } catch {
        throw beginning.complete(error)
      }
    }
  }

  private func up(
    to version: Version?, after beginning: Beginning, _ cancellation: Cancellation?,
    _ meter: ProgressMeter
  ) throws -> Report {
    let run = try run(cancellation, meter)
    // Then there is no backup: what was just copied has no rows of users.
    run.done = beginning.steps
    defer { prune(sparing: run.backup) }
    return beginning.completed(try run.up(to: version), as: .applied)
  }

  /// What keeps `up` from beginning, found without the file that it would create.
  private func refuseBeforeCreating(to version: Version?) throws {
    if let version { try catalog.require(version) }
    try run(nil, ProgressMeter(nil), on: Connection(path, .temporary)).refuseBeginning(to: version)
  }

  /// - Parameter connection: nil to open the database.
  func run(
    _ cancellation: Cancellation?, _ meter: ProgressMeter, _ options: Options? = nil,
    on connection: (any DatabaseSession)? = nil
  ) throws -> Run {
    let run = try Run(
      catalog: catalog, engine: engine, options: options ?? self.options, host: host,
      cancellation: cancellation, meter: meter, hooks: hooks, connection: connection)
    run.context.playsApp = playsApp
    return run
  }

  /// Old backups go after success and after failure; one that cannot be removed is no reason to
  /// call a run failed.
  func prune(sparing backup: Backup?) {
    try? backupStore.prune(keep: options.backupsToKeep, protecting: backup?.path)
  }
}

// MARK: down

extension Migrator {
  /// Undoes what is applied above a version: the newest migration first, each by its inverse, in
  /// one transaction, after a backup.
  ///
  /// The inverse is merged like any release, under `keepEdits` and `keepUser`: what the user made
  /// or changed since stays. What a policy overwrote is in the log of conflicts and in the backup.
  ///
  /// - Throws: `catalog` with the reason if a migration cannot be undone, `conflict` if down.sql
  ///   would drop a table with rows of users; then nothing was changed.
  @discardableResult
  public func down(
    to version: Version, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    try onExisting(cancellation, progress) { run in
      defer { prune(sparing: run.backup) }
      return try run.down(to: version)
    }
  }

  /// A run on a database that must be there.
  func onExisting<Result>(
    _ cancellation: Cancellation? = nil, _ progress: ((Progress) -> Void)? = nil,
    _ body: (Run) throws -> Result
  ) throws -> Result {
    try metered(progress) { meter in
      try refuseMissingDatabase()
      var options = options
      options.requiresExistingDatabase = true
      return try body(try run(cancellation, meter, options))
    }
  }
}

// MARK: restore

extension Migrator {
  /// Copies a backup into the live database, in one transaction, after backing up what it replaces.
  ///
  /// Other programs may keep the database open. A kill leaves the old database or the new one. A
  /// damaged database is replaced, and a missing one is created.
  ///
  /// - Parameters:
  ///   - path: a name that `backups` lists, or the path of any backup; nil for the newest.
  ///   - cancellation: checked at each step; then the database is unchanged.
  ///   - progress: called on this thread, at most 30 times a second.
  /// - Returns: what was restored, and the backup that holds what it replaced.
  /// - Throws: `SeedbedError`; the database is unchanged, except after `outcomeUnknown`.
  @discardableResult
  public func restore(
    _ path: String? = nil, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    try metered(progress) { meter in
      let store = backupStore
      meter.expect(try store.backup(named: path).bytes)
      meter.enter(.backingUp)
      return try store.restore(
        path, ledger: try Ledger(prefix: options.ledger), keep: options.backupsToKeep,
        cancellation: cancellation
      ) { fraction in
        meter.copied(fraction)
      }
    }
  }
}

// MARK: reseed

extension Migrator {
  /// Puts seed rows back to what the catalog has, including those that the user deleted, changed or
  /// won in a conflict; columns that no file fills are not changed.
  ///
  ///     try migrator.reseed("elements", keys: ["113", "115"])
  ///
  /// The state is that of the database's version. Users' rows stay, even with a seed row's key,
  /// unless `keys` names it; so do the user's values in other columns. All of it is one
  /// transaction, after a backup.
  ///
  /// - Parameters:
  ///   - table: one that the catalog fills.
  ///   - keys: as in the row files, with commas between the values of a key of several columns; nil
  ///     for all seed rows of the table.
  ///   - cancellation: checked at each row; then nothing was changed.
  /// - Throws: `usage` for a table or key that the catalog does not have, `constraint` if a
  ///   row of `keys` cannot be put back, `foreignKey` if a row refers to one that is gone.
  @discardableResult
  public func reseed(
    _ table: String, keys: [String]? = nil, cancellation: Cancellation? = nil
  ) throws -> Report {
    try onExisting(cancellation) { run in
      defer { prune(sparing: run.backup) }
      return try run.reseed(table, keys: keys)
    }
  }
}

// MARK: baseline

extension Migrator {
  /// Marks the migrations up to a version as applied, without touching a row: for a database that
  /// already has their rows.
  ///
  ///     try migrator.baseline(at: 1)
  ///
  /// For such databases on users' devices, give `Migrator` the closure `adopting`, which is called
  /// at the right moment.
  ///
  /// - Returns: `notes` says what was marked; `upToDate` if all of it was marked before.
  /// - Throws: `usage` if the database is above that version, or the catalog does not have it.
  @discardableResult
  public func baseline(at version: Version, cancellation: Cancellation? = nil) throws -> Report {
    try metered(nil) { meter in
      if options.requiresExistingDatabase { try refuseMissingDatabase() }
      try engine.refuseBadPlace()
      return try run(cancellation, meter).baseline(at: version)
    }
  }
}

// MARK: the log

extension Migrator {
  /// Forgets all logged conflicts. Keys left to the user stay theirs.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public func pruneConflicts() throws -> Int {
    try throwingSeedbedErrors(onConnection) {
      try refuseMissingDatabase()
      let ledger = try ledger
      var options = options
      options.requiresExistingDatabase = true
      let connection = try engine.open(options, nil)
      try connection.refuseCoreData()
      guard try ledger.exists(on: connection) else { return 0 }
      return try ledger.pruneConflicts(on: connection)
    }
  }
}
