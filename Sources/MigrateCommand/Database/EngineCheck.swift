internal import Seedbed

/// `verify --engine-check`: whether a database's engine has all that a run needs.
enum EngineCheck {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let needs = try context.migrator().needs()
    let missing = needs.filter { !$0.isMet }
    try context.result(
      lines(needs, context), document(needs, of: context.settings.database))
    return missing.isEmpty ? .done : .disagreement
  }

  private static func lines(_ needs: [EngineNeed], _ context: CommandContext) -> [String] {
    var table = Table([.init("NEED"), .init("STATE"), .init("FOUND")])
    for need in needs {
      let state = need.isMet ? Table.Cell("there", .good) : Table.Cell("missing", .bad)
      table.add([.init(need.name), state, .init(need.found)])
    }
    let missing = needs.filter { !$0.isMet }
    let last =
      missing.isEmpty
      ? "Nothing is missing." : "\(Measures.count(missing.count, "need")) missing."
    return table.lines(context.palette, columns: context.invocation.output.width)
      + missing.map { context.palette("\($0.name): \($0.remedy ?? "")".printable, .bad) } + [last]
  }

  static func document(_ needs: [EngineNeed], of database: String) -> JSON {
    .document([
      ("database", .string(database)),
      (
        "needs",
        .array(
          needs.map { need in
            .object([
              ("name", .string(need.name)), ("isMet", .bool(need.isMet)),
              ("found", .string(need.found)), ("remedy", .optional(need.remedy)),
            ])
          })
      ),
    ])
  }
}
