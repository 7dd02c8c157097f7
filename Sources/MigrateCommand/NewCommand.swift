internal import Seedbed
internal import SeedbedAuthoring

extension Verb {
  static let new = Verb(
    name: "new",
    summary: "make an empty numbered folder",
    about: "Makes the next numbered folder of the catalog, with an up.sql and a down.sql to fill. "
      + "For changes of rows, 'make' writes the whole folder.",
    examples: [
      Example("new add_notes", "Migrations/0002_add_notes, or whatever comes next"),
      Example("new add_notes --timestamp", "the time as its number"),
    ],
    options: [NewCommand.timestamp],
    operands: [
      Verb.Operand(name: "NAME", help: "the words behind the number", isRequired: true)
    ],
    exitCodes: [.done, .failed, .usage],
    run: NewCommand.run)
}

enum NewCommand {
  static let timestamp = OptionSpec(
    name: "timestamp", placeholder: nil, help: "number it by the time in place of the next integer")

  static func run(_ session: Session) throws -> ExitCode {
    let folder = session.settings.migrations
    let name = try NewMigration.create(
      directory: folder, name: session.arguments.operands[0],
      usesTimestamp: session.arguments.has(timestamp))
    try session.result(
      [
        "Made \(session.shown(folder + "/" + name)) with up.sql and down.sql. Fill them, then: "
          + "\(session.program) lock"
      ],
      .document([
        ("catalog", .string(folder)), ("outcome", .string("written")), ("folder", .string(name)),
      ]))
    return .done
  }
}
