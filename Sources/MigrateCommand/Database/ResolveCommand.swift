internal import Seedbed

extension Verb {
  static let resolve = Verb(
    name: "resolve",
    summary: "settle conflicts: keep the user's values, or take the seed's",
    about: "Settles conflicts of the log in one transaction, each together with the other open "
      + "ones of its row. With --mine the user's values stay or come back; with --seed the row, or "
      + "the columns that the conflicts are about, become as the catalog has them at the "
      + "database's version. The log keeps the user's values that are replaced or removed, so "
      + "--mine brings them back, even after later releases. A row that the user changed since is "
      + "not touched. Exits 3 if a conflict could not be settled; the others are settled.",
    examples: [
      Example("resolve 3 --seed", "take the seed's values in conflict 3"),
      Example("resolve 3 --mine", "and bring the user's back"),
      Example("resolve --all --where elements.name --seed", "all that are about one column"),
    ],
    operands: [
      Verb.Operand(
        name: "ID", help: "a conflict's number, as 'conflicts' lists it", repeats: true)
    ],
    knowsServers: true,
    exitCodes: [.done, .failed, .disagreement, .busy, .newer, .usage, .interrupted],
    run: ResolveCommand.run)
}

enum ResolveCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let arguments = context.arguments
    guard arguments.has(.settleMine) != arguments.has(.settleSeed) else {
      throw SeedbedError(.usage, "Give either '--mine' or '--seed': whose values the rows get.")
    }
    let place = try arguments.text(.settleWhere)
    let isAll = arguments.has(.settleAll)
    guard isAll == arguments.operands.isEmpty, place == nil || isAll else {
      throw SeedbedError(
        .usage,
        "Give the numbers of conflicts, or '--all', alone or with '--where'. "
          + "'\(context.program) conflicts' lists them.")
    }
    let numbers = try arguments.operands.map(number)
    try context.requireDatabase()
    let migrator = try context.migrator()
    let logged = try migrator.conflicts()
    let chosen: [Migrator.Conflict]
    if isAll {
      let there = logged.filter { place.map($0.isAt) ?? true }
      if let place, there.isEmpty {
        throw SeedbedError(
          .usage,
          "No conflict is about '\(place.shortened(to: 60).printable)'. "
            + "'\(context.program) conflicts' lists them.")
      }
      chosen = there.filter { $0.settled == nil }
    } else {
      chosen = try numbers.map { number in
        guard let conflict = logged.first(where: { $0.id == number }) else {
          throw SeedbedError(
            .usage,
            "There is no conflict \(number). '\(context.program) conflicts' lists them. Nothing "
              + "was changed.")
        }
        return conflict
      }
    }
    let settled = try context.changing { cancellation, _ in
      try migrator.resolve(
        chosen, with: arguments.has(.settleMine) ? .mine : .seed, cancellation: cancellation)
    }
    try context.result(lines(settled, context), .settled(settled))
    return settled.refused.isEmpty ? .done : .disagreement
  }

  private static func number(_ word: String) throws -> Int64 {
    guard let number = Int64(word), number > 0 else {
      throw SeedbedError(
        .usage, "'\(word.shortened(to: 40).printable)' is not the number of a conflict.")
    }
    return number
  }

  static func lines(_ settled: Migrator.Settlement, _ context: CommandContext) -> [String] {
    let shown = 20
    var lines = settled.refused.prefix(shown).map {
      context.completed($0.error, for: .resolve).message.printable
    }
    if settled.refused.count > shown {
      lines.append("… and \(settled.refused.count - shown) more; --json has them all")
    }
    lines += settled.changedSince.prefix(shown).map {
      "Conflict \($0): the row changed since, and stays as it is now."
    }
    let count = Measures.count(settled.conflicts.count, "conflict")
    return lines + ["Settled \(count)."]
  }
}

extension Migrator.Conflict {
  /// Whether it is about a table, or about a column of one.
  fileprivate func isAt(_ place: String) -> Bool {
    if table.isSameName(as: place) { return true }
    return isOfColumns && columns.contains { "\(table).\($0.name)".isSameName(as: place) }
  }
}
