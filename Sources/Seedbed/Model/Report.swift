/// What a run did to the rows of one table; the five numbers add up to the rows in the files.
public struct Counts: Sendable, Equatable {
  public var inserted = 0
  public var updated = 0
  public var deleted = 0
  public var unchanged = 0
  public var kept = 0

  public init() {}

  public var total: Int { inserted + updated + deleted + unchanged + kept }
  /// The rows that were written.
  public var changed: Int { inserted + updated + deleted }

  public static func += (sum: inout Counts, other: Counts) {
    sum.inserted += other.inserted
    sum.updated += other.updated
    sum.deleted += other.deleted
    sum.unchanged += other.unchanged
    sum.kept += other.kept
  }
}

/// What one migration did to one table.
public struct TableReport: Sendable, Equatable {
  public var table: String
  public var counts: Counts
  /// The keys of the rows that were written, as JSON objects; nil unless
  /// `Migrator.Options.reporting` asks for `keys`.
  public var changedKeys: [String]?
}

/// A user's row that made way for one of the seed's, and all that refers to it followed.
public struct MovedRow: Sendable, Equatable {
  public var table: String
  /// The key that it had, as a JSON object.
  public var from: String
  public var to: String
}

/// What one migration did.
public struct MigrationReport: Sendable, Equatable {
  public var version: Version
  public var name: String
  public var durationMs: Int
  /// Empty where only the outcome was asked for, as are `conflicts` and `moved`.
  public var tables: [TableReport]
  /// The first 1,000; the ledger holds all.
  public var conflicts: [Conflict]
  public var conflictCount: Int
  /// All rows of users that got another key, for what an app knows of them outside the database.
  public var moved: [MovedRow]
  /// True where the catalog withdrew it: it was recorded and skipped.
  public var isWithdrawn: Bool
}

/// What a run did.
public struct Report: Sendable, Equatable {
  public enum Outcome: String, Sendable {
    case applied, upToDate, planned, reverted
  }

  public var database: String
  public var from: Version
  public var to: Version
  /// The path of the backup that this run made; nil where none was needed.
  public var backup: BackupFile?
  public var outcome: Outcome
  public var migrations: [MigrationReport]
  /// Seeded tables that changed and those written by SQL files and triggers, sorted:
  /// what an app needs to refresh its caches.
  public var touchedTables: [String]
  /// Sentences worth a reader's time: a backup that could not be checked, a large WAL.
  public var notes: [String]
  /// In a plan: the bytes that the run would add to the database and put beside it.
  public var neededBytes: Int64?
}

extension Report {
  /// All rows of users that got another key.
  public var moved: [MovedRow] { migrations.flatMap(\.moved) }
}

/// One backup in the folder of a database's backups.
public struct BackupFile: Sendable, Equatable {
  public var path: String
  /// The version that the database had.
  public var version: Version
  /// UTC, as in its name: `20261120T081244.120Z`.
  public var takenAt: String
  public var bytes: Int64
  /// False where `quick_check` could not run for want of the app's own functions, and where it
  /// found damage.
  public var isVerified: Bool
  /// True for what a restore replaced because it was damaged: kept, but not fit to be restored.
  public var isDamaged = false
}
