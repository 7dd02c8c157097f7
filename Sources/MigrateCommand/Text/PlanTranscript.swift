internal import Seedbed
internal import SeedbedOptions

/// The output of `plan`: what `up` would do, then the conflicts by column, and the needed time and
/// space.
///
///     0003 iupac_2016 elements   ~4 changed  (1 edited by the user)                      11 ms
///     elements.name: 1 edited
///       KEY         SEED        MINE      BASE         WHO WINS
///       number=113  "Nihonium"  "Bobium"  "Ununtrium"  the user (keepEdits)
///     Would apply 1 migration. Database would be at 3.  1 conflict, the user's edit would be kept
///     Disk: about 90.1 kB, the backup included. Time: about 11 ms, as this plan took.
struct PlanTranscript {
  /// The most conflicts to show; the rest are counted.
  static let limit = 20

  let report: Migrator.Report
  let context: CommandContext

  var lines: [String] {
    var lines = RunTranscript(report: report, context: context).lines
    if report.migrations.isEmpty { return lines }
    let last = lines.removeLast()
    return lines + conflicts() + [last, cost]
  }

  // MARK: conflicts

  /// A conflict in one column of its row, or about the row as a whole.
  private struct Entry {
    let text: ConflictText
    let column: String?

    var place: String {
      text.conflict.table.printable + (column.map { "." + $0.printable } ?? "")
    }
  }

  /// - Parameter verb: the verb that shows all of them.
  func conflicts(verb: String = "plan") -> [String] {
    let all = report.migrations.flatMap(\.conflicts)
    if all.isEmpty { return [] }
    let entries = entries(of: all)
    let shown = self.entries(of: Array(all.prefix(Self.limit)))
    var lines: [String] = []
    for place in places(entries) {
      let here = entries.filter { $0.place == place }
      lines.append(context.palette("\(place): \(kinds(here))", .waiting))
      lines += table(shown.filter { $0.place == place })
    }
    let count = report.migrations.reduce(0) { $0 + $1.conflictCount }
    let rest = count - min(count, Self.limit)
    if rest > 0 {
      let more = Measures.count(rest, "more conflict")
      lines.append("… and \(more): \(context.program) \(verb) --json")
    }
    return lines
  }

  private func entries(of conflicts: [Migrator.Conflict]) -> [Entry] {
    conflicts.flatMap { conflict in
      let text = ConflictText(conflict)
      if !text.concernsColumns { return [Entry(text: text, column: nil)] }
      return text.columns.map { Entry(text: text, column: $0) }
    }
  }

  /// The places in the order of their first conflicts.
  private func places(_ entries: [Entry]) -> [String] {
    var seen: Set<String> = []
    return entries.map(\.place).filter { seen.insert($0).inserted }
  }

  /// `2 edited, 1 uniqueTaken`
  private func kinds(_ entries: [Entry]) -> String {
    Migrator.Conflict.Kind.allCases.compactMap { kind in
      let count = entries.count { $0.text.conflict.kind == kind }
      return count == 0 ? nil : "\(Measures.grouped(count)) \(kind.rawValue)"
    }.joined(separator: ", ")
  }

  private func table(_ entries: [Entry]) -> [String] {
    if entries.isEmpty { return [] }
    let rows = entries[0].column == nil ? wholeRows(entries) : values(entries)
    let sides = entries[0].column == nil ? 0..<0 : 1..<4
    let table = FittedTable(rows: rows, whole: [0, rows[0].count - 1], compared: sides)
    return table.lines(columns: context.columns - 2).lines.map { "  " + $0 }
  }

  private func wholeRows(_ entries: [Entry]) -> [[String]] {
    [["KEY", "KIND", "WHO WINS"]]
      + entries.map { [$0.text.key, $0.text.conflict.kind.rawValue, winner($0)] }
  }

  private func values(_ entries: [Entry]) -> [[String]] {
    [["KEY", "SEED", "MINE", "BASE", "WHO WINS"]]
      + entries.map { entry in
        let column = entry.column ?? ""
        let sides = [entry.text.seed, entry.text.mine, entry.text.base]
        return [entry.text.key] + sides.map { $0?[column]?.shown ?? "" } + [winner(entry)]
      }
  }

  /// `the user (keepEdits)`
  private func winner(_ entry: Entry) -> String {
    let conflict = entry.text.conflict
    let winner =
      switch conflict.resolution {
      case .tookSeed: "the seed"
      case .keptUser, .merged: "the user"
      case .skipped: "skipped"
      case .moved: "both; the user's moves"
      }
    return winner + (conflict.policy.map { " (\($0))" } ?? "")
  }

  // MARK: what it would take

  private var cost: String {
    let took = report.migrations.reduce(Duration.zero) { $0 + $1.duration }
    let backsUp = !context.arguments.has(.noBackup) && !context.databaseIsMissing
    let time = "Time: about \(Measures.duration(took)), as this plan took."
    // A server's disk is not ours to check.
    if context.settings.server != nil { return time }
    let disk =
      "about \(Measures.bytes(report.neededBytes ?? 0))"
      + (backsUp ? ", the backup included" : "")
    return "Disk: \(disk). \(time)"
  }
}
