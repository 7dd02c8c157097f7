extension Migrator {
  /// What a reseed put back.
  public struct ReseedReport: Sendable, Equatable {
    /// The database's path.
    public var database: String
    /// As the caller named it.
    public var table: String
    /// The version of the catalog whose rows these are: the one that the database is at.
    public var version: Version
    /// What became of the rows; `kept` are those that gave way to rows of users.
    public var counts = Counts()
    /// The keys of the rows that changed.
    public var changedKeys: [Row] = []
    /// Those of them under which a user had made a row; the backup has what it was.
    public var replacedKeys: [Row] = []
    /// What was there before.
    public var backup: Backup?
  }
}
