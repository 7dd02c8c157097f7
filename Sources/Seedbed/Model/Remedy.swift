extension SeedbedError {
  /// What fixes an error: a call or an option for the app, or a step for the catalog's author.
  package enum Remedy: Sendable, Equatable {
    /// `Migrator.up`
    case apply
    /// `Migrator.status`
    case lookAtStatus
    /// `Migrator.down(to:)`
    case down(to: Migrator.Version)
    /// `Migrator.reseed(_:keys:)`, for all rows of the table if there is no key.
    case reseed(String, key: String?)
    /// `Migrator.unpin(_:in:)`
    case unpin(String, key: String)
    /// `Migrator.baseline(at:)`; nil if only you know the version.
    case markBaseline(Migrator.Version?)
    /// `Migrator(…, adopting:)`; compare the database with the catalog first.
    case checkBaseline
    /// `Migrator.restore(_:)`
    case restoreBackup
    /// `Migrator.restore(_:)` of one that you name: the newest may be of the database as it is now.
    case restoreEarlierBackup
    /// `Migrator.backups()`
    case listBackups
    /// Another database in `Migrator(catalog:at:)`
    case nameDatabase
    /// `Migrator.Options.backupFolder`
    case moveBackups
    /// `Migrator.Options.takesBackup`
    case leaveBackupOut
    /// `Migrator.Options.lockTimeout`
    case waitLonger
    /// `Migrator.Options.allowsOutOfOrder`
    case allowOutOfOrder
    /// `Migrator.Options.discardsUserRows`
    case discardUserRows
    /// The author writes the lock.
    case writeLock
    /// The author starts a migration.
    case startMigration
    /// The author makes a migration from the tables' source CSV.
    case makeMigration
    /// The author makes the last migration again, with the next number.
    case amendMigration
    /// The author makes a snapshot.
    case makeSnapshot
    /// The author builds the first database.
    case buildFirstDatabase
  }
}
