extension Migrator {
  /// Brings many databases to the state of one catalog: a tenant per file, or copies of what is on
  /// users' devices.
  ///
  ///     var fleet = Migrator.Fleet(catalog: try Catalog(locked: migrations), at: tenants)
  ///     fleet.canaries = 10
  ///     let summary = try fleet.up { database, result in
  ///       if case .failure(let error) = result { log(database, error) }
  ///     }
  ///
  /// Each database is migrated as `Migrator` would do it alone: in transactions of its own, after a
  /// backup of its own. The ledgers are the only state, so if the process is killed, call again: it
  /// does what is left.
  public struct Fleet: Sendable {
    package let catalog: Catalog
    /// Each once, from the root.
    package let paths: [String]
    /// What differs from the defaults. A database that does not exist is not created, and a file
    /// that is empty does not count as one. Backups are next to each database: `backupFolder` must
    /// be nil.
    public var options: Options
    /// How many databases are worked on at a time; at first as many as there are cores. Fewer are,
    /// if the process may not open enough files.
    public var jobs = Machine.coreCount
    /// So many databases come first: those whose last run failed, and a spread of sizes and
    /// versions of the others that are not up to date. If one of them fails, no other is begun. One
    /// that does not exist is none of them.
    public var canaries = 0
    /// False to begin no more databases after a failure.
    public var keepsGoing = false
    /// The app's own closures, as with `Migrator`.
    public var hooks: Hooks

    /// - Parameters:
    ///   - catalog: what is to be applied. Files of rows are read and decompressed once for all
    ///     databases, as long as they fit into 64 MiB.
    ///   - paths: those of the databases.
    ///   - options: what differs from the defaults.
    ///   - hooks: the app's own closures.
    public init(
      catalog: Catalog, at paths: [String], options: Options = Options(), hooks: Hooks = Hooks()
    ) {
      var catalog = catalog
      catalog.cache = ContentCache()
      self.catalog = catalog
      var seen: Set<String> = []
      self.paths = paths.map(Paths.absolute).filter { seen.insert($0).inserted }
      (self.options, self.hooks) = (options, hooks)
    }

    /// Applies what is pending to each database.
    ///
    /// - Parameters:
    ///   - version: stop after this one; nil for all. A database that is beyond it is
    ///     refused with `usage`.
    ///   - cancellation: begins no more databases, and rolls back what is in flight.
    ///   - onEach: called on this thread when a database is done, in no particular order.
    /// - Throws: only what is not about a single database, such as `usage` for wrong options and
    ///   `catalog` for a broken `catalog.json`. An error of a database goes to `onEach` and into
    ///   the summary.
    @discardableResult
    public func up(
      to version: Version? = nil, cancellation: Cancellation? = nil,
      onEach: (_ database: String, Result<Report, SeedbedError>) -> Void = { _, _ in }
    ) throws(SeedbedError) -> FleetSummary {
      try summary(cancellation, onEach) { try $0.up(to: version, cancellation: cancellation) }
    }

    /// Does with each database all that `up` would do, and rolls it back: on samples of users'
    /// databases it shows beforehand how a release will go.
    ///
    /// A failure is part of the answer, so it goes on after one.
    public func plan(
      to version: Version? = nil, cancellation: Cancellation? = nil,
      onEach: (_ database: String, Result<Report, SeedbedError>) -> Void = { _, _ in }
    ) throws(SeedbedError) -> FleetSummary {
      var fleet = self
      (fleet.keepsGoing, fleet.canaries) = (true, 0)
      return try fleet.summary(cancellation, onEach) {
        try $0.plan(to: version, cancellation: cancellation)
      }
    }

    /// Throws what is wrong with `catalog.json`: it is no failure of a database.
    package func checkCatalog() throws(SeedbedError) {
      try SeedbedError.catching { try catalog.checkGeneralOptions() }
    }

    private func summary(
      _ cancellation: Cancellation?, _ onEach: (String, Result<Report, SeedbedError>) -> Void,
      _ work: @escaping @Sendable (Migrator) throws -> Report
    ) throws(SeedbedError) -> FleetSummary {
      try checkCatalog()
      let started = ContinuousClock.now
      var summary = FleetSummary(databases: paths.count)
      var tally = ConflictTally()
      try each(cancellation, work) { path, result, duration in
        switch result {
        case .success(let report):
          if report.outcome == .upToDate { summary.upToDate += 1 } else { summary.changed += 1 }
          if report.migrations.contains(where: { $0.conflictCount > 0 }) {
            summary.withConflicts += 1
          }
          for conflict in report.migrations.flatMap(\.conflicts) { tally.add(conflict) }
        case .failure(let error) where error.code == .cancelled: break
        case .failure(let error):
          summary.failures.append(FleetSummary.Failure(database: path, error: error))
        }
        if duration > summary.slowest?.duration ?? .zero {
          summary.slowest = FleetSummary.Slowest(database: path, duration: duration)
        }
        onEach(path, result)
      }
      summary.conflicts = tally.sorted
      summary.duration = started.duration(to: .now)
      return summary
    }
  }
}
