/// Brings many databases to the state of one catalog: one file per tenant, or copies of users'
/// databases.
///
///     var fleet = Fleet(catalog: try Catalog(locked: migrations), at: tenants)
///     fleet.canaries = 10
///     let summary = try fleet.up { database, result in
///       if case .failure(let error) = result { log(database, error) }
///     }
///
/// Each database is migrated as by `Migrator` alone, in its own transactions and after its own
/// backup. The ledgers are the only state. If the process is killed, call again to do the rest.
public struct Fleet: Sendable {
  package let catalog: Catalog
  /// Each only once.
  let databases: [any DatabaseKind]
  /// The databases' absolute paths, or their names on servers.
  package let paths: [String]
  /// The options of each run. A database that does not exist is not created, and an empty file
  /// does not count as one. Backups are next to each database: `backupFolder` must be nil.
  public var options: Migrator.Options
  /// The number of databases to work on at a time; by default the number of processor cores. It
  /// is reduced if the process may not open enough files.
  public var jobs = Machine.coreCount
  /// The number of databases to migrate first: those whose last run failed, and a spread of sizes
  /// and versions among the others that are not up to date. If one of them fails, no other is
  /// begun. A database that does not exist is not among them.
  public var canaries = 0
  /// Whether to go on after a failure. If false, no more databases are begun.
  public var keepsGoing = false
  /// The app's own closures, as with `Migrator`.
  public var hooks: Migrator.Hooks
  /// Whether a database at a version is still to be done, for the choice of the canaries; nil for
  /// those that are not up to date.
  var awaits: (@Sendable (Migrator.Version) -> Bool)?
  /// Whether a file without a byte is worked on.
  var mayBeEmpty = false

  /// - Parameters:
  ///   - catalog: the catalog to apply. Row files are read and decompressed once for all
  ///     databases, as long as they fit into 64 MiB.
  ///   - paths: the paths of the databases.
  ///   - options: the options of each run.
  ///   - hooks: the app's own closures.
  public init(
    catalog: Catalog, at paths: [String], options: Migrator.Options = Migrator.Options(),
    hooks: Migrator.Hooks = Migrator.Hooks()
  ) {
    self.init(
      catalog: catalog, on: paths.map { SQLiteFile(path: Paths.absolute($0)) }, options: options,
      hooks: hooks)
  }

  /// For databases of one engine.
  package init(
    catalog: Catalog, on databases: [any DatabaseKind], options: Migrator.Options,
    hooks: Migrator.Hooks = Migrator.Hooks()
  ) {
    self.catalog = catalog.caching(in: ContentCache())
    var seen: Set<ExactText> = []
    self.databases = databases.filter { seen.insert($0.name) }
    paths = self.databases.map(\.name)
    (self.options, self.hooks) = (options, hooks)
  }

  /// Applies the pending migrations to each database.
  ///
  /// - Parameters:
  ///   - version: stop after this one; nil for all. A database beyond it is refused with `usage`.
  ///   - cancellation: begins no more databases, and rolls back the runs in progress.
  ///   - onEach: called on this thread when a database is done, in no particular order.
  /// - Throws: only errors that are not about a single database, such as `usage` for wrong
  ///   options and `catalog` for a broken `catalog.json`. An error of a database goes to `onEach`
  ///   and into the summary.
  @discardableResult
  public func up(
    to version: Migrator.Version? = nil, cancellation: Migrator.Cancellation? = nil,
    onEach: (_ database: String, Result<Migrator.Report, SeedbedError>) -> Void = { _, _ in }
  ) throws(SeedbedError) -> Summary {
    try summary(cancellation, onEach) { try $0.up(to: version, cancellation: cancellation) }
  }

  /// Does with each database all that `up` would do, under its write lock, and rolls it back. On
  /// samples of users' databases it shows in advance how a release will go.
  ///
  /// A failure is part of the answer, so it goes on after one.
  public func plan(
    to version: Migrator.Version? = nil, cancellation: Migrator.Cancellation? = nil,
    onEach: (_ database: String, Result<Migrator.Report, SeedbedError>) -> Void = { _, _ in }
  ) throws(SeedbedError) -> Summary {
    var fleet = self
    (fleet.keepsGoing, fleet.canaries) = (true, 0)
    return try fleet.summary(cancellation, onEach) {
      try $0.plan(to: version, cancellation: cancellation)
    }
  }

  /// Takes each database back to a version, as `Migrator.down` does. The canaries are among those
  /// above it.
  ///
  /// - Parameters:
  ///   - version: the version to go back to. A database that is not above it stays as it is.
  ///   - discardsUserRows: whether `down.sql` may drop what holds users' data.
  ///   - cancellation: begins no more databases, and rolls back the runs in progress.
  ///   - onEach: called on this thread when a database is done, in no particular order.
  @discardableResult
  public func down(
    to version: Migrator.Version, discardsUserRows: Bool = false,
    cancellation: Migrator.Cancellation? = nil,
    onEach: (_ database: String, Result<Migrator.Report, SeedbedError>) -> Void = { _, _ in }
  ) throws(SeedbedError) -> Summary {
    var fleet = self
    fleet.awaits = { $0 > version }
    return try fleet.summary(cancellation, onEach) {
      try $0.down(
        to: version, discardsUserRows: discardsUserRows, cancellation: cancellation)
    }
  }

  /// Restores in each database its newest backup of a version. All changes since then are lost,
  /// but for the backup that is made before: if `down` can do it, use that.
  ///
  /// - Parameters:
  ///   - version: the version of the backups. A database that is not above it stays as it is; one
  ///     that cannot be read, or that is an empty file, is restored.
  ///   - cancellation: begins no more databases, and leaves those in progress as they were.
  ///   - onEach: called on this thread when a database is done, in no particular order; with nil
  ///     if it stayed as it was.
  @discardableResult
  public func restore(
    to version: Migrator.Version, cancellation: Migrator.Cancellation? = nil,
    onEach: (String, Result<Migrator.RestoreReport?, SeedbedError>) -> Void = { _, _ in }
  ) throws(SeedbedError) -> Summary {
    var fleet = self
    (fleet.awaits, fleet.mayBeEmpty) = ({ $0 > version }, true)
    return try fleet.summary(cancellation, onEach) { migrator in
      try migrator.refuseBackup()
      if Paths.size(migrator.path) == 0 {
        // A file that never was a database has no backups.
        if try migrator.backups().isEmpty { try migrator.refuseNewDatabase() }
        return try migrator.restore(newestOf: version, cancellation: cancellation)
      }
      do {
        let head = try migrator.readingLedger { try $1.head(on: $0)?.version ?? 0 }
        if head ?? 0 <= version { return nil }
      } catch let error as SeedbedError where error.code == .corrupt {
        // The backup takes its place.
      }
      return try migrator.restore(newestOf: version, cancellation: cancellation)
    } counting: {
      Counted(isChanged: $0 != nil)
    }
  }

  /// Throws an error in `catalog.json`, which is not a failure of a database.
  package func checkCatalog() throws(SeedbedError) {
    try SeedbedError.catching {
      try catalog.checkGeneralOptions()
      try catalog.refuseOnSQLite()
    }
  }

  private func summary(
    _ cancellation: Migrator.Cancellation?,
    _ onEach: (String, Result<Migrator.Report, SeedbedError>) -> Void,
    _ work: @escaping @Sendable (Migrator) throws -> Migrator.Report
  ) throws(SeedbedError) -> Summary {
    try checkCatalog()
    return try summary(cancellation, onEach, work) {
      Counted(
        isChanged: $0.outcome != .upToDate,
        migrations: $0.migrations + $0.packs.flatMap(\.report.migrations), adopted: $0.adopted,
        passedOver: $0.passedOver)
    }
  }

  /// What of one database's result is counted.
  private struct Counted {
    var isChanged: Bool
    var migrations: [Migrator.Report.Migration] = []
    var adopted: Adoption.Report?
    var passedOver: [Migrator.PassedOver] = []
  }

  private func summary<Value: Sendable>(
    _ cancellation: Migrator.Cancellation?, _ onEach: (String, Result<Value, SeedbedError>) -> Void,
    _ work: @escaping @Sendable (Migrator) throws -> Value,
    counting: (Value) -> Counted
  ) throws(SeedbedError) -> Summary {
    let started = ContinuousClock.now
    var summary = Summary(databases: paths.count)
    var tally = ConflictTally()
    var passedOver = PassedOverTally(catalog.passedOver, databases: paths.count)
    try each(cancellation, work) { path, result, duration in
      switch result {
      case .success(let value):
        let counted = counting(value)
        if counted.isChanged { summary.changed += 1 } else { summary.upToDate += 1 }
        let (migrations, adopted) = (counted.migrations, counted.adopted)
        if adopted != nil { summary.adopted += 1 }
        let counts = migrations.map(\.conflictCount) + [adopted?.conflictCount ?? 0]
        if counts.contains(where: { $0 > 0 }) { summary.withConflicts += 1 }
        let conflicts = (adopted?.conflicts ?? []) + migrations.flatMap(\.conflicts)
        for conflict in conflicts { tally.add(conflict) }
        passedOver.add(counted.passedOver)
      case .failure(let error) where error.code == .cancelled: break
      case .failure(let error):
        summary.failures.append(Summary.Failure(database: path, error: error))
      }
      if duration > summary.slowest?.duration ?? .zero {
        summary.slowest = Summary.Slowest(database: path, duration: duration)
      }
      onEach(path, result)
    }
    (summary.conflicts, summary.passedOver) = (tally.sorted, passedOver.sorted)
    summary.duration = started.duration(to: .now)
    return summary
  }
}
