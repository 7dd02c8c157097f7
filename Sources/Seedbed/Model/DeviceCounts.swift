extension Migrator {
  /// What an app may send to its author, with the user's consent: versions, how the last run ended,
  /// and the number of conflicts. It has no key, no value, no path, and no time finer than a day.
  public struct DeviceCounts: Sendable, Equatable {
    /// Conflicts that differ in nothing but their rows.
    public struct Conflicts: Sendable, Equatable {
      /// The migration in which they occurred.
      public let version: Version
      /// By the schema's spelling.
      public let table: String
      /// The column that the user changed; nil if it is about whole rows.
      public let column: String?
      /// The subject of the disagreement.
      public let kind: Conflict.Kind
      /// How many there are.
      public let count: Int
      /// How many of them no person has settled.
      public let open: Int
    }

    /// The day in UTC: `2026-11-27`.
    public let day: String
    /// The version of the database.
    public let current: Version
    /// The last version of its catalog.
    public let target: Version
    /// How the database compares with the catalog.
    public let state: Status.State
    /// How the last run ended; nil without one.
    public let lastRun: Status.LastRun.Outcome?
    /// The day on which it began.
    public let lastRunDay: String?
    /// In the order of versions, tables, columns and kinds.
    public let conflicts: [Conflicts]

    /// The document that `migrate status --json --counts` prints.
    public var json: String { JSON.deviceCounts(self).text }

    init(_ status: Status, _ conflicts: [Conflicts], at now: Timestamp) {
      (day, current, target) = (now.day, status.current, status.target)
      (state, self.conflicts) = (status.state, conflicts)
      (lastRun, lastRunDay) = (status.lastRun?.outcome, status.lastRun?.startedAt.day)
    }
  }
}

extension Migrator.Timestamp {
  fileprivate var day: String { String(decoding: text.utf8.prefix(10), as: UTF8.self) }
}

extension JSON {
  package static func deviceCounts(_ counts: Migrator.DeviceCounts) -> JSON {
    .document([
      ("day", .string(counts.day)), ("current", .number(counts.current)),
      ("target", .number(counts.target)), ("state", .string(counts.state.rawValue)),
      ("lastRun", .optional(counts.lastRun?.rawValue)),
      ("lastRunDay", .optional(counts.lastRunDay)),
      ("conflicts", .array(counts.conflicts.map(conflicts))),
    ])
  }

  private static func conflicts(_ conflicts: Migrator.DeviceCounts.Conflicts) -> JSON {
    .object([
      ("version", .number(conflicts.version)), ("table", .string(conflicts.table)),
      ("column", .optional(conflicts.column)), ("kind", .string(conflicts.kind.rawValue)),
      ("count", .count(conflicts.count)), ("open", .count(conflicts.open)),
    ])
  }
}
