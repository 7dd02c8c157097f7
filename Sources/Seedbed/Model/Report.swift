extension Migrator {
  /// What `up`, `plan`, `down` or `baseline` did to the database, or would do.
  public struct Report: Sendable, Equatable {
    /// How a run ended.
    public enum Outcome: String, Sendable {
      /// Migrations were applied.
      case applied
      /// There was nothing to do.
      case upToDate
      /// It was planned, and rolled back.
      case planned
      /// Migrations were undone.
      case reverted
    }

    /// Its path; `:memory:` if it has none.
    package var database: String
    /// The version of the database before the run, 0 for none; of a run for which another process
    /// left nothing to do, the one that it found when its turn came.
    public package(set) var from: Version
    /// The version after the run; in a plan, the one that it would have.
    public package(set) var to: Version
    /// The backup that this run made; nil if none was needed.
    public package(set) var backup: Backup?
    /// How it ended.
    public package(set) var outcome: Outcome
    /// The migrations that this run applied, planned or undid, in that order.
    public package(set) var migrations: [Migration] = []
    /// Seeded tables that changed and those written by SQL files and triggers, sorted:
    /// what an app needs to refresh its caches. If another process applied migrations while `up`
    /// waited for its turn, all of the database.
    public package(set) var touchedTables: [String] = []
    /// Sentences for a person, for example about a backup that could not be checked.
    public package(set) var notes: [String] = []
    /// In a plan: the bytes that the run would add to the database and put beside it, and those of
    /// its temporary file.
    public package(set) var neededBytes: Int64?

    /// Of all tables and migrations.
    public var counts: Counts {
      migrations.flatMap(\.tables).reduce(into: Counts()) { $0 += $1.counts }
    }

    /// The document that the command prints with `--json`.
    ///
    /// It is text, and the type is not `Encodable`: the library writes its JSON without Foundation,
    /// which an app would load at its start, and the document's names are a contract of their own.
    public var json: String { JSON.report(self).text }

    /// Those of all migrations.
    public var moved: [MovedRow] { migrations.flatMap(\.moved) }

    /// What one migration did.
    public struct Migration: Sendable, Equatable {
      /// The number of its folder.
      public package(set) var version: Version
      /// The words after the number.
      public package(set) var name: String
      /// From the wait for the lock to the end of COMMIT.
      public package(set) var duration = Duration.zero
      /// Empty if only the outcome was asked for, as are `conflicts` and `moved`.
      public package(set) var tables: [Table] = []
      /// The first 1,000; the ledger holds all.
      public package(set) var conflicts: [Conflict] = []
      /// How many conflicts there were in all.
      public package(set) var conflictCount = 0
      /// All users' rows that got another key, for apps that store these keys elsewhere.
      public package(set) var moved: [MovedRow] = []
      /// True if the catalog has withdrawn it: it was recorded and skipped.
      package var isWithdrawn: Bool
      /// True if a snapshot stood in for all migrations up to this version.
      package var isSnapshot = false
    }

    /// What one migration did to one table.
    public struct Table: Sendable, Equatable {
      /// By the schema's spelling.
      public package(set) var table: String
      /// What became of the rows of its files.
      public package(set) var counts: Counts
      /// The keys of the rows that were written; nil unless `Migrator.Options.reporting` asks for
      /// `keys`.
      public package(set) var changedKeys: [Row]?
    }
  }

  /// What a run did to the rows of one table; the five numbers add up to the rows in the files.
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
    /// Those of `kept` whose keys were left to the user before.
    package var left = 0

    /// Nothing yet.
    package init() {}

    /// All rows of the files.
    package var total: Int { inserted + updated + deleted + unchanged + kept }
    /// The rows that were written.
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

  /// A user's row that moved to make room for a seed row; all references followed.
  public struct MovedRow: Sendable, Equatable {
    /// By the schema's spelling.
    public let table: String
    /// The key that it had.
    public let from: Row
    /// The key that it has now.
    public let to: Row
  }

  /// One backup in the folder of a database's backups.
  public struct Backup: Sendable, Equatable {
    /// From the root.
    public package(set) var path: String
    /// The version that the database had.
    public package(set) var version: Version
    /// When it was taken, by its name.
    public package(set) var takenAt: Timestamp
    /// Its size.
    public package(set) var bytes: Int64
    /// False if `quick_check` found damage, or could not run because the app's own functions were
    /// missing.
    public package(set) var isVerified: Bool
    /// True for a damaged database that a restore replaced: kept, but not to be restored.
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
