extension SeedbedError {
  /// What can be done about an error, and what an app calls for it.
  public enum Remedy: Sendable, Equatable {
    /// `Migrator.up`
    case apply
    /// `Migrator.status`
    case lookAtStatus
    /// `Migrator.down(to:)`
    case down(to: Migrator.Version)
    /// `Migrator.reseed(_:keys:)`, for all rows of the table if there is no key.
    case reseed(String, key: String?)
    /// `Migrator.baseline(at:)`, of a version that only you know if there is none.
    case markBaseline(Migrator.Version?)
    /// `Migrator(…, adopting:)`; the command compares the database with the catalog first.
    case checkBaseline
    /// `Migrator.restore(_:)`
    case restoreBackup
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
    /// The author of the catalog writes its lock.
    case writeLock
    /// The author begins a migration.
    case startMigration
    /// The author has a migration written from the source of its tables.
    case makeMigration
    /// The author has the migration that was made last written again, with the next number.
    case amendMigration
    /// The author makes a snapshot.
    case makeSnapshot
  }
}
