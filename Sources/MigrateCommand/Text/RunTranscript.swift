internal import Seedbed
internal import SeedbedOptions

/// The output of `up`, `plan` and `down` for their reports.
///
///     Backup   app.sqlite.backups/app.v2.20261120T081244.120Z.sqlite  (1.2 MB, verified)
///     0003 iupac_2016   elements   ~4 changed  (1 edited by the user)                    11 ms
///     0004 weights_2021 elements   ~6 changed                                             9 ms
///     Applied 2 migrations. Database is at 4.  1 conflict, the user's edit was kept: …
struct RunTranscript {
  let report: Migrator.Report
  let context: CommandContext

  var lines: [String] {
    let backup = report.backup.map { ["Backup   " + Self.backup($0, context)] } ?? []
    let hasConflicts = report.migrations.contains { $0.conflictCount > 0 }
    let adopted = report.adopted.map { AdoptionText(adopted: $0, context: context).lines } ?? []
    let packs = report.packs.flatMap { pack in
      ["Pack '\(pack.name.printable)':"]
        + RunTranscript(report: pack.report, context: context).lines
    }
    return backup + adopted + rows() + context.lines(report.passedOver) + [
      context.palette(summary, hasConflicts ? .waiting : .plain)
    ] + packs
  }

  /// The place and size of a backup, and whether it was checked. Comes after "Backup   ".
  static func backup(_ backup: Migrator.Backup, _ context: CommandContext) -> String {
    // On a server, a command made it, and only that command knows the result.
    if context.settings.server != nil { return "made by: \(backup.path.printable)" }
    let check = backup.isVerified ? "verified" : "not verified"
    let facts = "  (\(Measures.bytes(backup.bytes)), \(check))"
    return context.shown(backup.path, beside: 9 + facts.displayWidth) + facts
  }

  // MARK: One line a table

  /// The result for one table, in the pieces of its line.
  private struct Row {
    var place: String
    var change: Change
    var took: String

    var start: String { place + " " + change.counts }
    var whole: String { start + (change.remark.map { "  (\($0))" } ?? "") }

    /// Its lines without the time: as few as fit. Lines after the first are indented.
    func lines(columns: Int) -> [String] {
      if whole.displayWidth <= columns { return [whole] }
      let remark = change.remark.map { ["    (\($0))"] } ?? []
      if start.displayWidth <= columns { return [start] + remark }
      return [place.trimmed.cut(to: columns), "    " + change.counts] + remark
    }
  }

  private struct Change {
    var table = ""
    var counts: String
    var remark: String?
  }

  private func rows() -> [String] {
    let names = report.migrations.map(label)
    let nameWidth = names.map(\.displayWidth).max() ?? 0
    let tables = report.migrations.flatMap(\.tables).map(\.table.printable)
    let tableWidth = max(10, tables.map(\.displayWidth).max() ?? 0)
    var rows: [Row] = []
    for (migration, name) in zip(report.migrations, names) {
      for (position, change) in changes(migration).enumerated() {
        rows.append(
          Row(
            place: (position == 0 ? name : "").padded(to: nameWidth) + " "
              + change.table.padded(to: tableWidth), change: change,
            took: position == 0 ? Measures.duration(migration.duration) : ""))
      }
    }
    // The times end in one column, 88 if the screen is wide enough and nothing is longer.
    let screen = context.invocation.output.width
    let room = screen.map { max(1, $0 - 8) } ?? .max
    let lines = rows.map { $0.lines(columns: room) }
    let width = lines.map { $0[0].displayWidth }.max() ?? 0
    let column = max(width, min(88, screen ?? 88) - 8)
    return zip(rows, lines).flatMap { row, lines in
      let first = (lines[0].padded(to: column) + row.took.leftPadded(to: 8)).trimmed
      let paint = row.change.remark == nil ? Paint.plain : .waiting
      return ([first] + lines.dropFirst()).map { context.palette($0, paint) }
    }
  }

  private func label(_ migration: Migrator.Report.Migration) -> String {
    if migration.newOwners > 0 { return Measures.count(migration.newOwners, "new owner") }
    let digits = String(migration.version)
    let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
    return "\(zeros)\(digits) \(migration.name.printable)"
  }

  private func changes(_ migration: Migrator.Report.Migration) -> [Change] {
    if migration.isWithdrawn { return [Change(counts: "withdrawn, skipped")] }
    if migration.tables.isEmpty, migration.newOwners > 0, report.adopted != nil {
      return [Change(counts: "adopted")]
    }
    if migration.tables.isEmpty {
      return [Change(counts: migration.isSnapshot ? "no rows, from its snapshot" : "no rows")]
    }
    let isWhole = migration.conflicts.count == migration.conflictCount
    return migration.tables.enumerated().map { position, table in
      let own = migration.conflicts.filter { $0.table == table.table }
      var change = Change(table: table.table.printable, counts: Self.counts(table.counts))
      if migration.isSnapshot, position == 0 { change.counts += ", from the snapshot" }
      var remarks: [String] = []
      if isWhole, !own.isEmpty { remarks.append(Self.kinds(own)) }
      if !isWhole, position == 0 {
        remarks.append(Measures.count(migration.conflictCount, "conflict"))
      }
      // An earlier release left them to the user, and said why.
      if table.counts.left > 0 {
        remarks.append("\(Measures.grouped(table.counts.left)) left to the user")
      }
      change.remark = remarks.isEmpty ? nil : remarks.joined(separator: ", ")
      return change
    }
  }

  static func counts(_ counts: Migrator.Counts) -> String {
    let parts = [
      (counts.inserted, "+", "added"), (counts.updated, "~", "changed"),
      (counts.deleted, "-", "retired"), (counts.unchanged, "", "unchanged"),
      (counts.kept, "", "kept"),
    ]
    let present = parts.filter { $0.0 > 0 }.map { "\($0.1)\(Measures.grouped($0.0)) \($0.2)" }
    return present.isEmpty ? "no rows" : present.joined(separator: ", ")
  }

  /// `1 edited by the user, 2 keys taken by the user`; for more kinds, only the number.
  static func kinds(_ conflicts: [Migrator.Conflict]) -> String {
    var phrases = Migrator.Conflict.Kind.allCases.compactMap { kind -> String? in
      let count = conflicts.count { $0.kind == kind && !$0.mayBeEdited && $0.heldBy == nil }
      return count == 0 ? nil : phrase(kind, count)
    }
    for owner in Set(conflicts.compactMap(\.heldBy)).sorted() {
      for kind in [Migrator.Conflict.Kind.keyTaken, .referenced] {
        let count = conflicts.count { $0.heldBy == owner && $0.kind == kind }
        let words = kind == .referenced ? "needed" : "taken"
        if count == 0 { continue }
        phrases.append("\(Measures.grouped(count)) \(words) by \(ConflictText.catalog(owner))")
      }
    }
    let unclear = conflicts.count(where: \.mayBeEdited)
    if unclear > 0 { phrases.append("\(Measures.grouped(unclear)) that the user may have edited") }
    return phrases.count > 2
      ? Measures.count(conflicts.count, "conflict") : phrases.joined(separator: ", ")
  }

  private static func phrase(_ kind: Migrator.Conflict.Kind, _ count: Int) -> String {
    "\(Measures.grouped(count)) \(Reason(kind).sentence(count))"
  }

  // MARK: The last line

  private var summary: String {
    if report.migrations.isEmpty, let adopted = report.adopted {
      let isPlan = report.outcome == .planned
      return (isPlan ? "Would adopt the database at " : "Adopted the database at ")
        + "\(adopted.version)."
    }
    if report.migrations.isEmpty { return "Nothing to do. Database is at \(report.to)." }
    let snapshots = report.migrations.count(where: \.isSnapshot)
    let owners = report.migrations.reduce(0) { $0 + $1.newOwners }
    let others = report.migrations.count { !$0.isSnapshot && $0.newOwners == 0 }
    let parts = [
      (snapshots, "snapshot"), (others, "migration"), (owners, "new owner"),
    ].filter { $0.0 > 0 }.map { Measures.count($0.0, $0.1) }
    let (count, isFill) = (parts.inWords, snapshots + others == 0)
    let done =
      switch report.outcome {
      case .planned:
        "Would \(isFill ? "fill" : "apply") \(count). Database would be at \(report.to)."
      case .reverted: "Reverted \(count). Database is at \(report.to)."
      default: "\(isFill ? "Filled" : "Applied") \(count). Database is at \(report.to)."
      }
    return conflictSummary.map { "\(done)  \($0)" } ?? done
  }

  private var conflictSummary: String? {
    let count = report.migrations.reduce(0) { $0 + $1.conflictCount }
    if count == 0 { return nil }
    let isPlanned = report.outcome == .planned
    // Rows that were kept may have been dropped with their table.
    let isDiscarded = context.arguments.has(.discardUserRows)
    let outcome =
      isDiscarded
      ? nil : Self.outcome(report.migrations.flatMap(\.conflicts), count, isPlanned: isPlanned)
    let conflicts = Measures.count(count, "conflict") + (outcome.map { ", \($0)" } ?? "")
    // A plan prints them itself, since its log was rolled back.
    return isPlanned ? conflicts : "\(conflicts): \(context.program) conflicts"
  }

  /// The outcome, if one sentence is true of all of them.
  static func outcome(_ conflicts: [Migrator.Conflict], _ count: Int, isPlanned: Bool = false)
    -> String?
  {
    guard conflicts.count == count else { return nil }
    let isOne = count == 1
    if conflicts.contains(where: { $0.heldBy != nil }) { return nil }
    let s = (isOne ? "" : "s") + (isPlanned ? " would be" : isOne ? " was" : " were")
    let resolutions = Set(conflicts.map(\.resolution))
    if resolutions.isSubset(of: [.keptUser, .merged]) {
      if conflicts.allSatisfy({ $0.kind == .edited }) { return "the user's edit\(s) kept" }
      if conflicts.allSatisfy({ $0.kind == .deletedByUser }) {
        let stay = isPlanned ? "would stay" : isOne ? "stays" : "stay"
        return "the row\(isOne ? "" : "s") \(stay) deleted"
      }
      return "the user's row\(s) kept"
    }
    if resolutions == [.skipped] { return "the seed's row\(s) skipped" }
    if conflicts.allSatisfy(\.mayBeEdited) { return "the row\(s) logged" }
    if resolutions == [.tookSeed] { return "the seed's value\(s) taken" }
    return resolutions == [.moved] ? "the user's row\(s) moved" : nil
  }
}
