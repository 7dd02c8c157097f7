internal import Seedbed

extension Verb {
  static let report = Verb(
    name: "report",
    summary: "write a page for a browser: what happened and what is to come",
    about: "Writes one page with the state of the database, what 'verify' finds, an estimate of "
      + "what is pending, all runs, the rows of each release, conflicts with both sides, what is "
      + "left to the user, and backups. It changes nothing; with --plan it does what 'plan' does. "
      + "The page is one file that loads nothing. With FILEs it is about many databases: each is a "
      + "document that a verb printed with --each and --json.",
    examples: [
      Example("report report.html", "of app.sqlite"),
      Example("report report.html --plan", "also what 'up' would do, with every conflict"),
      Example("report fleet.html up.json status.json", "of many, by what two verbs printed"),
      Example("report fleet.html -", "the same from stdin"),
    ],
    operands: [
      Verb.Operand(name: "OUT", help: "the page to write; ends in .html", isRequired: true),
      Verb.Operand(
        name: "FILE", help: "a document of many databases, or - for stdin", repeats: true),
    ],
    knowsServers: true,
    exitCodes: [.done, .failed, .busy, .newer, .usage, .interrupted],
    run: ReportCommand.run)
}

enum ReportCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let path = try HTMLPage.path(context.arguments.operands[0], context)
    let files = context.arguments.operands.dropFirst()
    let data = try files.isEmpty ? database(context) : fleet(files, context)
    try HTMLPage.save(path, context) { try $0(data.text) }
    return .done
  }

  private static func database(_ context: CommandContext) throws -> JSON {
    try context.requireDatabase()
    return try ReportJSON(context: context, migrator: context.migrator()).database()
  }

  private static func fleet(_ files: ArraySlice<String>, _ context: CommandContext) throws -> JSON {
    let isOne = context.arguments.names(.database)
    if isOne || context.arguments.has(.reportPlan) {
      throw SeedbedError(
        .usage, "Name FILEs of many databases, or one with '--database' and '--plan', not both.")
    }
    return .object(
      ReportJSON.opening("fleet") + [
        ("documents", .array(try files.map { try document($0, context) }))
      ])
  }

  /// A document about a hundred thousand databases has less.
  private static let mostBytes = 256 << 20

  private static func document(_ given: String, _ context: CommandContext) throws -> JSON {
    let name = given == "-" ? "stdin" : given
    let bytes =
      given == "-"
      ? try Files.input(of: context, limit: mostBytes)
      : try Files.bytes(of: context.settings.absolute(given), name, limit: mostBytes)
    let document = try JSONParser.parse(bytes, file: name)
    let lists = ["each", "failures"].compactMap { document[$0]?.value }
    guard case .number? = document["databases"]?.value, case .array? = lists.first else {
      throw SeedbedError(
        .usage,
        "This is not a document about many databases. Make one with --each and --json, such as: "
          + "\(context.program) status --each tenants/ --json.", at: SeedbedError.Place(name))
    }
    return .object([
      ("file", .string(name.printable)),
      ("document", .raw(String(decoding: bytes, as: UTF8.self))),
    ])
  }
}
