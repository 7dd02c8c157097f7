internal import Seedbed
internal import SeedbedAuthoring

// The documents of `--json`. Fields may be added, never renamed.

extension JSON {
  static func bundle(_ summary: LockSummary, of folder: String) -> JSON {
    .document([
      ("catalog", .string(folder)),
      ("bundle", .string(Files.split(summary.path).folder)),
      ("outcome", .string("written")),
      ("version", .number(summary.version)),
      ("migrations", .number(Int64(summary.migrations))),
      ("files", .number(Int64(summary.files))),
      ("rows", .number(Int64(summary.rows))),
      ("first", summary.first.map { .number($0) } ?? .null),
    ])
  }

  /// - Parameter changed: the versions of those that were changed after they were made.
  static func backups(
    _ backups: [Migrator.Backup], changed: [String: Version] = [:], of database: String
  ) -> JSON {
    .document([
      ("database", .string(database)),
      ("backups", .array(backups.map { backup($0, changed: changed[$0.path]) })),
    ])
  }

  /// The backups of a server: the commands that made them.
  static func backups(madeBefore runs: [Migrator.History.Run], of database: String) -> JSON {
    .document([
      ("database", .string(database)),
      (
        "backups",
        .array(
          runs.map { run in
            .object([
              ("command", .string(run.backup ?? "")),
              ("version", .number(run.from)),
              ("takenAt", .string(run.startedAt.text)),
            ])
          })
      ),
    ])
  }

  private static func backup(_ backup: Migrator.Backup, changed version: Version?) -> JSON {
    .object(
      [
        ("path", .string(backup.path)),
        ("version", .number(backup.version)),
        ("takenAt", .string(backup.takenAt.text)),
        ("bytes", .number(backup.bytes)),
      ] + (version.map { [("changedTo", .number($0))] } ?? []))
  }

  /// The findings of `verify` and `lock --check`.
  static func findings(_ findings: [SeedbedError], about subject: [(key: String, value: JSON)])
    -> JSON
  {
    .document(subject + [("findings", .array(findings.map(JSON.problem)))])
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
      ("first", summary.first.map { .number($0) } ?? .null),
      ("added", .array(summary.added.map { .string($0) })),
      ("changed", .array(summary.changed.map { .string($0) })),
      ("removed", .array(summary.removed.map { .string($0) })),
    ]
    return .document(members + released)
  }
}
