internal import Seedbed

extension Verb {
  static let fill = Verb(
    name: "fill",
    summary: "give a new owner a copy of the catalog's rows",
    about: "Gives a new owner, such as an organization, a copy of the rows of each table with the "
      + "option 'per', as of the database's version. An app calls it when it adds the owner; 'up' "
      + "does the same for all owners that have no copy.",
    examples: [Example("fill 7", "the owner with the key 7")],
    operands: [
      Verb.Operand(name: "OWNER", help: "the key of a row of the owners' table", isRequired: true)
    ],
    knowsServers: true,
    exitCodes: [.done, .failed, .disagreement, .busy, .newer, .usage],
    run: FillCommand.run)
}

enum FillCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    try context.requireDatabase()
    let report = try context.migrator().fill(owner: .text(context.arguments.operands[0]))
    for note in report.notes { context.message(note) }
    try context.result(RunTranscript(report: report, context: context).lines, .report(report))
    return .done
  }
}
