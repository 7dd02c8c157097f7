internal import Seedbed
internal import SeedbedOptions

extension Verb {
  static let down = Verb(
    name: "down",
    summary: "undo the migrations above a version",
    about: "Undoes every migration above N, the newest first, each in one transaction. Rows and "
      + "values of users stay. Values that a policy overwrote do not come back: they are in "
      + "the log of conflicts and in the backup. The database is backed up before the first "
      + "change. If something cannot be undone, nothing is changed; only if a migration needs "
      + "\"foreignKeys\": \"off\", those above it may already be undone.",
    examples: [
      Example("down --to 3", "undo everything above version 3"),
      Example("down --to 0", "undo everything"),
      Example("down --to 1 --discard-user-rows", "and discard users' rows and values"),
      Example("down --to 3 --each tenants/ --canary 10", "many databases, ten of them first"),
    ],
    knowsServers: true,
    exitCodes: [
      .done, .failed, .disagreement, .busy, .newer, .refused, .usage, .interrupted,
    ],
    run: DownCommand.run)
}

enum DownCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let arguments = context.arguments
    guard let version: Version = try arguments.number(.downTo) else {
      throw UsageError.missingOption(
        .downTo, of: .down,
        "It is the version to go back to: '\(context.program) status' lists them, and 0 undoes "
          + "everything.")
    }
    if let all = try Each.databases(context, of: context.catalog) {
      return try Each.run(all, context, .down) { fleet, cancellation, onEach in
        try fleet.down(
          to: version, discardsUserRows: arguments.has(.discardUserRows),
          cancellation: cancellation, onEach: onEach)
      }
    }
    try context.requireDatabase()
    let migrator = try context.migrator()
    let report = try context.changing { cancellation, display in
      try migrator.down(
        to: version, discardsUserRows: arguments.has(.discardUserRows), cancellation: cancellation
      ) { display.show($0) }
    }
    for note in report.notes { context.message(note) }
    try context.result(RunTranscript(report: report, context: context).lines, .report(report))
    return .done
  }
}
