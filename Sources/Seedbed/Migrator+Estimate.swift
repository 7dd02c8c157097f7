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
          if options.backs, !estimate.pending.isEmpty, try !ledger.isAlone(on: connection) {
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
        allowOutOfOrder: options.allowOutOfOrder, whenNewer: options.whenNewer
      ).filter { !$0.isWithdrawn && $0.version > first }
    let known = pending.compactMap(\.rows)
    let rows = known.count == pending.count ? known.reduce(0, +) : nil
    let seconds = rows.flatMap { rows in rowsPerSecond.map { Double(rows) / $0 } }
    return Estimate(
      pending: pending.map(\.version), bytes: pending.reduce(0) { $0 + $1.rowBytes }, rows: rows,
      neededBytes: Preflight.neededBytes(pending, isWAL: isWAL),
      freeBytes: try Paths.freeBytes(Paths.split(databasePath).folder, host: host),
      seconds: pending.isEmpty ? 0 : seconds)
  }
}
