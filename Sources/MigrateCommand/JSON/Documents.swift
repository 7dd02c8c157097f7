internal import Seedbed
internal import SeedbedAuthoring

// The documents of `--json`. Fields may be added, never renamed.

extension JSON {
  static func status(_ status: Migrator.Status) -> JSON {
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
      ("appliedAt", .optional(migration.appliedAt)),
      ("durationMs", .optional(migration.durationMs)),
      ("checksum", .optional(migration.checksum)),
    ])
  }

  private static func lastRun(_ run: Migrator.Status.LastRun) -> JSON {
    .object([
      ("outcome", .string(run.outcome.rawValue)),
      ("startedAt", .string(run.startedAt)),
      ("interruptedCount", .number(Int64(run.interruptedCount))),
    ])
  }

  /// Of `up`, `plan` and `down`.
  static func report(_ report: Migrator.Report) -> JSON {
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

  static func migration(_ migration: Migrator.Report.Migration) -> JSON {
    .object(
      (migration.isSnapshot ? [("snapshot", .bool(true))] : []) + [
        ("version", .number(migration.version)),
        ("name", .string(migration.name)),
        ("durationMs", .number(Int64(migration.durationMs))),
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

  static func conflicts(_ conflicts: [Migrator.Conflict], pruned: Int? = nil) -> JSON {
    let members = pruned.map { [("pruned", JSON.number(Int64($0)))] } ?? []
    return .document([("conflicts", .array(conflicts.map(conflict)))] + members)
  }

  private static func conflict(_ conflict: Migrator.Conflict) -> JSON {
    .object([
      ("id", .number(conflict.id)),
      ("version", .number(conflict.version)),
      ("table", .string(conflict.table)),
      ("key", .raw(conflict.key)),
      ("kind", .string(conflict.kind.rawValue)),
      ("policy", .optional(conflict.policy)),
      ("resolution", .string(conflict.resolution.rawValue)),
      ("movedTo", .raw(optional: conflict.movedTo)),
      ("base", .raw(optional: conflict.base)),
      ("mine", .raw(optional: conflict.mine)),
      ("seed", .raw(optional: conflict.seed)),
      ("at", .string(conflict.at)),
    ])
  }

  static func backups(_ backups: [Migrator.Backup], of database: String) -> JSON {
    .document([
      ("database", .string(database)),
      ("backups", .array(backups.map(backup))),
    ])
  }

  private static func backup(_ backup: Migrator.Backup) -> JSON {
    .object([
      ("path", .string(backup.path)),
      ("version", .number(backup.version)),
      ("takenAt", .string(Moment.fromName(backup.takenAt))),
      ("bytes", .number(backup.bytes)),
    ])
  }

  static func restore(_ report: Migrator.RestoreReport) -> JSON {
    .document([
      ("database", .string(report.database)),
      ("from", .number(report.from)),
      ("to", .number(report.to)),
      ("restored", .string(report.restored.path)),
      ("backup", .optional(report.backup?.path)),
      ("outcome", .string("restored")),
    ])
  }

  static func bundle(_ summary: LockSummary, of folder: String) -> JSON {
    .document([
      ("catalog", .string(folder)),
      ("bundle", .string(Files.split(summary.path).folder)),
      ("outcome", .string("written")),
      ("version", .number(summary.version)),
      ("migrations", .number(Int64(summary.migrations))),
      ("files", .number(Int64(summary.files))),
      ("rows", .number(Int64(summary.rows))),
    ])
  }

  static func reseed(_ report: Migrator.ReseedReport) -> JSON {
    .document([
      ("database", .string(report.database)),
      ("table", .string(report.table)),
      ("version", .number(report.version)),
      ("inserted", .number(Int64(report.counts.inserted))),
      ("updated", .number(Int64(report.counts.updated))),
      ("unchanged", .number(Int64(report.counts.unchanged))),
      ("kept", .number(Int64(report.counts.kept))),
      ("keys", .array(report.changedKeys.map(JSON.string))),
      ("replacedKeys", .array(report.replacedKeys.map(JSON.string))),
      ("backup", .optional(report.backup?.path)),
      ("outcome", .string(report.changedKeys.isEmpty ? "upToDate" : "reseeded")),
    ])
  }

  /// What `verify` and `lock --check` found.
  static func findings(_ findings: [SeedbedError], about subject: [(key: String, value: JSON)])
    -> JSON
  {
    .document(subject + [("findings", .array(findings.map(finding)))])
  }

  private static func finding(_ finding: SeedbedError) -> JSON {
    problem(finding.code, finding.message, finding.place, finding.version)
  }

  static func lint(_ findings: [LintFinding], of catalog: String) -> JSON {
    .document([
      ("catalog", .string(catalog)),
      ("findings", .array(findings.map(lintFinding))),
    ])
  }

  private static func lintFinding(_ finding: LintFinding) -> JSON {
    .object([
      ("code", .string(finding.code.rawValue)),
      ("message", .string(finding.message)),
      ("remedy", .string(finding.remedy)),
      ("file", .string(finding.place.file)),
      ("line", .optional(finding.place.line)),
      ("column", .optional(finding.place.column)),
      ("version", finding.version.map { .number($0) } ?? .null),
    ])
  }

  static func lock(
    _ summary: LockSummary, of catalog: String, _ released: [(key: String, value: JSON)] = []
  ) -> JSON {
    let members: [(key: String, value: JSON)] = [
      ("catalog", .string(catalog)),
      ("lock", .string(summary.path)),
      ("outcome", .string(summary.isChanged ? "written" : "upToDate")),
      ("version", .number(summary.version)),
      ("migrations", .number(Int64(summary.migrations))),
      ("files", .number(Int64(summary.files))),
      ("rows", .number(Int64(summary.rows))),
      ("added", .array(summary.added.map { .string($0) })),
      ("changed", .array(summary.changed.map { .string($0) })),
      ("removed", .array(summary.removed.map { .string($0) })),
    ]
    return .document(members + released)
  }

  static func error(_ error: SeedbedError) -> JSON {
    .document([
      ("error", problem(error.code, error.message, error.place, error.version)),
      ("databaseUnchanged", .bool(error.isDatabaseUnchanged)),
      ("applied", .array(error.applied.map { .number($0) })),
    ])
  }

  private static func problem(
    _ code: SeedbedError.Code, _ message: String, _ place: SeedbedError.Place?, _ version: Version?
  ) -> JSON {
    .object([
      ("code", .string(code.rawValue)),
      ("message", .string(message)),
      ("file", .optional(place?.file)),
      ("line", .optional(place?.line)),
      ("column", .optional(place?.column)),
      ("version", version.map { .number($0) } ?? .null),
    ])
  }
}
