// Forecasts that change nothing, also on a handle of the app's.

extension Migrator {
  package var shownPath: String { database.name.isEmpty ? ":memory:" : database.name }

  // MARK: the fast path

  /// The last version in a ledger, and its chain.
  typealias Head = (version: Version, chain: String)

  /// Whether the ledger's head is the lock's. If not, all that both have is compared.
  func isUpToDate(_ found: Head?) -> Bool {
    guard let head = catalog.head, let found else { return false }
    return found == (head.version, head.chain)
  }

  /// The report of an `up` that finds nothing to do; nil if it may find something.
  func reportIfUpToDate(_ found: Head?) throws -> Report? {
    guard let found, isUpToDate(found) else { return nil }
    return try asExpected(
      Report(
        database: shownPath, from: found.version, to: found.version, outcome: .upToDate,
        passedOver: catalog.passedOver))
  }

  // MARK: status

  /// - Parameter connection: nil if there is no database.
  func status(
    _ resolved: ResolvedCatalog, on connection: (any DatabaseSession)?, _ ledger: Ledger
  ) throws -> Status {
    let comparison = try resolved.compared(for: ledger, on: connection)
    for step in comparison.steps where step.applied == nil {
      if let migration = step.migration { try resolved.catalog.checkNames(of: migration) }
    }
    let newOwners = try connection.map { try resolved.catalog.newOwners(ledger, on: $0) } ?? 0
    let isPending = comparison.state == .upToDate && newOwners > 0
    return Status(
      database: shownPath, catalog: catalog.path, current: comparison.current,
      target: comparison.isBeyond
        ? max(comparison.target, comparison.current) : comparison.target,
      state: isPending ? .pending : comparison.state, migrations: comparison.statuses,
      newOwners: newOwners,
      lastRun: try connection.flatMap {
        try ledger.exists(on: $0) ? ledger.lastRun(on: $0) : nil
      },
      signedHeads: try connection.map { try ledger.signedHeads(on: $0).map(catalog.dated) } ?? [],
      packs: try connection.map(ledger.packs) ?? [],
      passedOver: resolved.passedOver)
  }

  // MARK: outlook

  /// - Parameter connection: nil if there is no database.
  func outlook(
    _ resolved: ResolvedCatalog, on connection: (any DatabaseSession)?, _ ledger: Ledger
  ) throws -> Outlook {
    let (catalog, comparison) = (
      resolved.catalog, try resolved.compared(for: ledger, on: connection)
    )
    let newOwners = try connection.map { try catalog.newOwners(ledger, on: $0) } ?? 0
    if comparison.state == .upToDate, newOwners == 0 { return .upToDate }
    if comparison.state == .newer { return .newer }
    guard let connection else {
      return .pending(try estimate(comparison, by: catalog.snapshots().last))
    }
    let question = AdoptionQuestion(
      hooks: hooks, options: options, catalog: catalog, ledger: ledger)
    let adopted = try question.ask(on: connection)?.version ?? 0
    let snapshot = try catalog.snapshots().last.flatMap {
      try adopted == 0 && catalog.canBegin(with: $0, ledger, on: connection) ? $0 : nil
    }
    var estimate = try estimate(
      comparison, by: snapshot, above: adopted, isWAL: connection.storage().hasLog,
      rowsPerSecond: ledger.exists(on: connection) ? ledger.rowsPerSecond(on: connection) : nil)
    if options.takesBackup, !estimate.pending.isEmpty,
      try database.needsBackup(ledger, of: catalog.filledTables(), on: connection)
    {
      estimate.neededBytes += try connection.storage().bytes
    }
    return .pending(estimate)
  }

  /// The forecast if a ready-made database is copied first. It is never `upToDate`, since there is
  /// no database yet.
  func outlook(_ comparison: LedgerComparison, copying bytes: Int64) throws -> Outlook {
    var estimate = try estimate(comparison)
    estimate.neededBytes += bytes
    return .pending(estimate)
  }

  private func estimate(
    _ comparison: LedgerComparison, by snapshot: Migration? = nil, above adopted: Version = 0,
    isWAL: Bool = false,
    rowsPerSecond: Double? = nil
  ) throws -> Estimate {
    let first = max(snapshot?.version ?? 0, adopted)
    let pending =
      try [snapshot].compactMap(\.self)
      + comparison.migrationsToApply(allowsOutOfOrder: options.allowsOutOfOrder)
      .filter { !$0.isWithdrawn && $0.version > first }
    let known = pending.compactMap(\.rows)
    let sum = known.reduce(0) { $0 + Int64($1) }
    let rows = known.count == pending.count ? Int(clamping: sum) : nil
    let seconds = rows.flatMap { rows in rowsPerSecond.map { Double(rows) / $0 } }
    let folder = Paths.split(database.path).folder
    return Estimate(
      pending: pending.map(\.version), bytes: pending.reduce(0) { $0 + $1.rowBytes }, rows: rows,
      neededBytes: pending.neededBytes(isWAL: isWAL) + pending.temporaryBytes,
      freeBytes: database.path.isEmpty
        ? nil : try Paths.freeBytes(folder.isEmpty ? "." : folder, host: host),
      duration: pending.isEmpty ? .zero : seconds.map { .clamped(seconds: $0) })
  }
}
