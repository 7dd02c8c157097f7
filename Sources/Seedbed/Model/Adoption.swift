/// How far an app had filled its database before it had Seedbed.
///
///     migrator.hooks.adoption = {
///       try $0.integer("SELECT count(*) FROM words") ?? 0 > 0 ? .version(5) : .nothing
///     }
///
/// `up` asks only while its ledger is empty. If every filled database is to be adopted at the
/// same version, `Options.adopt` or `"adopt"` in `catalog.json` says it without code.
public enum Adoption: Sendable, Equatable {
  /// None: every migration is applied.
  case nothing
  /// The rows are of any of the editions up to this version, as `Migrator.baseline(at:)` finds
  /// out row by row.
  case version(Migrator.Version, absent: AbsentRows = .byEdition)

  /// What it means that a database to be adopted lacks a row of the catalog.
  public enum AbsentRows: String, Sendable, CaseIterable {
    /// An edition has arrived in a table if at least half of the rows that it added there, leaving
    /// aside those that the user changed, are as some edition had them. The user deleted the absent
    /// ones, and they stay away. If it has not arrived, they are added.
    case byEdition
    /// The user deleted them all.
    case deleted
    /// None of them ever arrived.
    case missing
  }
}

extension Adoption {
  /// How the rows of a database that an app had filled became those of a version.
  ///
  /// Each row was compared with its states in all editions, and belongs to the one from which it
  /// differs in the fewest values; among equals, to the newest that the database has had, else to
  /// the oldest. What differs from it is the user's. What later editions changed was merged as of
  /// releases.
  public struct Report: Sendable, Equatable {
    /// The version at which the database was adopted.
    public package(set) var version: Migrator.Version
    /// The newest edition that had arrived in any table; 0 for none.
    public package(set) var edition: Migrator.Version = 0
    /// The tables that the catalog fills.
    public package(set) var tables: [Table] = []
    /// The first 1,000 conflicts: values and rows that the user keeps although the version has
    /// others. The ledger holds all.
    public package(set) var conflicts: [Migrator.Conflict] = []
    /// The number of all conflicts.
    public package(set) var conflictCount = 0
  }

  /// The rows that an edition added to a table.
  public struct Edition: Sendable, Equatable {
    /// The release of which it is.
    public let version: Migrator.Version
    /// Those that the database had exactly as some edition had them, and absent ones that were
    /// not retired since.
    public let rows: Int
    /// Those of them that the database had.
    public let found: Int
    /// Whether the edition had arrived in the table, as at least half of them were found. Then
    /// the user deleted the absent ones.
    public let hasArrived: Bool
  }

  /// A column with values of the user's.
  public struct Column: Sendable, Equatable {
    /// By the schema's spelling.
    public let name: String
    /// In how many rows.
    public let rows: Int
  }

  /// A value of the user's.
  public struct Edit: Sendable, Equatable {
    /// The key of the row.
    public let key: Migrator.Row
    /// By the schema's spelling.
    public let column: String
    /// The value in the edition that is nearest to the row.
    public let base: Migrator.Value
    /// The user's.
    public let mine: Migrator.Value
  }

  /// The rows of one table.
  public struct Table: Sendable, Equatable {
    /// By the schema's spelling.
    public package(set) var table: String
    /// Rows that were as in the version already.
    public package(set) var unchanged = 0
    /// Rows that took values of the version in place of an earlier edition's.
    public package(set) var refreshed = 0
    /// Rows with values that no edition has beside the others: the user's. Some of them may have
    /// been refreshed as well.
    public package(set) var edited = 0
    /// Rows that had never arrived, and were added.
    public package(set) var inserted = 0
    /// Rows that the catalog has retired, and the user had not changed.
    public package(set) var retired = 0
    /// Rows that the user had deleted. They stay away.
    public package(set) var deleted = 0
    /// The editions that added rows to the table.
    public package(set) var editions: [Edition] = []
    /// The columns with values of the user's, and in how many rows.
    public package(set) var columns: [Column] = []
    /// The first 100 of the user's values in each column.
    public package(set) var edits: [Edit] = []
  }
}
