internal import Seedbed

extension Verb {
  static let backups = Verb(
    name: "backups",
    summary: "list the backups of the database",
    about: "Lists the backups of this database, the oldest first. For one on a server it lists "
      + "the commands of MIGRATE_BACKUP_COMMAND that ran before a change.",
    examples: [
      Example("backups", "those of app.sqlite"),
      Example("backups --backups /var/backups", "in another folder"),
      Example("backups --each tenants/", "how many, and of which versions, of many databases"),
    ],
    knowsServers: true,
    exitCodes: [.done, .failed, .usage],
    run: BackupsCommand.run)
}

enum BackupsCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let unread = { Catalog(unread: context.settings.migrations) }
    if let all = try Each.databases(context, of: unread) { return try each(all, context) }
    let migrator = try context.migratorWithoutCatalog()
    if context.settings.server != nil { return try listCommands(of: migrator, context) }
    let backups = try migrator.backups()
    let changed = try migrator.changedBackups(among: backups)
    try context.result(
      lines(backups, context, changed: changed),
      .backups(backups, changed: changed, of: context.settings.database))
    return .done
  }

  /// The number of backups, and the versions that `restore --each` can go back to.
  private static func each(_ databases: Each.Databases, _ context: CommandContext) throws
    -> ExitCode
  {
    try Each.look(.backups, databases, context) { migrator, _ in
      if DatabaseURL.isServer(migrator.shownPath) { return try commands(of: migrator) }
      let backups = try migrator.backups()
      let changed = try migrator.changedBackups(among: backups)
      let whole = backups.filter { !$0.isDamaged && changed[$0.path] == nil }
      let versions = Set(whole.map(\.version)).sorted()
      let of = versions.map(String.init).joined(separator: ", ")
      return Each.Finding(
        name: backups.isEmpty ? "withoutBackups" : "withBackups",
        words: backups.isEmpty ? "without backups" : "with backups",
        line: backups.isEmpty
          ? "no backups"
          : Measures.count(backups.count, "backup")
            + (of.isEmpty ? ", none to restore" : ", of \(of)")
            + (changed.isEmpty ? "" : "; \(changed.count) changed after it was made"),
        comesFirst: backups.isEmpty || !changed.isEmpty,
        document: .backups(backups, changed: changed, of: migrator.shownPath))
    }
  }

  /// The commands that made backups of one of many databases on servers.
  private static func commands(of migrator: Migrator) throws -> Each.Finding {
    let runs = try migrator.history().runs.filter { $0.backup != nil }
    let versions = Set(runs.map(\.from)).sorted().map(String.init).joined(separator: ", ")
    return Each.Finding(
      name: runs.isEmpty ? "withoutBackups" : "withBackups",
      words: runs.isEmpty ? "without backups" : "with backups",
      line: runs.isEmpty
        ? "no backups" : "\(Measures.count(runs.count, "backup")), of \(versions)",
      comesFirst: runs.isEmpty,
      document: .backups(madeBefore: runs, of: migrator.shownPath))
  }

  private static func listCommands(
    of migrator: Migrator, _ context: CommandContext
  ) throws -> ExitCode {
    let runs = try migrator.history().runs.filter { $0.backup != nil }
    var table = Table([.init("VERSION", .right), .init("TAKEN AT"), .init("COMMAND")])
    for run in runs {
      let command = run.backup ?? ""
      table.add([
        .init(String(run.from)), .init(run.startedAt.toTheSecond), .init(command.printable),
      ])
    }
    let lines = table.lines(context.palette) + [Measures.count(runs.count, "backup")]
    try context.result(
      runs.isEmpty ? ["No backups."] : lines,
      .backups(madeBefore: runs, of: context.settings.database))
    return .done
  }

  /// - Parameter changed: the versions of those that were changed after they were made.
  static func lines(
    _ backups: [Migrator.Backup], _ context: CommandContext, changed: [String: Version] = [:]
  ) -> [String] {
    if backups.isEmpty { return ["No backups."] }
    let width = context.invocation.output.width
    let whole = table(backups, changed) { context.shown($0) }.lines(context.palette)
    let count = Measures.count(backups.count, "backup")
    if whole.allSatisfy({ $0.displayWidth <= width ?? .max }) { return whole + [count] }
    let folder = context.shown(Files.split(backups[0].path).folder)
    return table(backups, changed) { Files.split($0).name }.lines(context.palette, columns: width)
      + ["\(count) in \(folder)"]
  }

  private static func table(
    _ backups: [Migrator.Backup], _ changed: [String: Version], _ shown: (String) -> String
  ) -> Table {
    var table = Table([
      .init("VERSION", .right), .init("TAKEN AT", isOptional: true),
      .init("SIZE", .right, isOptional: true), .init("FILE"),
    ])
    for backup in backups {
      let note = changed[backup.path].map { "  (changed after it was made: it is at \($0))" } ?? ""
      table.add([
        .init(String(backup.version)), .init(backup.takenAt.toTheSecond),
        .init(Measures.bytes(backup.bytes)),
        .init(shown(backup.path) + (backup.isDamaged ? "  (damaged)" : note)),
      ])
    }
    return table
  }
}
