/// Gives owners that have no copy of the catalog's rows one, as of the database's version. A release
/// that comes later is merged for them as for all others.
extension Run {
  /// In a transaction of its own; nothing if there are no new owners.
  func fillNewOwners(_ run: Ledger.Run) throws {
    while let copies = try NewCopies(self) {
      var isDone = false
      try enforcing("Filling new owners") { _ in
        let started = Clock.monotonic()
        let locked = try lock()
        defer { connection.rollBack() }
        // Another process may have applied more while this one waited for its turn.
        guard try copies.version == ledger.head(on: connection)?.version ?? 0 else { return }
        let writable = try backUp(locked, run)
        let checks = try ForeignKeyChecks(
          connection, isNeeded: !connection.enforcesForeignKeys()) { [] }
        let filled = try connection.interruptible { try copies.fill(run, writable) }
        try checks.refuseNewViolations()
        let result = try filled.map(logged)
        try commit(writable.changing {}) {
          try ledger.newOwners(of: copies.owners, on: $0).isEmpty
        }
        if let filled, let result { note(filled, result, since: started) }
        isDone = true
      }
      if isDone { return }
    }
  }

  /// The same in a transaction that is open, for all new owners or only for this one.
  func fillNewOwners(_ writable: borrowing Writable, only owner: Value? = nil) throws {
    guard let copies = try NewCopies(self) else { return }
    let started = Clock.monotonic()
    let run = Ledger.Run(id: 0, direction: .up)
    if let filled = try copies.fill(run, writable, only: owner) {
      note(filled, try logged(filled), since: started)
    }
  }

  /// Fills one new owner in the transaction that the caller has open.
  func fill(_ owner: Value) throws -> Migrator.Report {
    let callers = try lockOfCaller().withoutBackup()
    try connection.refuseCoreData()
    let current = try ledger.exists(on: connection) ? ledger.head(on: connection)?.version ?? 0 : 0
    try connection.execute("SAVEPOINT seedbed")
    do {
      try fillNewOwners(callers, only: owner)
      try connection.execute("RELEASE seedbed")
    } catch {
      connection.forgetCancellation()
      try connection.execute("ROLLBACK TO seedbed")
      try connection.execute("RELEASE seedbed")
      throw error
    }
    return makeReport(from: current, to: current, report.isEmpty ? .upToDate : .applied)
  }

  private func note(
    _ filled: NewCopies.Filled, _ result: Migrator.Report.Migration, since: Double
  ) {
    report.note(result, filled.outcome, since: since)
    guard let adopted = filled.adopted else { return }
    report.adopted.report = report.adopted.report.map { $0 + adopted } ?? adopted
  }

  private func logged(_ filled: NewCopies.Filled) throws -> Migrator.Report.Migration {
    var result = try logged(filled.outcome, of: filled.migration)
    result.newOwners = filled.owners
    return result
  }
}
