internal import Seedbed
internal import SeedbedAuthoring

/// The document of `show --json`, written piece by piece: a release may have a million rows.
struct ReleaseJSON {
  let context: CommandContext
  let limit: Int

  func print(_ release: ShowCommand.Shown) throws {
    var page = Page(context: context)
    try add(release, to: &page, head: JSON.document([catalog] + Self.members(release.reading)))
    try page.add("\n")
    try page.flush()
  }

  func print(_ releases: [ShowCommand.Shown], since ref: String) throws {
    var page = Page(context: context)
    let head = JSON.document([catalog, ("since", .string(ref))])
    try page.add(head.text.dropLast() + #","migrations":["#)
    for (index, release) in releases.enumerated() {
      if index > 0 { try page.add(",") }
      try add(release, to: &page, head: .object(Self.members(release.reading)))
    }
    try page.add("]}\n")
    try page.flush()
  }

  private var catalog: (key: String, value: JSON) {
    ("catalog", .string(context.settings.migrations))
  }

  static func members(_ release: ReleaseReading) -> [(key: String, value: JSON)] {
    [
      ("version", .number(release.version)),
      ("folder", .string(release.folder)),
      ("description", .optional(release.description)),
      ("withdrawn", .bool(release.isWithdrawn)),
      ("sql", .array(release.scripts.map(script))),
    ]
  }

  private func add(_ release: ShowCommand.Shown, to page: inout Page, head: JSON) throws {
    try page.add(head.text.dropLast() + #","tables":["#)
    for (index, table) in release.tables.enumerated() {
      try page.add(
        (index == 0 ? "" : ",") + Self.table(table, limit: limit).text.dropLast() + #","rows":["#)
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
    try page.add("]}")
  }

  private static func script(_ script: ReleaseReading.Script) -> JSON {
    .object([
      ("file", .string(script.name)),
      ("statements", .array(script.statements.map { .string($0) })),
    ])
  }

  static func table(_ table: ReleaseReading.Table, limit: Int) -> JSON {
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

  /// Numbers are kept as they are written, so that no digit is lost.
  private func value(_ value: ReleaseReading.Value?) -> JSON {
    switch value {
    case nil, .null, .empty: .null
    case .number(let text), .text(let text): .string(text)
    case .blob(let bytes): .object([("bytes", .number(Int64(bytes)))])
    }
  }
}
