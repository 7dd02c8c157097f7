// What only looks.

// MARK: at the start

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
  /// `Options.ifNewer` says what `up` does then.
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

// MARK: status and log

extension Migrator {
  /// What is applied, pending and wrong. Changes nothing and creates no database.
  ///
  /// A database whose last process died inside a transaction is `needsRecovery`: what is applied
  /// cannot be read before the next `up` has repaired it.
  public func status() throws -> Status {
    try throwingSeedbedErrors {
      guard Paths.exists(databasePath) else {
        let ledger = try Ledger(prefix: options.ledger)
        return try status(databasePath, Planning(catalog, ledger).plan(applied: []))
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
    return try status(
      database, plan, lastRun: hasLedger ? ledger.lastRun(on: connection) : nil)
  }

  private func status(
    _ database: String, _ plan: Plan, lastRun: Status.LastRun? = nil
  ) throws -> Status {
    for step in plan.steps where step.applied == nil {
      if let migration = step.migration { try catalog.checkNames(of: migration) }
    }
    return Status(
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

  /// The backups of this database, oldest first.
  public func backups() throws -> [Backup] {
    try throwingSeedbedErrors { try backupStore.list() }
  }
}

// MARK: estimate

extension Migrator {
  /// How much `up` has before it: for the choice between a moment's wait and a task in the
  /// background.
  ///
  ///     let estimate = try migrator.estimate()
  ///     if estimate.seconds ?? 10 > 2 { scheduleInBackground() }
  ///
  /// It reads, and changes nothing, but that SQLite repairs a database whose last process was
  /// killed in a transaction, as at every opening. With a lock no file with rows is opened.
  ///
  /// - Throws: what `up` would throw before it touches anything: `drift`, `missing`, `newer`.
  public func estimate() throws -> Estimate {
    try throwingSeedbedErrors {
      let ledger = try Ledger(prefix: options.ledger)
      guard Paths.exists(databasePath) else {
        return try estimate(
          Planning(catalog, ledger).plan(applied: []), by: catalog.snapshots().last)
      }
      return try repairing {
        try reading { connection, ledger in
          let plan = try Planning(catalog, ledger).plan(on: connection)
          let hasLedger = try ledger.exists(on: connection)
          let adopted = try adoptedVersion(plan, on: connection)
          let snapshot = try catalog.snapshots().last.flatMap {
            try adopted == 0 && catalog.canBegin(with: $0, ledger, on: connection) ? $0 : nil
          }
          var estimate = try estimate(
            plan, by: snapshot, above: adopted, isWAL: connection.journalMode() == "wal",
            rowsPerSecond: hasLedger ? ledger.rowsPerSecond(on: connection) : nil)
          if options.takesBackup, !estimate.pending.isEmpty, try !ledger.isAlone(on: connection) {
            estimate.neededBytes += try connection.pageCount() * connection.pageSize()
          }
          return estimate
        }
      }
    }
  }

  /// Whoever opens a database for writing takes back what a killed process left half-way.
  private func repairing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as SQLiteFailure where failure.needsRecovery {
      _ = try ledgerHead()
      return try body()
    }
  }

  /// What `up` will find done by the app before it had Seedbed; 0 for nothing.
  private func adoptedVersion(_ plan: Plan, on connection: Connection) throws -> Version {
    guard let adoption, plan.current == 0 else { return 0 }
    switch try adoption.found(on: connection) {
    case .nothing: return 0
    case .version(let version): return version
    // It comes whole, but for rows that are there.
    case .partOf(let version, _): return version - 1
    }
  }

  private func estimate(
    _ plan: Plan, by snapshot: Migration? = nil, above adopted: Version = 0, isWAL: Bool = false,
    rowsPerSecond: Double? = nil
  ) throws -> Estimate {
    let first = max(snapshot?.version ?? 0, adopted)
    let pending =
      try (snapshot.map { [$0] } ?? [])
      + plan.migrationsToApply(
        allowsOutOfOrder: options.allowsOutOfOrder, ifNewer: options.ifNewer
      ).filter { !$0.isWithdrawn && $0.version > first }
    let known = pending.compactMap(\.rows)
    let rows = known.count == pending.count ? known.reduce(0, +) : nil
    let seconds = rows.flatMap { rows in rowsPerSecond.map { Double(rows) / $0 } }
    return Estimate(
      pending: pending.map(\.version), bytes: pending.reduce(0) { $0 + $1.rowBytes }, rows: rows,
      neededBytes: Preflight.neededBytes(pending, isWAL: isWAL)
        + Preflight.temporaryBytes(pending),
      freeBytes: try Paths.freeBytes(Paths.split(databasePath).folder, host: host),
      seconds: pending.isEmpty ? 0 : seconds)
  }
}

// MARK: verify

extension Migrator {
  /// Files against lock, lock against ledger, and the database's integrity. Changes nothing.
  ///
  /// - Returns: what is wrong, in that order; empty where all is well. A finding with the code
  ///   `corrupt` says that the database itself is damaged.
  public func verify() throws -> [SeedbedError] {
    try throwingSeedbedErrors {
      let files = try catalog.findings()
      return files
        + (try reading { connection, ledger in
          try (brokenLedger(connection, ledger) ?? ledgerFindings(connection, ledger))
            + integrityFindings(connection)
        })
    }
  }

  /// Nothing else can be said of what is applied then.
  private func brokenLedger(_ connection: Connection, _ ledger: Ledger) throws -> [SeedbedError]? {
    do {
      _ = try ledger.exists(on: connection)
      return nil
    } catch let error as SeedbedError where error.code == .corrupt {
      return [error]
    }
  }

  private func ledgerFindings(_ connection: Connection, _ ledger: Ledger) throws -> [SeedbedError] {
    let plan = try Planning(catalog, ledger).plan(on: connection)
    return plan.tooOldFinding
      + plan.steps.compactMap { step in
        let label = "Migration \(step.version) '\(step.name)'"
        let (code, message): (SeedbedError.Code, String)
        switch step.state {
        case .drifted:
          (code, message) = (
            .drift,
            "\(label) changed after it was applied. Put its files back, and ship the change "
              + "as a new migration."
          )
        case .missing:
          (code, message) = (
            .missing, "\(label) is in the ledger, but not in the catalog. Put its folder back."
          )
        case .newer:
          (code, message) = (
            .newer,
            "\(label) is above the catalog's last, \(plan.target). Use the catalog of the "
              + "newer release."
          )
        case .outOfOrder:
          (code, message) = (
            .outOfOrder,
            "\(label) is pending, below the last applied, \(plan.current). Renumber it, "
              + "or apply it with --allow-out-of-order."
          )
        case .applied, .pending, .baseline, .withdrawn, .superseded: return nil
        }
        return SeedbedError(
          code, message, at: step.migration.map { .init($0.folder) },
          version: step.version)
      }
  }

  private func integrityFindings(_ connection: Connection) throws -> [SeedbedError] {
    try connection.rows("PRAGMA main.integrity_check(20)").compactMap { row in
      guard let sentence = row[0].text, sentence != "ok" else { return nil }
      return SeedbedError(
        .corrupt,
        "The database is damaged: \(sentence). Put a backup back: migrate "
          + "restore.")
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
  /// 0 where there is no database.
  package var databaseBytes: Int64 { Paths.size(databasePath) ?? 0 }

  /// Copies the database, as it is, to another path. It is only read.
  package func copyDatabase(to path: String) throws {
    try throwingSeedbedErrors {
      try Connection.reading(databasePath, lockTimeoutSeconds: options.lockTimeoutSeconds) {
        let target = try Connection(path, .create)
        try target.prepareForCopy(of: $0)
        try PageCopy(from: $0, to: target).run(nil) { _ in }
      }
    }
  }
}
