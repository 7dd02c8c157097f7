// What changes the database, or rehearses that.

// MARK: up

extension Migrator {
  /// Applies what is pending, each migration in one transaction.
  ///
  /// With a locked catalog and nothing pending it costs one small read and one query.
  ///
  /// - Parameters:
  ///   - version: stop after this one; nil for all.
  ///   - cancellation: asked between all steps; the migration in flight is rolled back.
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
        return report
      }
      if options.requiresExistingDatabase { try refuseMissingDatabase() }
      try refuseMissingFolder()
      if !Paths.exists(path) { try refuseBeforeCreating(to: version) }
      let run = try run(cancellation, meter)
      defer { prune(sparing: run.backup) }
      return try run.up(to: version)
    }
  }

  /// What keeps `up` from beginning, found without the file that it would create.
  private func refuseBeforeCreating(to version: Version?) throws {
    if let version { try catalog.require(version) }
    try run(nil, ProgressMeter(nil), on: Connection(path, .temporary)).refuseBeginning(to: version)
  }

  /// - Parameter connection: nil to open the database.
  private func run(
    _ cancellation: Cancellation?, _ meter: ProgressMeter, _ options: Options? = nil,
    on connection: Connection? = nil
  ) throws -> Run {
    try Run(
      catalog: catalog, path: path, options: options ?? self.options, host: host,
      cancellation: cancellation, meter: meter, hooks: hooks, connection: connection)
  }

  /// Old backups go after success and after failure; one that cannot be removed is no reason to
  /// call a run failed.
  func prune(sparing backup: Backup?) {
    try? backupStore.prune(keep: options.backupsToKeep, protecting: backup?.path)
  }
}

// MARK: plan

extension Migrator {
  /// Does all that `up` would do, reports every change and conflict, and rolls it back.
  ///
  /// It takes the write lock as `up` does. Rows, schema and ledger are as before; a database that
  /// does not exist is planned in memory and not created.
  public func plan(
    to version: Version? = nil, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    try metered(progress) { meter in
      let exists = Paths.exists(path)
      if !exists, options.requiresExistingDatabase { try refuseMissingDatabase() }
      if !exists { try refuseMissingFolder() }
      do {
        let memory = exists ? nil : try emptyDatabase(cancellation)
        return try run(cancellation, meter, on: memory).plan(to: version)
      } catch is MigrationTransaction.BrokenForeignKeys {
        return try planOnCopy(to: version, cancellation, meter)
      }
    }
  }

  /// The same on a copy in a temporary file that SQLite removes: where a migration needs foreign
  /// keys off, which cannot change inside a transaction. An empty copy where there is no database.
  private func planOnCopy(
    to last: Version?, _ cancellation: Cancellation?, _ meter: ProgressMeter
  ) throws -> Report {
    var options = options
    options.takesBackup = false
    let copy = try Connection(path, .temporary, cancellation: cancellation)
    var isWAL = false
    if Paths.exists(path) {
      try Connection.reading(
        path, lockTimeoutSeconds: options.lockTimeout.inSeconds, cancellation: cancellation
      ) { source in
        isWAL = try source.journalMode() == "wal"
        try PageCopy(from: source, to: copy).run(cancellation) { _ in meter.tick() }
      }
    }
    try copy.configureForWriting(foreignKeys: true)
    let sizeBefore = try copy.pageCount()
    let run = try run(cancellation, meter, options, on: copy)
    let done = try run.up(to: last)
    return done.outcome == .applied
      ? try run.planned(
        done.from, done.to, sizeBefore, isWAL: isWAL, takesBackup: self.options.takesBackup)
      : done
  }

  private func emptyDatabase(_ cancellation: Cancellation?) throws -> Connection {
    let memory = try Connection(path, .memory, cancellation: cancellation)
    try memory.configureForWriting(foreignKeys: true)
    return memory
  }
}

// MARK: down

extension Migrator {
  /// Takes back what is applied above a version: the newest migration first, each by its inverse,
  /// in one transaction, after a backup.
  ///
  /// The inverse is merged like any release, under `keepEdits` and `keepUser`: what the user made
  /// or changed since stays. What a policy overwrote is in the log of conflicts and in the backup.
  ///
  /// - Throws: `catalog` with the reason if a migration cannot be taken back, `conflict` if
  ///   down.sql would drop a table with rows of users; then nothing was touched.
  @discardableResult
  public func down(
    to version: Version, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    try onExisting(cancellation, progress) { try $0.down(to: version) }
  }

  /// A run on a database that must be there.
  private func onExisting<Result>(
    _ cancellation: Cancellation?, _ progress: ((Progress) -> Void)?,
    _ body: (Run) throws -> Result
  ) throws -> Result {
    try metered(progress) { meter in
      try refuseMissingDatabase()
      var options = options
      options.requiresExistingDatabase = true
      let run = try run(cancellation, meter, options)
      defer { prune(sparing: run.backup) }
      return try body(run)
    }
  }
}

// MARK: restore

extension Migrator {
  /// Copies a backup into the live database, in one transaction, after keeping what it replaces.
  ///
  /// Programs that have the database open keep it open. A kill leaves the old database or the new
  /// one. A database that is damaged or missing is replaced, or created, too.
  ///
  /// - Parameters:
  ///   - path: a name that `backups` lists, or the path of any backup; nil for the newest.
  ///   - cancellation: asked at each step; then the database is as it was.
  ///   - progress: called on this thread, at most 30 times a second.
  /// - Returns: what was put back, and the backup that holds what it replaced.
  /// - Throws: `SeedbedError`; the database is as it was, except after `outcomeUnknown`.
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
  /// Puts seed rows back to what the catalog says, also those that the user deleted, changed or won
  /// by conflict; columns that no file fills are left alone.
  ///
  ///     try migrator.reseed("elements", keys: ["113", "115"])
  ///
  /// The state is that of the version which the database is at. Rows of users stay, also under a
  /// seed's key, unless `keys` names it; and so does what the user wrote into other columns. All in
  /// one transaction, after a backup.
  ///
  /// - Parameters:
  ///   - table: one that the catalog fills.
  ///   - keys: as the row files have them, the values of a key of several columns with commas
  ///     between them; nil for all seed rows of the table.
  ///   - cancellation: asked for each row; then nothing was changed.
  /// - Throws: `usage` for a table or key that the catalog does not have, `constraint` if a
  ///   row of `keys` cannot be put back, `foreignKey` if a row refers to one that is gone.
  @discardableResult
  public func reseed(
    _ table: String, keys: [String]? = nil, cancellation: Cancellation? = nil
  ) throws -> Report {
    try onExisting(cancellation, nil) { try $0.reseed(table, keys: keys) }
  }
}

// MARK: baseline

extension Migrator {
  /// Marks the migrations up to a version as there, without touching a row: for a database that
  /// already holds what they would bring.
  ///
  ///     try migrator.baseline(at: 1)
  ///
  /// An app that finds such databases on its users' devices tells `Migrator` with `adopting`, which
  /// asks at the right moment.
  ///
  /// - Returns: `notes` has what was marked now; `upToDate` if all of it was marked before.
  /// - Throws: `usage` if the database is beyond that version, or the catalog does not have it.
  @discardableResult
  public func baseline(at version: Version, cancellation: Cancellation? = nil) throws -> Report {
    try metered(nil) { meter in
      if options.requiresExistingDatabase { try refuseMissingDatabase() }
      try refuseMissingFolder()
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
      let ledger = try Ledger(prefix: options.ledger)
      let connection = try Connection(
        path, .readWrite, lockTimeoutSeconds: options.lockTimeout.inSeconds)
      try connection.configureForWriting(foreignKeys: true)
      try connection.refuseCoreData()
      guard try ledger.exists(on: connection) else { return 0 }
      return try ledger.pruneConflicts(on: connection)
    }
  }
}
