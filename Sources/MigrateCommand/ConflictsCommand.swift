internal import Seedbed

extension Verb {
  static let conflicts = Verb(
    name: "conflicts",
    summary: "what the user and the seed disagreed on, and who won",
    about: "Lists every place where the seed wanted to change what the user had changed or "
      + "taken. 'base' is what the seed believed to be there, 'mine' what the user had, 'seed' "
      + "what the seed wanted.",
    examples: [
      Example("conflicts", "all of them, oldest first"),
      Example("conflicts --json", "with every value whole"),
      Example("conflicts --prune", "forget them; the rows stay as they are"),
    ],
    options: [ConflictsCommand.prune],
    exitCodes: [.done, .failed, .busy, .usage],
    run: ConflictsCommand.run)
}

enum ConflictsCommand {
  static let prune = OptionSpec(
    name: "prune", placeholder: nil, help: "forget all of them; the rows stay as they are")

  static func run(_ session: Session) throws -> ExitCode {
    let migrator = try session.migratorWithoutCatalog()
    if session.arguments.has(prune) {
      let count = try migrator.pruneConflicts()
      let line = "Forgot \(Measures.count(count, "conflict"))."
      try session.result([line], .conflicts([], pruned: count))
    } else {
      let conflicts = try migrator.conflicts()
      try session.result(lines(conflicts, session), .conflicts(conflicts))
    }
    return .done
  }

  /// A table, and under each of its rows the values that met.
  static func lines(_ conflicts: [Conflict], _ session: Session) -> [String] {
    if conflicts.isEmpty { return ["No conflicts."] }
    let table = table(conflicts).lines(session.palette)
    var isCut = false
    var lines = [table[0]]
    for (conflict, row) in zip(conflicts, table.dropFirst()) {
      lines.append(row)
      for line in values(conflict) {
        let whole = "    " + line
        isCut = isCut || whole.displayWidth > session.columns
        lines.append(session.palette(whole.cut(to: session.columns), .faint))
      }
    }
    let more = isCut ? "; '\(session.program) conflicts --json' shows all of each value" : ""
    return lines + [Measures.count(conflicts.count, "conflict") + more]
  }

  private static func table(_ conflicts: [Conflict]) -> Table {
    var table = Table([
      .init("ID", .right), .init("VERSION", .right), .init("TABLE"), .init("KEY"),
      .init("KIND"), .init("RESOLUTION"),
    ])
    // 80 columns hold it: what may be long is cut, and `--json` has it whole.
    for conflict in conflicts {
      table.add([
        .init(String(conflict.id)), .init(String(conflict.version)),
        .init(conflict.table.printable.cut(to: 16)), .init(conflict.key.printable.cut(to: 22)),
        .init(conflict.kind.rawValue), .init(conflict.resolution.rawValue),
      ])
    }
    return table
  }

  private static func values(_ conflict: Conflict) -> [String] {
    var lines: [String] = []
    if let base = conflict.base { lines.append("base  \(base.printable)") }
    if let mine = conflict.mine { lines.append("mine  \(mine.printable)") }
    if let seed = conflict.seed { lines.append("seed  \(seed.printable)") }
    if let moved = conflict.movedTo { lines.append("moved to \(moved.printable)") }
    var last = "at \(Moment.toTheSecond(conflict.at))"
    if let policy = conflict.policy { last += " by \(policy)" }
    if let undone = conflict.undoneAt { last += ", undone at \(Moment.toTheSecond(undone))" }
    return lines + [last]
  }
}
