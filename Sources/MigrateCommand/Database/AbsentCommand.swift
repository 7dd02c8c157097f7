internal import Seedbed

extension Verb {
  static let absent = Verb(
    name: "absent",
    summary: "list the seed rows that are not in the database",
    about: "Lists the seed rows that the user deleted, or that a release left out because a "
      + "user's row was in their place or their parent was gone. 'reseed' brings them back: one "
      + "by one, or all of them with --missing. Changes nothing.",
    examples: [
      Example("absent", "those of every table that the catalog fills"),
      Example("absent elements --json", "those of one table, with their values"),
    ],
    operands: [Verb.Operand(name: "TABLE", help: "the table of the rows")],
    knowsServers: true,
    exitCodes: [.done, .failed, .disagreement, .busy, .newer, .usage, .interrupted],
    run: AbsentCommand.run)
}

enum AbsentCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    try context.requireDatabase()
    let table = context.arguments.operand
    let migrator = try context.migrator()
    let rows = try context.changing { cancellation, _ in
      try migrator.absent(from: table, cancellation: cancellation)
    }
    var lines = rows.map { row in
      "\(row.table.printable) \(row.key.listed), \(Reason(row.reason).sentence(1))"
    }
    lines.append(count(rows))
    if !rows.isEmpty {
      let operands = table.map { " " + [$0].shellOperands } ?? ""
      lines.append("To bring them back: \(context.program) reseed --missing\(operands)")
    }
    try context.result(lines, .absent(rows))
    return .done
  }

  /// `Absent: 2 rows of elements, 1 row of isotopes.`
  static func count(_ rows: [Migrator.AbsentRow]) -> String {
    if rows.isEmpty { return "Nothing is absent." }
    let counts = rows.grouped(by: \.table).map {
      "\(Measures.count($0.count, "row")) of \($0[0].table.printable)"
    }
    return "Absent: \(counts.joined(separator: ", "))."
  }
}
