// The documents of `json`, which the command prints with `--json`. Fields may be added, never
// renamed.

extension JSON {
  package static func status(_ status: Migrator.Status) -> JSON {
    .document(
      [
        ("database", .string(status.database)), ("catalog", .string(status.catalog)),
        ("current", .number(status.current)), ("target", .number(status.target)),
        ("state", .string(status.state.rawValue)),
        ("migrations", .array(status.migrations.map(migration))),
        ("lastRun", lastRun(status.lastRun)),
      ] + newOwners(status.newOwners) + packs(status.packs)
        + downloads(status.signedHeads, status.passedOver))
  }

  /// What `status --each` says of one database.
  package static func summary(of status: Migrator.Status) -> JSON {
    .object(
      [
        ("database", .string(status.database)), ("current", .number(status.current)),
        ("target", .number(status.target)), ("state", .string(status.state.rawValue)),
        ("lastRun", lastRun(status.lastRun)),
      ] + newOwners(status.newOwners) + packs(status.packs) + passedOver(status.passedOver))
  }

  /// Only if there are any.
  private static func newOwners(_ count: Int) -> [(key: String, value: JSON)] {
    count > 0 ? [("newOwners", .count(count))] : []
  }

  /// Only of a database that had packs.
  private static func packs(_ packs: [Migrator.Pack]) -> [(key: String, value: JSON)] {
    packs.isEmpty ? [] : [("packs", .array(packs.map(\.json)))]
  }

  /// Only of a database that had downloads.
  private static func downloads(
    _ heads: [Migrator.SignedHead], _ passedOver: [Migrator.PassedOver]
  ) -> [(key: String, value: JSON)] {
    let signed = heads.map { head in
      JSON.object([
        ("key", .string(head.key)), ("version", .number(head.version)),
        ("lock", .string(head.lock)), ("signedAt", head.signedAt.map { .string($0.text) } ?? .null),
      ])
    }
    return (signed.isEmpty ? [] : [("signedHeads", .array(signed))]) + self.passedOver(passedOver)
  }

  /// Only if there are any.
  package static func passedOver(
    _ downloads: [Migrator.PassedOver]
  ) -> [(key: String, value: JSON)] {
    if downloads.isEmpty { return [] }
    return [("passedOver", .array(downloads.map { .object(members(of: $0)) }))]
  }

  static func members(of download: Migrator.PassedOver) -> [(key: String, value: JSON)] {
    [
      ("path", .string(download.path)), ("reason", .string(download.reason.word)),
      ("message", .string(download.description)),
    ]
  }

  private static func migration(_ migration: Migrator.Status.Migration) -> JSON {
    .object([
      ("version", .number(migration.version)), ("name", .string(migration.name)),
      ("state", .string(migration.state.rawValue)), ("rows", .optional(migration.rows)),
      ("appliedAt", .optional(migration.appliedAt?.text)),
      ("durationMs", .optional(migration.duration?.milliseconds)),
      ("checksum", .optional(migration.checksum)),
    ])
  }

  private static func lastRun(_ run: Migrator.Status.LastRun?) -> JSON {
    guard let run else { return .null }
    return .object([
      ("outcome", .string(run.outcome.rawValue)), ("startedAt", .string(run.startedAt.text)),
      ("interruptedCount", .count(run.interruptedCount)), ("message", .optional(run.message)),
    ])
  }

  package static func report(_ report: Migrator.Report) -> JSON {
    var members: [(key: String, value: JSON)] = [
      ("database", .string(report.database)), ("from", .number(report.from)),
      ("to", .number(report.to)), ("backup", .optional(report.backup?.path)),
      ("outcome", .string(report.outcome.rawValue)),
      ("migrations", .array(report.migrations.map(migration))),
      ("touchedTables", .array(report.touchedTables.map { .string($0) })),
    ]
    if let found = report.adopted { members.append(("adopted", adopted(found))) }
    if let needed = report.neededBytes { members.append(("neededBytes", .number(needed))) }
    if !report.packs.isEmpty {
      let packs = report.packs.map { pack in
        JSON.object([("name", .string(pack.name)), ("report", Self.report(pack.report))])
      }
      members.append(("packs", .array(packs)))
    }
    let notes = report.notes.map { JSON.string($0) }
    if !notes.isEmpty { members.append(("notes", .array(notes))) }
    return .document(members + downloads([], report.passedOver))
  }

  private static func adopted(_ adopted: Adoption.Report) -> JSON {
    .object([
      ("version", .number(adopted.version)), ("edition", .number(adopted.edition)),
      ("tables", .array(adopted.tables.map(table))),
      ("conflicts", .array(adopted.conflicts.map(conflict))),
      ("conflictCount", .count(adopted.conflictCount)),
    ])
  }

  private static func table(_ table: Adoption.Table) -> JSON {
    .object([
      ("table", .string(table.table)), ("unchanged", .count(table.unchanged)),
      ("refreshed", .count(table.refreshed)), ("edited", .count(table.edited)),
      ("inserted", .count(table.inserted)), ("retired", .count(table.retired)),
      ("deleted", .count(table.deleted)),
      (
        "editions",
        .array(
          table.editions.map {
            .object([
              ("version", .number($0.version)), ("rows", .count($0.rows)),
              ("found", .count($0.found)), ("hasArrived", .bool($0.hasArrived)),
            ])
          })
      ),
      (
        "columns",
        .array(
          table.columns.map {
            .object([("column", .string($0.name)), ("edited", .count($0.rows))])
          })
      ),
      (
        "edits",
        .array(
          table.edits.map {
            .object([
              ("key", .raw($0.key.json)), ("column", .string($0.column)),
              ("base", .raw($0.base.json)), ("mine", .raw($0.mine.json)),
            ])
          })
      ),
    ])
  }

  package static func restore(_ report: Migrator.RestoreReport) -> JSON {
    .document([
      ("database", .string(report.database)), ("from", .number(report.from)),
      ("to", .number(report.to)), ("restored", .string(report.restored.path)),
      ("backup", .optional(report.backup?.path)), ("outcome", .string("restored")),
    ])
  }

  package static func migration(_ migration: Migrator.Report.Migration) -> JSON {
    .object(
      (migration.isSnapshot ? [("snapshot", .bool(true))] : [])
        + newOwners(migration.newOwners) + [
          ("version", .number(migration.version)), ("name", .string(migration.name)),
          ("durationMs", .count(migration.duration.milliseconds)),
          ("tables", .array(migration.tables.map(table))),
          ("conflicts", .array(migration.conflicts.map(conflict))),
          ("conflictCount", .count(migration.conflictCount)),
        ])
  }

  private static func table(_ table: Migrator.Report.Table) -> JSON {
    .object([("table", .string(table.table))] + counts(table.counts))
  }

  static func counts(_ counts: Migrator.Counts) -> [(key: String, value: JSON)] {
    [
      ("inserted", .count(counts.inserted)), ("updated", .count(counts.updated)),
      ("deleted", .count(counts.deleted)), ("unchanged", .count(counts.unchanged)),
      ("kept", .count(counts.kept)),
    ]
  }

  package static func conflicts(_ conflicts: [Migrator.Conflict], pruned: Int? = nil) -> JSON {
    .document(
      [("conflicts", .array(conflicts.map(conflict)))]
        + (pruned.map { [("pruned", .count($0))] } ?? []))
  }

  package static func conflict(_ conflict: Migrator.Conflict) -> JSON {
    var members: [(key: String, value: JSON)] = [
      ("id", .number(conflict.id)), ("version", .number(conflict.version)),
      ("table", .string(conflict.table)), ("key", .raw(conflict.key.json)),
    ]
    if let names = conflict.names { members.append(("names", .raw(names.json))) }
    if let owner = conflict.heldBy { members.append(("heldBy", .string(owner))) }
    members += [
      ("kind", .string(conflict.kind.rawValue)), ("policy", .optional(conflict.policy)),
      ("resolution", .string(conflict.resolution.rawValue)),
      ("movedTo", .raw(optional: conflict.movedTo?.json)),
      ("base", .raw(optional: conflict.base?.json)),
      ("mine", .raw(optional: conflict.mine?.json)),
      ("seed", .raw(optional: conflict.seed?.json)),
      ("at", .string(conflict.at.text)), ("settled", .optional(conflict.settled?.rawValue)),
      ("settledAt", .optional(conflict.settledAt?.text)),
    ]
    return .object(members)
  }

  package static func outlook(_ outlook: Migrator.Outlook) -> JSON {
    switch outlook {
    case .upToDate: .document([("outlook", .string("upToDate"))])
    case .newer: .document([("outlook", .string("newer"))])
    case .pending(let estimate):
      .document([("outlook", .string("pending"))] + members(of: estimate))
    }
  }

  package static func estimate(_ estimate: Migrator.Estimate) -> JSON {
    .document(members(of: estimate))
  }

  private static func members(of estimate: Migrator.Estimate) -> [(key: String, value: JSON)] {
    [
      ("pending", .array(estimate.pending.map { .number($0) })),
      ("bytes", .number(estimate.bytes)), ("rows", .optional(estimate.rows)),
      ("neededBytes", .number(estimate.neededBytes)),
      ("freeBytes", .optional(estimate.freeBytes)),
      ("durationMs", .optional(estimate.duration?.milliseconds)),
    ]
  }

  package static func error(_ error: SeedbedError) -> JSON { .document(members(of: error)) }

  static func members(of error: SeedbedError) -> [(key: String, value: JSON)] {
    [
      ("error", problem(error)), ("databaseUnchanged", .bool(error.isDatabaseUnchanged)),
      ("applied", .array(error.applied.map { .number($0) })),
    ]
  }

  package static func problem(_ error: SeedbedError) -> JSON {
    .object([
      ("code", .string(error.code.rawValue)), ("message", .string(error.message)),
      ("file", .optional(error.place?.file)), ("line", .optional(error.place?.line)),
      ("column", .optional(error.place?.column)), ("version", .optional(error.version)),
    ])
  }
}
