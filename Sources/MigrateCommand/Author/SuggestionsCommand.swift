internal import Seedbed
internal import SeedbedAuthoring
internal import SeedbedOptions

extension Verb {
  static let suggestions = Verb(
    name: "suggestions",
    summary: "review what users corrected, and take it into the source",
    about: "Reads files that 'export --suggestions' wrote on users' devices, one from each, and "
      + "lists what they suggest, the most frequent first, beside the sources in catalog.json. "
      + "A suggestion is open; settled, if the source has it already; outdated, if the source has "
      + "another value than the one that was shipped to the user; or gone, with its row. --take "
      + "writes suggestions into the source, CSV or JSON lines, where they are a change to review, "
      + "if 'make' would accept it; every other byte stays. For a database it prints the SQL to "
      + "run. Nothing is written without it. The files come "
      + "from strangers: a line that does not fit the catalog is refused with its place, the "
      + "others are listed, and the exit code is 2.",
    examples: [
      Example("suggestions inbox/*.csv", "all, with counts"),
      Example("suggestions inbox/*.csv --min 3 --where elements.name", "made by three or more"),
      Example("suggestions inbox/*.csv --html review.html", "a page: sort, filter, search"),
      Example("suggestions inbox/*.csv --take 4f1c09,77ab12", "write two into the source"),
    ],
    operands: [
      Verb.Operand(
        name: "FILE", help: "a device's file of suggestions: CSV, or JSON lines",
        isRequired: true, repeats: true)
    ],
    usesDatabase: false, triesServers: true,
    exitCodes: [.done, .failed, .busy, .refused, .usage, .interrupted],
    run: SuggestionsCommand.run)
}

enum SuggestionsCommand {
  typealias Entry = SuggestionReview.Entry

  static func run(_ context: CommandContext) throws -> ExitCode {
    let arguments = context.arguments
    try context.requireMigrations()
    let out = try arguments.text(.suggestionsPage).map { try HTMLPage.path($0, context) }
    let given = try arguments.text(.take)?.split(separator: ",").map(String.init)
    if given?.isEmpty == true {
      throw SeedbedError(
        .usage, "'--take' names no ID. Name IDs that 'suggestions' lists, with commas between them."
      )
    }
    if out != nil, given != nil {
      throw SeedbedError(.usage, "Give either '--html' or '--take', not both.")
    }
    if given == nil,
      let option = [VerbOption.allowDeletes, .accept].first(where: arguments.has)
    {
      throw SeedbedError(.usage, "'\(option.spelling)' is about what '--take' writes. Give both.")
    }
    let review = try context.namingTheFlag {
      try SuggestionReview(directory: context.settings.migrations, try context.scratchSettings)
    }
    for path in arguments.operands {
      try review.read(context.settings.absolute(path), shownAs: path)
    }
    let entries = try review.list(
      least: arguments.number(.suggestionsLeast) ?? 1, at: arguments.text(.suggestionsWhere))
    complain(review, context)
    if let given {
      try take(given, of: entries, review, context)
    } else if let out {
      try HTMLPage.save(out, context) { write in
        try SuggestionsPage.write(entries, review, to: write)
      }
    } else {
      try list(entries, review, context)
    }
    return review.refusedCount == 0 ? .done : .failed
  }

  private static func complain(_ review: SuggestionReview, _ context: CommandContext) {
    let shown = 20
    for error in review.refused.prefix(shown) {
      context.invocation.complain(error.description.harmless)
    }
    if review.refusedCount > shown {
      context.invocation.complain(
        "… and \(Measures.grouped(review.refusedCount - shown)) more lines that cannot be used.")
    }
  }

  // MARK: taking

  private static func take(
    _ given: [String], of entries: [Entry], _ review: SuggestionReview, _ context: CommandContext
  ) throws {
    var release = Release(directory: context.settings.migrations, name: "suggestions")
    release.allowsDeletes = context.arguments.has(.allowDeletes)
    release.acceptsSpreadsheets = context.arguments.has(.accept)
    release.onServer = context.serverTrial
    let taken = try review.take(given, of: entries, as: release)
    let lines = taken.files.map {
      "Wrote \(Measures.count($0.count, "suggestion")) into \($0.file.printable)."
    }
    if !taken.databases.isEmpty, !context.isJSON {
      // Whole lines that `sqlite3` can read, on a narrow terminal, too.
      for (place, statements) in taken.databases {
        let text = ["-- For \(place.printable), into which nothing was written:"] + statements
        try context.invocation.print(text.joined(separator: "\n") + "\n")
      }
      context.message(
        "Run this in the database, and make the next release: \(context.program) make NAME.")
      if lines.isEmpty { return }
    }
    try context.result(
      lines.isEmpty
        ? ["Nothing to take: the source has it already."]
        : lines + ["Review the change, and make the next release: \(context.program) make NAME."],
      document(
        [
          ("taken", .array(taken.entries.map { .string($0.id) })),
          ("files", .array(taken.files.map { .string($0.file) })),
          (
            "databases",
            .array(
              taken.databases.map { place, statements in
                .object([
                  ("source", .string(place)),
                  ("statements", .array(statements.map(JSON.string))),
                ])
              })
          ),
        ], review))
  }

  // MARK: listing

  private static func list(
    _ entries: [Entry], _ review: SuggestionReview, _ context: CommandContext
  ) throws {
    if context.isJSON {
      return try context.result(
        [], document([("suggestions", .array(entries.map { .object($0.members) }))], review))
    }
    if context.settings.isQuiet { return }
    var page = Page(context: context, isText: true)
    let text = ReleaseText(columns: context.columns, palette: context.palette)
    for entry in entries {
      try page.add([title(entry)])
      try page.add(text.lines(entry.row).map { $0 })
      if let note = note(entry) { try page.add(["    " + note]) }
    }
    try page.add([summary(entries, review)])
    try page.flush()
  }

  /// `4f1c09d2b7  3 devices, open  (elements, version 2 to 3)`
  private static func title(_ entry: Entry) -> String {
    let versions = entry.versions
    let range =
      versions.count == 1
      ? "version \(versions.lowerBound)"
      : "versions \(versions.lowerBound) to \(versions.upperBound)"
    return "\(entry.id.prefix(10))  \(Measures.count(entry.count, "device")), "
      + "\(entry.state.rawValue)  (\(entry.table.harmless), \(range))"
  }

  static func note(_ entry: Entry) -> String? {
    switch entry.state {
    case .open: return nil
    case .settled: return "The source has it already."
    case .outdated:
      guard let now = entry.now else { return "The source has another row with this key." }
      let value = ReleaseText(columns: 80).text(now)
      return "Made against an older value: the source has \(value) now."
    case .gone: return "The source no longer has the row."
    }
  }

  private static func summary(_ entries: [Entry], _ review: SuggestionReview) -> String {
    let files = "in " + Measures.count(review.files, "file")
    if entries.isEmpty { return "No suggestions \(files)." }
    let states = Entry.State.allCases.compactMap { state -> String? in
      let count = entries.count { $0.state == state }
      return count == 0 ? nil : "\(Measures.grouped(count)) \(state.rawValue)"
    }
    return "\(Measures.count(entries.count, "suggestion")) \(files): "
      + states.joined(separator: ", ")
  }

  private static func document(
    _ members: [(key: String, value: JSON)], _ review: SuggestionReview
  ) -> JSON {
    .document(
      [("readFiles", .count(review.files))] + members + [
        ("refusedCount", .count(review.refusedCount)),
        ("refused", .array(review.refused.map(JSON.problem))),
      ])
  }
}
