internal import Seedbed
internal import SeedbedAuthoring

extension Verb {
  static let revert = Verb(
    name: "revert",
    summary: "write the next migration as the inverse of a released one",
    about: "For a bad release that devices already have. Rows that migration N added are retired, "
      + "rows that it retired come back, and changed values change back, each as a merge that "
      + "keeps users' work since then. If a later migration changed some of these rows, they are "
      + "listed and nothing is written. If no device has N yet, remove its folder instead. A "
      + "catalog for PostgreSQL alone needs a server, as for 'make'.",
    examples: [
      Example("revert 4", "write 0005_revert_weights_2021"),
      Example("revert 4 wrong_weights", "with another name"),
      Example("revert 4 --rows-only", "keep what its SQL did"),
    ],
    operands: [
      Verb.Operand(
        name: "N", help: "a version, or the name of its folder", isRequired: true),
      Verb.Operand(
        name: "NAME", help: "the new migration's name; without it, revert_ and that of N"),
    ],
    usesDatabase: false, triesServers: true,
    exitCodes: [.done, .failed, .disagreement, .busy, .refused, .usage],
    run: RevertCommand.run)
}

enum RevertCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    try context.requireMigrations()
    let (arguments, folder) = (context.arguments, context.settings.migrations)
    let (rowsOnly, withDown) = (arguments.has(.revertRowsOnly), arguments.has(.revertWithDown))
    if rowsOnly, withDown {
      throw SeedbedError(.usage, "Give either '--rows-only' or '--with-down', not both.")
    }
    var revert = Revert(directory: folder, migration: arguments.operands[0])
    revert.name = arguments.operands.dropFirst().first
    revert.sql = rowsOnly ? .leave : withDown ? .takeBack : .refuse
    revert.settings = try context.scratchSettings
    revert.onServer = context.serverTrial
    let summary = try context.namingTheFlag { try revert.make() }
    if summary.folders.isEmpty {
      try context.result(
        ["Nothing to revert: no row is still as that migration made it."],
        MakeCommand.document(summary, isCheck: false, folder))
      return .done
    }
    let written = summary.folders.map { context.shown(folder + "/" + $0) }
    try context.result(
      MakeCommand.tableLines(summary.tables) + [
        "Wrote \(list(written, "and")). The catalog now ends at \(summary.lock?.version ?? 0)."
      ],
      MakeCommand.document(summary, isCheck: false, folder))
    context.message(
      "Change the source CSV as well, or the next 'make' brings the reverted rows back. To check: "
        + "\(context.program) make --check."
        + (summary.sources.isEmpty ? "" : " To write the CSV as the catalog is now:"))
    let given = context.settings.givenMigrations
    let flag = given == Settings.defaultMigrations ? "" : " --migrations \(given.shellWord)"
    for source in summary.sources {
      let file = context.shown(folder + "/" + source.file)
      context.message(
        "  \(context.program) export \(source.table.shellWord) --out \(file.shellWord)\(flag)")
    }
    return .done
  }
}
