// The documents of `json`, which the command prints with `--json`. Fields may be added, never
// renamed.

extension Migrator.Status {
  /// The document that `migrate status --json` prints.
  public var json: String { JSON.status(self).text }
}

extension Migrator.Report {
  /// The document that the command prints with `--json`.
  public var json: String { JSON.report(self).text }
}

extension Migrator.Conflict {
  /// The document that `migrate conflicts --json` prints.
  public static func json(_ conflicts: [Self]) -> String { JSON.conflicts(conflicts).text }
}

extension Migrator.Estimate {
  /// A document with all that it says.
  public var json: String { JSON.estimate(self).text }
}

extension SeedbedError {
  /// The document that the command prints with `--json`.
  public var json: String { JSON.error(self).text }
}

extension JSON {
  package static func status(_ status: Migrator.Status) -> JSON {
    .document([
      ("database", .string(status.database)),
      ("catalog", .string(status.catalog)),
      ("current", .number(status.current)),
      ("target", .number(status.target)),
      ("state", .string(status.state.rawValue)),
      ("migrations", .array(status.migrations.map(migration))),
      ("lastRun", status.lastRun.map(lastRun) ?? .null),
    ])
  }

  private static func migration(_ migration: Migrator.Status.Migration) -> JSON {
    .object([
      ("version", .number(migration.version)),
      ("name", .string(migration.name)),
      ("state", .string(migration.state.rawValue)),
      ("rows", .optional(migration.rows)),
      ("appliedAt", .optional(migration.appliedAt?.text)),
      ("durationMs", .optional(migration.duration?.milliseconds)),
      ("checksum", .optional(migration.checksum)),
    ])
  }

  private static func lastRun(_ run: Migrator.Status.LastRun) -> JSON {
    .object([
      ("outcome", .string(run.outcome.rawValue)),
      ("startedAt", .string(run.startedAt.text)),
      ("interruptedCount", .number(Int64(run.interruptedCount))),
    ])
  }

  package static func report(_ report: Migrator.Report) -> JSON {
    if let backup = report.restored { return restore(report, from: backup) }
    if let table = report.reseeded { return reseed(report, table) }
    let needed = report.neededBytes.map { [("neededBytes", JSON.number($0))] } ?? []
    return .document(
      [
        ("database", .string(report.database)),
        ("from", .number(report.from)),
        ("to", .number(report.to)),
        ("backup", .optional(report.backup?.path)),
        ("outcome", .string(report.outcome.rawValue)),
        ("migrations", .array(report.migrations.map(migration))),
      ] + needed)
  }

  package static func migration(_ migration: Migrator.Report.Migration) -> JSON {
    .object(
      (migration.isSnapshot ? [("snapshot", .bool(true))] : []) + [
        ("version", .number(migration.version)),
        ("name", .string(migration.name)),
        ("durationMs", .number(Int64(migration.duration.milliseconds))),
        ("tables", .array(migration.tables.map(table))),
        ("conflicts", .array(migration.conflicts.map(conflict))),
        ("conflictCount", .number(Int64(migration.conflictCount))),
      ])
  }

  private static func table(_ table: Migrator.Report.Table) -> JSON {
    .object([
      ("table", .string(table.table)),
      ("inserted", .number(Int64(table.counts.inserted))),
      ("updated", .number(Int64(table.counts.updated))),
      ("deleted", .number(Int64(table.counts.deleted))),
      ("unchanged", .number(Int64(table.counts.unchanged))),
      ("kept", .number(Int64(table.counts.kept))),
    ])
  }

  package static func conflicts(_ conflicts: [Migrator.Conflict], pruned: Int? = nil) -> JSON {
    let members = pruned.map { [("pruned", JSON.number(Int64($0)))] } ?? []
    return .document([("conflicts", .array(conflicts.map(conflict)))] + members)
  }

  package static func conflict(_ conflict: Migrator.Conflict) -> JSON {
    .object([
      ("id", .number(conflict.id)),
      ("version", .number(conflict.version)),
      ("table", .string(conflict.table)),
      ("key", .raw(conflict.key.json)),
      ("kind", .string(conflict.kind.rawValue)),
      ("policy", .optional(conflict.policy)),
      ("resolution", .string(conflict.resolution.rawValue)),
      ("movedTo", .raw(optional: conflict.movedTo?.json)),
      ("base", .raw(optional: conflict.base?.json)),
      ("mine", .raw(optional: conflict.mine?.json)),
      ("seed", .raw(optional: conflict.seed?.json)),
      ("at", .string(conflict.at.text)),
      ("settled", .optional(conflict.settled?.rawValue)),
      ("settledAt", .optional(conflict.settledAt?.text)),
    ])
  }

  private static func restore(
    _ report: Migrator.Report, from restored: Migrator.Backup
  ) -> JSON {
    .document([
      ("database", .string(report.database)),
      ("from", .number(report.from)),
      ("to", .number(report.to)),
      ("restored", .string(restored.path)),
      ("backup", .optional(report.backup?.path)),
      ("outcome", .string(report.outcome.rawValue)),
    ])
  }

  private static func reseed(_ report: Migrator.Report, _ table: Migrator.Report.Table) -> JSON {
    .document([
      ("database", .string(report.database)),
      ("table", .string(table.table)),
      ("version", .number(report.to)),
      ("inserted", .number(Int64(table.counts.inserted))),
      ("updated", .number(Int64(table.counts.updated))),
      ("unchanged", .number(Int64(table.counts.unchanged))),
      ("kept", .number(Int64(table.counts.kept))),
      ("keys", .array((table.changedKeys ?? []).map { .string($0.json) })),
      ("replacedKeys", .array(table.replacedKeys.map { .string($0.json) })),
      ("backup", .optional(report.backup?.path)),
      ("outcome", .string(report.outcome.rawValue)),
    ])
  }

  package static func estimate(_ estimate: Migrator.Estimate) -> JSON {
    .document([
      ("pending", .array(estimate.pending.map { .number($0) })),
      ("bytes", .number(estimate.bytes)),
      ("rows", .optional(estimate.rows)),
      ("neededBytes", .number(estimate.neededBytes)),
      ("freeBytes", estimate.freeBytes.map { .number($0) } ?? .null),
      ("durationMs", .optional(estimate.duration?.milliseconds)),
    ])
  }

  package static func error(_ error: SeedbedError) -> JSON {
    .document([
      ("error", problem(error)),
      ("databaseUnchanged", .bool(error.isDatabaseUnchanged)),
      ("applied", .array(error.applied.map { .number($0) })),
    ])
  }

  package static func problem(_ error: SeedbedError) -> JSON {
    .object([
      ("code", .string(error.code.rawValue)),
      ("message", .string(error.message)),
      ("file", .optional(error.place?.file)),
      ("line", .optional(error.place?.line)),
      ("column", .optional(error.place?.column)),
      ("version", error.version.map { .number($0) } ?? .null),
    ])
  }
}
