internal import Seedbed
internal import SeedbedAuthoring

extension Verb {
  static let snapshot = Verb(
    name: "snapshot",
    summary: "write one folder that fills an empty database in a single step",
    about: "Writes a folder next to the last migration that holds schema and rows as all "
      + "migrations make them. A database without a ledger takes it in one step if its tables "
      + "are missing or empty; every other database skips it. It is compared with the migrations "
      + "before it is written. The ledger lists what came with a snapshot as 'baseline', and "
      + "'down' does not go below it. "
      + "If \"engines\" in catalog.json names PostgreSQL, and --database or DATABASE_URL a server, "
      + "it also gets SQL with which an empty database there begins; it is compared with the "
      + "migrations on scratch databases of that server. "
      + "With --drop-before M the folders below M are removed: older databases then need an "
      + "earlier release of the app first, which \"tooOld\" in catalog.json tells their users.",
    examples: [
      Example("snapshot", "of the catalog's last version"),
      Example("snapshot --of 120", "of an earlier one"),
      Example("snapshot --drop-before 100", "and remove the folders below 100"),
      Example("snapshot --database postgres://…", "for servers, too"),
      Example("verify --snapshots", "compare it again, in CI"),
    ],
    options: [SnapshotCommand.version.spec, SnapshotCommand.dropBefore.spec],
    usesDatabase: false, triesServers: true,
    exitCodes: [.done, .failed, .disagreement, .busy, .refused, .usage],
    run: SnapshotCommand.run)
}

enum SnapshotCommand {
  static let version = CommandOption<Version>.number(
    "of", "N", "the last migration that it includes", default: "the catalog's last")
  static let dropBefore = CommandOption<Version>.number(
    "drop-before", "M", "remove the folders of all migrations below M")

  static func run(_ session: Session) throws -> ExitCode {
    try session.requireMigrations()
    let folder = session.settings.migrations
    let first = try session.arguments.value(dropBefore)
    let summary = try session.namingTheFlag {
      try session.withServer {
        try Snapshot.write(
          directory: folder, version: session.arguments.value(version),
          session.scratchSettings, on: $0, droppingBefore: first)
      }
    }
    if let note = note(summary, session) { session.message(note.printable) }
    let dropped = try first.map { try Snapshot.drop(directory: folder, before: $0) }
    try session.result(
      lines(summary, dropped, session), document(summary, dropped, folder))
    return .done
  }

  /// What is missing on PostgreSQL, and what to do about it.
  private static func note(_ summary: SnapshotSummary, _ session: Session) -> String? {
    let again = "\(session.program) snapshot"
    let left = "Without SQL for PostgreSQL, an empty database there applies all migrations: "
    switch summary.onServer {
    case nil, .compared: return nil
    case .kept(let reason): return "PostgreSQL was not tried: \(reason)"
    case .left(let reason): return left + "\(reason) To add it, run with a server: \(again)."
    case .needsAuthor(let reason):
      let path = session.shown(session.settings.migrations + "/" + summary.folder)
      return left + "the SQL of the migrations, run before the rows, does not make the same "
        + "(\(reason)). Write \(path)/up.postgresql.sql, which runs before the rows, and "
        + "after.postgresql.sql by hand; then compare them: \(again)."
    }
  }

  private static func lines(
    _ summary: SnapshotSummary, _ dropped: DropSummary?, _ session: Session
  ) -> [String] {
    let path = session.shown(session.settings.migrations + "/" + summary.folder)
    let size = [
      Measures.count(summary.tables, "table"), Measures.count(summary.rows, "row"),
    ].joined(separator: ", ")
    let there = summary.onServer == .compared ? ", on PostgreSQL, too" : ""
    let what =
      summary.isChanged
      ? "Wrote \(path): \(size), the same as from "
        + Measures.count(summary.migrations, "migration") + "\(there)."
      : "\(path) is up to date\(there): \(size)."
    guard let dropped else { return [what] }
    return [what] + dropped.folders.map { "removed  \($0.printable)" }
      + [
        "The catalog now begins after \(dropped.base). Older databases need an earlier release "
          + "first."
      ]
  }

  private static func document(
    _ summary: SnapshotSummary, _ dropped: DropSummary?, _ catalog: String
  ) -> JSON {
    .document([
      ("catalog", .string(catalog)),
      ("outcome", .string(summary.isChanged ? "written" : "upToDate")),
      ("folder", .string(summary.folder)),
      ("version", .number(summary.version)),
      ("migrations", .number(Int64(summary.migrations))),
      ("tables", .number(Int64(summary.tables))),
      ("rows", .number(Int64(summary.rows))),
      ("dropped", .array((dropped?.folders ?? []).map { .string($0) })),
      ("base", dropped.map { .number($0.base) } ?? .null),
      ("postgresql", summary.onServer.map { .string(name($0)) } ?? .null),
    ])
  }

  private static func name(_ state: SnapshotSummary.OnServer) -> String {
    switch state {
    case .compared: "compared"
    case .kept: "notCompared"
    case .left, .needsAuthor: "missing"
    }
  }

  // MARK: verify --snapshots

  static func verify(_ session: Session) throws -> ExitCode {
    try session.requireMigrations()
    let folder = session.settings.migrations
    let checks = try session.namingTheFlag {
      try session.withServer {
        try Snapshot.verify(
          directory: folder, session.scratchSettings, on: $0)
      }
    }
    if case .kept(let reason)? = checks.compactMap(\.onServer).first {
      session.message("PostgreSQL was not tried: \(reason.printable)")
    }
    let findings = checks.compactMap { check in
      check.difference.map {
        SeedbedError(
          .drift,
          "This snapshot makes other tables than all migrations do: \($0). Write it again: "
            + "\(session.program) snapshot.", at: SeedbedError.Place(check.folder),
          version: check.version)
      }
    }
    try session.result(
      checked(checks, findings, session),
      .findings(findings, about: [("catalog", .string(folder))]))
    return ExitCode(findings)
  }

  private static func checked(
    _ checks: [SnapshotCheck], _ findings: [SeedbedError], _ session: Session
  ) -> [String] {
    if checks.isEmpty { return ["The catalog has no snapshot."] }
    let proven = checks.filter { $0.isProven && $0.difference == nil }
    return proven.map { check in
      let there = check.onServer == .compared ? ", on PostgreSQL, too" : ""
      return "\(check.folder.printable) makes the same tables as all migrations\(there)."
    }
      + checks.filter { !$0.isProven }.map {
        "\($0.folder.printable) cannot be compared: the folders that it replaces were removed."
      }
      + (findings.isEmpty ? [] : VerifyCommand.lines(findings, session))
  }
}
