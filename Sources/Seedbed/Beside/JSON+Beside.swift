// The documents of what compares a database with the catalog.

extension JSON {
  package static func reseed(_ reports: [Migrator.ReseedReport]) -> JSON {
    let touched = reports.flatMap(\.touchedTables)
    return .document([
      ("database", .optional(reports.first?.database)),
      ("version", .optional(reports.first?.version)),
      ("tables", .array(reports.map(table))),
      ("touchedTables", .array(touched.map { .string($0) })),
      ("backup", .optional(reports.first?.backup?.path)),
      ("outcome", .string(touched.isEmpty ? "upToDate" : "reseeded")),
    ])
  }

  private static func table(_ report: Migrator.ReseedReport) -> JSON {
    .object(
      [("table", .string(report.table))] + counts(report.counts).filter { $0.key != "deleted" } + [
        ("keys", .array(report.changedKeys.map { .raw($0.json) })),
        ("replacedKeys", .array(report.replacedKeys.map { .raw($0.json) })),
      ])
  }

  package static func settled(_ settled: Migrator.Settlement) -> JSON {
    .document([
      ("settled", .array(settled.conflicts.map { .number($0) })),
      ("changedSince", .array(settled.changedSince.map { .number($0) })),
      (
        "refused",
        .array(
          settled.refused.map {
            .object([("id", .number($0.conflict)), ("reason", .string($0.error.message))])
          })
      ),
      ("touchedTables", .array(settled.touchedTables.map { .string($0) })),
    ])
  }

  package static func pinned(_ rows: [Migrator.UserOwnedKey]) -> JSON {
    .document([
      (
        "pinned",
        .array(rows.map { .object([("table", .string($0.table)), ("key", .raw($0.key.json))]) })
      )
    ])
  }

  package static func origin(_ origin: Migrator.Origin?) -> JSON {
    .document([
      ("origin", .optional(origin?.kind.rawValue)),
      ("original", .raw(optional: origin?.original?.json)),
      ("isPinned", .bool(origin?.isPinned ?? false)),
    ])
  }
}
