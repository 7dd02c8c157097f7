internal import Seedbed
internal import SeedbedAuthoring

extension Verb {
  static let build = Verb(
    name: "build",
    summary: "write the database that new devices begin with",
    about: "Applies all releases to a new database and writes it as one compact file, which an app "
      + "copies into place at its first start: Migrator(…, beginningWith:). The same catalog gives "
      + "the same bytes. With \"build\": true in catalog.json, 'bundle' includes it. Its ledger "
      + "lists the releases as 'baseline', and 'down' does not go below them.",
    examples: [
      Example("build", "write data/first.sqlite in the catalog, and its line in the lock"),
      Example("build --journal-mode wal", "for an app that opens its database in WAL mode"),
      Example("build test.sqlite --to 3", "to an earlier release, somewhere else"),
    ],
    operands: [
      Verb.Operand(
        name: "OUT", help: "the file to write, by default data/first.sqlite in the catalog")
    ],
    usesDatabase: false,
    exitCodes: [.done, .failed, .disagreement, .busy, .refused, .usage, .interrupted],
    run: BuildCommand.run)
}

enum BuildCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    try context.requireMigrations()
    let (arguments, settings) = (context.arguments, context.settings)
    var layout = FirstDatabase.Layout()
    if let size: Int = try arguments.number(.pageSize) { layout.pageSize = size }
    if let mode: FirstDatabase.Layout.JournalMode = try arguments.choice(.journalMode) {
      layout.journalMode = mode
    }
    let version: Version? = try arguments.number(.buildTo)
    let summary = try context.changing { [layout] cancellation, _ in
      try context.namingTheFlag {
        try FirstDatabase.build(
          directory: settings.migrations,
          to: arguments.operands.first.map { settings.absolute($0) },
          version: version, layout: layout, try context.scratchSettings,
          cancellation: cancellation)
      }
    }
    try context.result(lines(summary, context), document(summary, settings.migrations))
    return .done
  }

  private static func lines(_ summary: FirstDatabase.Summary, _ context: CommandContext) -> [String]
  {
    let size = [
      Measures.count(summary.migrations, "migration"), Measures.bytes(summary.database.size),
    ].joined(separator: ", ")
    let lock = summary.isLocked ? " The lock names it." : ""
    return [
      "Wrote \(context.shown(summary.path)): \(size). It is at \(summary.database.version).\(lock)"
    ]
  }

  private static func document(_ summary: FirstDatabase.Summary, _ catalog: String) -> JSON {
    let database = summary.database
    return .document([
      ("catalog", .string(catalog)),
      ("file", .string(summary.path)),
      ("outcome", .string("written")),
      ("version", .number(database.version)),
      ("chain", .string(database.chain)),
      ("migrations", .number(Int64(summary.migrations))),
      ("bytes", .number(database.size)),
      ("sha256", .string(database.digest)),
      ("pageSize", .number(Int64(summary.layout.pageSize))),
      ("journalMode", .string(summary.layout.journalMode.rawValue)),
      ("locked", .bool(summary.isLocked)),
    ])
  }
}
