internal import Seedbed
internal import SeedbedAuthoring

/// The document of `show --json`, written piece by piece: a release may have a million rows.
struct ReleaseJSON {
  let release: ReleaseReading
  let tables: [ReleaseReading.Table]
  let limit: Int

  init(_ release: ReleaseReading, _ tables: [ReleaseReading.Table], limit: Int) {
    (self.release, self.tables, self.limit) = (release, tables, limit)
  }

  func print(_ session: Session) throws {
    var page = Page(session: session)
    let head = JSON.document([
      ("catalog", .string(session.settings.migrations)),
      ("version", .number(release.version)),
      ("folder", .string(release.folder)),
      ("description", .optional(release.description)),
      ("withdrawn", .bool(release.isWithdrawn)),
      ("sql", .array(release.scripts.map(script))),
    ])
    try page.add(head.text.dropLast() + #","tables":["#)
    for (index, table) in tables.enumerated() {
      try page.add((index == 0 ? "" : ",") + self.table(table).text.dropLast() + #","rows":["#)
      var isFirst = true
      for operation in ReleaseReading.Row.Operation.allCases {
        try ShowCommand.rows(of: table, operation, limit: limit) { row in
          if !isFirst { try page.add(",") }
          try page.add(self.row(row))
          isFirst = false
        } omitted: { _ in
        }
      }
      try page.add("]}")
    }
    try page.add("]}\n")
    try page.flush()
  }

  private func script(_ script: ReleaseReading.Script) -> JSON {
    .object([
      ("file", .string(script.name)),
      ("statements", .array(script.statements.map { .string($0) })),
    ])
  }

  private func table(_ table: ReleaseReading.Table) -> JSON {
    let counts = ReleaseReading.Row.Operation.allCases.map { table.count($0) }
    return .object([
      ("table", .string(table.name)),
      ("inserted", .number(Int64(counts[0]))),
      ("updated", .number(Int64(counts[1]))),
      ("deleted", .number(Int64(counts[2]))),
      ("columns", .array(table.summary.changedColumns.map { .string($0) })),
      (
        "omitted",
        .number(Int64(counts.reduce(0) { $0 + max(0, $1 - limit) }))
      ),
    ])
  }

  private func row(_ row: ReleaseReading.Row) -> JSON {
    .object([
      ("operation", .string(row.operation.rawValue)),
      ("key", .object(row.key.map { ($0.name, value($0.new ?? $0.old)) })),
      (
        "columns",
        .array(
          (row.key.filter(\.isChanged) + row.fields).map { field in
            .object(
              [("column", .string(field.name))]
                + (field.old == nil ? [] : [("old", value(field.old))])
                + (field.new == nil ? [] : [("new", value(field.new))]))
          })
      ),
    ])
  }

  /// Numbers as they are written: nothing is lost to a floating point number.
  private func value(_ value: ReleaseReading.Value?) -> JSON {
    switch value {
    case nil, .null: .null
    case .number(let text), .text(let text): .string(text)
    case .blob(let bytes): .object([("bytes", .number(Int64(bytes)))])
    }
  }
}
