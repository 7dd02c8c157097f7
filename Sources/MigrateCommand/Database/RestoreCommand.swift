internal import Seedbed

extension Verb {
  static let restore = Verb(
    name: "restore",
    summary: "restore a backup",
    about: "Backs up the database as it is, and then copies a backup into it in one transaction. "
      + "Other programs may keep the database open.",
    examples: [
      Example("restore", "the newest backup"),
      Example("restore app.v2.20261120T081244.120Z.sqlite", "one that 'backups' lists"),
      Example("restore --to 2", "the newest of version 2"),
      Example("restore --to 2 --each tenants/", "in each database that is above it"),
    ],
    operands: [
      Verb.Operand(
        name: "FILE", help: "a path, or a name that 'backups' lists; without it, the newest")
    ],
    exitCodes: [.done, .failed, .busy, .refused, .usage, .interrupted],
    run: RestoreCommand.run)
}

enum RestoreCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let version: Version? = try context.arguments.number(.restoreTo)
    if version != nil, context.arguments.operand != nil {
      throw SeedbedError(.usage, "Name a backup, or a version with '--to', not both.")
    }
    let unread = { Catalog(unread: context.settings.migrations) }
    if let all = try Each.databases(context, of: unread) {
      guard let version else {
        throw UsageError.missingOption(
          .restoreTo, of: .restore,
          "It is the version whose newest backup each database gets: 'backups --each' lists the "
            + "versions.")
      }
      return try Each.run(all, context, .restore) { fleet, cancellation, onEach in
        try fleet.restore(to: version, cancellation: cancellation, onEach: onEach)
      }
    }
    let migrator = try context.migratorWithoutCatalog()
    let path = try context.arguments.operand.map { try file($0, migrator, context) }
    let report = try context.changing { cancellation, display in
      let show = { (progress: Migrator.Progress) in
        display.show(
          progress.fraction, progress.phase == .backingUp ? "backing up" : "restoring")
      }
      return try version.map {
        try migrator.restore(newestOf: $0, cancellation: cancellation, progress: show)
      } ?? migrator.restore(path, cancellation: cancellation, progress: show)
    }
    try context.result(lines(report, context), .restore(report))
    return .done
  }

  static func lines(_ report: Migrator.RestoreReport, _ context: CommandContext) -> [String] {
    let backup = report.backup.map { ["Backup   " + RunTranscript.backup($0, context)] } ?? []
    // A damaged ledger has no version.
    let isUnknown = report.from == 0 && report.backup?.isDamaged == true
    return backup + [
      "Restored \(context.shown(report.restored.path, beside: 9))",
      "Database is at \(report.to)" + (isUnknown ? "." : "; it was at \(report.from)."),
    ]
  }

  /// A path that exists, or else the name of an existing backup.
  private static func file(
    _ given: String, _ migrator: Migrator, _ context: CommandContext
  ) throws -> String {
    let path = context.settings.absolute(given)
    if Files.kind(path) != .nothing { return path }
    let backups = try migrator.backups().map(\.path)
    if let known = backups.last(where: { Files.split($0).name == given }) { return known }
    let nearest = Nearest.known(
      to: Files.split(given).name, among: backups.map { Files.split($0).name })
    throw SeedbedError(
      .usage,
      "There is no backup '\(given)'. '\(context.program) backups' lists them."
        + UsageError.didYouMean(nearest))
  }
}
