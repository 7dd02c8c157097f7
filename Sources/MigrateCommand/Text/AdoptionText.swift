internal import Seedbed

/// What an adoption found, and did: one line for a table.
///
///     words      1,203 as in version 5, 310 refreshed, 4 edited (text 3, note 1), 2 deleted
///     senses     880 as in version 5, 12 added
///     Its newest row is of edition 3. Rows of later editions had never arrived, and others that
///     are missing were deleted by the user.
struct AdoptionText {
  let adopted: Migrator.Report.Adopted
  let context: CommandContext

  var lines: [String] {
    let width = max(10, adopted.tables.map(\.table.printable.displayWidth).max() ?? 0)
    return adopted.tables.flatMap { table in
      [table.table.printable.padded(to: width) + " " + counts(table)]
        + edits(table).map { String(repeating: " ", count: width + 1) + $0 }
    } + [edition, conflicts].compactMap(\.self)
  }

  /// What the version has otherwise, and the user keeps.
  private var conflicts: String? {
    if adopted.conflictCount == 0 { return nil }
    let isWhole = adopted.conflicts.count == adopted.conflictCount
    let kinds = isWhole ? ": " + RunTranscript.kinds(adopted.conflicts) : ""
    return "\(Measures.count(adopted.conflictCount, "conflict")), the user's side was kept\(kinds)"
  }

  /// The first of the user's values, each beside that of the edition.
  private func edits(_ table: Migrator.Report.Adopted.Table) -> [String] {
    let shown = table.edits.prefix(Self.mostEdits).map { edit in
      "\(edit.key.listed)  \(edit.column.printable)=\(edit.base.shown)  mine=\(edit.mine.shown)"
    }
    let all = table.columns.reduce(0) { $0 + $1.rows }
    let rest = all - shown.count
    return shown
      + (rest > 0
        ? ["\(Measures.grouped(rest)) more of the user's values: --json has 100 of each column"]
        : [])
  }

  private static let mostEdits = 5

  private func counts(_ table: Migrator.Report.Adopted.Table) -> String {
    let columns = table.columns.map { "\($0.name.printable) \(Measures.grouped($0.rows))" }
    let edited = columns.isEmpty ? "edited" : "edited (\(columns.joined(separator: ", ")))"
    let parts = [
      (table.unchanged, "as in version \(adopted.version)"), (table.refreshed, "refreshed"),
      (table.edited, edited), (table.inserted, "added"), (table.retired, "retired"),
      (table.deleted, "deleted by the user"),
    ].filter { $0.0 > 0 }.map { "\(Measures.grouped($0.0)) \($0.1)" }
    return parts.isEmpty ? "no rows" : parts.joined(separator: ", ")
  }

  private var edition: String? {
    let tables = adopted.tables
    if tables.allSatisfy({ $0.inserted + $0.deleted == 0 }) { return nil }
    let newest =
      adopted.edition == 0
      ? "No row is of any edition" : "Its newest row is of edition \(adopted.edition)"
    return "\(newest): \(Measures.count(tables.reduce(0) { $0 + $1.inserted }, "row")) had never "
      + "arrived, and the user deleted \(Measures.grouped(tables.reduce(0) { $0 + $1.deleted }))."
  }
}
