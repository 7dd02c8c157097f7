internal import Seedbed
internal import SeedbedAuthoring

// `export --suggestions`: what a user corrected, on its way to the author.

extension ExportCommand {
  static func exportSuggestions(_ context: CommandContext) throws -> ExitCode {
    try context.requireDatabase()
    let result: SuggestionExport.Result
    if let path = try context.arguments.text(.out) {
      let isLines = path.asciiLowercased().hasSuffix(".jsonl")
      let whole = context.settings.absolute(path)
      result = try write(whole) { write in
        try find(context, isLines ? .jsonLines : .csv, to: write)
      }
      try context.result(
        ["Wrote \(path.printable): \(Measures.count(result.suggestions, "suggestion"))."],
        document(result, context, ("file", .string(whole))))
    } else if context.isJSON {
      let lines = Collected()
      result = try find(context, .jsonLines) { lines.bytes += $0 }
      let found = lines.bytes.split(separator: UInt8(ascii: "\n")).map {
        JSON.raw(String(decoding: $0, as: UTF8.self))
      }
      try context.result(
        [], document(result, context, ("file", .null), ("suggestions", .array(found))))
    } else {
      result = try find(context, .csv) {
        try context.invocation.print(String(decoding: $0, as: UTF8.self))
      }
    }
    if result.omitted > 0 {
      let changes = Measures.count(result.omitted, "change")
      context.message(
        "Left out \(changes) with references to rows of the user's own, which the author does not "
          + "have.")
    }
    return complain(result.unwritable, context.arguments.operand, "suggestions", context)
  }

  private static func find(
    _ context: CommandContext, _ format: SuggestionExport.Format,
    to write: @escaping ([UInt8]) throws -> Void
  ) throws -> SuggestionExport.Result {
    let arguments = context.arguments
    return try context.namingTheFlag {
      try SuggestionExport.write(
        arguments.operand.map { [$0] }, deletions: arguments.has(.deletions),
        additions: arguments.has(.additions), of: context.migrator(), as: format, to: write)
    }
  }

  private static func document(
    _ result: SuggestionExport.Result, _ context: CommandContext,
    _ more: (key: String, value: JSON)...
  ) -> JSON {
    .document(
      [
        ("table", .optional(context.arguments.operand)), ("count", .count(result.suggestions)),
        ("omitted", .count(result.omitted)),
      ] + more + [("unwritable", document(result.unwritable))])
  }
}
