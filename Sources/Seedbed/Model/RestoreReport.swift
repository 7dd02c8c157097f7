extension Migrator {
  /// The result of `restore` for the database. Any table may have changed.
  public struct RestoreReport: Sendable, Equatable {
    /// The database's path.
    package let database: String
    /// The version of the database before; 0 for none, or if its ledger could not be read.
    public let from: Version
    /// The version of the backup, which the database has now.
    public let to: Version
    /// The backup that was restored.
    public let restored: Backup
    /// The backup of the replaced database; nil if there was nothing to keep.
    public let backup: Backup?

    /// The document that the command prints with `--json`: text, as with `Report.json`.
    public var json: String { JSON.restore(self).text }
  }
}
