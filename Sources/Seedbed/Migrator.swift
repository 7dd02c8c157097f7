/// Brings one database to the state of one catalog.
///
///     let migrator = Migrator(catalog: try Catalog(locked: url), database: .file(url))
///     let report = try migrator.up()
///
/// A value: it holds no open file. Each call opens the database, does its work and closes it.
public struct Migrator: Sendable {
  /// Where the rows go.
  public enum Database: Sendable, Equatable {
    /// A database file that Seedbed opens itself, by its path.
    case file(String)
  }

  /// Everything that may differ from the defaults, which are also those of the command.
  public struct Options: Sendable, Equatable {
    /// Policies above those of the catalog.
    public var policies = Policies()
    /// Take a backup before the first change.
    public var backs = true
    /// Where backups go; nil: `<database>.backups/` beside the database.
    public var backupFolder: String?
    /// Backups of so many from-versions are kept; 0 keeps all.
    public var keep = 2
    /// The prefix of the ledger's tables.
    public var ledger = "seedbed"
    /// How long to wait for a lock that another process holds.
    public var lockTimeoutSeconds: Double = 5
    /// Refuse to create a database.
    public var mustExist = false
    /// Apply a migration whose number is below the last applied one.
    public var allowOutOfOrder = false

    public init() {}
  }

  public let catalog: Catalog
  public let database: Database
  public var options: Options

  public init(catalog: Catalog, database: Database, options: Options = Options()) {
    self.catalog = catalog
    self.database = database
    self.options = options
  }

  /// What is applied, pending and wrong. Changes nothing and creates no database.
  public func status() throws -> Status { throw SeedbedError(.usage, "later") }

  /// Applies what is pending, each migration in one transaction.
  public func up(
    to version: Version? = nil, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws -> Report { throw SeedbedError(.usage, "later") }

  /// Files against lock, lock against ledger, database integrity; read-only.
  public func verify() throws -> [Finding] { throw SeedbedError(.usage, "later") }

  /// What the user and the seed disagreed on, and who won.
  public func conflicts() throws -> [Conflict] { throw SeedbedError(.usage, "later") }

  /// Forgets all logged conflicts; says how many there were.
  public func pruneConflicts() throws -> Int { throw SeedbedError(.usage, "later") }

  /// The backups of this database, oldest first.
  public func backups() throws -> [BackupFile] { throw SeedbedError(.usage, "later") }

  /// Copies a backup into the live database; nil: the newest.
  public func restore(
    _ path: String? = nil, cancellation: Cancellation? = nil
  ) throws -> RestoreReport { throw SeedbedError(.usage, "later") }
}
