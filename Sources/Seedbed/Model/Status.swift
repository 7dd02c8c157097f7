extension Migrator {
  /// What is applied, pending and wrong in one database.
  public struct Status: Sendable, Equatable {
    /// The worst that can be said of the migrations.
    public enum State: String, Sendable, CaseIterable {
      // From harmless to severe: the worst wins.

      /// Nothing is to be done.
      case upToDate
      /// `up` has something to apply.
      case pending
      /// Something pending lies below the last applied.
      case outOfOrder
      /// Something applied is not in the catalog.
      case missing
      /// Something changed after it was applied.
      case drifted
      /// The database is above the catalog's last version.
      case newer
      /// A process died inside a transaction, and the next `up` repairs that.
      case needsRecovery
    }

    /// Its path; `:memory:` where it has none.
    package var database: String
    /// The catalog's path; `:memory:` where it has none.
    package var catalog: String
    /// The last version applied, 0 for none.
    public var current: Version
    /// The catalog's last version.
    public var target: Version
    /// The worst of all migrations.
    public var state: State
    /// One by one, in version order.
    public var migrations: [Migration]
    /// nil if there was none yet.
    public var lastRun: LastRun?

    /// One line of `migrate status`.
    public struct Migration: Sendable, Equatable {
      /// The number of its folder.
      public var version: Version
      /// The words after the number.
      public var name: String
      /// Its state.
      public var state: State
      /// From the ledger where applied, from the lock where pending, else nil.
      public var rows: Int?
      /// When it was applied; nil if it is not.
      public var appliedAt: Timestamp?
      /// How long it took; nil if it is not applied.
      public var duration: Duration?
      /// `sha256:…` over what changes data; nil if nobody computed it.
      package var checksum: String?

      /// Where one migration stands in one database.
      public enum State: String, Sendable, CaseIterable {
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
    }

    /// How the last run on this database ended.
    public struct LastRun: Sendable, Equatable {
      /// How a run ended, or that it goes on.
      public enum Outcome: String, Sendable {
        /// It applied what was pending.
        case applied
        /// It took migrations back.
        case reverted
        /// It restored a backup.
        case restored
        /// It ended with an error.
        case failed
        /// It was asked to stop.
        case cancelled
        /// Its process was killed.
        case interrupted
        /// Its process is there.
        case running
      }
      /// How it ended.
      public var outcome: Outcome
      /// When it began.
      public var startedAt: Timestamp
      /// How many runs of this database were killed half-way. It informs, it never blocks.
      public var interruptedCount: Int
    }
  }
}

extension Migrator.Status.State {
  /// The higher, the worse: the order of the cases.
  var severity: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
