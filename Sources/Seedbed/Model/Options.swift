extension Migrator {
  /// The settings of a migrator; the defaults are those of the command.
  public struct Options: Sendable, Equatable {
    /// What to do if the user changed what the seed wants to change, in any table; nil: the
    /// catalog's policy.
    public var onEdited: EditPolicy?
    /// What to do if a user's row is in a seed row's place, in any table; nil: the catalog's
    /// policy.
    public var onTaken: CollisionPolicy?
    /// Take a backup before the first change.
    public var takesBackup = true
    /// The folder of the backups; nil: `<database>.backups/` next to the database.
    public var backupFolder: String?
    /// How many versions' backups to keep: of each the first, and as many of the last; 0 keeps all.
    public var backupsToKeep = 2
    /// The prefix of the ledger's tables.
    public var ledger = "seedbed"
    /// How long to wait for a lock that another process holds.
    public var lockTimeout = Duration.seconds(5)
    /// Apply a migration whose number is below the last applied one.
    public var allowsOutOfOrder = false
    /// Do not change a database that a newer release has migrated, if the user went back to this
    /// one: the report says `upToDate`, and a note says why. Otherwise the error is `newer`.
    public var allowsNewer = false
    /// How much the report contains.
    public var reporting = Reporting.counts

    /// What `createsDatabase` of a call says, on its way to what opens the database.
    package var requiresExistingDatabase = false

    /// How much a report contains about each migration. `touchedTables` is always there.
    public enum Reporting: String, Sendable, CaseIterable {
      /// Which were applied, how long they took, and how many conflicts there were.
      case outcome
      /// Also the counts of each table's rows, the first conflicts, and moved rows.
      case counts
      /// Also the key of every written row, which takes memory for each.
      case keys
    }

    /// The defaults.
    public init() {}
  }
}
