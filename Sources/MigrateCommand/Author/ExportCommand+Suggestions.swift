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
        try find(context, context.migrator, isLines ? .jsonLines : .csv, to: write)
      }
      try context.result(
        ["Wrote \(path.printable): \(Measures.count(result.suggestions, "suggestion"))."],
        document(result, context, ("file", .string(whole))))
    } else if context.isJSON {
      let lines = Collected()
      result = try find(context, context.migrator, .jsonLines) { lines.bytes += $0 }
      let found = lines.bytes.split(separator: UInt8(ascii: "\n")).map {
        JSON.raw(String(decoding: $0, as: UTF8.self))
      }
      try context.result(
        [], document(result, context, ("file", .null), ("suggestions", .array(found))))
    } else {
      result = try find(context, context.migrator, .csv) {
        try context.invocation.print(String(decoding: $0, as: UTF8.self))
      }
    }
    if result.omitted > 0 { context.message("Left out \(omitted(result)).") }
    return complain(result.unwritable, context.arguments.operand, "suggestions", context)
  }

  private static func omitted(_ result: SuggestionExport.Result) -> String {
    Measures.count(result.omitted, "change")
      + " with references to rows of the user's own, which the author does not have"
  }

  private static func find(
    _ context: CommandContext, _ migrator: () throws -> Migrator, _ format: SuggestionExport.Format,
    to write: @escaping ([UInt8]) throws -> Void
  ) throws -> SuggestionExport.Result {
    let arguments = context.arguments
    return try context.namingTheFlag {
      try SuggestionExport.write(
        arguments.operand.map { [$0] }, deletions: arguments.has(.deletions),
        additions: arguments.has(.additions), of: migrator(), as: format, to: write)
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

  // MARK: of many databases

  /// Writes a file for each database that has suggestions. Its number says nothing of whose they
  /// are.
  static func exportSuggestions(
    of all: Each.Databases, _ context: CommandContext
  ) throws -> ExitCode {
    guard context.arguments.has(.exportSuggestions) else {
      throw SeedbedError(.usage, "'export --each' is for what users corrected. Give --suggestions.")
    }
    let folder = try emptyFolder(context)
    let paths = all.fleet.paths.sorted()
    let digits = String(paths.count).count
    let files = Dictionary(
      zip(paths, 1...).map { path, number in
        let zeros = String(repeating: "0", count: digits - String(number).count)
        return (path, "\(folder)/\(zeros)\(number).csv")
      }, uniquingKeysWith: { first, _ in first })
    return try Each.look(.export, all, context) { migrator, _ in
      let (csv, database) = (Collected(), migrator.shownPath)
      let result = try find(context, { migrator }, .csv) { csv.bytes += $0 }
      if result.suggestions == 0 { return finding(result, of: database, in: nil, context) }
      guard let file = files[database] else {
        throw SeedbedError(.io, "'\(database)' is none of the databases of '--each'.")
      }
      try write(file) { try $0(csv.bytes) }
      return finding(result, of: database, in: file, context)
    }
  }

  private static func finding(
    _ result: SuggestionExport.Result, of database: String, in file: String?,
    _ context: CommandContext
  ) -> Each.Finding {
    let unwritable = result.unwritable.count
    let parts = [
      result.omitted > 0 ? "left out \(omitted(result))" : nil,
      unwritable > 0
        ? "left out \(Measures.count(unwritable, "change")) with values that CSV cannot hold" : nil,
    ].compactMap(\.self)
    return Each.Finding(
      name: file == nil ? "withoutSuggestions" : "withSuggestions",
      words: file == nil ? "without suggestions" : "with suggestions",
      line: file == nil && parts.isEmpty
        ? nil
        : ([Measures.count(result.suggestions, "suggestion")] + parts).joined(separator: ", "),
      comesFirst: !parts.isEmpty,
      document: .object([
        ("database", .string(database)), ("table", .optional(context.arguments.operand)),
        ("count", .count(result.suggestions)), ("omitted", .count(result.omitted)),
        ("file", .optional(file)), ("unwritable", document(result.unwritable)),
      ]), code: unwritable > 0 ? .failed : .done)
  }

  /// With the files of an earlier run beside them, suggestions would be counted twice.
  private static func emptyFolder(_ context: CommandContext) throws -> String {
    guard let given = try context.arguments.text(.out) else {
      throw SeedbedError(
        .usage,
        "With '--each', '--out FOLDER' names a new or empty folder for a file of each database.")
    }
    let folder = context.settings.absolute(given)
    let place = Files.split(folder)
    if Files.kind(folder) == .nothing { try Folder(place.folder).makeFolder(place.name) }
    guard Files.kind(folder) == .folder else {
      throw SeedbedError(.usage, "'\(given.printable)' is no folder. Name a new or an empty one.")
    }
    guard Files.names(in: folder).isEmpty else {
      throw SeedbedError(
        .usage,
        "The folder '\(given.printable)' is not empty: what an earlier run wrote would be counted "
          + "again. Name an empty one.")
    }
    return folder
  }
}
