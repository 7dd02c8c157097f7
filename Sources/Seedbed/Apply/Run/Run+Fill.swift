/// Gives owners that have no copy of the catalog's rows one, as of the database's version. Later
/// releases are merged for them as for all others.
extension Run {
  /// In a transaction of its own; nothing if there are no new owners.
  func fillNewOwners(_ run: Ledger.Run) throws {
    while let copies = try NewCopies(self) {
      var isDone = false
      try enforcing("Filling new owners") { _ in
        let started = Clock.monotonic()
        let locked = try lock()
        host.reached(.locked)
        defer { connection.rollBack() }
        // Another process may have applied more while this one waited for its turn.
        guard try copies.version == ledger.head(on: connection)?.version ?? 0 else { return }
        let writable = try backUp(locked, run)
        let checks = try ForeignKeyChecks(
          connection, isNeeded: !connection.enforcesForeignKeys()
        ) { [] }
        let filled = try connection.interruptible { try copies.fill(run, writable) }
        try checks.refuseNewViolations()
        let results = try filled.map(logged)
        let last = filled.last?.owners.last
        try commit(writable.changing {}) { connection in
          try last.map { try ledger.hasOwner($0, on: connection) } ?? true
        }
        host.reached(.afterCommit)
        for (filled, result) in zip(filled, results) { note(filled, result, since: started) }
        isDone = true
      }
      if isDone { return }
    }
  }

  /// The same in the transaction of a plan.
  func fillNewOwners(_ writable: borrowing Writable) throws {
    guard let copies = try NewCopies(self) else { return }
    let started = Clock.monotonic()
    let run = Ledger.Run(id: 0, direction: .up)
    for filled in try copies.fill(run, writable) {
      note(filled, try logged(filled), since: started)
    }
  }

  /// Fills one owner, in the caller's transaction if the handle is in one.
  func fill(_ owner: Value) throws -> Migrator.Report {
    try connection.refuseCoreData()
    guard connection.isInTransaction else {
      let writable = try lock().withoutBackup()
      defer { connection.rollBack() }
      let report = try fill(owner, writable)
      try commit(writable.changing {}) { try ledger.hasOwner(owner, on: $0) }
      return report
    }
    let callers = try lockOfCaller().withoutBackup()
    try connection.execute("SAVEPOINT seedbed")
    do {
      let report = try fill(owner, callers)
      try connection.execute("RELEASE seedbed")
      return report
    } catch {
      connection.forgetCancellation()
      if connection.isInTransaction {
        try connection.execute("ROLLBACK TO seedbed")
        try connection.execute("RELEASE seedbed")
      }
      throw error
    }
  }

  private func fill(_ given: Value, _ writable: borrowing Writable) throws -> Migrator.Report {
    guard let owners = try owners() else {
      throw SeedbedError(
        .usage,
        "No table of the catalog is of owners. Name them in catalog.json: \"per\": "
          + "{\"table\": \"…\", \"key\": \"…\", \"column\": \"…\"}.")
    }
    guard try ledger.exists(on: connection), try ledger.head(on: connection) != nil else {
      throw SeedbedError.nothingSeeded()
    }
    let copies = try NewCopies(self, owners)
    let name = owners.key.name
    let found = try connection.value(
      "SELECT \(name.quoted) FROM \(owners.table.sql) WHERE \(name.quoted) = ?", [given])
    guard let owner = found else {
      throw SeedbedError(
        .usage,
        "'\(owners.table.name)' has no row with "
          + "\(RowJSON.object([name], [given]).shortened(to: 80)). Add the owner first.")
    }
    if try ledger.hasOwner(owner, on: connection) {
      // Without foreign keys, this may be the entry of an earlier owner with the same id.
      guard try copies.isEmpty(owner) else {
        report.notes.append("The owner has rows already. Nothing was done.")
        return makeReport(from: copies.version, to: copies.version, .upToDate)
      }
      try ledger.forget(owner, on: connection)
    }
    let started = Clock.monotonic()
    let run = Ledger.Run(id: 0, direction: .up)
    if let filled = try copies.fill([owner], run, writable) {
      note(filled, try logged(filled), since: started)
    }
    return makeReport(
      from: copies.version, to: copies.version, report.isEmpty ? .upToDate : .applied)
  }

  func hasNewOwners() throws -> Bool {
    try !context.isOnScratch && catalog.newOwners(ledger, on: connection) > 0
  }

  func owners() throws -> Owners? { try catalog.owners(ledger, on: connection) }

  private func note(
    _ filled: NewCopies.Filled, _ result: Migrator.Report.Migration, since: Double
  ) {
    report.note(result, filled.outcome, since: since)
    guard let adopted = filled.adopted else { return }
    report.adopted.report = report.adopted.report.map { $0 + adopted } ?? adopted
  }

  private func logged(_ filled: NewCopies.Filled) throws -> Migrator.Report.Migration {
    var result = try logged(filled.outcome, of: filled.migration)
    result.newOwners = filled.owners.count
    return result
  }
}

extension Catalog {
  /// The owners of its tables; nil if there are none.
  func owners(_ ledger: Ledger, on connection: any DatabaseSession) throws -> Owners? {
    try KeyOptions(generalOptions(), ledger: ledger, on: connection).owners
  }

  /// How many owners have no copy yet.
  func newOwners(_ ledger: Ledger, on connection: any DatabaseSession) throws -> Int {
    guard try ledger.exists(on: connection), try ledger.hasOwners(on: connection),
      let owners = try owners(ledger, on: connection)
    else { return 0 }
    return try ledger.newOwners(of: owners, on: connection).count
  }
}
