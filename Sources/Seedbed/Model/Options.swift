extension Migrator {
  /// Everything that may differ from the defaults, which are also those of the command.
  public struct Options: Sendable, Equatable {
    /// Where the user changed what the seed wants to change, in any table; nil: the catalog's.
    public var onEdited: EditPolicy?
    /// Where a user's row has a seed row's place, in any table; nil: the catalog's.
    public var onTaken: CollisionPolicy?
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
    /// Leave a database that a newer release has migrated as it is, since the user went back to
    /// this one: the report says `upToDate`, and a note why. Without it the error is `newer`.
    public var allowsNewer = false
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
