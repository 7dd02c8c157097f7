internal import Seedbed
internal import SeedbedAuthoring

extension Verb {
  static let baseline = Verb(
    name: "baseline",
    summary: "mark migrations as applied in a database that already has their rows",
    about: "For a database that was filled before it had a ledger. Reports which rows of the "
      + "catalog at version N are missing or different, and marks the migrations 1 to N as "
      + "applied. No row is changed. Later releases merge as usual: differences count as the "
      + "user's.",
    examples: [
      Example("baseline 3 --check", "show what differs; mark nothing"),
      Example("baseline 3 --database user.sqlite", "mark 1 to 3 as applied"),
    ],
    operands: [
      Verb.Operand(
        name: "N", help: "the last version whose rows the database has", isRequired: true)
    ],
    knowsServers: true,
    exitCodes: [.done, .failed, .disagreement, .busy, .newer, .usage],
    run: BaselineCommand.run)
}

enum BaselineCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let word = context.arguments.operands[0]
    guard let version = Version(digits: word) else {
      throw SeedbedError(.usage, "'\(word.printable)' is not a version. Give a migration's number.")
    }
    let isCheck = context.arguments.has(.baselineCheck)
    try context.requireDatabase()
    let migrator = try context.migrator()
    let settings = context.settings
    if isCheck, settings.server != nil {
      throw SeedbedError(
        .usage,
        "'baseline --check' works on SQLite databases only. Without it, nothing is compared.")
    }
    // The comparison would find it, too, after a trial of all rows.
    try migrator.refuseBackwards(to: version)
    let preview =
      settings.server == nil
      ? try BaselinePreview.report(version: version, of: migrator) : nil
    let report = isCheck ? nil : try migrator.baseline(at: version, createsDatabase: false)
    try context.result(
      lines(preview, report, version, context),
      document(preview, report, version, settings))
    return isCheck && differs(preview) ? .disagreement : .done
  }

  private static func tables(_ preview: Migrator.Report?) -> [Migrator.Report.Table] {
    preview?.migrations.flatMap(\.tables) ?? []
  }

  private static func differs(_ preview: Migrator.Report?) -> Bool {
    tables(preview).contains { $0.counts.unchanged < $0.counts.total }
  }

  private static func lines(
    _ preview: Migrator.Report?, _ report: Migrator.Report?, _ version: Version,
    _ context: CommandContext
  ) -> [String] {
    let tables = tables(preview)
    let width = max(10, tables.map(\.table.printable.displayWidth).max() ?? 0)
    let counts = tables.map { table in
      let parts = [
        (table.counts.unchanged, "as in the catalog"), (table.counts.kept, "different"),
        (table.counts.inserted, "missing"),
      ].filter { $0.0 > 0 }.map { "\(Measures.grouped($0.0)) \($0.1)" }
      return table.table.printable.padded(to: width) + " " + parts.joined(separator: ", ")
    }
    let conflicts = preview.map {
      PlanTranscript(report: $0, context: context).conflicts(verb: "baseline \(version) --check")
    }
    return counts + (conflicts ?? []) + [last(report, version, context)]
  }

  private static func last(
    _ report: Migrator.Report?, _ version: Version, _ context: CommandContext
  )
    -> String
  {
    guard let report else {
      return "Nothing was marked. To mark all up to \(version) as applied: "
        + "\(context.program) baseline \(version)"
    }
    return report.outcome == .upToDate
      ? "Nothing to do. Database is at \(report.to)."
      : "Marked all up to \(version) as applied. Database is at \(report.to)."
  }

  private static func document(
    _ preview: Migrator.Report?, _ report: Migrator.Report?, _ version: Version,
    _ settings: Settings
  ) -> JSON {
    let outcome = report.map { $0.outcome == .upToDate ? "upToDate" : "marked" }
    return .document([
      ("database", .string(settings.database)),
      ("version", .number(version)),
      ("outcome", .string(outcome ?? (differs(preview) ? "differs" : "same"))),
      ("migrations", .array((preview?.migrations ?? []).map { JSON.migration($0) })),
    ])
  }
}
