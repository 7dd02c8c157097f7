extension Migrator {
  /// The applied and pending migrations of one database, and any trouble with them.
  public struct Status: Sendable, Equatable {
    /// The worst state of all migrations.
    public enum State: String, Sendable, CaseIterable {
      // From harmless to severe: the worst wins.

      /// There is nothing to do.
      case upToDate
      /// `up` has something to do: a migration to apply, or new owners.
      case pending
      /// A pending migration is below the last applied one.
      case outOfOrder
      /// An applied migration is not in the catalog.
      case missing
      /// The database is above the catalog's last version.
      case newer
      /// A migration changed after it was applied, or another catalog was.
      case drifted
      /// A process died inside a transaction; the next `up` repairs that.
      case needsRecovery
    }

    /// Its path; `:memory:` if it has none.
    package var database: String
    /// The catalog's path; `:memory:` if it has none.
    package var catalog: String
    /// The version last applied, 0 for none.
    public package(set) var current: Version
    /// The catalog's last version.
    public package(set) var target: Version
    /// The worst state of all migrations.
    public package(set) var state: State
    /// The migrations in the order of their versions.
    public package(set) var migrations: [Migration]
    /// The number of owners that have no copy of the rows yet; `up` gives them one.
    public package(set) var newOwners = 0
    /// The last run; nil if there was none.
    public package(set) var lastRun: LastRun?
    /// The highest release by each key that was applied from a download. Give their versions to
    /// `Catalog.newest` as `known`, so that a restored backup does not forget them.
    public package(set) var signedHeads: [SignedHead] = []
    /// The packs of the database, also those that were removed.
    public package(set) var packs: [Pack] = []
    /// The downloads that were not taken, and why.
    public package(set) var passedOver: [PassedOver] = []

    /// The document that `migrate status --json` prints: text, as with `Report.json`.
    public var json: String { JSON.status(self).text }

    /// One line of `migrate status`.
    public struct Migration: Sendable, Equatable {
      /// The number of its folder.
      public package(set) var version: Version
      /// The words after the number.
      public package(set) var name: String
      /// Its state.
      public package(set) var state: State
      /// The number of rows: from the ledger if applied, from the lock if pending, else nil.
      public package(set) var rows: Int?
      /// When it was applied; nil if it is not.
      public package(set) var appliedAt: Timestamp?
      /// How long it took; nil if it is not applied.
      public package(set) var duration: Duration?
      /// `sha256:…` of everything that changes data; nil if it was not computed.
      package var checksum: String?

      /// The state of one migration in one database.
      public enum State: String, Sendable, CaseIterable {
        /// The migration is in the ledger, and its files are unchanged.
        case applied
        /// The migration is in the catalog only.
        case pending
        /// The migration is in the ledger, but its files changed since.
        case drifted
        /// The migration is in the ledger, but not in the catalog.
        case missing
        /// The migration is in the ledger, above the catalog's last.
        case newer
        /// The migration is pending, below the last one applied.
        case outOfOrder
        /// The migration was marked as applied without being run.
        case baseline
        /// The catalog withdrew the migration before it ran here.
        case withdrawn
        /// The migration is below the base of a catalog whose old folders were dropped.
        case superseded
      }
    }

    /// How the last run on this database ended.
    public struct LastRun: Sendable, Equatable {
      /// How a run ended, or that it goes on.
      public enum Outcome: String, Sendable {
        /// It applied the pending migrations.
        case applied
        /// It undid migrations.
        case reverted
        /// It restored a backup.
        case restored
        /// It ended with an error.
        case failed
        /// It was asked to stop.
        case cancelled
        /// Its process was killed.
        case interrupted
        /// Its process is still running.
        case running
      }
      /// How it ended.
      public package(set) var outcome: Outcome
      /// When it began.
      public package(set) var startedAt: Timestamp
      /// The number of runs on this database that were killed. This only informs; it never blocks a
      /// run.
      public package(set) var interruptedCount: Int
      /// Why it failed or was cancelled, with the place in the catalog; nil if it ended well or was
      /// killed. It may contain values of rows.
      public package(set) var message: String?
    }
  }
}

extension Migrator.Status.State {
  /// The rank of the state: the higher, the worse, in the order of the cases.
  var severity: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
