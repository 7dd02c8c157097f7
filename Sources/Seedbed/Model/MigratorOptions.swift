/// Everything that may differ from the defaults, which are also those of the command.
public struct MigratorOptions: Sendable, Equatable {
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
  /// Name the key of every row that changed in the report.
  public var reportsChangedKeys = false
  /// Let `down` drop tables that still hold rows of users.
  public var discardsUserRows = false

  public init() {}
}
