/// Brings one database to the state of one catalog.
///
///     let migrator = try Migrator(catalog: Catalog(locked: migrations), at: database)
///     let report = try migrator.up()
///
/// On a handle of your own, use `HandleMigrator`.
///
/// It is a value that holds no open file. Each call opens the database, does its work and closes
/// it.
public struct Migrator: Sendable {
  /// The migrations to apply. A database chooses among its downloads: see `resolved`.
  package var catalog: Catalog
  var database: any DatabaseKind
  /// The options of each run.
  public var options: Options
  /// The app's own closures.
  public var hooks: Hooks {
    didSet { database.setup = hooks.setup }
  }
  /// The absolute path of a ready-made database.
  let first: String?
  /// The seam for tests.
  package var host = Host.real
  /// The state that it shares with the others of a fleet.
  var disk: SharedDisk?
  /// Ends calls that take no cancellation of their own, such as reading one of many databases.
  var cancellation: Cancellation?

  /// For a database file that Seedbed opens itself. `up` creates it.
  ///
  /// - Parameters:
  ///   - catalog: the catalog to apply.
  ///   - path: the file's path.
  ///   - options: the options of each run.
  ///   - hooks: the app's own closures.
  ///   - first: the path of a ready-made database of the catalog. If there is no database, `up`
  ///     copies it into place and then applies the rest. If it does not fit, `up` fills a new
  ///     database, and the report's `notes` say why.
  public init(
    catalog: Catalog, at path: String, options: Options = Options(), hooks: Hooks = Hooks(),
    beginningWith first: String? = nil
  ) {
    self.init(
      catalog: catalog,
      on: SQLiteFile(
        path: Paths.absolute(path), isURI: path.hasPrefix("file:")),
      options: options, hooks: hooks, beginningWith: first.map { Paths.absolute($0) })
  }

  /// For a database of any engine.
  @inline(never) package init(
    catalog: Catalog, on database: any DatabaseKind, options: Options, hooks: Hooks = Hooks(),
    beginningWith first: String? = nil
  ) {
    (self.catalog, self.database, self.options) = (catalog, database, options)
    (self.hooks, self.first) = (hooks, first)
    self.database.setup = hooks.setup
  }

  /// The absolute path of the database; empty if it has no file.
  @inline(never) package var path: String { database.path }

  @inline(never) var ledger: Ledger {
    get throws { try Ledger(of: catalog, beside: options.ledger, database.dialect) }
  }

  /// Backups are of the whole database, and have the version of the base in their names.
  var ledgerOfBase: Ledger {
    get throws { try Ledger(prefix: options.ledger, dialect: database.dialect) }
  }

  @inline(never) var backupStore: BackupStore {
    BackupStore(of: path, options, host, hooks.setup)
  }

  /// Runs one call that reports its progress: the first value at its beginning, the last at its
  /// end.
  func metered<Result>(
    _ progress: ((Progress) -> Void)?, _ body: (ProgressMeter) throws -> Result
  ) throws(SeedbedError) -> Result {
    try SeedbedError.catching {
      let meter = ProgressMeter(progress)
      let result = try body(meter)
      meter.finish()
      return result
    }
  }

  /// Reads the database without leaving a trace.
  func reading<Result>(_ body: (any DatabaseSession, Ledger) throws -> Result) throws -> Result {
    try database.refuseMissing()
    let ledger = try ledger
    return try database.reading(options, cancellation) { connection in
      try connection.interruptible {
        try connection.refuseCoreData()
        return try body(connection, ledger)
      }
    }
  }

  /// The same after a process was killed in a transaction: opening the database for writing rolls
  /// that back.
  func readingRepaired<Result>(
    _ body: (any DatabaseSession, Ledger) throws -> Result
  ) throws -> Result {
    do {
      return try reading(body)
    } catch let failure as any EngineFailure where failure.needsRecovery {
      _ = try database.head(of: ledger, options, cancellation)
      return try reading(body)
    }
  }

  /// The value that `body` reads from the ledger; nil without one.
  func readingLedger<Result>(
    _ body: (any DatabaseSession, Ledger) throws -> Result
  ) throws(SeedbedError) -> Result? {
    try SeedbedError.catching { try reading { try $1.exists(on: $0) ? body($0, $1) : nil } }
  }

  /// - Parameter connection: nil to open the database.
  @inline(never) func run(
    _ resolved: ResolvedCatalog, _ cancellation: Cancellation?, _ meter: ProgressMeter,
    _ options: Options? = nil,
    on connection: (any DatabaseSession)? = nil
  ) throws -> Run {
    let run = try Run(
      resolved, database: database, options: options ?? self.options, host: host,
      cancellation: cancellation, meter: meter,
      hooks: hooks, connection: connection)
    run.disk = disk
    return run
  }

  /// An empty file is not a database yet: a run would fill it like a new one, and a failed copy
  /// leaves such a file.
  func refuseNewDatabase() throws {
    try database.refuseMissing()
    guard Paths.size(path) == 0, Paths.whatIsNoFile(path) == nil else { return }
    throw SeedbedError(
      .io, "There is no database at '\(path)': the file is empty. Name another, or create it."
    ).remedied(by: .nameDatabase, .apply)
  }

  /// A backup stays as it is: a restore goes by the version in its name.
  func refuseBackup() throws {
    guard let (name, database) = BackupName.found(at: path) else { return }
    throw SeedbedError.isBackup(path, of: database, at: name.version)
  }

  /// A run on a database that must exist.
  ///
  /// - Parameters:
  ///   - version: it needs the files of the applied migrations above this one; nil for none.
  ///   - mayBeBackup: true for a run that writes nothing.
  func onExisting<Result>(
    needingFilesAbove version: Version?, _ cancellation: Cancellation? = nil,
    _ progress: ((Progress) -> Void)? = nil, mayBeBackup: Bool = false,
    _ body: (Run) throws -> Result
  ) throws(SeedbedError) -> Result {
    try metered(progress) { meter in
      if !mayBeBackup { try refuseBackup() }
      try database.refuseMissing()
      return try choosing(needingFilesAbove: version) { resolved in
        try body(run(resolved, cancellation ?? self.cancellation, meter, options(false)))
      }
    }
  }

  func options(_ createsDatabase: Bool) -> Options {
    var options = options
    if !createsDatabase { options.requiresExistingDatabase = true }
    return options
  }

  /// Removes old backups, after success and after failure. If one cannot be removed, the run is not
  /// a failure.
  func prune(after run: Run) {
    try? backupStore.prune(keep: options.backupsToKeep, protecting: run.backup?.path)
  }
}
