extension Migrator {
  /// What a call did to many databases, or would do.
  public struct FleetSummary: Sendable, Equatable {
    /// How many databases there are.
    public let databases: Int
    /// How many were brought up to date; of a plan, how many would be.
    public package(set) var changed = 0
    /// How many had nothing pending.
    public package(set) var upToDate = 0
    /// Those that failed, in the order in which they did. A failure changes no other database.
    public package(set) var failures: [Failure] = []
    /// Not begun, because another failed; or not begun or rolled back, because the call was
    /// cancelled. Call again to go on.
    public var left: Int { databases - changed - upToDate - failures.count }
    /// How many databases have conflicts.
    public package(set) var withConflicts = 0
    /// The conflicts by table and column, the most frequent first. Only the first 1,000 of each
    /// migration of a database are counted.
    public package(set) var conflicts: [ConflictCount] = []
    /// The database that took the longest, and how long that was.
    public package(set) var slowest: Slowest?
    /// From the first database to the last.
    public package(set) var duration = Duration.zero

    /// A database that could not be brought up to date.
    public struct Failure: Sendable, Equatable {
      /// Its path.
      public let database: String
      /// What is wrong, as a migrator of this database throws it.
      public package(set) var error: SeedbedError
    }

    /// How often the releases and the users disagreed in one place.
    public struct ConflictCount: Sendable, Equatable {
      /// By the schema's spelling.
      public let table: String
      /// The column; nil if they disagreed on the row.
      public let column: String?
      /// What they disagreed on.
      public let kind: Migrator.Conflict.Kind
      /// The policy that decided, by its name in catalog.json; nil if no policy applies.
      public let policy: String?
      /// How many rows.
      public package(set) var count: Int
    }

    /// A database and its time.
    public struct Slowest: Sendable, Equatable {
      /// Its path.
      public let database: String
      /// From opening it to closing it.
      public let duration: Duration
    }

    /// The document that the command prints with `--each` and `--json`: text, as with `Report.json`.
    public var json: String { JSON.fleet(self).text }
  }
}

/// Counts conflicts by their place.
package struct ConflictTally: Sendable {
  private var counts: [[String?]: Migrator.FleetSummary.ConflictCount] = [:]

  package init() {}

  /// The columns count only if the two disagree on values; the others are about whole rows.
  package mutating func add(_ conflict: Migrator.Conflict) {
    let columns = conflict.kind == .edited ? conflict.columns.map(\.name) : []
    for column in columns.isEmpty ? [nil] : columns.map(Optional.some) {
      let none = Migrator.FleetSummary.ConflictCount(
        table: conflict.table, column: column, kind: conflict.kind, policy: conflict.policy,
        count: 0)
      let place = [conflict.table, column, conflict.kind.rawValue, conflict.policy]
      counts[place, default: none].count += 1
    }
  }

  /// The most frequent first.
  package var sorted: [Migrator.FleetSummary.ConflictCount] {
    counts.values.ordered(by: \.kind.rawValue).ordered { $0.column ?? "" }.ordered(by: \.table)
      .ordered { -$0.count }
  }
}

extension JSON {
  package static func fleet(_ summary: Migrator.FleetSummary) -> JSON {
    let slowest = summary.slowest.map { slowest -> JSON in
      .object([
        ("database", .string(slowest.database)),
        ("durationMs", .count(slowest.duration.milliseconds)),
      ])
    }
    return .document([
      ("databases", .count(summary.databases)), ("changed", .count(summary.changed)),
      ("upToDate", .count(summary.upToDate)), ("failed", .count(summary.failures.count)),
      ("left", .count(summary.left)), ("withConflicts", .count(summary.withConflicts)),
      ("conflicts", conflictCounts(summary.conflicts)), ("slowest", slowest ?? .null),
      ("durationMs", .count(summary.duration.milliseconds)),
      ("failures", .array(summary.failures.map { failure(in: $0.database, $0.error) })),
    ])
  }

  package static func conflictCounts(_ counts: [Migrator.FleetSummary.ConflictCount]) -> JSON {
    .array(
      counts.map { count in
        .object([
          ("table", .string(count.table)), ("column", .optional(count.column)),
          ("kind", .string(count.kind.rawValue)), ("policy", .optional(count.policy)),
          ("count", .count(count.count)),
        ])
      })
  }

  package static func failure(in database: String, _ error: SeedbedError) -> JSON {
    .object([("database", .string(database))] + members(of: error))
  }
}
