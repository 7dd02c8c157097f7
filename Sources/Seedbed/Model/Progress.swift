extension Migrator {
  /// The progress of a run.
  ///
  /// The first value of a call has the fraction 0 and the last 1; the fraction never decreases.
  /// There are at most 30 values a second.
  public struct Progress: Sendable, Equatable {
    /// What a run is doing.
    public enum Phase: String, Sendable {
      /// Waiting for the write lock, which another connection may hold.
      case waiting
      /// Copying the database before the first change.
      case backingUp
      /// Running SQL files and merging rows, or copying a backup back.
      case applying
      /// Checking foreign keys and running verify.sql.
      case checking
      /// Committing, which may wait for readers.
      case committing
    }

    /// The current step.
    public package(set) var phase: Phase
    /// The bytes read of all pending files, as they are on disk.
    package var bytes: Int64
    /// The number of bytes to read.
    package var totalBytes: Int64
    /// The rows settled so far, of all pending files: added, changed, retired, or left as they are.
    public package(set) var rows: Int64
    /// The current migration; 0 before the first.
    public package(set) var version: Version
    /// The table whose rows are read or merged; nil between tables.
    public package(set) var table: String?
    /// The part of the work that is done, from 0 to 1.
    var share = 0.0
    var isFinished = false

    /// From 0 to 1, measured by the rows that were read and merged. It is 1 only after the last
    /// COMMIT.
    public var fraction: Double { isFinished ? 1 : min(share, 0.99) }
  }
}
