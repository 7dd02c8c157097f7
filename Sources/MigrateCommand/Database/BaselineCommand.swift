internal import Seedbed
internal import SeedbedOptions

extension Verb {
  static let baseline = Verb(
    name: "baseline",
    summary: "adopt a database that an app filled before it had a ledger",
    about: "The database may have rows of any edition up to version N. Each row is compared with "
      + "its states in all of them and belongs to the nearest: what differs from that is the "
      + "user's and stays, all else becomes version N's. Rows that the user deleted stay away, "
      + "and rows of later editions than the database has are added. Then the migrations 1 to N "
      + "are marked as applied. All of it is one transaction, after a backup. 'up --adopt N' does "
      + "the same before it goes on.",
    examples: [
      Example("baseline 5 --check", "show what differs; change nothing"),
      Example("baseline 5 --database user.sqlite", "adopt it at version 5"),
      Example("baseline 5 --absent missing", "the user deleted nothing: add all missing rows"),
    ],
    operands: [
      Verb.Operand(
        name: "N", help: "the last edition that the app shipped without a ledger",
        isRequired: true)
    ],
    knowsServers: true,
    exitCodes: [.done, .failed, .disagreement, .busy, .newer, .usage, .interrupted],
    run: BaselineCommand.run)
}

enum BaselineCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let word = context.arguments.operands[0]
    guard let version = Version(digits: word) else {
      throw SeedbedError(.usage, "'\(word.printable)' is not a version. Give a migration's number.")
    }
    let absent: Adoption.AbsentRows = try context.arguments.choice(.absent) ?? .byEdition
    let isCheck = context.arguments.has(.baselineCheck)
    try context.requireDatabase()
    let migrator = try context.migrator()
    let report = try context.changing { cancellation, display in
      isCheck
        ? try migrator.baselinePlan(at: version, absent: absent, cancellation: cancellation)
        : try migrator.baseline(
          at: version, absent: absent, cancellation: cancellation
        ) { display.show($0) }
    }
    let backup = report.backup.map { ["Backup   " + RunTranscript.backup($0, context)] } ?? []
    let tables = report.adopted.map { AdoptionText(adopted: $0, context: context).lines } ?? []
    try context.result(
      backup + tables + context.lines(report.passedOver) + [last(report, version, context)],
      .report(report))
    let differs = report.adopted?.tables.contains(where: \.differs) ?? false
    return isCheck && differs ? .disagreement : .done
  }

  private static func last(
    _ report: Migrator.Report, _ version: Version, _ context: CommandContext
  ) -> String {
    switch report.outcome {
    case .upToDate: return "Nothing to do. Database is at \(report.to)."
    case .planned:
      return "Nothing was changed. To adopt it: \(context.program) baseline \(version)"
    default: return "Adopted the database at \(report.to)."
    }
  }
}

extension Adoption.Table {
  /// Whether the database had a row that the version has not, or lacked one.
  fileprivate var differs: Bool { refreshed + edited + inserted + retired + deleted > 0 }
}
