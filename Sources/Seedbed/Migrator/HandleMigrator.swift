/// Brings a database to the state of one catalog, on a handle that the app lends to each call: from
/// GRDB, SQLite.swift, FMDB or plain C.
///
///     let migrator = HandleMigrator(catalog: try Catalog(locked: url))
///     try migrator.up(on: db.sqliteConnection!, sourceID: String(cString: sqlite3_sourceid()))
///
/// `up` and `applyIfPending` have a call of their own, and `with` gives all other verbs. The
/// handle's functions, collations and tokenizers work in migrations. Nothing is installed on it,
/// and changed settings are restored. The calls block the caller's thread. A library that observes
/// only its own statements, such as GRDB, must be notified of the report's `touchedTables`.
public struct HandleMigrator: Sendable {
  /// The migrations to apply.
  package let catalog: Catalog
  /// The options of each run.
  public var options: Migrator.Options
  /// The app's own closures. `onConnection` is called with each connection that Seedbed opens
  /// itself, such as for the backup.
  public var hooks: Migrator.Hooks
  /// Whether a statement of the handle's makes the calls, by an SQL function.
  package var isCalledByStatement = false
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
  /// Calls `body` with a migrator of the handle's database, whose verbs all use the handle.
  ///
  ///     let status = try dbQueue.read { db in
  ///       try migrator.with(db.sqliteConnection!) { try $0.status() }
  ///     }
  ///
  /// What only reads works inside or outside a transaction, on a read-only handle, and in memory.
  /// What writes begins its own transaction.
  ///
  /// - Parameters:
  ///   - handle: with no statement partly read, and not used elsewhere during the call.
  ///   - sourceID: the result of `sqlite3_sourceid()` in the app. With it, a handle of another copy
  ///     of SQLite is refused before it is touched; without it, the handle would be misread.
  ///   - body: gets a migrator that only works until it returns.
  /// - Throws: `SeedbedError`, or what `body` throws.
  public func with<Result>(
    _ handle: OpaquePointer, sourceID: String? = nil, _ body: (Migrator) throws -> Result
  ) throws -> Result {
    try borrowing(handle, sourceID) { migrator, _ in try body(migrator) }
  }

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
  ///   - sourceID: as in `with`.
  ///   - cancellation: checked between all steps. The migration in progress is rolled back.
  ///   - progress: called on the caller's thread, at most 30 times a second.
  /// - Throws: `SeedbedError`; `outcomeUnknown` if COMMIT failed and it is unknown whether it took
  ///   effect.
  @discardableResult
  public func up(
    on handle: OpaquePointer, to version: Migrator.Version? = nil, sourceID: String? = nil,
    cancellation: Migrator.Cancellation? = nil, progress: ((Migrator.Progress) -> Void)? = nil
  ) throws(SeedbedError) -> Migrator.Report {
    try SeedbedError.catching {
      try with(handle, sourceID: sourceID) {
        try $0.up(to: version, cancellation: cancellation, progress: progress)
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
  ///   - sourceID: as in `with`.
  ///   - cancellation: checked between the steps. No statement is interrupted, because SQLite would
  ///     then end the app's transaction.
  ///   - progress: the progress of the migration.
  @discardableResult
  public func applyIfPending(
    _ version: Migrator.Version, on handle: OpaquePointer, sourceID: String? = nil,
    cancellation: Migrator.Cancellation? = nil, progress: ((Migrator.Progress) -> Void)? = nil
  ) throws(SeedbedError) -> Migrator.Report {
    try SeedbedError.catching {
      try borrowing(handle, sourceID) { migrator, file in
        let connection = try file.lent(cancellation)
        return try migrator.metered(progress) { meter in
          try migrator.run(migrator.resolved(on: connection), cancellation, meter, on: connection)
            .applyIfPending(version)
        }
      }
    }
  }

  func borrowing<Result>(
    _ handle: OpaquePointer, _ sourceID: String?,
    _ body: (Migrator, LentFile) throws -> Result
  ) throws -> Result {
    try LentHandle.borrow(
      handle, sourceID: sourceID, setup: hooks.setup,
      lockTimeoutSeconds: options.lockTimeout.inSeconds, byStatement: isCalledByStatement
    ) { connection in
      var hooks = hooks
      hooks.vfs = connection.path.isEmpty ? nil : ConnectionSetup.vfs(of: handle)
      let file = LentFile(connection, hooks.setup)
      defer { file.giveBack() }
      var migrator = Migrator(catalog: catalog, on: file, options: options, hooks: hooks)
      migrator.host = host
      return try body(migrator, file)
    }
  }
}
