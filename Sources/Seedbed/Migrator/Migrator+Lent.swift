// On a handle that the app lends: from GRDB, SQLite.swift, FMDB or plain C. Its functions,
// collations and tokenizers work in migrations, and nothing is installed on it: what is set for a
// while is put back. The calls block the caller's thread. A library that observes only its own
// statements, as GRDB does, has to be told of the report's `touchedTables`.
extension Migrator {
  /// Applies what is pending on the app's own handle, each migration in one transaction.
  ///
  ///     let migrator = Migrator(catalog: try Catalog(locked: url), database: .lent)
  ///     try migrator.up(on: db.sqliteConnection!, sourceID: String(cString: sqlite3_sourceid()))
  ///
  /// The backup is made through a second connection. A database in memory has none.
  ///
  /// GRDB's observers do not see these changes: call `db.notifyChanges(in: Table(name))` for each
  /// of the report's `touchedTables`, inside `write`.
  ///
  /// - Parameters:
  ///   - handle: outside of any transaction, with no statement in the middle of its rows, and used
  ///     by nobody else meanwhile.
  ///   - version: stop after this one; nil for all.
  ///   - sourceID: what `sqlite3_sourceid()` says in the app. A handle of another copy of SQLite
  ///     would be read as what it is not; with this it is refused before it is touched.
  ///   - cancellation: asked between all steps; the migration in flight is rolled back.
  ///   - progress: called on the caller's thread, at most 30 times a second.
  /// - Throws: `SeedbedError`; `outcomeUnknown` where COMMIT failed in a way that leaves open
  ///   whether it took effect.
  @discardableResult
  public func up(
    on handle: OpaquePointer, to version: Version? = nil, sourceID: String? = nil,
    cancellation: Cancellation? = nil, progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    try borrowing(handle, sourceID, cancellation, progress) { connection, meter in
      if connection.isInTransaction { throw SeedbedError.handleInTransaction() }
      if version == nil,
        let report = reportIfUpToDate(
          connection.shownPath,
          {
            try Ledger(prefix: options.ledger).head(on: connection)
          })
      {
        return report
      }
      let run = try run(on: connection, cancellation, meter)
      defer {
        if let backup = run.backup {
          try? store(connection.path).prune(keep: options.backupsToKeep, protecting: backup.path)
        }
      }
      return try run.up(to: version)
    }
  }

  /// Applies one migration inside the transaction that the app has open on its handle: the app's
  /// own ledger and ours are committed together, or neither is.
  ///
  ///     grdbMigrator.registerMigration("words of June") { db in
  ///       let report = try migrator.apply(3, on: db.sqliteConnection!)
  ///       for table in report.touchedTables { try db.notifyChanges(in: Table(table)) }
  ///     }
  ///
  /// It stands in a savepoint: after an error the transaction goes on without it, unless SQLite
  /// itself has ended it, which the error then says. There is no backup: that is the caller's.
  ///
  /// - Parameters:
  ///   - version: the next one that is pending. One that is applied already is none to apply.
  ///   - handle: inside a transaction, with no statement in the middle of its rows.
  ///   - cancellation: asked between the steps. No statement is interrupted, since SQLite would
  ///     end the app's transaction with it.
  @discardableResult
  public func apply(
    _ version: Version, on handle: OpaquePointer, sourceID: String? = nil,
    cancellation: Cancellation? = nil, progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    try borrowing(handle, sourceID, cancellation, progress) { connection, meter in
      try run(on: connection, cancellation, meter).apply(version)
    }
  }

  /// Does all that `up(on:)` would do, reports every change and conflict, and rolls it back.
  public func plan(
    on handle: OpaquePointer, to version: Version? = nil, sourceID: String? = nil,
    cancellation: Cancellation? = nil, progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    try borrowing(handle, sourceID, cancellation, progress) { connection, meter in
      if connection.isInTransaction { throw SeedbedError.handleInTransaction() }
      return try run(on: connection, cancellation, meter).plan(to: version)
    }
  }

  /// What is applied, pending and wrong, as the app's own handle sees it; only reads.
  ///
  ///     let status = try dbQueue.read { db in try migrator.status(on: db.sqliteConnection!) }
  ///
  /// Inside a transaction or outside of one, on a handle that may only read, and in memory.
  ///
  /// - Parameters:
  ///   - handle: with no statement in the middle of its rows, and used by nobody else meanwhile.
  ///   - sourceID: as with `up(on:)`.
  public func status(on handle: OpaquePointer, sourceID: String? = nil) throws -> Status {
    try looking(handle, sourceID) { connection, ledger in
      try connection.refuseCoreData()
      return try status(connection.shownPath, on: connection, ledger)
    }
  }

  /// Whether `up(on:)` would find nothing to do, by three small queries; a handle is taken as with
  /// `status(on:)`.
  public func isUpToDate(on handle: OpaquePointer, sourceID: String? = nil) throws -> Bool {
    guard let head = catalog.head else {
      return try status(on: handle, sourceID: sourceID).state == .upToDate
    }
    return try looking(handle, sourceID) { connection, ledger in
      guard try ledger.exists(on: connection), let found = try ledger.head(on: connection) else {
        return false
      }
      return found == (head.version, head.chain)
    }
  }

  private func looking<Result>(
    _ handle: OpaquePointer, _ sourceID: String?, _ body: (Connection, Ledger) throws -> Result
  ) throws -> Result {
    try borrowing(handle, sourceID, nil, nil) { connection, _ in
      let ledger = try Ledger(prefix: options.ledger)
      return try connection.inSavepoint { try body(connection, ledger) }
    }
  }

  private func borrowing<Result>(
    _ handle: OpaquePointer, _ sourceID: String?, _ cancellation: Cancellation?,
    _ progress: ((Progress) -> Void)?, _ body: (Connection, ProgressMeter) throws -> Result
  ) throws -> Result {
    try metered(progress, onHandle: true) { meter in
      try LentHandle.borrow(
        handle, sourceID: sourceID, lockTimeoutSeconds: options.lockTimeoutSeconds,
        cancellation: cancellation
      ) { try body($0, meter) }
    }
  }

  private func run(
    on connection: Connection, _ cancellation: Cancellation?, _ meter: ProgressMeter
  ) throws -> Run {
    try Run(
      catalog: catalog, path: connection.path, options: options, host: host,
      cancellation: cancellation, meter: meter, adopting: adoption, connection: connection)
  }

  private func store(_ path: String) -> BackupStore {
    BackupStore(databasePath: path, folder: options.backupFolder, host: host)
  }
}
