internal import Seedbed

/// What an adoption found, and did:
///
///     words      1,203 as in version 5, 310 refreshed, 4 edited (text 3, note 1), 2 deleted
///     senses     880 as in version 5, 12 added
///                edition 3 had not arrived: 1 of 12 rows is there as an edition had it
struct AdoptionText {
  let adopted: Adoption.Report
  let context: CommandContext

  var lines: [String] {
    let width = max(10, adopted.tables.map(\.table.printable.displayWidth).max() ?? 0)
    let indent = String(repeating: " ", count: width + 1)
    let tables = adopted.tables.flatMap { table in
      let more = edits(table) + editions(table)
      return [table.table.printable.padded(to: width) + " " + counts(table)]
        + more.map { indent + $0 }
    }
    return tables + [conflicts].compactMap(\.self)
  }

  /// What the version has otherwise, and the user keeps.
  private var conflicts: String? {
    if adopted.conflictCount == 0 { return nil }
    let isWhole = adopted.conflicts.count == adopted.conflictCount
    let count = Measures.count(adopted.conflictCount, "conflict")
    let kinds = isWhole ? RunTranscript.kinds(adopted.conflicts) : count
    return "\(count), the user's side was kept\(kinds == count ? "" : ": " + kinds)"
  }

  /// The first of the user's values, each beside that of the edition.
  private func edits(_ table: Adoption.Table) -> [String] {
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

  private func counts(_ table: Adoption.Table) -> String {
    let columns = table.columns.map { "\($0.name.printable) \(Measures.grouped($0.rows))" }
    let edited = columns.isEmpty ? "edited" : "edited (\(columns.joined(separator: ", ")))"
    let parts = [
      (table.unchanged, "as in version \(adopted.version)"), (table.refreshed, "refreshed"),
      (table.edited, edited), (table.inserted, "added"), (table.retired, "retired"),
      (table.deleted, "deleted by the user"),
    ].filter { $0.0 > 0 }.map { "\(Measures.grouped($0.0)) \($0.1)" }
    return parts.isEmpty ? "no rows" : parts.joined(separator: ", ")
  }

  /// The editions that lack rows. One of which at least half of the rows are there has arrived, and
  /// the user deleted the others.
  private func editions(_ table: Adoption.Table) -> [String] {
    if table.inserted + table.deleted == 0 { return [] }
    let lacking = table.editions.filter { $0.found < $0.rows }
    let rest = lacking.count - Self.mostEdits
    let lines = lacking.suffix(Self.mostEdits).map { edition in
      let arrived = edition.hasArrived ? "had arrived" : "had not arrived"
      let found = "\(Measures.grouped(edition.found)) of \(Measures.count(edition.rows, "row"))"
      let isOne = edition.found == 1 || edition.rows == 1
      let are = isOne ? "is there as an edition had it" : "are there as an edition had them"
      return "edition \(edition.version) \(arrived): \(found) \(are)"
    }
    return lines + (rest > 0 ? ["\(rest) earlier editions lack rows, too: --json has all"] : [])
  }
}
