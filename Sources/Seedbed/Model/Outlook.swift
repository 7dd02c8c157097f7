extension Migrator {
  /// A forecast of `up`.
  public enum Outlook: Sendable, Equatable {
    /// Nothing to do.
    case upToDate
    /// A newer release has migrated the database: the user went back to this one.
    /// `Options.allowsNewer` decides what `up` does then.
    case newer
    /// There is something to apply or to record.
    case pending(Estimate)
  }

  /// The work that an `up` has to do.
  public struct Estimate: Sendable, Equatable {
    /// The versions that are pending.
    public let pending: [Version]
    /// The size of their row files on disk.
    public let bytes: Int64
    /// The number of rows in these files; nil without a lock, which has the numbers.
    public let rows: Int?
    /// The space that the run needs: for the growth of the database, for the backup, and for the
    /// temporary file of a migration that changes or retires rows.
    public package(set) var neededBytes: Int64
    /// The free space on the database's disk; nil for a database in memory.
    public let freeBytes: Int64?
    /// The expected time, from the pace of the last run on this device that handled enough rows;
    /// nil if there was none, or if `rows` is not known.
    public let duration: Duration?

    /// A document with all of these values, as text like `Report.json`.
    public var json: String { JSON.estimate(self).text }
  }
}
