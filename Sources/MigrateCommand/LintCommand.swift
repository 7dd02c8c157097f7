internal import Seedbed
internal import SeedbedAuthoring

extension Verb {
  static let lint = Verb(
    name: "lint",
    summary: "find what is wrong with the catalog, without any database",
    about: "Reads every file of the catalog, applies all migrations to a scratch database, and "
      + "tells what it finds, each finding with its code. What you have weighed is silenced by "
      + "'-- seedbed:allow CODE reason' in front of the line of SQL, or by "
      + "\"allow\": {\"CODE\": \"reason\"} in migration.json for the whole migration; what no "
      + "device would take cannot be silenced.",
    examples: [
      Example("lint", "look at Migrations"),
      Example("lint --json", "for a program to read"),
    ],
    sections: [("Codes", LintCode.allCases.map { ($0.rawValue, $0.meaning) })],
    exitCodes: [.done, .failed, .disagreement, .usage],
    run: LintCommand.run)
}

enum LintCommand {
  static func run(_ session: Session) throws -> ExitCode {
    try session.requireMigrations()
    let folder = session.settings.migrations
    var linter = Linter(directory: folder)
    linter.ledger = session.settings.options.ledger
    let findings = try session.namingTheFlag { try linter.findings() }
      .map { $0.completed(session.program) }
    try session.result(
      lines(findings, session),
      .lint(findings, of: folder))
    return findings.isEmpty ? .done : .disagreement
  }

  static func lines(_ findings: [LintFinding], _ session: Session) -> [String] {
    if findings.isEmpty {
      return ["Nothing to find fault with in \(session.shown(session.settings.migrations))."]
    }
    return findings.flatMap { finding in
      var finding = finding
      finding.place = session.shown(finding.place)
      return [
        session.palette(finding.description.printable, .bad),
        "    " + finding.remedy,
      ]
    } + [Measures.count(findings.count, "finding")]
  }
}
