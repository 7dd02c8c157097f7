internal import Seedbed
internal import SeedbedAuthoring
internal import SeedbedOptions

extension Verb {
  static let show = Verb(
    name: "show",
    summary: "show a release as a readable diff",
    about: "Shows what a migration adds, changes and retires, and its SQL, for a review. For a "
      + "changed row it shows only the changed columns, with their old values. It needs no "
      + "database, and no more memory for a larger release.",
    examples: [
      Example("show", "the last migration"),
      Example("show 3 --table elements --limit 0", "all rows of one table"),
      Example("show --markdown", "for a comment under a pull request"),
      Example("show --since --markdown", "everything new since the last tag"),
      Example("show --since --html review.html", "the same as a page: sort, filter, search"),
      Example("show --file FILE.csv.gz", "one row file in full: a textconv for git diff"),
    ],
    operands: [
      Verb.Operand(
        name: "N", help: "a version, or the name of its folder; without it, the last one")
    ],
    usesDatabase: false,
    exitCodes: [.done, .failed, .usage],
    run: ShowCommand.run)
}

enum ShowCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    if let path = try context.arguments.text(.file) { return try show(file: path, context) }
    try context.requireMigrations()
    let released = try ReleasedLock(.showSince, context)
    let releases = try context.namingTheFlag { try self.releases(context, released) }
    let given: Int? = try context.arguments.number(.limit)
    if context.arguments.names(.showPage) {
      return try page(releases, released?.ref, given ?? 0, context)
    }
    let count = given ?? 10
    let rows = count == 0 ? Int.max : count
    if context.isJSON {
      if context.arguments.has(.showMarkdown) {
        throw SeedbedError(.usage, "Give either '--markdown' or '--json', not both.")
      }
      let document = ReleaseJSON(context: context, limit: rows)
      if let released {
        try document.print(releases, since: released.ref)
      } else {
        for release in releases { try document.print(release) }
      }
    } else if !context.settings.isQuiet {
      var page = Page(context: context, isText: !context.arguments.has(.showMarkdown))
      for (index, release) in releases.enumerated() {
        if context.arguments.has(.showMarkdown) {
          try Self.markdown(release.reading, release.tables, limit: rows, &page)
        } else {
          if index > 0 { try page.add([""]) }
          try text(release.reading, release.tables, limit: rows, &page)
        }
      }
      if let released, releases.isEmpty {
        try page.add(["Nothing is new since \(released.ref.printable)."])
      }
      try page.flush()
    }
    return .done
  }

  /// A migration with the tables to show.
  typealias Shown = (reading: ReleaseReading, tables: [ReleaseReading.Table])

  private static func releases(
    _ context: CommandContext, _ released: ReleasedLock?
  ) throws -> [Shown] {
    let (arguments, directory) = (context.arguments, context.settings.migrations)
    guard let released else {
      let release = try ReleaseReading(directory: directory, migration: arguments.operand)
      return [(release, try chosen([release], context))]
    }
    if arguments.operand != nil {
      throw SeedbedError(.usage, "Give either N or '--since', not both.")
    }
    let releases = try ReleaseReading.since(
      released.bytes, place: released.place, directory: directory)
    let tables = try chosen(releases, context)
    return releases.map { release in
      (release, release.tables.filter { table in tables.contains { $0.name == table.name } })
    }.filter { !$0.tables.isEmpty || !arguments.names(.showTable) }
  }

  private static func page(
    _ releases: [Shown], _ ref: String?, _ limit: Int, _ context: CommandContext
  ) throws -> ExitCode {
    let out = try context.arguments.text(.showPage).map { try HTMLPage.path($0, context) }
    if context.arguments.has(.showMarkdown) || context.isJSON && out == nil {
      throw SeedbedError(.usage, "Give only one of '--html', '--markdown' and '--json'.")
    }
    let page = ReleasePage(limit: limit == 0 ? Int.max : limit)
    let data = { try page.data(releases, since: ref, to: $0) }
    if let out {
      try HTMLPage.save(out, context, data: data)
    } else {
      var stdout = Page(context: context)
      try HTMLPage.write(data: data) { try stdout.add($0) }
      try stdout.flush()
    }
    return .done
  }

  /// For git, which compares the output for two versions of the file.
  private static func show(file path: String, _ context: CommandContext) throws -> ExitCode {
    if context.arguments.operand != nil {
      throw SeedbedError(.usage, "Give either N or '--file', not both.")
    }
    if context.arguments.names(.showPage) {
      throw SeedbedError(.usage, "Give either '--html' or '--file', not both.")
    }
    // They would be passed over: git wants the whole file as text.
    let others: [VerbOption] = [.showSince, .showTable, .limit, .showMarkdown, .json]
    if let other = others.first(where: context.arguments.names) {
      throw SeedbedError(
        .usage,
        "'--file' shows all of one file, a line for each row. Leave out '\(other.spelling)'.")
    }
    var page = Page(context: context)
    let text = ReleaseText(columns: nil)
    let file = context.settings.absolute(path)
    do {
      try ReleaseReading.rows(
        ofFile: file, shownAs: path, directory: context.settings.migrations
      ) { row in
        try page.add(text.lines(row))
        return true
      }
    } catch let error as SeedbedError where error.code == .io && Files.kind(file) == .nothing {
      throw SeedbedError(
        .io, "There is no file '\(path.printable)'. Name an existing row file.")
    }
    try page.flush()
    return .done
  }

  /// The tables that '--table' names, or all.
  private static func chosen(
    _ releases: [ReleaseReading], _ context: CommandContext
  ) throws -> [ReleaseReading.Table] {
    let tables = releases.flatMap(\.tables)
    guard let name = try context.arguments.text(.showTable) else { return tables }
    let chosen = tables.filter { $0.name.isSameName(as: name) }
    // If nothing is new, the name is not wrong.
    if !chosen.isEmpty || releases.isEmpty { return chosen }
    let nearest = Nearest.known(to: name, among: tables.map(\.name))
    throw SeedbedError(
      .usage,
      "\(list(releases.map { "'\($0.folder)'" }, "and")) "
        + "\(releases.count == 1 ? "has" : "have") no rows of a table '\(name.printable)'."
        + UsageError.didYouMean(nearest))
  }

  // MARK: text

  private static func text(
    _ release: ReleaseReading, _ tables: [ReleaseReading.Table], limit: Int, _ page: inout Page
  ) throws {
    let (columns, palette) = (page.context.columns, page.context.palette)
    try page.add([release.folder.cut(to: columns)])
    if let words = release.description?.collapsed { try page.add([words]) }
    if release.isWithdrawn { try page.add(["It is withdrawn: devices skip it."]) }
    if !page.context.arguments.names(.showTable) {
      for script in release.scripts {
        let more = script.statements.count - min(script.statements.count, limit)
        try page.add(["", script.name])
        try page.add(
          script.statements.prefix(limit).map {
            "    " + $0.shortened(to: 400).collapsed.cut(to: columns - 4)
          })
        if more > 0 {
          try page.add(["    " + palette("… and \(Measures.grouped(more)) more", .faint)])
        }
      }
    }
    let text = ReleaseText(columns: columns, palette: palette)
    for (table, summary) in zip(tables, MakeCommand.tableLines(tables.map(\.summary))) {
      try page.add(["", summary])
      for operation in ReleaseReading.Row.Operation.allCases {
        try rows(of: table, operation, limit: limit) {
          try page.add(text.lines($0))
        } omitted: {
          let words = "  … and \(Measures.grouped($0)) more \(operation.participle)"
          try page.add([palette(words, .faint)])
        }
      }
    }
    if tables.isEmpty, release.scripts.isEmpty { try page.add(["It changes nothing."]) }
  }

  private static func markdown(
    _ release: ReleaseReading, _ tables: [ReleaseReading.Table], limit: Int, _ page: inout Page
  ) throws {
    try page.add(ReleaseMarkdown.title(release) + ReleaseMarkdown.summary(tables.map(\.summary)))
    for table in tables {
      try page.add(ReleaseMarkdown.heading(table.name))
      for operation in ReleaseReading.Row.Operation.allCases {
        try rows(of: table, operation, limit: limit) {
          try page.add([ReleaseMarkdown.line($0)])
        } omitted: {
          try page.add([ReleaseMarkdown.omitted($0, operation)])
        }
      }
      try page.add([""])
    }
    if page.context.arguments.names(.showTable) { return }
    for script in release.scripts {
      try page.add(ReleaseMarkdown.script(script, limit: limit))
    }
  }

  /// The first rows of one kind, and the number of rows left out.
  static func rows(
    of table: ReleaseReading.Table, _ operation: ReleaseReading.Row.Operation, limit: Int,
    _ body: (ReleaseReading.Row) throws -> Void, omitted: (Int) throws -> Void
  ) throws {
    let count = table.count(operation)
    if count == 0 { return }
    var shown = 0
    try table.rows(operation) { row in
      try body(row)
      shown += 1
      return shown < limit
    }
    if shown < count { try omitted(count - shown) }
  }
}

/// Lines for stdout, written a block at a time.
struct Page {
  let context: CommandContext
  /// Whether long lines are broken for a screen. Lines of a document stay whole.
  private let isText: Bool
  private var text = ""

  init(context: CommandContext, isText: Bool = false) {
    self.context = context
    self.isText = isText
  }

  mutating func add(_ lines: [String]) throws {
    for line in lines {
      text += isText ? context.invocation.output.fitted(line) : line
      text += "\n"
    }
    if text.utf8.count > 64 << 10 { try flush() }
  }

  mutating func add(_ json: JSON) throws {
    text += json.text
    if text.utf8.count > 64 << 10 { try flush() }
  }

  mutating func add(_ piece: String) throws {
    text += piece
    if text.utf8.count > 64 << 10 { try flush() }
  }

  mutating func flush() throws {
    if text.isEmpty { return }
    try context.invocation.print(text)
    text.removeAll(keepingCapacity: true)
  }
}

extension String {
  /// Any run of white space as one space.
  fileprivate var collapsed: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ").printable
  }
}
