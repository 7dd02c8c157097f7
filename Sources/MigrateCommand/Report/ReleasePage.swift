internal import Seedbed
internal import SeedbedAuthoring

/// The data of the page that `show --html` writes, piece by piece: a release may have a million
/// rows.
struct ReleasePage {
  let limit: Int
  private let text = ReleaseText(columns: nil)

  init(limit: Int) { self.limit = limit }

  /// - Parameter ref: the release since which they are new; nil for one migration.
  func data(
    _ releases: [ShowCommand.Shown], since ref: String?, to write: @escaping HTMLPage.Writer
  ) throws {
    let head = JSON.object(ReportJSON.opening("release") + [("since", .optional(ref))])
    try write(head.text.dropLast() + #","releases":["#)
    for (index, release) in releases.enumerated() {
      let members = JSON.object(ReleaseJSON.members(release.reading))
      try write((index == 0 ? "" : ",") + members.text.dropLast() + #","tables":["#)
      for (index, table) in release.tables.enumerated() {
        let members = ReleaseJSON.table(table, limit: limit)
        try write((index == 0 ? "" : ",") + members.text.dropLast() + #","rows":["#)
        try rows(of: table, to: write)
        try write("]}")
      }
      try write("]}")
    }
    try write("]}")
  }

  private func rows(
    of table: ReleaseReading.Table, to write: @escaping HTMLPage.Writer
  ) throws {
    var isFirst = true
    for operation in ReleaseReading.Row.Operation.allCases {
      try ShowCommand.rows(of: table, operation, limit: limit) { row in
        try write((isFirst ? "" : ",") + self.row(row).text)
        isFirst = false
      } omitted: { _ in
      }
    }
  }

  /// `["update","number=113",[["symbol","\"Uut\"","\"Nh\""]]]`
  private func row(_ row: ReleaseReading.Row) -> JSON {
    let key = row.key.map { field in
      "\(field.name.printable)=\(text.text(field.new ?? field.old ?? .null))"
    }
    let cells = (row.key.filter(\.isChanged) + row.fields).map { field in
      JSON.array([
        .string(field.name.printable), .optional(field.old.map(text.text)),
        .optional(field.new.map(text.text)),
      ])
    }
    return .array([
      .string(row.operation.rawValue), .string(key.joined(separator: ", ")), .array(cells),
    ])
  }
}
