extension Migrator {
  /// Looks at the database before the COMMIT of a migration, and throws if it may not be.
  public typealias Verification = @Sendable (Version, DatabaseReader) throws -> Void
  /// Sets up a connection, the `sqlite3 *`.
  public typealias ConnectionSetup = @Sendable (_ handle: OpaquePointer) throws -> Void

  /// Everything that may differ from the defaults, which are also those of the command.
  public struct Options: Sendable, Equatable {
    /// Policies above those of the catalog.
    public var policies = Policies()
    /// Take a backup before the first change.
    public var takesBackup = true
    /// Where backups go; nil: `<database>.backups/` beside the database.
    public var backupFolder: String?
    /// From how many versions backups are kept; 0 keeps all.
    public var backupsToKeep = 2
    /// The prefix of the ledger's tables.
    public var ledger = "seedbed"
    /// How long to wait for a lock that another process holds.
    public var lockTimeout = Duration.seconds(5)
    /// Refuse to create a database.
    public var requiresExistingDatabase = false
    /// Apply a migration whose number is below the last applied one.
    public var allowsOutOfOrder = false
    /// What to do in a database that a newer release has migrated: the user went back to this one.
    public var ifNewer = DowngradePolicy.fail
    /// How much the report tells.
    public var reporting = Reporting.counts
    /// Let the SQL files of `down` drop or empty what still holds rows or values of users.
    public var discardsUserRows = false

    /// How much a report tells of each migration. `touchedTables` is always there.
    public enum Reporting: String, Sendable, CaseIterable {
      /// Which were applied, how long they took, and how many conflicts there were.
      case outcome
      /// Also what became of the rows of each table, the first conflicts, and rows that moved.
      case counts
      /// Also the key of every row that was written, which takes memory for each.
      case keys
    }

    /// The defaults.
    public init() {}
  }
}
