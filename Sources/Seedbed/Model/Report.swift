extension Migrator {
  /// The result, or the forecast, of one call for a database.
  public struct Report: Sendable, Equatable {
    /// How a run ended.
    public enum Outcome: String, Sendable {
      /// Migrations were applied.
      case applied
      /// There was nothing to do.
      case upToDate
      /// The run was planned, and rolled back.
      case planned
      /// Migrations were undone.
      case reverted
    }

    /// The database's path; `:memory:` if it has none.
    package var database: String
    /// The version of the database before the run, 0 for none. If another process left nothing to
    /// do, the version that this run found when its turn came.
    public package(set) var from: Version
    /// The version after the run; in a plan, the version that it would reach.
    public package(set) var to: Version
    /// The backup that this run made; nil if none was needed.
    public package(set) var backup: Backup?
    /// How the run ended.
    public package(set) var outcome: Outcome
    /// The migrations that this run applied, planned or undid, in that order.
    public package(set) var migrations: [Migration] = []
    /// Seeded tables that changed and those written by SQL files and triggers, sorted:
    /// what an app needs to refresh its caches. If another process applied migrations while `up`
    /// waited for its turn, all of the database.
    public package(set) var touchedTables: [String] = []
    /// Sentences for a person, for example about a backup that could not be checked.
    public package(set) var notes: [String] = []
    /// The downloads that were not taken, and why; empty for a catalog that is not from
    /// `Catalog.newest`.
    public package(set) var passedOver: [PassedOver] = []
    /// How the rows of a database that an app had filled were adopted; nil if none were.
    public package(set) var adopted: Adoption.Report?
    /// In a plan: the space that the run needs, for the growth of the database, the backup and its
    /// temporary file.
    public package(set) var neededBytes: Int64?

    /// Of a base: the reports of the packs that the database has and whose catalogs are beside it.
    public package(set) var packs: [OfPack] = []

    /// The report of a pack.
    public struct OfPack: Sendable, Equatable {
      /// `"name"` in its catalog.json.
      public package(set) var name: String
      /// What the same call did for it.
      public package(set) var report: Report
    }

    /// The sums over all tables and migrations.
    public var counts: Counts {
      migrations.flatMap(\.tables).reduce(into: Counts()) { $0 += $1.counts }
    }

    /// The document that the command prints with `--json`.
    ///
    /// It is text, and the type is not `Encodable`: the library writes its JSON without Foundation,
    /// which an app would load at its start, and the document's names are a contract of their own.
    public var json: String { JSON.report(self).text }

    /// The moved rows of all migrations.
    public var moved: [MovedRow] { migrations.flatMap(\.moved) }

    /// The result of one migration.
    public struct Migration: Sendable, Equatable {
      /// The number of its folder.
      public package(set) var version: Version
      /// The words after the number.
      public package(set) var name: String
      /// The time from the wait for the lock to the end of COMMIT.
      public package(set) var duration = Duration.zero
      /// The results by table. Like `conflicts` and `moved`, empty if only the outcome was asked
      /// for.
      public package(set) var tables: [Table] = []
      /// The first 1,000 conflicts; the ledger holds all.
      public package(set) var conflicts: [Conflict] = []
      /// The number of all conflicts.
      public package(set) var conflictCount = 0
      /// All users' rows that got another key, for apps that store these keys elsewhere.
      public package(set) var moved: [MovedRow] = []
      /// True if the catalog has withdrawn the migration: it was recorded and skipped.
      package var isWithdrawn: Bool
      /// True if a snapshot stood in for all migrations up to this version.
      package var isSnapshot = false
      /// The number of new owners who got the rows of the version; 0 for a migration.
      public package(set) var newOwners = 0
    }

    /// The result of one migration for one table.
    public struct Table: Sendable, Equatable {
      /// By the schema's spelling.
      public package(set) var table: String
      /// What became of the rows in its files.
      public package(set) var counts: Counts
      /// The keys of the rows that were written; nil unless `Migrator.Options.reporting` asks for
      /// `keys`.
      public package(set) var changedKeys: [Row]?
    }
  }

  /// The result of a run for the rows of one table. The five numbers add up to the rows in the
  /// files.
  public struct Counts: Sendable, Equatable {
    /// Rows that were added.
    public package(set) var inserted = 0
    /// Rows that took at least one value.
    public package(set) var updated = 0
    /// Rows that were retired.
    public package(set) var deleted = 0
    /// Rows that already were as in the file.
    public package(set) var unchanged = 0
    /// Rows that stayed as the user has them.
    public package(set) var kept = 0
    /// The rows among `kept` whose keys were left to the user before.
    package var left = 0

    /// All counts 0.
    package init() {}

    /// The number of all rows in the files.
    package var total: Int { inserted + updated + deleted + unchanged + kept }
    /// The number of rows that were written.
    package var changed: Int { inserted + updated + deleted }

    /// Adds the numbers of both.
    package static func += (sum: inout Counts, other: Counts) {
      sum.inserted += other.inserted
      sum.updated += other.updated
      sum.deleted += other.deleted
      sum.unchanged += other.unchanged
      sum.kept += other.kept
      sum.left += other.left
    }
  }

  /// A user's row that moved to make room for a seed's row. All references followed.
  public struct MovedRow: Sendable, Equatable {
    /// By the schema's spelling.
    public let table: String
    /// The row's old key.
    public let from: Row
    /// The row's new key.
    public let to: Row
  }

  /// One backup in the folder of a database's backups.
  public struct Backup: Sendable, Equatable {
    /// The absolute path.
    public package(set) var path: String
    /// The version that the database had.
    public package(set) var version: Version
    /// When it was taken, according to its name.
    public package(set) var takenAt: Timestamp
    /// The size in bytes.
    public package(set) var bytes: Int64
    /// False if `quick_check` found damage, or could not run because the app's own functions were
    /// missing.
    public package(set) var isVerified: Bool
    /// True for a damaged database that a restore replaced. It is kept, but not to be restored.
    public package(set) var isDamaged = false

    package init(
      path: String, version: Version, takenAt: Timestamp, bytes: Int64, isVerified: Bool,
      isDamaged: Bool = false
    ) {
      (self.path, self.version, self.takenAt) = (path, version, takenAt)
      (self.bytes, self.isVerified, self.isDamaged) = (bytes, isVerified, isDamaged)
    }
  }
}
