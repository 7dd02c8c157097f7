internal import Seedbed
internal import SeedbedAuthoring

extension Verb {
  static let lock = Verb(
    name: "lock",
    summary: "write the lock of the catalog, or check it",
    about: "Writes the sizes, row counts and digests of all files of the catalog to "
      + "seedbed.lock. Commit that file: it is how a device knows that it got what was released.",
    examples: [
      Example("lock", "write Migrations/seedbed.lock"),
      Example("lock --check", "write nothing; exit 3 when it is stale"),
    ],
    options: [LockCommand.check],
    exitCodes: [.done, .failed, .disagreement, .usage],
    run: LockCommand.run)
}

enum LockCommand {
  static let check = OptionSpec(
    name: "check", placeholder: nil, help: "write nothing; exit 3 when the lock is stale")

  static func run(_ session: Session) throws -> ExitCode {
    try session.requireMigrations()
    let folder = session.settings.migrations
    if session.arguments.has(check) {
      let findings = try session.namingTheFlag { try CatalogLock.check(directory: folder) }
      return try show(findings, session)
    }
    let summary = try session.namingTheFlag { try CatalogLock.write(directory: folder) }
    try session.result(lines(summary, session), .lock(summary, of: folder))
    return .done
  }

  static func show(_ findings: [Finding], _ session: Session) throws -> ExitCode {
    let subject: [(key: String, value: JSON)] = [("catalog", .string(session.settings.migrations))]
    try session.result(lines(findings, session), .findings(findings, about: subject))
    return ExitCode(findings)
  }

  /// What the new lock says of each folder that differs from the old one, and all it covers.
  static func lines(_ summary: LockSummary, _ session: Session) -> [String] {
    let path = session.shown(summary.path)
    let size = [
      Measures.count(summary.migrations, "migration"), Measures.count(summary.files, "file"),
      Measures.count(summary.rows, "row"),
    ].joined(separator: ", ")
    if !summary.isChanged { return ["\(path) is up to date: \(size)."] }
    return folders("added", summary.added) + folders("changed", summary.changed)
      + folders("removed", summary.removed)
      + ["Wrote \(path): \(size). The catalog is at \(summary.version)."]
  }

  /// The first 20: of a catalog that had no lock all are new, and that says little.
  private static func folders(_ what: String, _ names: [String]) -> [String] {
    let more = names.count - 20
    return names.prefix(20).map { "\(what.padded(to: 9))\($0.printable)" }
      + (more > 0 ? ["\(what.padded(to: 9))… and \(Measures.grouped(more)) more"] : [])
  }

  private static func lines(_ findings: [Finding], _ session: Session) -> [String] {
    let path = session.shown(session.settings.migrations)
    if findings.isEmpty { return ["The lock of \(path) is up to date."] }
    return VerifyCommand.lines(findings, session)
  }
}
