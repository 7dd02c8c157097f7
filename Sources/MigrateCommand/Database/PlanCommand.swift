internal import Seedbed
internal import SeedbedOptions

extension Verb {
  static let plan = Verb(
    name: "plan",
    summary: "show what 'up' would do, with every conflict; changes nothing",
    about: "Does all that 'up' would do inside a transaction, reports every change and conflict, "
      + "and rolls it back. Like 'up' it takes the write lock, so other programs wait while it "
      + "runs. Rows, schema and ledger stay as they are. If there is no database, it runs in "
      + "memory and creates nothing.",
    examples: [
      Example("plan", "what 'up' would do to app.sqlite"),
      Example("plan --to 3", "only as far as version 3"),
      Example("plan --on-edited keepRow", "what another policy would do"),
      Example("plan --each samples/", "how a release would go on samples of users' databases"),
      Example("plan --json", "with every conflict and value in full"),
    ],
    knowsServers: true,
    exitCodes: [
      .done, .failed, .disagreement, .busy, .newer, .refused, .usage, .interrupted,
    ],
    run: PlanCommand.run)
}

enum PlanCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let arguments = context.arguments
    let version: Version? = try arguments.number(.to)
    if let all = try Each.databases(context, of: context.catalog) {
      return try Each.run(all, context, .plan) { fleet, cancellation, onEach in
        try fleet.plan(to: version, cancellation: cancellation, onEach: onEach)
      }
    }
    if arguments.has(.mustExist) { try context.requireDatabase() }
    let migrator = try context.migrator()
    try context.refuseEmptied()
    if context.databaseIsMissing {
      let path = context.shown(context.settings.database)
      context.message("There is no database at '\(path)': planning in memory.")
    }
    let report = try context.changing { cancellation, display in
      try migrator.plan(to: version, cancellation: cancellation) { display.show($0) }
    }
    for note in report.notes { context.message(note) }
    try context.result(PlanTranscript(report: report, context: context).lines, .report(report))
    return .done
  }
}
