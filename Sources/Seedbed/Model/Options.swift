extension Migrator {
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
    /// What to do in a database that a newer release has migrated: the user went back to this one.
    public var whenNewer = WhenNewer.fail
    /// How much the report tells.
    public var reporting = Reporting.counts
    /// Let the SQL files of `down` drop or empty what still holds rows or values of users.
    public var discardsUserRows = false

    /// What `up` and `plan` do where the database is above the catalog's last version.
    public enum WhenNewer: String, Sendable, CaseIterable {
      /// Throw the error `newer`.
      case fail
      /// Leave the database as it is: the report says `upToDate`, and a note why.
      case proceed
    }

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
