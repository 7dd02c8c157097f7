extension Migrator {
  /// What a call did to many databases, or would do.
  public struct FleetSummary: Sendable, Equatable {
    /// How many databases there are.
    public var databases: Int
    /// How many were brought up to date; of a plan, how many would be.
    public var changed = 0
    /// How many had nothing pending.
    public var upToDate = 0
    /// Those that failed, in the order in which they did. A failure changes no other database.
    public var failures: [Failure] = []
    /// Not begun, because another failed; or not begun or rolled back, because the call was
    /// cancelled. Call again to go on.
    public var left: Int { databases - changed - upToDate - failures.count }
    /// How many databases have conflicts.
    public var withConflicts = 0
    /// The conflicts by table and column, the most frequent first. Only the first 1,000 of each
    /// migration of a database are counted.
    public var conflicts: [ConflictCount] = []
    /// The database that took the longest, and how long that was.
    public var slowest: Slowest?
    /// From the first database to the last.
    public var duration = Duration.zero

    /// A database that could not be brought up to date.
    public struct Failure: Sendable, Equatable {
      /// Its path.
      public var database: String
      /// What is wrong, as a migrator of this database throws it.
      public var error: SeedbedError
    }

    /// How often the releases and the users disagreed in one place.
    public struct ConflictCount: Sendable, Equatable {
      /// By the schema's spelling.
      public var table: String
      /// The column; nil if they disagreed on the row.
      public var column: String?
      /// What they disagreed on.
      public var kind: Migrator.Conflict.Kind
      /// The policy that decided, by its name in catalog.json; nil if no policy applies.
      public var policy: String?
      /// How many rows.
      public var count: Int
    }

    /// A database and its time.
    public struct Slowest: Sendable, Equatable {
      /// Its path.
      public var database: String
      /// From opening it to closing it.
      public var duration: Duration
    }

    /// The document that the command prints with `--each` and `--json`.
    public var json: String { JSON.fleet(self).text }
  }
}

/// Counts conflicts by their place.
package struct ConflictTally: Sendable {
  private struct Key: Hashable {
    var table: String
    var column: String?
    var kind: Migrator.Conflict.Kind
    var policy: String?
  }

  private var counts: [Key: Int] = [:]

  package init() {}

  /// The columns count only if the two disagree on values; the others are about whole rows.
  package mutating func add(_ conflict: Migrator.Conflict) {
    let columns = conflict.kind == .edited ? conflict.columns.map(\.name) : []
    for column in columns.isEmpty ? [nil] : columns.map(Optional.some) {
      let key = Key(
        table: conflict.table, column: column, kind: conflict.kind, policy: conflict.policy)
      counts[key, default: 0] += 1
    }
  }

  /// The most frequent first.
  package var sorted: [Migrator.FleetSummary.ConflictCount] {
    counts.map { key, count in
      Migrator.FleetSummary.ConflictCount(
        table: key.table, column: key.column, kind: key.kind, policy: key.policy, count: count)
    }.sorted {
      ($1.count, $0.table, $0.column ?? "", $0.kind.rawValue)
        < ($0.count, $1.table, $1.column ?? "", $1.kind.rawValue)
    }
  }
}

extension JSON {
  package static func fleet(_ summary: Migrator.FleetSummary) -> JSON {
    .document([
      ("databases", .number(Int64(summary.databases))),
      ("changed", .number(Int64(summary.changed))),
      ("upToDate", .number(Int64(summary.upToDate))),
      ("failed", .number(Int64(summary.failures.count))),
      ("left", .number(Int64(summary.left))),
      ("withConflicts", .number(Int64(summary.withConflicts))),
      ("conflicts", conflictCounts(summary.conflicts)),
      (
        "slowest",
        summary.slowest.map { slowest in
          .object([
            ("database", .string(slowest.database)),
            ("durationMs", .number(Int64(slowest.duration.milliseconds))),
          ])
        } ?? .null
      ),
      ("durationMs", .number(Int64(summary.duration.milliseconds))),
      ("failures", .array(summary.failures.map { failure(in: $0.database, $0.error) })),
    ])
  }

  package static func conflictCounts(
    _ counts: [Migrator.FleetSummary.ConflictCount]
  ) -> JSON {
    .array(
      counts.map { count in
        .object([
          ("table", .string(count.table)),
          ("column", .optional(count.column)),
          ("kind", .string(count.kind.rawValue)),
          ("policy", .optional(count.policy)),
          ("count", .number(Int64(count.count))),
        ])
      })
  }

  package static func failure(in database: String, _ error: SeedbedError) -> JSON {
    .object([
      ("database", .string(database)),
      ("error", problem(error)),
      ("databaseUnchanged", .bool(error.isDatabaseUnchanged)),
      ("applied", .array(error.applied.map { .number($0) })),
    ])
  }
}
