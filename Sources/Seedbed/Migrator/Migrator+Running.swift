// What changes the database.

extension Migrator {
  // MARK: up

  /// Applies what is pending, each migration in one transaction.
  ///
  /// With a locked catalog and nothing pending it costs one small read and one query.
  ///
  /// - Parameters:
  ///   - version: stop after this one; nil for all. A database that is beyond it is
  ///     refused with `usage`.
  ///   - createsDatabase: false refuses to create a database, also in a file that is empty.
  ///   - cancellation: checked between all steps; the migration in flight is rolled back.
  ///   - progress: called on this thread, at most 30 times a second.
  /// - Throws: `SeedbedError`, which carries the versions that this run had committed before.
  @discardableResult
  public func up(
    to version: Version? = nil, createsDatabase: Bool = true, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws(SeedbedError) -> Report {
    let options = options(createsDatabase)
    return try metered(progress) { meter in
      // Without a ledger, or with a damaged one, the run below looks at everything and reports it.
      if version == nil, catalog.head != nil,
        let report = reportIfUpToDate(try? engine.head(of: ledger, options, cancellation))
      {
        // A process that was killed as it gave the copy its name left the other name.
        if first != nil, Paths.linkCount(path) > 1 { sweepCopies() }
        return report
      }
      if options.requiresExistingDatabase { try refuseNewDatabase() }
      try engine.refuseBadPlace()
      let beginning = try begin(to: version, cancellation, meter)
      defer { sweepCopies() }
      do {
        if !engine.exists {
          // What keeps `up` from beginning is found without the file that it would create.
          if let version { try catalog.require(version) }
          let nothing = try Connection(path, .temporary, setup: hooks.onConnection)
          try run(nil, ProgressMeter(nil), on: nothing).refuseBeginning(to: version)
        }
        let run = try run(cancellation, meter, options)
        // Then there is no backup: what was just copied has no rows of users.
        run.done = beginning.steps
        defer { prune(after: run) }
        return beginning.completed(try run.up(to: version), as: .applied)
      } catch {
        throw beginning.complete(error)
      }
    }
  }

  // MARK: down

  /// Undoes what is applied above a version: the newest migration first, each by its inverse, in
  /// one transaction, after a backup.
  ///
  /// The inverse is merged like any release, under `keepEdits` and `keepUser`: what the user made
  /// or changed since stays. What a policy overwrote is in the log of conflicts and in the backup.
  ///
  /// - Parameters:
  ///   - version: the one to go back to; 0 undoes everything.
  ///   - discardsUserRows: true lets the SQL files of `down` drop or empty what still holds users'
  ///     rows or values.
  ///   - cancellation: checked between all steps; the migration in flight is rolled back.
  ///   - progress: called on this thread, at most 30 times a second.
  /// - Throws: `catalog` with the reason if a migration cannot be undone, `conflict` if down.sql
  ///   would drop a table with rows of users; then nothing was changed.
  @discardableResult
  public func down(
    to version: Version, discardsUserRows: Bool = false, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws(SeedbedError) -> Report {
    try onExisting(cancellation, progress) { run in
      run.context.discardsUserRows = discardsUserRows
      defer { prune(after: run) }
      return try run.down(to: version)
    }
  }

  // MARK: restore

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
  ) throws(SeedbedError) -> RestoreReport {
    try metered(progress) { meter in
      let store = backupStore
      meter.expect(try store.backup(named: path).bytes)
      meter.enter(.backingUp)
      return try store.restore(
        path, ledger: ledger, keep: options.backupsToKeep, cancellation: cancellation,
        progress: meter.copied)
    }
  }

  // MARK: reseed

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
  ) throws(SeedbedError) -> ReseedReport {
    try onExisting(cancellation) { run in
      defer { prune(after: run) }
      return try run.reseed(table, keys: keys)
    }
  }

  /// Puts all seed rows of several tables back in one transaction, after one backup; nil for all
  /// that the catalog fills.
  ///
  /// - Returns: a report for each.
  package func reseed(
    tables: [String]?, cancellation: Cancellation? = nil
  ) throws -> [ReseedReport] {
    try onExisting(cancellation) { run in
      defer { prune(after: run) }
      return try run.reseed(tables)
    }
  }

  // MARK: baseline

  /// Marks the migrations up to a version as applied, without touching a row: for a database that
  /// already has their rows.
  ///
  ///     try migrator.baseline(at: 1)
  ///
  /// For such databases on users' devices, give `Migrator` the hook `adoption`, which is called at
  /// the right moment.
  ///
  /// - Parameters:
  ///   - version: the last migration whose rows the database has.
  ///   - createsDatabase: false refuses to create a database, also in a file that is empty.
  ///   - cancellation: checked at each step; then nothing was changed.
  /// - Returns: `notes` says what was marked; `upToDate` if all of it was marked before.
  /// - Throws: `usage` if the database is above that version, or the catalog does not have it.
  @discardableResult
  public func baseline(
    at version: Version, createsDatabase: Bool = true, cancellation: Cancellation? = nil
  ) throws(SeedbedError) -> Report {
    let options = options(createsDatabase)
    return try metered(nil) { meter in
      if options.requiresExistingDatabase { try refuseNewDatabase() }
      try engine.refuseBadPlace()
      return try run(cancellation, meter, options).baseline(at: version)
    }
  }

  // MARK: the log

  /// Forgets all logged conflicts. Keys left to the user stay theirs.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public func pruneConflicts() throws(SeedbedError) -> Int {
    try onExisting { run in
      try run.connection.refuseCoreData()
      guard try run.ledger.exists(on: run.connection) else { return 0 }
      return try run.ledger.pruneConflicts(on: run.connection)
    }
  }
}
