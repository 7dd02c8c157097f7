// What only looks.

// MARK: at the start

extension Migrator {
  /// What `up` would find, for an app at its start. With a lock and nothing to do, it costs one
  /// small read and one query.
  ///
  ///     switch try migrator.outlook() {
  ///     case .upToDate: break
  ///     case .newer: askToUpdateTheApp()
  ///     case .pending(let estimate): begin(isLong: estimate.duration ?? .zero > .seconds(2))
  ///     }
  ///
  /// It changes nothing, except that SQLite repairs a database whose last process was killed in a
  /// transaction, as whenever it is opened. With a lock no file with rows is opened.
  ///
  /// - Throws: what `up` would throw before it touches anything, such as `drift` and `missing`.
  public func outlook() throws -> Outlook {
    try throwingSeedbedErrors(onConnection) {
      if catalog.head != nil, let outlook = forecast.outlook(try ledgerHead()) { return outlook }
      let ledger = try ledger
      guard engine.exists else {
        if case .success(let standing)? = try readyMade?.look(to: nil, { $1 }) {
          return try forecast.outlook(beginningWith: standing)
        }
        return try forecast.outlook(on: nil, ledger)
      }
      return try repairing { try reading { try forecast.outlook(on: $0, $1) } }
    }
  }

  /// Opening a database for writing rolls back what a killed process left unfinished.
  private func repairing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as any EngineFailure where failure.needsRecovery {
      _ = try ledgerHead()
      return try body()
    }
  }

  /// The last version in the ledger and its chain, by one query without settings or write lock;
  /// nil if there is no database or no ledger.
  func ledgerHead() throws -> Forecast.Head? { try engine.head(of: ledger, options) }
}

// MARK: status and log

extension Migrator {
  /// What is applied, pending and wrong. Changes nothing and creates no database.
  ///
  /// A database whose last process died inside a transaction is `needsRecovery`: what is applied
  /// cannot be read before the next `up` has repaired it.
  public func status() throws -> Status {
    try throwingSeedbedErrors(onConnection) {
      guard engine.exists else {
        return try forecast.status(on: nil, ledger)
      }
      do {
        return try reading { try forecast.status(on: $0, $1) }
      } catch let failure as any EngineFailure where failure.needsRecovery {
        return Status(
          database: engine.name, catalog: catalog.path, current: 0,
          target: try catalog.migrations().last?.version ?? 0, state: .needsRecovery,
          migrations: [], lastRun: nil)
      }
    }
  }

  /// What the user and the seed disagreed on, and who won.
  public func conflicts() throws -> [Conflict] {
    try throwingSeedbedErrors(onConnection) {
      try reading { connection, ledger in
        guard try ledger.exists(on: connection) else { return [] }
        return try ledger.conflicts(on: connection)
      }
    }
  }

  /// What is pending, and the report of a run that finds nothing to do. The database is only read.
  ///
  /// - Throws: what keeps `up` from beginning.
  package func pending() throws -> (versions: [Version], before: Report) {
    try throwingSeedbedErrors(onConnection) {
      let run = try run(nil, ProgressMeter(nil))
      let (before, pending) = try run.pending(to: nil)
      return (pending.map(\.version), run.nothingToDo(before))
    }
  }

  /// What the ledger records; empty without one.
  package func history() throws -> History {
    try throwingSeedbedErrors(onConnection) {
      try reading { connection, ledger in
        guard try ledger.exists(on: connection) else { return History() }
        return try ledger.history(on: connection)
      }
    }
  }

  /// The backups of this database, oldest first.
  public func backups() throws -> [Backup] {
    try throwingSeedbedErrors(onConnection) { try backupStore.list() }
  }
}

// MARK: verify

extension Migrator {
  /// Checks files against the lock, the lock against the ledger, and the database's integrity.
  /// Changes nothing.
  ///
  /// - Returns: what is wrong, in that order; empty if all is well. A finding with the code
  ///   `corrupt` says that the database itself is damaged.
  public func verify() throws -> [SeedbedError] {
    try throwingSeedbedErrors(onConnection) {
      let files = try catalog.findings()
      return files
        + (try reading { connection, ledger in
          try (brokenLedger(connection, ledger) ?? ledgerFindings(connection, ledger))
            + integrityFindings(connection)
        })
    }
  }

  /// What a run needs of the engine, tried out one by one.
  package func needs() throws -> [EngineNeed] {
    try throwingSeedbedErrors(onConnection) {
      let files = try catalog.migrations().flatMap(\.files)
      let tables = Set(files.compactMap { $0.kind.rows?.table })
      return try engine.needs(of: tables.sorted(), options)
    }
  }

  /// Nothing else can be said of what is applied then.
  private func brokenLedger(_ connection: any DatabaseSession, _ ledger: Ledger) throws
    -> [SeedbedError]?
  {
    do {
      _ = try ledger.exists(on: connection)
      return nil
    } catch let error as SeedbedError where error.code == .corrupt {
      return [error]
    }
  }

  private func ledgerFindings(_ connection: any DatabaseSession, _ ledger: Ledger) throws
    -> [SeedbedError]
  {
    let plan = try catalog.plan(for: ledger, on: connection)
    return plan.tooOldFinding
      + plan.steps.compactMap { step in
        let finding = { (code: SeedbedError.Code, what: String) in
          SeedbedError(
            code, "Migration \(step.version) '\(step.name)' \(what)",
            at: step.migration.map { .init($0.folder) }, version: step.version)
        }
        switch step.state {
        case .drifted:
          return finding(
            .drift,
            "changed after it was applied. Put its files back, and ship the change as a new "
              + "migration.")
        case .missing:
          return finding(
            .missing, "is in the ledger, but not in the catalog. Put its folder back.")
        case .newer:
          return finding(
            .newer,
            "is above the catalog's last, \(plan.target). Use the catalog of the newer release.")
        case .outOfOrder:
          return finding(
            .outOfOrder,
            "is pending, below the last applied, \(plan.current). Renumber it, or allow it."
          ).remedied(by: .allowOutOfOrder)
        case .applied, .pending, .baseline, .withdrawn, .superseded: return nil
        }
      }
  }

  private func integrityFindings(_ connection: any DatabaseSession) throws -> [SeedbedError] {
    try connection.damage().map { sentence in
      SeedbedError(.corrupt, "The database is damaged: \(sentence). Restore a backup.")
        .remedied(by: .restoreBackup)
    }
  }
}

extension Plan {
  fileprivate var tooOldFinding: [SeedbedError] {
    guard isTooOld, let base else { return [] }
    return [.tooOld(current: current, base: base.version, advice: base.advice).in(current)]
  }
}

// MARK: a copy

extension Migrator {
  /// 0 if there is no database.
  package var databaseBytes: Int64 { Paths.size(path) ?? 0 }

  /// Copies the database, as it is, to another path. It is only read.
  package func copyDatabase(to copy: String) throws {
    try throwingSeedbedErrors(onConnection) {
      try Connection.reading(path, lockTimeoutSeconds: options.lockTimeout.inSeconds) {
        let target = try Connection(copy, .create)
        try target.prepareForCopy(of: $0)
        try PageCopy(from: $0, to: target).run(nil) { _ in }
      }
    }
  }
}
