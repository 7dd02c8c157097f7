// Calls that change the database.

extension Migrator {
  // MARK: up

  /// Applies the pending migrations, each in one transaction.
  ///
  /// With a locked catalog and nothing pending, it takes one small read and one query.
  ///
  /// An empty file is filled like a new one, even if there are backups: a first run that is killed
  /// leaves such a file, and the next one goes on.
  ///
  /// - Parameters:
  ///   - version: stop after this one; nil for all. A database beyond it is refused with `usage`.
  ///   - createsDatabase: false refuses to create a database, even in an empty file.
  ///   - cancellation: checked between all steps. The migration in progress is rolled back.
  ///   - progress: called on this thread, at most 30 times a second.
  /// - Throws: `SeedbedError`, which carries the versions that this run had committed before.
  @discardableResult
  public func up(
    to version: Version? = nil, createsDatabase: Bool = true, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws(SeedbedError) -> Report {
    let options = options(createsDatabase)
    let report = try metered(progress) { meter in
      try refuseBackup()
      // Without a ledger, or with a damaged one, the run below checks everything and reports it.
      if version == nil, catalog.head != nil,
        let report = try reportIfUpToDate(try? database.head(of: ledger, options, cancellation))
      {
        // A process that was killed while it gave the copy its name left the other name.
        if first != nil, Paths.linkCount(path) > 1 { sweepCopies() }
        return report
      }
      if options.requiresExistingDatabase { try refuseNewDatabase() }
      try database.refuseBadPlace()
      return try upWithDownloads { try up($0, to: version, options, cancellation, meter) }
    }
    return try SeedbedError.catching {
      try withPacks(report, to: version) {
        try $0.up(cancellation: cancellation, progress: progress)
      }
    }
  }

  private func up(
    _ resolved: ResolvedCatalog, to version: Version?, _ options: Options,
    _ cancellation: Cancellation?, _ meter: ProgressMeter
  ) throws -> (report: Report, damaged: PassedOver?) {
    let beginning = try begin(resolved, to: version, cancellation, meter)
    defer { sweepCopies() }
    do {
      if !database.exists {
        // Errors that prevent `up` from beginning are found without the file that it would create.
        if let version { try resolved.catalog.require(version) }
        let nothing = try Connection(path, .temporary, setup: hooks.setup)
        try run(resolved, nil, ProgressMeter(nil), on: nothing).refuseBeginning(to: version)
      }
      let run = try run(resolved, cancellation, meter, options)
      // No backup then: the new copy has no rows of users.
      run.report.done = beginning.steps
      defer { prune(after: run) }
      let (report, damaged) = try run.upWithDownload(to: version)
      return (beginning.completed(report, as: .applied), damaged)
    } catch {
      throw beginning.complete(error)
    }
  }

  // MARK: down

  /// Undoes the migrations above a version: the newest first, each by its inverse, in one
  /// transaction, after a backup.
  ///
  /// The inverse is merged like any release, under `keepEdits` and `keepUser`: rows and values that
  /// the user made or changed since stay. Values that a policy overwrote are in the log of
  /// conflicts and in the backup.
  ///
  /// - Parameters:
  ///   - version: the one to go back to; 0 undoes everything.
  ///   - discardsUserRows: true lets the SQL files of `down` drop or empty tables that still hold
  ///     users' rows, and drop columns that hold their values.
  ///   - cancellation: checked between all steps. The migration in progress is rolled back.
  ///   - progress: called on this thread, at most 30 times a second.
  /// - Throws: `catalog` with the reason if a migration cannot be undone, `conflict` if down.sql
  ///   would drop a table with rows of users. Nothing was changed then.
  @discardableResult
  public func down(
    to version: Version, discardsUserRows: Bool = false, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws(SeedbedError) -> Report {
    try onExisting(needingFilesAbove: version, cancellation, progress) { run in
      run.context.discardsUserRows = discardsUserRows
      defer { prune(after: run) }
      return try run.down(to: version)
    }
  }

  // MARK: restore

  /// Copies a backup into the live database, in one transaction, after backing up the database as
  /// it is.
  ///
  /// Other programs may keep the database open. After a kill, the database is either the old one or
  /// the new one. A damaged database is replaced, and a missing one is created.
  ///
  /// - Parameters:
  ///   - path: a name that `backups` lists, or the path of any backup; nil for the newest.
  ///   - cancellation: checked at each step. The database is unchanged then.
  ///   - progress: called on this thread, at most 30 times a second.
  /// - Returns: the backup that was restored, and the backup of the replaced database.
  /// - Throws: `SeedbedError`. The database is unchanged, except after `outcomeUnknown`.
  @discardableResult
  public func restore(
    _ path: String? = nil, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws(SeedbedError) -> RestoreReport {
    try metered(progress) { meter in
      try refuseBackup()
      let store = backupStore
      meter.expect(try store.backup(named: path).bytes)
      meter.enter(.backingUp)
      return try store.restore(
        path, ledger: ledgerOfBase, keep: options.backupsToKeep, cancellation: cancellation,
        progress: meter.copied)
    }
  }

  /// The same with the newest backup of a version.
  @discardableResult
  package func restore(
    newestOf version: Version, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws(SeedbedError) -> RestoreReport {
    let newest = try SeedbedError.catching { try backupStore.newest(of: version) }
    return try restore(
      Paths.split(newest.path).name, cancellation: cancellation, progress: progress)
  }

  // MARK: baseline

  /// Adopts a database that an app filled before it had Seedbed: makes its rows those of a version,
  /// and marks the migrations up to it as applied.
  ///
  ///     try migrator.baseline(at: 5)
  ///
  /// The database may have rows of any edition up to that version. Each row is compared with its
  /// states in all of them, and belongs to the one from which it differs in the fewest values;
  /// among equals, to the newest. What differs from it is the user's and stays, and all else
  /// becomes that of the version, in one transaction, after a backup. So the catalog's first
  /// releases are the old editions. Policies do not count: nothing of the user's is overwritten.
  ///
  /// For databases on users' devices, `Options.adopt` does the same as a part of `up`.
  ///
  /// - Parameters:
  ///   - version: the last edition that the app shipped without Seedbed.
  ///   - absent: what it means that the database lacks a row.
  ///   - cancellation: checked at each step. Nothing was changed then.
  ///   - progress: called on this thread, at most 30 times a second.
  /// - Returns: a report whose `adopted` counts the rows; `upToDate` if the database has a ledger
  ///   with that version.
  /// - Throws: `usage` if the database is above that version, or the catalog does not have it;
  ///   `sql` if it lacks a table or column of that version.
  @discardableResult
  public func baseline(
    at version: Version, absent: Adoption.AbsentRows = .byEdition,
    cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws(SeedbedError) -> Report {
    // There is nothing to adopt in a new one.
    let options = options(false)
    return try metered(progress) { meter in
      try refuseBackup()
      try refuseNewDatabase()
      try database.refuseBadPlace()
      let run = try run(resolved(), cancellation, meter, options)
      defer { prune(after: run) }
      return try run.baseline(at: version, absent: absent)
    }
  }

  /// What `baseline(at:)` would do. Nothing is changed.
  public func baselinePlan(
    at version: Version, absent: Adoption.AbsentRows = .byEdition, cancellation: Cancellation? = nil
  ) throws(SeedbedError) -> Report {
    try onExisting(needingFilesAbove: 0, cancellation) { run in
      try run.baseline(at: version, absent: absent, isPlan: true)
    }
  }

  // MARK: the log

  /// Removes all logged conflicts. Keys left to the user stay theirs.
  ///
  /// - Returns: the number of conflicts.
  @discardableResult
  public func pruneConflicts() throws(SeedbedError) -> Int {
    try onExisting(needingFilesAbove: nil) { run in
      try run.connection.refuseCoreData()
      guard try run.ledger.exists(on: run.connection) else { return 0 }
      return try run.ledger.pruneConflicts(on: run.connection)
    }
  }
}
