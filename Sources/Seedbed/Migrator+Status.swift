extension Migrator {
  /// What is applied, pending and wrong. Changes nothing and creates no database.
  ///
  /// A database whose last process died inside a transaction is `needsRecovery`: what is applied
  /// cannot be read before the next `up` has repaired it.
  public func status() throws -> Status {
    try throwingSeedbedErrors {
      guard Paths.exists(databasePath) else {
        let ledger = try Ledger(prefix: options.ledger)
        return status(databasePath, try Planning(catalog, ledger).plan(applied: []))
      }
      do {
        return try reading { try status(databasePath, on: $0, $1) }
      } catch let failure as SQLiteFailure where failure.needsRecovery {
        return Status(
          database: databasePath, catalog: catalog.path, current: 0,
          target: try catalog.migrations().last?.version ?? 0, state: .needsRecovery,
          migrations: [], lastRun: nil)
      }
    }
  }

  /// Of a database that can be read.
  func status(_ database: String, on connection: Connection, _ ledger: Ledger) throws -> Status {
    let plan = try Planning(catalog, ledger).plan(on: connection)
    let hasLedger = try ledger.exists(on: connection)
    return status(
      database, plan, lastRun: hasLedger ? try ledger.lastRun(on: connection) : nil)
  }

  private func status(_ database: String, _ plan: Plan, lastRun: LastRun? = nil) -> Status {
    Status(
      database: database, catalog: catalog.path, current: plan.current, target: plan.target,
      state: plan.state, migrations: plan.statuses, lastRun: lastRun)
  }

  /// What the user and the seed disagreed on, and who won.
  public func conflicts() throws -> [Conflict] {
    try throwingSeedbedErrors {
      try reading { connection, ledger in
        guard try ledger.exists(on: connection) else { return [] }
        return try ledger.conflicts(on: connection)
      }
    }
  }

  /// Forgets all logged conflicts and says how many there were. Keys left to the user stay theirs.
  public func pruneConflicts() throws -> Int {
    try throwingSeedbedErrors {
      try refuseMissingDatabase(databasePath)
      let ledger = try Ledger(prefix: options.ledger)
      let connection = try Connection(
        databasePath, .readWrite, lockTimeoutSeconds: options.lockTimeoutSeconds)
      try connection.configureForWriting(foreignKeys: true)
      try connection.refuseCoreData()
      guard try ledger.exists(on: connection) else { return 0 }
      return try ledger.pruneConflicts(on: connection)
    }
  }

  /// The backups of this database, oldest first.
  public func backups() throws -> [BackupFile] {
    try throwingSeedbedErrors { try backupStore.list() }
  }
}
