extension Fleet {
  /// The result, or the forecast, of one call for many databases.
  public struct Summary: Sendable, Equatable {
    /// The number of databases.
    public let databases: Int
    /// The number brought up to date; in a plan, the number that would be.
    public package(set) var changed = 0
    /// The number among them that were adopted: an app had filled them before it had Seedbed.
    public package(set) var adopted = 0
    /// The number that had nothing pending.
    public package(set) var upToDate = 0
    /// The databases that failed, in the order of their failures. A failure changes no other
    /// database.
    public package(set) var failures: [Failure] = []
    /// The number left alone: not begun because another failed, or not begun or rolled back because
    /// the call was cancelled. Call again to go on.
    public var left: Int { databases - changed - upToDate - failures.count }
    /// The number of databases with conflicts.
    public package(set) var withConflicts = 0
    /// The conflicts by table and column, the most frequent first. For each migration of a
    /// database, only the first 1,000 are counted.
    public package(set) var conflicts: [ConflictCount] = []
    /// The downloads that databases did not take, and why, the most frequent first; empty for a
    /// catalog that is not from `Catalog.newest`. A database that failed is not counted, except for
    /// what `newest` itself refused.
    public package(set) var passedOver: [PassedOverCount] = []
    /// The slowest database and its time.
    public package(set) var slowest: Slowest?
    /// The time from the first database to the last.
    public package(set) var duration = Duration.zero

    /// A database that could not be brought up to date.
    public struct Failure: Sendable, Equatable {
      /// Its path.
      public let database: String
      /// The error that a migrator of this database throws.
      public package(set) var error: SeedbedError
    }

    /// How often the releases and the users disagreed in one column or table.
    public struct ConflictCount: Sendable, Equatable {
      /// By the schema's spelling.
      public let table: String
      /// The column; nil if they disagreed about the row.
      public let column: String?
      /// The subject of the disagreement.
      public let kind: Migrator.Conflict.Kind
      /// The policy that decided, by its name in catalog.json; nil if no policy applies.
      public let policy: String?
      /// The number of rows.
      public package(set) var count: Int
    }

    /// How many databases did not take a download for one reason.
    public struct PassedOverCount: Sendable, Equatable {
      /// The download and the reason.
      public let download: Migrator.PassedOver
      /// The number of databases.
      public package(set) var databases: Int
    }

    /// A database and its time.
    public struct Slowest: Sendable, Equatable {
      /// Its path.
      public let database: String
      /// The time from opening it to closing it.
      public let duration: Duration
    }

    /// The document that the command prints with `--each` and `--json`: text, like `Report.json`.
    public var json: String { JSON.fleet(self).text }
  }
}

/// Counts conflicts by table and column.
package struct ConflictTally: Sendable {
  private var counts: [[String?]: Fleet.Summary.ConflictCount] = [:]

  package init() {}

  /// Conflicts about values count by column, the others by table.
  package mutating func add(_ conflict: Migrator.Conflict) {
    let columns = conflict.kind == .edited ? conflict.columns.map(\.name) : []
    for column in columns.isEmpty ? [nil] : columns.map(Optional.some) {
      let none = Fleet.Summary.ConflictCount(
        table: conflict.table, column: column, kind: conflict.kind, policy: conflict.policy,
        count: 0)
      let place = [conflict.table, column, conflict.kind.rawValue, conflict.policy]
      counts[place, default: none].count += 1
    }
  }

  /// The most frequent first.
  package var sorted: [Fleet.Summary.ConflictCount] {
    counts.values.ordered(by: \.kind.rawValue).ordered { $0.column ?? "" }.ordered(by: \.table)
      .ordered { -$0.count }
  }
}

/// Counts the databases that did not take a download.
package struct PassedOverTally: Sendable {
  private var counts: [Fleet.Summary.PassedOverCount]

  /// - Parameters:
  ///   - known: the downloads that no database can take.
  ///   - databases: the number of all databases.
  package init(_ known: [Migrator.PassedOver], databases: Int) {
    counts = known.map { Fleet.Summary.PassedOverCount(download: $0, databases: databases) }
    knownCount = known.count
  }

  private let knownCount: Int

  /// - Parameter passedOver: of one database.
  package mutating func add(_ passedOver: [Migrator.PassedOver]) {
    for download in passedOver {
      guard let index = counts.firstIndex(where: { $0.download == download }) else {
        counts.append(Fleet.Summary.PassedOverCount(download: download, databases: 1))
        continue
      }
      if index >= knownCount { counts[index].databases += 1 }
    }
  }

  /// The most frequent first.
  package var sorted: [Fleet.Summary.PassedOverCount] {
    counts.ordered(by: \.download.path).ordered { -$0.databases }
  }
}

extension JSON {
  package static func fleet(_ summary: Fleet.Summary) -> JSON {
    let slowest = summary.slowest.map { slowest -> JSON in
      .object([
        ("database", .string(slowest.database)),
        ("durationMs", .count(slowest.duration.milliseconds)),
      ])
    }
    return .document(
      [
        ("databases", .count(summary.databases)), ("changed", .count(summary.changed)),
        ("upToDate", .count(summary.upToDate)), ("failed", .count(summary.failures.count)),
        ("left", .count(summary.left)), ("withConflicts", .count(summary.withConflicts)),
        ("conflicts", conflictCounts(summary.conflicts)), ("slowest", slowest ?? .null),
        ("durationMs", .count(summary.duration.milliseconds)),
        ("failures", .array(summary.failures.map { failure(in: $0.database, $0.error) })),
      ] + (summary.adopted > 0 ? [("adopted", .count(summary.adopted))] : [])
        + passedOver(summary.passedOver))
  }

  /// Only if there are any.
  package static func passedOver(
    _ counts: [Fleet.Summary.PassedOverCount]
  ) -> [(key: String, value: JSON)] {
    if counts.isEmpty { return [] }
    let all = counts.map { count in
      JSON.object(
        members(of: count.download) + [("databases", .count(count.databases))])
    }
    return [("passedOver", .array(all))]
  }

  package static func conflictCounts(_ counts: [Fleet.Summary.ConflictCount]) -> JSON {
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
