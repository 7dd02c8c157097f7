internal import Seedbed

extension Verb {
  static let verify = Verb(
    name: "verify",
    summary: "check files, lock, ledger and integrity; changes nothing",
    about: "Reads every file of the catalog and compares it with the lock, compares the lock with "
      + "the ledger, and checks the integrity of the database. It changes nothing. If nothing is "
      + "wrong, it also names the tables that the catalog filled and that are empty now, which is "
      + "no finding: a user may have emptied them. With "
      + "--snapshots it needs no database: it makes the tables of each snapshot in a temporary "
      + "one, once from the snapshot and once from all migrations, and compares schema and rows. "
      + "With --engine-check it tries on a server, before the first run, what a run needs there, "
      + "and says what is missing.",
    examples: [
      Example("verify", "check app.sqlite and Migrations"),
      Example("verify --snapshots", "compare snapshots with all migrations"),
      Example("verify --each tenants/", "check every database of a folder"),
      Example("verify --engine-check --database postgres://…", "check a server for a first run"),
      Example("verify --database user.sqlite --json", "for a program to read"),
    ],
    knowsServers: true,
    exitCodes: [.done, .failed, .disagreement, .busy, .newer, .usage, .interrupted],
    run: VerifyCommand.run)
}

enum VerifyCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let hasEach = context.arguments.names(.each)
    if context.arguments.has(.snapshots) {
      if hasEach {
        throw SeedbedError(.usage, "'--snapshots' needs no database. Leave out '--each'.")
      }
      if context.arguments.has(.engineCheck) {
        throw SeedbedError(.usage, "Give either '--snapshots' or '--engine-check', not both.")
      }
      return try SnapshotCommand.verify(context)
    }
    if context.arguments.has(.engineCheck) {
      if hasEach {
        throw SeedbedError(.usage, "'--engine-check' looks at one database. Leave out '--each'.")
      }
      return try EngineCheck.run(context)
    }
    if let all = try Each.databases(context, of: context.catalog) { return try each(all, context) }
    try context.requireDatabase()
    let migrator = try context.migrator()
    let findings = try migrator.verify().map { context.completed($0, for: .verify) }
    let subject: [(key: String, value: JSON)] = [
      ("database", .string(context.settings.database)),
      ("catalog", .string(context.settings.migrations)),
    ]
    // A server's own tools check for damage.
    let isSound = context.settings.server == nil ? ", and the database is sound" : ""
    let sound =
      migrator.catalog.chain == nil
      ? "Nothing is wrong: files and ledger agree\(isSound). There is no "
        + "lock: \(context.program) lock."
      : "Nothing is wrong: files, lock and ledger agree\(isSound)."
    let emptied = findings.isEmpty ? emptied(migrator) : []
    try context.result(
      findings.isEmpty
        ? [sound] + (remark(emptied, context.program).map { [$0] } ?? [])
        : lines(findings, context), .findings(findings, about: subject + [document(emptied)]))
    return ExitCode(findings)
  }

  private typealias Emptied = [(table: String, rows: Int)]

  /// A user who may only read the ledger gets no remark, and no error instead.
  private static func emptied(_ migrator: Migrator) -> Emptied {
    (try? migrator.emptiedTables()) ?? []
  }

  /// A remark about empty tables, in case they were not emptied on purpose.
  private static func remark(
    _ emptied: Emptied, _ program: String, of database: String? = nil
  ) -> String? {
    if emptied.isEmpty { return nil }
    let tables = emptied.map { "'\($0.table.printable)' (\(Measures.count($0.rows, "row")))" }
    let isOne = tables.count == 1
    let subject = (isOne ? "The table " : "The tables ") + list(tables, "and")
    let words =
      (database.map { ["--database", $0.shellWord] } ?? []) + (isOne ? [] : ["--tables"])
      + [emptied.map(\.table).shellOperands]
    return subject
      + (isOne
        ? " is empty, though the catalog filled it. Unless this was on purpose: "
        : " are empty, though the catalog filled them. Unless this was on purpose: ")
      + "\(program) reseed \(words.joined(separator: " "))."
  }

  private static func document(_ emptied: Emptied) -> (key: String, value: JSON) {
    let tables = emptied.map { table in
      JSON.object([("table", .string(table.table)), ("rows", .number(Int64(table.rows)))])
    }
    return ("emptied", .array(tables))
  }

  private static func each(_ databases: Each.Databases, _ context: CommandContext) throws
    -> ExitCode
  {
    try Each.look(.verify, databases, context) { migrator, _ in
      let findings = try migrator.verify().map { context.completed($0, for: .verify) }
      let emptied = findings.isEmpty ? emptied(migrator) : []
      return Each.Finding(
        name: findings.isEmpty ? "withoutFindings" : "withFindings",
        words: findings.isEmpty ? "without findings" : "with findings",
        line: findings.isEmpty
          ? remark(emptied, context.program, of: context.shown(migrator.shownPath))
          : findings.map { describe($0, context) }.joined(separator: "\n  "),
        comesFirst: !findings.isEmpty,
        document: .object([
          ("database", .string(migrator.shownPath)),
          ("findings", .array(findings.map(JSON.problem))),
          document(emptied),
        ]), code: ExitCode(findings))
    }
  }

  static func lines(_ findings: [SeedbedError], _ context: CommandContext) -> [String] {
    findings.map { context.palette(describe($0, context), .bad) }
      + [Measures.count(findings.count, "finding")]
  }

  /// The place, if there is one, and the message, in the format of errors.
  private static func describe(_ finding: SeedbedError, _ context: CommandContext) -> String {
    SeedbedError(finding.code, finding.message, at: finding.place.map(context.shown)).description
  }
}
