internal import Seedbed

extension Verb {
  static let conflicts = Verb(
    name: "conflicts",
    summary: "list the conflicts between the user and the seed",
    about: "Lists each case in which the seed wanted to change a value or row that the user had "
      + "changed or taken, with the outcome and its policy. SEED is the seed's new value, MINE the "
      + "user's, and BASE the value that the seed expected.",
    examples: [
      Example("conflicts", "all of them, oldest first"),
      Example("conflicts --open", "only those that 'resolve' has not settled"),
      Example("conflicts --each tenants/", "how many, by table and column"),
      Example("conflicts --json", "with every value in full"),
      Example("conflicts --prune", "forget them; the rows stay as they are"),
    ],
    knowsServers: true,
    exitCodes: [.done, .failed, .busy, .newer, .usage, .interrupted],
    run: ConflictsCommand.run)
}

enum ConflictsCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let isOpen = context.arguments.has(.open)
    if isOpen, context.arguments.has(.prune) {
      throw SeedbedError(.usage, "'--prune' forgets all of them. Give either it or '--open'.")
    }
    let unread = { Catalog(unread: context.settings.migrations) }
    if let all = try Each.databases(context, of: unread) { return try each(all, context) }
    let migrator = try context.migratorWithoutCatalog(names: true)
    if context.arguments.has(.prune) {
      let count = try migrator.pruneConflicts()
      let line = "Forgot \(Measures.count(count, "conflict"))."
      try context.result([line], .conflicts([], pruned: count))
    } else {
      try list(migrator, isOpen, context)
    }
    return .done
  }

  /// Prints while it reads, since there may be hundreds of thousands.
  private static func list(
    _ migrator: Migrator, _ isOpen: Bool, _ context: CommandContext
  ) throws {
    let document = JSON.conflicts([]).text
    var (count, isCut) = (0, false)
    try migrator.eachConflicts(isOpen: isOpen) { page, last in
      if context.isJSON {
        // The document, opened at its list.
        let start = count == 0 ? String(document.dropLast(2)) : page.isEmpty ? "" : ","
        let list = page.map { JSON.conflict($0).text }.joined(separator: ",")
        try context.invocation.print(start + list)
      } else {
        try context.result(lines(page, width: String(last).count, context, &isCut), .null)
      }
      count += page.count
    }
    if context.isJSON { return try context.invocation.print(document.suffix(2) + "\n") }
    try context.result([end(count, isCut, context)], .null)
  }

  static func end(_ count: Int, _ isCut: Bool, _ context: CommandContext) -> String {
    if count == 0 { return "No conflicts." }
    let more = isCut ? "; '\(context.program) conflicts --json' shows every value in full" : ""
    return Measures.count(count, "conflict") + more
  }

  /// The number of conflicts by table and column.
  private static func each(_ databases: Each.Databases, _ context: CommandContext) throws
    -> ExitCode
  {
    if context.arguments.has(.prune) {
      return try Each.look(.conflicts, databases, context) { migrator, _ in
        let count = try migrator.pruneConflicts()
        return Each.Finding(
          name: count == 0 ? "withoutConflicts" : "pruned",
          words: count == 0 ? "without conflicts" : "whose conflicts were forgotten",
          document: .object([
            ("database", .string(migrator.shownPath)), ("pruned", .number(Int64(count))),
          ]))
      }
    }
    let tally = Guarded(ConflictTally())
    let isOpen = context.arguments.has(.open)
    return try Each.look(.conflicts, databases, context) { migrator, _ in
      var count = 0
      try migrator.eachConflicts(isOpen: isOpen) { page, _ in
        tally.withLock { tally in for conflict in page { tally.add(conflict) } }
        count += page.count
      }
      return Each.Finding(
        name: count == 0 ? "withoutConflicts" : "withConflicts",
        words: count == 0 ? "without conflicts" : "with conflicts",
        line: count == 0 ? nil : Measures.count(count, "conflict"),
        document: .object([
          ("database", .string(migrator.shownPath)), ("conflicts", .number(Int64(count))),
        ]))
    } more: {
      let counts = tally.withLock { $0.sorted }
      return (counts.map(FleetTranscript.place), "conflicts", .conflictCounts(counts))
    }
  }

  /// For each conflict its row, its outcome, and the conflicting values.
  ///
  /// - Parameter width: of the numbers.
  static func lines(
    _ conflicts: [Migrator.Conflict], width: Int, _ context: CommandContext, _ isCut: inout Bool
  ) -> [String] {
    let margin = String(repeating: " ", count: width + 2)
    var lines: [String] = []
    for conflict in conflicts {
      let text = ConflictText(conflict)
      let number = String(conflict.id).leftPadded(to: width) + "  "
      let title = title(text, columns: context.columns - width - 2)
      let values = text.values(columns: context.columns - width - 2)
      isCut = isCut || values.isCut
      lines.append(number + title[0])
      lines += title.dropFirst().map { margin + $0 }
      lines.append(margin + text.outcome)
      if let settled = text.settled { lines.append(margin + settled) }
      lines += values.lines.map { context.palette(margin + $0, .faint) }
      if let form = text.form { lines.append(margin + form) }
    }
    return lines
  }

  /// `edited: elements number=113  (version 3, 2026-11-20T08:12:44Z)`, on two lines if it is too
  /// long for one. The key identifies the row, so it is never cut.
  private static func title(_ text: ConflictText, columns: Int) -> [String] {
    let conflict = text.conflict
    let row = "\(conflict.kind.rawValue): \(conflict.table.printable) \(text.key)"
    let origin = "(version \(conflict.version), \(conflict.at.toTheSecond))"
    let line = "\(row)  \(origin)"
    return line.displayWidth <= columns ? [line] : [row, origin]
  }
}
