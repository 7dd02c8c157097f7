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
      + "A database on a server passes it over, and applies all migrations. "
      + "With --drop-before M the folders below M are removed: older databases then need an "
      + "earlier release of the app first, which \"tooOld\" in catalog.json tells their users. "
      + "A catalog with postgresql in its \"engines\" keeps all folders.",
    examples: [
      Example("snapshot", "of the catalog's last version"),
      Example("snapshot --of 120", "of an earlier one"),
      Example("snapshot --drop-before 100", "and remove the folders below 100"),
      Example("verify --snapshots", "compare it again, in CI"),
    ],
    usesDatabase: false,
    exitCodes: [.done, .failed, .disagreement, .busy, .refused, .usage],
    run: SnapshotCommand.run)
}

enum SnapshotCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    try context.requireMigrations()
    let folder = context.settings.migrations
    let first: Version? = try context.arguments.number(.dropBefore)
    let summary = try context.namingTheFlag {
      try Snapshot.write(
        directory: folder, version: context.arguments.number(.snapshotOf),
        try context.scratchSettings,
        droppingBefore: first)
    }
    let dropped = try first.map { try Snapshot.drop(directory: folder, before: $0) }
    try context.result(
      lines(summary, dropped, context), document(summary, dropped, folder))
    return .done
  }

  private static func lines(
    _ summary: SnapshotSummary, _ dropped: DropSummary?, _ context: CommandContext
  ) -> [String] {
    let path = context.shown(context.settings.migrations + "/" + summary.folder)
    let size = [
      Measures.count(summary.tables, "table"), Measures.count(summary.rows, "row"),
    ].joined(separator: ", ")
    let what =
      summary.isChanged
      ? "Wrote \(path): \(size), the same as from "
        + Measures.count(summary.migrations, "migration") + "."
      : "\(path) is up to date: \(size)."
    guard let dropped else { return [what] }
    return [what] + dropped.folders.map { "removed  \($0.printable)" }
      + [
        "The catalog now begins after \(dropped.base). Older databases need an earlier release "
          + "first" + unadopted(dropped, context) + "."
      ]
  }

  /// catalog.json may still say that databases without a ledger are of an edition that has gone.
  private static func unadopted(_ dropped: DropSummary, _ context: CommandContext) -> String {
    let options = try? Catalog(directory: context.settings.migrations).generalOptions()
    guard let adopted = options?.adopt, adopted < dropped.base else { return "" }
    return ", and so do those that were to be adopted at \(adopted) (\"adopt\")"
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
    ])
  }

  // MARK: verify --snapshots

  static func verify(_ context: CommandContext) throws -> ExitCode {
    try context.requireMigrations()
    let folder = context.settings.migrations
    let checks = try context.namingTheFlag {
      try Snapshot.verify(directory: folder, try context.scratchSettings)
    }
    let findings = checks.compactMap { check in
      check.difference.map {
        SeedbedError(
          .drift,
          "This snapshot makes other tables than all migrations do: \($0). Write it again: "
            + "\(context.program) snapshot.", at: SeedbedError.Place(check.folder),
          version: check.version)
      }
    }
    try context.result(
      checked(checks, findings, context),
      .findings(findings, about: [("catalog", .string(folder))]))
    return ExitCode(findings)
  }

  private static func checked(
    _ checks: [SnapshotCheck], _ findings: [SeedbedError], _ context: CommandContext
  ) -> [String] {
    if checks.isEmpty { return ["The catalog has no snapshot."] }
    let proven = checks.filter { $0.isProven && $0.difference == nil }
    return proven.map { "\($0.folder.printable) makes the same tables as all migrations." }
      + checks.filter { !$0.isProven }.map {
        "\($0.folder.printable) cannot be compared: the folders that it replaces were removed."
      }
      + (findings.isEmpty ? [] : VerifyCommand.lines(findings, context))
  }
}
