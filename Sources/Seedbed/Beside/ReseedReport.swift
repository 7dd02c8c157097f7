extension Migrator {
  /// The result of `reseed` for the rows of one table.
  public struct ReseedReport: Sendable, Equatable {
    /// The database's path; `:memory:` if it has none.
    package let database: String
    /// By the schema's spelling.
    public let table: String
    /// The version of the database, and so of the rows that were put back.
    public let version: Version
    /// What became of the rows; `kept` counts those not put back because a user's row is in the
    /// way.
    public let counts: Counts
    /// The keys of the rows that were put back.
    public let changedKeys: [Row]
    /// The keys among them under which a user's own row was replaced. The backup has these rows.
    public let replacedKeys: [Row]
    /// The backup that this run made; nil if none was needed.
    public let backup: Backup?
    /// Sentences for a person, for example about a backup that could not be checked.
    public let notes: [String]

    /// The tables of which an app refreshes its caches: this table, if a row was put back.
    public var touchedTables: [String] { changedKeys.isEmpty ? [] : [table] }

    /// The document that the command prints with `--json`: text, as with `Report.json`.
    public var json: String { JSON.reseed([self]).text }
  }
}
