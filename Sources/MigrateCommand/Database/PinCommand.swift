internal import Seedbed

extension Verb {
  static let pin = Verb(
    name: "pin",
    summary: "leave a seed row to the user for good, or list such rows",
    about: "No release changes or retires a pinned row, or brings it back if the user deleted it. "
      + "New rows may refer to it. Without a table, lists what is pinned.",
    examples: [
      Example("pin elements 113", "the row with the key 113"),
      Example("pin places de,Berlin", "a key of two columns"),
      Example("pin", "list the pinned rows"),
    ],
    operands: [
      Verb.Operand(name: "TABLE", help: "the table of the rows"),
      Verb.Operand(
        name: "KEY", help: "a row's key, as in the row files or in this database", repeats: true),
    ],
    knowsServers: true,
    exitCodes: [.done, .failed, .disagreement, .busy, .newer, .usage],
    run: PinCommand.pin)

  static let unpin = Verb(
    name: "unpin",
    summary: "let releases change a pinned row again",
    about: "Ends a 'pin'. The row stays as it is until a release changes it; 'reseed' brings the "
      + "changes that releases made to it in the meantime.",
    examples: [Example("unpin elements 113", "the row with the key 113")],
    operands: [
      Verb.Operand(name: "TABLE", help: "the table of the rows", isRequired: true),
      Verb.Operand(
        name: "KEY", help: "a row's key, as in the row files or in this database", isRequired: true,
        repeats: true),
    ],
    knowsServers: true,
    exitCodes: [.done, .failed, .disagreement, .busy, .newer, .usage],
    run: PinCommand.unpin)
}

enum PinCommand {
  static func pin(_ context: CommandContext) throws -> ExitCode {
    let operands = context.arguments.operands
    guard let table = operands.first else { return try list(context) }
    guard operands.count > 1 else {
      throw SeedbedError(.usage, "Give the key of the row of '\(table.printable)' to pin.")
    }
    return try change(context, "Pinned") { try $0.pin(written: $1, in: table) }
  }

  static func unpin(_ context: CommandContext) throws -> ExitCode {
    let table = context.arguments.operands[0]
    return try change(context, "Unpinned") { try $0.unpin(written: $1, in: table) }
  }

  private static func change(
    _ context: CommandContext, _ word: String,
    _ body: (Migrator, [String]) throws -> [Migrator.Row]
  ) throws -> ExitCode {
    try context.requireDatabase()
    let migrator = try context.migrator()
    let operands = context.arguments.operands
    let keys = try body(migrator, Array(operands.dropFirst()))
    let lines = keys.map { "\(word) \(operands[0].printable) \($0.listed)." }
    let pinned = try migrator.userOwnedKeys().filter(\.isPinned)
    try context.result(lines, .pinned(pinned))
    return .done
  }

  private static func list(_ context: CommandContext) throws -> ExitCode {
    let rows = try context.migratorWithoutCatalog().userOwnedKeys().filter(\.isPinned)
    let lines = rows.map { "\($0.table.printable) \($0.key.listed)" }
    try context.result(lines.isEmpty ? ["Nothing is pinned."] : lines, .pinned(rows))
    return .done
  }
}
