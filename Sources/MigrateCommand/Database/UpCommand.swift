internal import Seedbed
internal import SeedbedOptions

extension Verb {
  static let up = Verb(
    name: "up",
    summary: "apply the pending migrations",
    about: "Applies every pending migration, each in one transaction: all of it or nothing. The "
      + "database is backed up before the first change. If there is no database, it is created.",
    examples: [
      Example("up", "bring app.sqlite up to date"),
      Example("up --to 3", "stop at version 3"),
      Example("up --database user.sqlite --must-exist", "never create a database"),
      Example("up --each 'tenants/*.sqlite' --canary 10", "many databases, ten of them first"),
      Example("up --json --progress none", "for a program to read"),
    ],
    knowsServers: true,
    exitCodes: [
      .done, .failed, .disagreement, .busy, .newer, .refused, .usage, .interrupted,
    ],
    run: UpCommand.run)
}

enum UpCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let arguments = context.arguments
    let version: Version? = try arguments.number(.to)
    if let version, let expected: Version = try arguments.number(.expect), version < expected {
      throw SeedbedError(
        .usage, "'--to \(version)' stops before version \(expected), which '--expect' names.")
    }
    if let all = try Each.databases(context, of: context.catalog) {
      return try Each.run(all, context, .up) { fleet, cancellation, onEach in
        try fleet.up(to: version, cancellation: cancellation, onEach: onEach)
      }
    }
    if arguments.has(.mustExist) { try context.requireDatabase() }
    let migrator = try context.migrator()
    try context.refuseEmptied()
    let wasMissing = context.databaseIsMissing
    let report = try announcing(context, wasMissing) {
      try context.changing { cancellation, display in
        try migrator.up(
          to: version, createsDatabase: !arguments.has(.mustExist), cancellation: cancellation
        ) { display.show($0) }
      }
    }
    for note in report.notes + report.packs.flatMap(\.report.notes) { context.message(note) }
    try context.result(RunTranscript(report: report, context: context).lines, .report(report))
    return .done
  }

  /// Reports that a database was created, even if the run fails afterwards.
  private static func announcing(
    _ context: CommandContext, _ wasMissing: Bool, _ body: () throws -> Migrator.Report
  ) throws -> Migrator.Report {
    func announce() {
      if wasMissing, !context.databaseIsMissing {
        context.message("Created \(context.shown(context.settings.database))")
      }
    }
    do {
      let report = try body()
      // If nothing was applied to the empty file, another process created and filled it.
      if !report.migrations.isEmpty || report.to == 0 { announce() }
      return report
    } catch {
      announce()
      throw error
    }
  }
}
