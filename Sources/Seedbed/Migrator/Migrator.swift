/// Brings one database to the state of one catalog.
///
///     let migrator = Migrator(catalog: try Catalog(locked: url), database: .file(url))
///     let report = try migrator.up()
///
/// A value: it holds no open file. Each call opens the database, does its work and closes it.
public struct Migrator: Sendable {
  /// Where the rows go.
  public struct Database: Sendable, Equatable {
    enum Place: Equatable {
      case path(String)
      case lent
      /// It names no file: each call is refused.
      case otherURL(String)
    }

    let place: Place

    /// A database file that Seedbed opens itself, by its path.
    public static func file(_ path: String) -> Self { Self(place: .path(path)) }

    /// None of its own: the app lends its handle to each call, as in `up(on:)`.
    public static let lent = Self(place: .lent)
  }

  /// What is to be applied.
  public let catalog: Catalog
  /// Where it is applied to.
  public let database: Database
  /// What differs from the defaults.
  public var options: Options
  let adoption: Adoption?
  /// The seam of tests.
  package var host = Host.real

  /// - Parameter adoption: for databases that the app filled before it had Seedbed.
  public init(
    catalog: Catalog, database: Database, options: Options = Options(),
    adopting adoption: Adoption? = nil
  ) {
    self.catalog = catalog
    self.database = database
    self.options = options
    self.adoption = adoption
  }

  /// The database's path from the root.
  package var path: String { databasePath }

  var databasePath: String {
    switch database.place {
    case .path(let path): Paths.absolute(path)
    // Never used: `throwingSeedbedErrors` comes before.
    case .lent, .otherURL: ""
    }
  }

  var backupStore: BackupStore {
    var store = BackupStore(
      databasePath: databasePath, folder: options.backupFolder, host: host)
    store.lockTimeoutSeconds = options.lockTimeoutSeconds
    return store
  }

  /// Runs `body`; whatever it throws leaves as the one error that Seedbed throws.
  func throwingSeedbedErrors<Result>(
    onHandle: Bool = false, _ body: () throws -> Result
  ) throws -> Result {
    do {
      if database == .lent, !onHandle { throw SeedbedError.noDatabase() }
      if case .otherURL(let url) = database.place { throw SeedbedError.noFileURL(url) }
      return try body()
    } catch {
      throw SeedbedError.from(error)
    }
  }

  /// Runs one call that tells how far it is: the first value as it begins, the last at its end.
  func metered<Result>(
    _ progress: ((Progress) -> Void)?, onHandle: Bool = false,
    _ body: (ProgressMeter) throws -> Result
  ) throws -> Result {
    try throwingSeedbedErrors(onHandle: onHandle) {
      let meter = ProgressMeter(progress)
      let result = try body(meter)
      meter.finish()
      return result
    }
  }

  func refuseMissingDatabase(_ path: String) throws {
    guard !Paths.exists(path) else { return }
    throw SeedbedError(
      .io,
      "There is no database at '\(path)'. Name it with --database, or create it with: migrate "
        + "up.")
  }

  func refuseMissingFolder(_ path: String) throws {
    let folder = Paths.split(path).folder
    guard !folder.isEmpty, !Paths.isFolder(folder) else { return }
    throw SeedbedError(
      .io,
      "There is no folder '\(folder)' for the database '\(Paths.split(path).name)'. Create the "
        + "folder first.")
  }

  /// Looks at the database read-only, leaving no trace.
  func reading<Result>(_ body: (Connection, Ledger) throws -> Result) throws -> Result {
    let path = databasePath
    try refuseMissingDatabase(path)
    let ledger = try Ledger(prefix: options.ledger)
    return try Connection.reading(path, lockTimeoutSeconds: options.lockTimeoutSeconds) {
      try $0.refuseCoreData()
      return try body($0, ledger)
    }
  }
}
