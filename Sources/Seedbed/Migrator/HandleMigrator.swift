/// Brings a database to the state of one catalog, on a handle that the app lends to each call: from
/// GRDB, SQLite.swift, FMDB or plain C.
///
///     let migrator = HandleMigrator(catalog: try Catalog(locked: url))
///     try migrator.up(on: db.sqliteConnection!, sourceID: String(cString: sqlite3_sourceid()))
///
/// The handle's functions, collations and tokenizers work in migrations. Nothing is installed on
/// it, and changed settings are restored. The calls block the caller's thread. A library that
/// observes only its own statements, such as GRDB, must be notified of the report's
/// `touchedTables`.
public struct HandleMigrator: Sendable {
  /// The migrations to apply.
  package let catalog: Catalog
  /// The options of each run.
  public var options: Migrator.Options
  /// The app's own closures. `onConnection` is called with each connection that Seedbed opens
  /// itself, such as for the backup.
  public var hooks: Migrator.Hooks
  /// The seam for tests.
  package var host = Host.real

  /// - Parameters:
  ///   - catalog: the catalog to apply.
  ///   - options: the options of each run.
  ///   - hooks: the app's own closures.
  public init(
    catalog: Catalog, options: Migrator.Options = Migrator.Options(),
    hooks: Migrator.Hooks = Migrator.Hooks()
  ) {
    (self.catalog, self.options, self.hooks) = (catalog, options, hooks)
  }
}

extension HandleMigrator {
  /// Applies the pending migrations on the app's own handle, each in one transaction.
  ///
  ///     try migrator.up(on: db.sqliteConnection!, sourceID: String(cString: sqlite3_sourceid()))
  ///
  /// The backup is made through a second connection. A database in memory has none.
  ///
  /// GRDB's observers do not see these changes: call `db.notifyChanges(in: Table(name))` for each
  /// of the report's `touchedTables`, inside `write`.
  ///
  /// - Parameters:
  ///   - handle: outside any transaction, with no statement partly read, and not used elsewhere
  ///     during the call.
  ///   - version: stop after this one; nil for all. A database beyond it is refused with `usage`.
  ///   - sourceID: the result of `sqlite3_sourceid()` in the app. With it, a handle of another copy
  ///     of SQLite is refused before it is touched; without it, the handle would be misread.
  ///   - cancellation: checked between all steps. The migration in progress is rolled back.
  ///   - progress: called on the caller's thread, at most 30 times a second.
  /// - Throws: `SeedbedError`; `outcomeUnknown` if COMMIT failed and it is unknown whether it took
  ///   effect.
  @discardableResult
  public func up(
    on handle: OpaquePointer, to version: Migrator.Version? = nil, sourceID: String? = nil,
    cancellation: Migrator.Cancellation? = nil, progress: ((Migrator.Progress) -> Void)? = nil
  ) throws(SeedbedError) -> Migrator.Report {
    try borrowing(handle, sourceID, cancellation, progress) { migrator, connection, meter in
      if connection.isInTransaction { throw SeedbedError.handleInTransaction() }
      let ledger = try migrator.ledger
      // A database without a ledger, or with a damaged one, takes the long way, which reports that.
      if version == nil, catalog.head != nil,
        let report = try migrator.reportIfUpToDate(try? ledger.head(on: connection))
      {
        return report
      }
      return try migrator.upWithDownloads(on: connection) { resolved in
        let run = try migrator.run(resolved, cancellation, meter, on: connection)
        defer { if run.backup != nil { migrator.prune(after: run) } }
        return try run.upWithDownload(to: version)
      }
    }
  }

  /// Applies one migration inside the transaction that the app has open on its handle: the app's
  /// ledger and Seedbed's are committed together, or not at all.
  ///
  ///     grdbMigrator.registerMigration("words of June") { db in
  ///       let report = try migrator.applyIfPending(3, on: db.sqliteConnection!)
  ///       for table in report.touchedTables { try db.notifyChanges(in: Table(table)) }
  ///     }
  ///
  /// It runs in a savepoint: after an error the transaction continues without it, unless SQLite
  /// itself has ended it, in which case the error says so. There is no backup; that is up to the
  /// caller.
  ///
  /// - Parameters:
  ///   - version: the next pending version. If it is already applied, nothing is done: the report's
  ///     outcome is `upToDate`, and a note says so.
  ///   - handle: inside a transaction, with no statement partly read.
  ///   - sourceID: as with `up(on:)`.
  ///   - cancellation: checked between the steps. No statement is interrupted, because SQLite would
  ///     then end the app's transaction.
  ///   - progress: the progress of the migration.
  @discardableResult
  public func applyIfPending(
    _ version: Migrator.Version, on handle: OpaquePointer, sourceID: String? = nil,
    cancellation: Migrator.Cancellation? = nil, progress: ((Migrator.Progress) -> Void)? = nil
  ) throws(SeedbedError) -> Migrator.Report {
    try borrowing(handle, sourceID, cancellation, progress) { migrator, connection, meter in
      try migrator.run(migrator.resolved(on: connection), cancellation, meter, on: connection)
        .applyIfPending(version)
    }
  }

  /// Does all that `up(on:)` would do, reports every change and conflict, and rolls it back.
  public func plan(
    on handle: OpaquePointer, to version: Migrator.Version? = nil, sourceID: String? = nil,
    cancellation: Migrator.Cancellation? = nil, progress: ((Migrator.Progress) -> Void)? = nil
  ) throws(SeedbedError) -> Migrator.Report {
    try borrowing(handle, sourceID, cancellation, progress) { migrator, connection, meter in
      if connection.isInTransaction { throw SeedbedError.handleInTransaction() }
      return try migrator.upWithDownloads(on: connection, isPlan: true) {
        try migrator.run($0, cancellation, meter, on: connection).plan(to: version)
      }
    }
  }

  /// The applied and pending migrations as the app's own handle sees them, and any trouble with
  /// them. Only reads.
  ///
  ///     let status = try dbQueue.read { db in try migrator.status(on: db.sqliteConnection!) }
  ///
  /// Works inside or outside a transaction, on a read-only handle, and in memory.
  ///
  /// - Parameters:
  ///   - handle: with no statement partly read, and not used elsewhere during the call.
  ///   - sourceID: as with `up(on:)`.
  public func status(on handle: OpaquePointer, sourceID: String? = nil)
    throws(SeedbedError) -> Migrator.Status
  {
    try looking(handle, sourceID) { migrator, connection, ledger in
      try connection.refuseCoreData()
      return try migrator.status(migrator.resolved(on: connection), on: connection, ledger)
    }
  }

  /// What may be sent to the author: numbers, and nothing that the user made. The handle is as for
  /// `status(on:)`.
  public func counts(on handle: OpaquePointer, sourceID: String? = nil)
    throws(SeedbedError) -> Migrator.DeviceCounts
  {
    try looking(handle, sourceID) { migrator, connection, ledger in
      try connection.refuseCoreData()
      return Migrator.DeviceCounts(
        try migrator.status(migrator.resolved(on: connection), on: connection, ledger),
        try ledger.exists(on: connection) ? ledger.counts(on: connection) : [],
        at: Migrator.Timestamp(text: Clock.timestamp()))
    }
  }

  /// The forecast of `up(on:)`, from three small queries if there is nothing to do. The handle is
  /// as for `status(on:)`.
  public func outlook(on handle: OpaquePointer, sourceID: String? = nil)
    throws(SeedbedError) -> Migrator.Outlook
  {
    try looking(handle, sourceID) { migrator, connection, ledger in
      if catalog.head != nil, try ledger.exists(on: connection),
        migrator.isUpToDate(try ledger.head(on: connection))
      {
        return .upToDate
      }
      try connection.refuseCoreData()
      return try migrator.outlook(migrator.resolved(on: connection), on: connection, ledger)
    }
  }

  /// Calls a migrator of the handle's database: for the verbs that have no form for a handle here.
  package func lending<Result>(
    _ handle: OpaquePointer, cancellation: Migrator.Cancellation? = nil,
    _ body: (Migrator) throws -> Result
  ) throws(SeedbedError) -> Result {
    try borrowing(handle, nil, cancellation, nil) { migrator, connection, _ in
      migrator.database = LentFile(connection, migrator.hooks.setup)
      return try body(migrator)
    }
  }

  private func looking<Result>(
    _ handle: OpaquePointer, _ sourceID: String?,
    _ body: (Migrator, Connection, Ledger) throws -> Result
  ) throws(SeedbedError) -> Result {
    try borrowing(handle, sourceID, nil, nil) { migrator, connection, _ in
      let ledger = try migrator.ledger
      return try connection.inSavepoint { try body(migrator, connection, ledger) }
    }
  }

  /// Runs one call with the migrator of the handle's database.
  private func borrowing<Result>(
    _ handle: OpaquePointer, _ sourceID: String?, _ cancellation: Migrator.Cancellation?,
    _ progress: ((Migrator.Progress) -> Void)?,
    _ body: (inout Migrator, Connection, ProgressMeter) throws -> Result
  ) throws(SeedbedError) -> Result {
    var migrator = Migrator(
      catalog: catalog, on: SQLiteFile(path: ""), options: options, hooks: hooks)
    migrator.host = host
    return try migrator.metered(progress) { meter in
      try LentHandle.borrow(
        handle, sourceID: sourceID, setup: hooks.setup,
        lockTimeoutSeconds: options.lockTimeout.inSeconds, cancellation: cancellation
      ) { connection in
        migrator.hooks.vfs = connection.path.isEmpty ? nil : ConnectionSetup.vfs(of: handle)
        migrator.database = SQLiteFile(path: connection.path, setup: migrator.hooks.setup)
        return try body(&migrator, connection, meter)
      }
    }
  }
}
