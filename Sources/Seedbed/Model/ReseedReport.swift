extension Migrator {
  /// What `reseed` did to the rows of one table.
  public struct ReseedReport: Sendable, Equatable {
    /// Its path; `:memory:` if it has none.
    package let database: String
    /// By the schema's spelling.
    public let table: String
    /// The version of the database, whose rows the catalog has.
    public let version: Version
    /// What became of the rows; `kept` are those not put back, because a user's row is in their
    /// place.
    public let counts: Counts
    /// The keys of the rows that were put back.
    public let changedKeys: [Row]
    /// Those of them with which a user had made a row; the backup has the row.
    public let replacedKeys: [Row]
    /// The backup that this run made; nil if none was needed.
    public let backup: Backup?
    /// Sentences for a person, for example about a backup that could not be checked.
    public let notes: [String]

    /// What an app needs to refresh its caches: the table, if a row was put back.
    public var touchedTables: [String] { changedKeys.isEmpty ? [] : [table] }

    /// The document that the command prints with `--json`: text, as with `Report.json`.
    public var json: String { JSON.reseed(self).text }
  }

  /// What `restore` did to the database. It may have changed any table.
  public struct RestoreReport: Sendable, Equatable {
    /// Its path.
    package let database: String
    /// The version of the database before; 0 for none, or if its ledger could not be read.
    public let from: Version
    /// The version of the backup, which the database has now.
    public let to: Version
    /// The backup that was restored.
    public let restored: Backup
    /// The backup of what was replaced; nil if there was nothing to keep.
    public let backup: Backup?

    /// The document that the command prints with `--json`: text, as with `Report.json`.
    public var json: String { JSON.restore(self).text }
  }
}
