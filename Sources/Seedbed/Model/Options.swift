extension Migrator {
  /// The settings of a migrator; the defaults are those of the command.
  ///
  /// `ledger` and the backups' options are a database's: give them in each call, as long as it
  /// lives. Policies and `adopt` are a release's, and usually in its catalog. The others are of one
  /// call.
  public struct Options: Sendable, Equatable {
    /// The prefix of the ledger's tables.
    public var ledger = "seedbed"
    /// Take a backup before the first change.
    public var takesBackup = true
    /// The folder of the backups; nil uses `<database>.backups/` next to the database.
    public var backupFolder: String?
    /// The number of versions whose backups are kept, and of the last backups kept for each. The
    /// first backup of each of these versions is kept, too; 0 keeps all.
    public var backupsToKeep = 2

    /// The policy, in all tables, if the user changed a value or row that the seed wants to change;
    /// nil uses the catalog's policies.
    public var onEdited: EditPolicy?
    /// The policy, in all tables, if a user's row has a key or UNIQUE value of a seed's row; nil
    /// uses the catalog's policies.
    public var onTaken: CollisionPolicy?
    /// The version at which `up` adopts a database that an app filled before it had Seedbed: one
    /// without a ledger, and with rows in a table of the catalog. nil uses `"adopt"` of
    /// `catalog.json`, if it has that.
    public var adopt: Version?

    /// How long to wait for a lock that another process holds.
    public var lockTimeout = Duration.seconds(5)
    /// Apply a migration whose number is below the last applied one.
    public var allowsOutOfOrder = false
    /// Accept a database that a newer release has migrated, if the user went back to this release:
    /// it is not changed, the report says `upToDate`, and a note says why. Otherwise the error is
    /// `newer`.
    public var allowsNewer = false
    /// How much detail the report contains.
    public var reporting = Reporting.counts

    /// Passes `createsDatabase` of a call on to the code that opens the database.
    var requiresExistingDatabase = false
    /// The version that a database must have after `up`; nil for whichever the catalog has.
    package var expectedVersion: Version?

    /// How much detail a report contains about each migration. `touchedTables` is always included.
    public enum Reporting: String, Sendable, CaseIterable {
      /// Which migrations were applied, how long they took, and how many conflicts there were.
      case outcome
      /// Also the counts of each table's rows, the first conflicts, and moved rows.
      case counts
      /// Also the key of every written row, which takes memory for each.
      case keys
    }

    /// The default options.
    public init() {}
  }
}
