/// What a restore did.
public struct RestoreReport: Sendable, Equatable {
  public var database: String
  /// The backup that is now the database's content.
  public var restored: BackupFile
  /// The version before and after.
  public var from: Version
  public var to: Version
  /// What was there before, kept as a backup of its own.
  public var backup: BackupFile?
}
