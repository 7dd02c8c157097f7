extension Migrator {
  /// What an `up` would find.
  public enum Outlook: Sendable, Equatable {
    /// Nothing to do.
    case upToDate
    /// A newer release has migrated the database: the user went back to this one.
    /// `Options.allowsNewer` says what `up` does then.
    case newer
    /// Something to apply or to record.
    case pending(Estimate)
  }

  /// How much work an `up` has to do.
  public struct Estimate: Sendable, Equatable {
    /// The versions that are pending.
    public let pending: [Version]
    /// Of their files with rows, as they are on disk.
    public let bytes: Int64
    /// In these files; nil without a lock, which knows it.
    public let rows: Int?
    /// What the run would add to the database and put beside it: the backup, and the temporary file
    /// of a migration that changes or retires rows.
    public package(set) var neededBytes: Int64
    /// What is free where the database is; nil for a database in memory.
    public let freeBytes: Int64?
    /// How long it would take, at the pace of the last run on this device that handled enough rows
    /// to tell; nil if there was none, or `rows` is not known.
    public let duration: Duration?

    /// A document with all that it says: text, as with `Report.json`.
    public var json: String { JSON.estimate(self).text }
  }
}
