internal import Seedbed

extension Verb {
  static let origin = Verb(
    name: "origin",
    summary: "show whether a row is the seed's or the user's",
    about: "Shows whether a row is the seed's, the user's, or the seed's with changes of the user, "
      + "and its values in the catalog at the version of the database. Changes nothing.",
    examples: [
      Example("origin elements 113", "the row with the key 113"),
      Example("origin places de,Berlin", "a key of two columns"),
    ],
    operands: [
      Verb.Operand(name: "TABLE", help: "the table of the row", isRequired: true),
      Verb.Operand(
        name: "KEY", help: "the row's key, as in the row files or in this database",
        isRequired: true),
    ],
    knowsServers: true,
    exitCodes: [.done, .failed, .disagreement, .busy, .newer, .usage],
    run: OriginCommand.run)
}

enum OriginCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    try context.requireDatabase()
    let (table, key) = (context.arguments.operands[0], context.arguments.operands[1])
    let origin = try context.migrator().origin(written: key, in: table)
    var lines = ["\(table.printable) \(key.printable): \(words(origin))."]
    if let original = origin?.original { lines.append("In the catalog: \(original.listed)") }
    try context.result(lines, .origin(origin))
    return .done
  }

  private static func words(_ origin: Migrator.Origin?) -> String {
    guard let origin else { return "no such row, neither in the database nor in the catalog" }
    let words =
      switch origin.kind {
      case .seed: "the seed's, as it was shipped"
      case .user: "the user's"
      case .editedSeed: "the seed's, changed by the user"
      case .deletedSeed: "the seed's, deleted by the user"
      }
    return origin.isPinned ? words + "; pinned" : words
  }
}
