// What an app asks at its start, before it shows anything.

extension Migrator {
  /// Whether `up` would find nothing to do, at the cost of one small read and one query.
  ///
  ///     if try !migrator.isUpToDate() { splash.appear() }
  ///
  /// With a catalog without a lock it costs as much as `status`. A database that is not there, or
  /// has no ledger yet, is not up to date; neither is a newer one.
  public func isUpToDate() throws -> Bool {
    guard let head = catalog.head else { return try status().state == .upToDate }
    return try throwingSeedbedErrors {
      guard let found = try ledgerHead() else { return false }
      return found == (head.version, head.chain)
    }
  }

  /// Whether a newer release has migrated this database: the user went back to this one.
  ///
  ///     if try migrator.isDatabaseNewer() { askToUpdateTheApp() }
  ///
  /// `Options.whenNewer` says what `up` does then.
  public func isDatabaseNewer() throws -> Bool {
    try throwingSeedbedErrors {
      let target = try catalog.head?.version ?? catalog.migrations().last?.version ?? 0
      return try (ledgerHead()?.version ?? 0) > target
    }
  }

  /// The last version in the ledger and its chain, by one query without settings or write lock;
  /// nil where there is no database or no ledger.
  func ledgerHead() throws -> (version: Version, chain: String)? {
    guard Paths.exists(databasePath) else { return nil }
    let ledger = try Ledger(prefix: options.ledger)
    // Not read-only: such a connection leaves -shm and -wal behind (SQLITE.md 35).
    let connection = try Connection(
      databasePath, .readWrite, lockTimeoutSeconds: options.lockTimeoutSeconds)
    do {
      return try ledger.head(on: connection)
    } catch let failure as SQLiteFailure where failure.isOfStatement {
      // The one thing that can be wrong with it: there is no such table.
      return nil
    }
  }
}
