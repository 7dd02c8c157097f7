/// Where one migration stands in one database.
public enum MigrationState: String, Sendable, CaseIterable {
  /// In the ledger, and the files are what they were.
  case applied
  /// In the catalog only.
  case pending
  /// In the ledger, but the files changed since.
  case drifted
  /// In the ledger, not in the catalog.
  case missing
  /// In the ledger, above the catalog's last.
  case newer
  /// Pending, below the last applied.
  case outOfOrder
  /// Marked as there without being run.
  case baseline
  /// The catalog took it back before it ran here.
  case withdrawn
  /// Below the base of a catalog whose old folders were dropped.
  case superseded
}

/// One line of `migrate status`.
public struct MigrationStatus: Sendable, Equatable {
  public var version: Version
  public var name: String
  public var state: MigrationState
  /// From the ledger where applied, from the lock where pending, else nil.
  public var rows: Int?
  public var appliedAt: String?
  public var durationMs: Int?
  public var checksum: String?
}

/// How the last run on this database ended.
public struct LastRun: Sendable, Equatable {
  public enum Outcome: String, Sendable {
    case applied, reverted, restored, failed, cancelled, interrupted, running
  }
  public var outcome: Outcome
  public var startedAt: String
  /// How many runs of this database were killed half-way. It informs, it never blocks.
  public var interruptedCount: Int
}

/// What is applied, pending and wrong in one database.
public struct Status: Sendable, Equatable {
  public enum State: String, Sendable, CaseIterable {
    // From harmless to severe: the worst wins.
    case upToDate, pending, outOfOrder, missing, drifted, newer, needsRecovery
  }

  public var database: String
  public var catalog: String
  public var current: Version
  public var target: Version
  public var state: State
  public var migrations: [MigrationStatus]
  public var lastRun: LastRun?
}

extension Status.State: Comparable {
  /// From harmless to severe, in the order of the cases.
  public static func < (first: Self, second: Self) -> Bool { first.severity < second.severity }

  private var severity: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
