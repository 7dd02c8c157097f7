// Calls that only read.

extension Migrator {
  // MARK: at the start

  /// A forecast of `up`, for an app at its start. With a lock and nothing to do, it takes one small
  /// read and one query.
  ///
  ///     switch try migrator.outlook() {
  ///     case .upToDate: break
  ///     case .newer: askToUpdateTheApp()
  ///     case .pending(let estimate): begin(isLong: estimate.duration ?? .zero > .seconds(2))
  ///     }
  ///
  /// It changes nothing, except that SQLite repairs a database whose last process was killed in a
  /// transaction, as it does whenever the database is opened. With a lock, no row file is opened.
  ///
  /// - Throws: the errors that `up` would throw before it touches anything, such as `drift` and
  ///   `missing`.
  public func outlook() throws(SeedbedError) -> Outlook {
    try SeedbedError.catching {
      if catalog.head != nil, isUpToDate(try database.head(of: ledger, options, cancellation)) {
        return try outlookOfPacks()
      }
      guard database.exists else {
        let resolved = try resolved()
        let beginning = try beginning(resolved, to: nil)
        return try beginning.comparison.map { try outlook($0, copying: beginning.bytes) }
          ?? outlook(resolved, on: nil, ledger)
      }
      let found = try readingRepaired { try outlook(resolved(on: $0), on: $0, $1) }
      return found == .upToDate ? try outlookOfPacks() : found
    }
  }

  // MARK: status and log

  /// The applied and pending migrations, and any trouble with them. Changes nothing and creates no
  /// database.
  ///
  /// The state is `needsRecovery` if the last process died inside a transaction: the applied
  /// migrations cannot be read before the next `up` has repaired the database.
  public func status() throws(SeedbedError) -> Status {
    try SeedbedError.catching {
      do {
        if !database.exists { return try status(resolved(), on: nil, ledger) }
        return try withPacks(reading { try status(resolved(on: $0), on: $0, $1) })
      } catch let failure as any EngineFailure where failure.needsRecovery {
        return Status(
          database: shownPath, catalog: catalog.path, current: 0,
          target: try catalog.migrations().last?.version ?? 0, state: .needsRecovery,
          migrations: [], lastRun: nil)
      }
    }
  }

  /// What may be sent to the author: numbers, and nothing that the user made.
  public func counts() throws(SeedbedError) -> DeviceCounts {
    let status = try status()
    // Before it is recovered, nothing can be read.
    let conflicts =
      status.state == .needsRecovery ? nil : try readingLedger { try $1.counts(on: $0) }
    return DeviceCounts(status, conflicts ?? [], at: Timestamp(text: Clock.timestamp()))
  }

  /// The conflicts between the user and the seed, and their outcomes.
  public func conflicts() throws(SeedbedError) -> [Conflict] {
    try SeedbedError.catching {
      var all: [Conflict] = []
      try eachConflicts { page, _ in all += page }
      return all
    }
  }

  /// Calls `body` with one part of the log after another, and with the last number. There may be
  /// hundreds of thousands of conflicts, and while `body` runs, nothing is read, so that no process
  /// waits for whoever reads them. It is called at least once.
  package func eachConflicts(
    isOpen: Bool = false, _ body: (_ page: [Conflict], _ last: Int64) throws -> Void
  ) throws {
    var (number, last): (Int64, Int64) = (0, 0)
    let owners = CatalogOwners()
    repeat {
      let page = try readingLedger { connection, ledger in
        last = try ledger.lastConflict(isOpen: isOpen, on: connection)
        var page = try ConflictNames(catalog, ledger, on: connection).named(
          ledger.conflicts(on: connection, isOpen: isOpen, after: number, limit: Ledger.page))
        // The log can be read without its catalog.
        if !catalog.others.isEmpty {
          try? owners.name(
            &page, in: run(resolved(on: connection), nil, ProgressMeter(nil), on: connection))
        }
        return page
      }
      number = page?.last?.id ?? last
      try body(page ?? [], last)
    } while number < last
  }

  /// The content of the ledger; empty without one.
  package func history() throws -> History {
    try readingLedger { try $1.history(on: $0) } ?? History()
  }

  /// The backups of this database, oldest first.
  public func backups() throws(SeedbedError) -> [Backup] {
    try SeedbedError.catching { try backupStore.list() }
  }

  /// The versions of backups that were changed after they were made, by their paths. Each backup is
  /// opened for it.
  package func changedBackups(
    among backups: [Backup]
  ) throws(SeedbedError) -> [String: Version] {
    try SeedbedError.catching {
      let store = backupStore
      let ledger = try ledgerOfBase
      return backups.reduce(into: [:]) { $0[$1.path] = store.changedVersion(of: $1, ledger) }
    }
  }

  // MARK: verify

  /// Checks files against the lock, the lock against the ledger, and the database's integrity.
  /// Changes nothing.
  ///
  /// - Returns: the findings in that order; empty if all is well. A finding with the code `corrupt`
  ///   means that the database itself is damaged.
  public func verify() throws(SeedbedError) -> [SeedbedError] {
    try SeedbedError.catching {
      let resolved = try resolved()
      let files = try resolved.catalog.findings(cancellation)
      return try files
        + reading { connection, ledger in
          try ledgerFindings(resolved, connection, ledger)
            + connection.damage().map { sentence in
              SeedbedError(.corrupt, "The database is damaged: \(sentence). Restore a backup.")
                .remedied(by: .restoreBackup)
            }
        }
    }
  }

  /// The tables that the releases filled but that have no rows left, with the number of rows they
  /// had.
  ///
  /// These are not findings, since a user may have emptied a small table, and it stays that way. A
  /// table that the releases' own SQL may have emptied is left out.
  package func emptiedTables() throws -> [(table: String, rows: Int)] {
    try readingLedger { connection, ledger in
      let resolved = try resolved(on: connection)
      let comparison = try resolved.compared(for: ledger, on: connection)
      // Without its files, the effect of a release is not known.
      if comparison.current > comparison.target { return [] }
      let catalog = try resolved.asApplied(comparison).catalog
      let start = try catalog.beginning(to: comparison.current)
      let migrations =
        try (start.map { [$0] } ?? [])
        + catalog.migrations().filter { !$0.isWithdrawn && $0.version > start?.version ?? 0 }
      let isKnown = migrations.allSatisfy {
        resolved.hasFiles(of: $0) || $0.file(.up) == nil && $0.file(.after) == nil
      }
      if !isKnown { return [] }
      let names = migrations.flatMap(\.files).compactMap(\.table).asNames
      return try names.texts.compactMap { name in
        guard let found = try connection.object(named: name), found.kind == .table,
          try connection.value(
            "SELECT 1 FROM \(connection.dialect.table(found.name)) LIMIT 1") == nil,
          try !catalog.isNamed(
            name, in: [.up, .after], of: migrations, connection.dialect.flavour,
            beside: [["DELETE", "FROM"], ["DROP", "TABLE"], ["TRUNCATE"]])
        else { return nil }
        let rows = try catalog.rows(of: name, in: migrations)
        return rows > 0 ? (found.name, rows) : nil
      }
    } ?? []
  }

  /// Tries one by one what a run needs of the engine.
  package func needs() throws -> [EngineNeed] {
    try SeedbedError.catching {
      let files = try catalog.migrations().flatMap(\.files)
      return try database.needs(of: files.compactMap { $0.kind.rows?.table }.asTexts.texts, options)
    }
  }

  private func ledgerFindings(
    _ resolved: ResolvedCatalog, _ connection: any DatabaseSession, _ ledger: Ledger
  ) throws -> [SeedbedError] {
    do {
      _ = try ledger.exists(on: connection)
    } catch let error as SeedbedError where error.code == .corrupt {
      // The applied migrations cannot be checked then.
      return [error]
    }
    let comparison = try resolved.compared(for: ledger, on: connection)
    var findings: [SeedbedError] = []
    if comparison.isTooOld, let base = comparison.base {
      findings.append(
        .tooOld(current: comparison.current, base: base.version, advice: base.advice).in(
          comparison.current))
    }
    for step in comparison.steps {
      let (code, what): (SeedbedError.Code, String)
      switch step.state {
      case .drifted:
        code = .drift
        what =
          "changed after it was applied. Put its files back, and ship the change as a new "
          + "migration."
      case .missing:
        (code, what) = (.missing, "is in the ledger, but not in the catalog. Put its folder back.")
      case .newer:
        code = .newer
        what =
          "is above the catalog's last, \(comparison.target). Use the catalog of the newer release."
      case .outOfOrder:
        code = .outOfOrder
        what =
          "is pending, below the last applied, \(comparison.current). Renumber it, or allow it."
      case .applied, .pending, .baseline, .withdrawn, .superseded: continue
      }
      let finding = SeedbedError(
        code, "Migration \(step.version) '\(step.name)' \(what)",
        at: step.migration.map { .init($0.folder) }, version: step.version)
      findings.append(code == .outOfOrder ? finding.remedied(by: .allowOutOfOrder) : finding)
    }
    return findings
  }

  // MARK: a copy

  /// Copies the database as it is to another path. It is only read.
  package func copyDatabase(to copy: String, cancellation: Cancellation? = nil) throws {
    try SeedbedError.catching {
      try Connection.reading(
        path, setup: hooks.setup, lockTimeoutSeconds: options.lockTimeout.inSeconds,
        cancellation: cancellation
      ) {
        let target = try Connection(copy, .create, setup: hooks.setup)
        try target.prepareForCopy(of: $0)
        try PageCopy(from: $0, to: target).run(cancellation)
      }
    }
  }
}

extension Catalog {
  /// The number of rows that a table has after these migrations.
  fileprivate func rows(of table: String, in migrations: [Migration]) throws -> Int {
    var rows = 0
    for migration in migrations {
      for file in migration.files where file.serves(table) {
        let count = try file.locked?.rows ?? summary(of: file, in: migration).rows ?? 0
        switch file.kind {
        case .insert: rows += count
        case .delete: rows -= count
        default: break
        }
      }
    }
    return rows
  }
}
