/// Brings one database to the state of one catalog.
///
///     let migrator = try Migrator(catalog: Catalog(locked: migrations), at: database)
///     let report = try migrator.up()
///
/// On a handle of your own, use `HandleMigrator`.
///
/// A value: it holds no open file. Each call opens the database, does its work and closes it.
public struct Migrator: Sendable {
  /// The migrations to apply.
  package let catalog: Catalog
  /// The path of the database, from the root.
  package let path: String
  let engine: any Engine
  /// What differs from the defaults.
  public var options: Options
  /// Called inside the transaction of each migration, when its rows, SQL files and checks are done
  /// and before COMMIT. If it throws, the migration is rolled back.
  ///
  ///     migrator.beforeCommit = { version, database in
  ///       if try database.integer("SELECT count(*) FROM words") == 0 { throw NoWords() }
  ///     }
  ///
  /// `plan` calls it too; `down` does not.
  public var beforeCommit: (@Sendable (Version, DatabaseReader) throws -> Void)?
  /// Called with each connection that Seedbed opens, before anything else is done with it: for
  /// `PRAGMA key`, functions, collations and tokenizers of the app.
  public var onConnection: (@Sendable (_ handle: OpaquePointer) throws -> Void)?
  /// The path of a ready-made database, from the root.
  let first: String?
  let adoption: (@Sendable (DatabaseReader) throws -> Adoption)?
  /// The seam of tests.
  package var host = Host.real
  /// Whether schema.sql runs, in place of an app that makes its own tables.
  package var playsApp = false

  /// For a database file that Seedbed opens itself; `up` creates it.
  ///
  /// - Parameters:
  ///   - catalog: what is to be applied.
  ///   - path: the file's path.
  ///   - options: what differs from the defaults.
  ///   - first: the path of a ready-made database of the catalog, which `up` copies into place if
  ///     there is none; it then applies the rest. If it does not fit, `up` fills a new database,
  ///     and the report's `notes` say why.
  ///   - adoption: for databases that the app filled before it had Seedbed.
  public init(
    catalog: Catalog, at path: String, options: Options = Options(),
    beginningWith first: String? = nil,
    adopting adoption: (@Sendable (DatabaseReader) throws -> Adoption)? = nil
  ) {
    self.catalog = catalog
    self.path = Paths.absolute(path)
    engine = SQLiteFile(path: self.path)
    self.options = options
    self.first = first.map { Paths.absolute($0) }
    self.adoption = adoption
  }

  /// For a database of another engine than SQLite.
  package init(catalog: Catalog, on engine: any Engine, options: Options) {
    self.catalog = catalog
    self.engine = engine
    self.options = options
    (path, first, adoption) = ("", nil, nil)
  }

  var backupStore: BackupStore {
    var store = BackupStore(
      databasePath: path, folder: options.backupFolder, host: host)
    store.lockTimeoutSeconds = options.lockTimeout.inSeconds
    return store
  }

  var hooks: AppHooks { AppHooks(adoption: adoption, beforeCommit: beforeCommit) }

  var forecast: Forecast {
    Forecast(catalog: catalog, options: options, adoption: adoption, host: host, engine: engine)
  }

  /// Runs one call that reports its progress: the first value as it begins, the last at its end.
  func metered<Result>(
    _ progress: ((Progress) -> Void)?, _ body: (ProgressMeter) throws -> Result
  ) throws -> Result {
    try throwingSeedbedErrors(onConnection) {
      let meter = ProgressMeter(progress)
      let result = try body(meter)
      meter.finish()
      return result
    }
  }

  func refuseMissingDatabase() throws { try engine.refuseMissing() }

  var ledger: Ledger {
    get throws { try Ledger(prefix: options.ledger, dialect: engine.dialect) }
  }

  /// Looks at the database without leaving a trace.
  func reading<Result>(_ body: (any DatabaseSession, Ledger) throws -> Result) throws -> Result {
    try refuseMissingDatabase()
    let ledger = try ledger
    return try engine.reading(options) {
      try $0.refuseCoreData()
      return try body($0, ledger)
    }
  }
}

/// Runs one call: connections are set up for the app, and whatever `body` throws leaves as the one
/// error that Seedbed throws.
func throwingSeedbedErrors<Result>(
  _ setup: ConnectionSetup.Closure?, _ body: () throws -> Result
) throws -> Result {
  do {
    return try ConnectionSetup.with(setup, body)
  } catch {
    throw SeedbedError.from(error)
  }
}
