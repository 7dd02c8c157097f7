extension Migrator {
  /// What a restore did.
  public struct RestoreReport: Sendable, Equatable {
    /// The database's path.
    public var database: String
    /// The backup that is now the database's content.
    public var restored: Backup
    /// The version that the database had.
    public var from: Version
    /// The version that it has now.
    public var to: Version
    /// What was there before, kept as a backup of its own.
    public var backup: Backup?
  }
}
