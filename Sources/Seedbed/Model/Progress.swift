/// How far a run has come.
public struct Progress: Sendable, Equatable {
  public enum Phase: String, Sendable {
    case waiting, backingUp, applying, checking, committing
  }

  public var phase: Phase
  /// Bytes read of all pending files, as they are on disk, and how many there are.
  public var bytes: Int64
  public var totalBytes: Int64
  /// Rows read so far, of all pending files.
  public var rows: Int64
  public var version: Version
  public var table: String?

  /// From 0 to 1.
  public var fraction: Double {
    totalBytes > 0 ? min(1, Double(bytes) / Double(totalBytes)) : 0
  }
}
