// The choice among downloads, which each database makes by its ledger.

extension Migrator {
  /// The same migrator with the newest catalog that its database can take.
  ///
  /// - Parameter damaged: downloads that turned out to be damaged.
  func chosen(besides damaged: [PassedOver] = []) throws -> Migrator {
    guard catalog.downloads != nil else { return self }
    guard engine.exists else { return try chosen([], [], besides: damaged) }
    return try readingRepaired { try chosen(on: $0, $1, besides: damaged) }
  }

  func chosen(
    on connection: any DatabaseSession, _ ledger: Ledger, besides damaged: [PassedOver] = []
  ) throws -> Migrator {
    guard catalog.downloads != nil else { return self }
    guard try ledger.exists(on: connection) else { return try chosen([], [], besides: damaged) }
    return try chosen(
      ledger.signedHeads(on: connection), ledger.applied(on: connection), besides: damaged)
  }

  private func chosen(
    _ heads: [SignedHead], _ applied: [AppliedMigration], besides damaged: [PassedOver]
  ) throws -> Migrator {
    guard let downloads = catalog.downloads else { return self }
    var migrator = self
    var passedOver = downloads.passedOver + damaged
    for candidate in [catalog] + downloads.others {
      guard let path = candidate.downloads?.used?.path else {
        migrator.catalog = candidate
        break
      }
      if damaged.contains(where: { $0.path == path }) { continue }
      let reason = try candidate.reasonToPassOver(
        heads, applied, allowsOutOfOrder: options.allowsOutOfOrder)
      guard let reason else {
        migrator.catalog = candidate
        break
      }
      passedOver.append(PassedOver(path: path, reason: reason))
    }
    migrator.catalog.downloads?.passedOver = passedOver
    let current = applied.last?.version ?? 0
    migrator.catalog.downloads?.current = current
    // A download brought it there that was removed since, or that another has replaced.
    if heads.contains(where: { $0.version >= current }), try migrator.hasAll(applied) {
      migrator.options.allowsNewer = true
      migrator.catalog.downloads?.hasFilled = true
    }
    return migrator
  }

  /// Whether the database has all of the catalog up to its own version. One that a stolen key took
  /// further lacks what the app ships since.
  private func hasAll(_ applied: [AppliedMigration]) throws -> Bool {
    try catalog.compared(applied: applied).steps.allSatisfy {
      ($0.applied != nil || $0.state == .withdrawn) && $0.state != .drifted && $0.state != .missing
    }
  }

  private func version(on connection: (any DatabaseSession)?) throws -> Version {
    if let connection { return try ledger.head(on: connection)?.version ?? 0 }
    return try engine.head(of: ledger, options, cancellation)?.version ?? 0
  }

  /// Calls `body` with the newest catalog that the database can take, and again with the next best
  /// one where a download turns out to be damaged.
  ///
  /// - Parameter connection: nil to open the database for each choice.
  func choosing<Result>(
    on connection: (any DatabaseSession)? = nil, _ body: (Migrator) throws -> Result
  ) throws -> Result {
    var damaged: [PassedOver] = []
    while true {
      let migrator =
        try connection.map { try chosen(on: $0, ledger, besides: damaged) }
        ?? chosen(besides: damaged)
      do {
        return try body(migrator)
      } catch {
        let cause = SeedbedError.from(error)
        guard cause.applied.isEmpty, let found = migrator.catalog.damage(behind: cause) else {
          throw error
        }
        damaged.append(found)
      }
    }
  }

  /// Goes on with the next best download where one is damaged, and with one that lacked releases
  /// which another has brought meanwhile.
  ///
  /// - Parameter connection: nil to open the database for each choice.
  func upWithDownloads(
    on connection: (any DatabaseSession)? = nil, _ once: (Migrator) throws -> Report
  ) throws -> Report {
    var damaged: [PassedOver] = []
    var total: Report?
    while true {
      let migrator =
        try connection.map { try chosen(on: $0, ledger, besides: damaged) }
        ?? chosen(besides: damaged)
      let report: Report
      do {
        report = try once(migrator)
      } catch {
        let error = SeedbedError.from(error)
        guard let current = migrator.catalog.downloads?.current else { throw error }
        if let found = migrator.catalog.damage(behind: error) {
          damaged.append(found)
        } else if try !error.isOvertaken || version(on: connection) <= current {
          throw total.map(error.after) ?? error
        }
        continue
      }
      total = total.map { $0.continued(by: report) } ?? report
      let found = report.passedOver.dropFirst(migrator.catalog.passedOver.count)
      damaged += found
      let mayGoOn = report.passedOver.contains { $0.reason.isOfTheMoment }
      if found.isEmpty, !mayGoOn || report.migrations.isEmpty { return total ?? report }
    }
  }
}

extension Migrator.PassedOver.Reason {
  /// Whether it may not hold any more after a run.
  fileprivate var isOfTheMoment: Bool {
    if case .needsFrom = self { true } else { false }
  }
}

extension SeedbedError {
  /// Whether another process that applied a later download may be the cause.
  fileprivate var isOvertaken: Bool {
    [.newer, .drift, .missing, .outOfOrder, .busy].contains(code)
  }

  /// The same error after a run that committed something.
  fileprivate func after(_ report: Migrator.Report) -> SeedbedError {
    let applied = report.migrations.map(\.version)
    return with {
      $0.applied = applied + $0.applied
      if !applied.isEmpty { $0.isDatabaseUnchanged = false }
    }
  }
}

extension Migrator.Report {
  /// The report of two runs, one after the other.
  fileprivate func continued(by next: Self) -> Self {
    var report = next
    report.from = from
    report.backup = backup ?? next.backup
    report.migrations = migrations + next.migrations
    if outcome == .applied { report.outcome = .applied }
    report.touchedTables = Set(touchedTables).union(next.touchedTables).ordered()
    report.notes = notes + next.notes
    return report
  }
}
