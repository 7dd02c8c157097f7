extension SeedbedError {
  /// The fix for an error: a call or an option for the app, or a step for the catalog's author.
  public enum Remedy: Sendable, Equatable {
    /// `Migrator.up`, `status` and `backups`
    case apply, lookAtStatus, listBackups
    /// `Migrator.down(to:)`
    case down(to: Migrator.Version)
    /// `Migrator.reseed(_:keys:)`; without a key, for all rows of the table.
    case reseed(String, key: String?)
    /// `Migrator.unpin(_:in:)`
    case unpin(String, key: String)
    /// `Migrator.baseline(at:)`; nil if only the reader knows the version.
    case markBaseline(Migrator.Version?)
    /// `Migrator.Hooks.adoption`; the reader compares the database with the catalog first.
    case checkBaseline
    /// `Migrator.restore(_:)`. The reader names the earlier backup, since the newest may be of the
    /// database as it is now.
    case restoreBackup, restoreEarlierBackup
    /// Another database in `Migrator(catalog:at:)`
    case nameDatabase
    /// A server's database in its place
    case nameServer
    /// `Catalog.beside(_:)` with the base of a pack
    case nameBase
    /// `Migrator.Options`: `backupFolder`, `takesBackup`, `lockTimeout` and `allowsOutOfOrder`
    case moveBackups, leaveBackupOut, waitLonger, allowOutOfOrder
    /// `Migrator.down(to:discardsUserRows:)`
    case discardUserRows
    /// The author writes the lock, makes a snapshot, or builds the first database.
    case writeLock, makeSnapshot, buildFirstDatabase
    /// The author starts a migration, makes one from the source CSV, or makes the last one again
    /// under the next number.
    case startMigration, makeMigration, amendMigration
  }
}
