internal import Seedbed
internal import SeedbedAuthoring

extension Verb {
  static let lint = Verb(
    name: "lint",
    summary: "find mistakes in the catalog; needs no database",
    about: "Reads every file of the catalog, applies all migrations to a scratch database, and "
      + "reports each finding with its code. You can allow any but those that devices refuse. If "
      + "catalog.json names PostgreSQL, and --database or DATABASE_URL a server, the migrations "
      + "are also applied to a scratch database there, which is dropped at the end. A catalog for "
      + "PostgreSQL alone needs one: without a server, only files, options and lock are checked.",
    examples: [
      Example("lint", "check Migrations"),
      Example("lint --json", "for a program to read"),
    ],
    sections: [
      (
        "To allow a finding",
        [
          ("-- seedbed:allow CODE REASON", "in SQL, before the line or at its end"),
          (#""allow": {"CODE": "REASON"}"#, "in migration.json, for the whole migration"),
        ]
      ),
      ("Codes", LintCode.allCases.map { ($0.rawValue, $0.meaning) }),
    ],
    usesDatabase: false, triesServers: true,
    exitCodes: [.done, .failed, .disagreement, .usage, .interrupted],
    run: LintCommand.run)
}

enum LintCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    try context.requireMigrations()
    let folder = context.settings.migrations
    var linter = Linter(directory: folder)
    linter.settings = try context.scratchSettings
    linter.onServer = context.serverTrial
    linter.onUnchecked = { reason in
      context.message(
        "SQL and rows were not checked: \(reason.completed(context.program).message.printable)")
    }
    linter.onLeftToApp = { context.noteParents(in: $0) }
    let findings = try context.namingTheFlag { try linter.findings() }
      .map { $0.completed(context.program) }
    SignCommand.noteGrowth(try SignatureCheck(directory: folder), context)
    try context.result(
      lines(findings, context),
      .lint(findings, of: folder))
    return findings.isEmpty ? .done : .disagreement
  }

  static func lines(_ findings: [LintFinding], _ context: CommandContext) -> [String] {
    if findings.isEmpty {
      return ["No problems found in \(context.shown(context.settings.migrations))."]
    }
    return findings.flatMap { finding in
      var finding = finding
      finding.place = context.shown(finding.place)
      return [
        context.palette(finding.description.printable, .bad),
        "    " + finding.remedy.naming(context.program),
      ]
    } + [Measures.count(findings.count, "finding")]
  }
}

extension CommandContext {
  /// Tells that rows come only if the app has made those to which they refer.
  func noteParents(in tables: [String]) {
    if tables.isEmpty { return }
    let names = tables.map { "'\($0.printable)'" }.joined(separator: ", ")
    message(
      "Rows refer to rows of \(names), which the app makes: no file fills "
        + "\(tables.count == 1 ? "it" : "them"). They come only where the app has those rows.")
  }
}
