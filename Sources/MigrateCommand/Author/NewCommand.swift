internal import Seedbed
internal import SeedbedAuthoring

extension Verb {
  static let new = Verb(
    name: "new",
    summary: "write an empty migration, to be filled with SQL",
    about: "Writes the next numbered folder of the catalog, with an up.sql and a down.sql to "
      + "fill; in a catalog for PostgreSQL alone, up.postgresql.sql and down.postgresql.sql. To "
      + "change rows, use 'make', which writes the whole folder.",
    examples: [
      Example("new add_notes", "write 0002_add_notes, or the next free number"),
      Example("new add_notes --timestamp", "with the time as its number"),
    ],
    operands: [
      Verb.Operand(name: "NAME", help: "the migration's name without its number", isRequired: true)
    ],
    usesDatabase: false,
    exitCodes: [.done, .failed, .busy, .refused, .usage],
    run: NewCommand.run)
}

enum NewCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let folder = context.settings.migrations
    let name = try NewMigration.create(
      directory: folder, name: context.arguments.operands[0],
      usesTimestamp: context.arguments.has(.timestamp))
    try context.result(
      [
        "Wrote \(context.shown(folder + "/" + name)) with \(context.fileOfSQL("up.sql")) and "
          + "\(context.fileOfSQL("down.sql")). Fill them, then: \(context.program) lock"
      ],
      .document([
        ("catalog", .string(folder)), ("outcome", .string("written")), ("folder", .string(name)),
      ]))
    return .done
  }
}
