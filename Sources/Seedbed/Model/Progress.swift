extension Migrator {
  /// How far a run has come.
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

    /// What the run is doing.
    public package(set) var phase: Phase
    /// Bytes read of all pending files, as they are on disk.
    package var bytes: Int64
    /// How many bytes there are to read.
    package var totalBytes: Int64
    /// Rows settled so far, of all pending files: added, changed, retired, or left as they are.
    public package(set) var rows: Int64
    /// The current migration; 0 before the first.
    public package(set) var version: Version
    /// The table whose rows are read or merged; nil between tables.
    public package(set) var table: String?
    /// How much of the work is done, from 0 to 1.
    var share = 0.0
    var isFinished = false

    /// From 0 to 1: reading and merging, by their rows. It is 1 only after the last COMMIT.
    public var fraction: Double { isFinished ? 1 : min(share, 0.99) }
  }
}
