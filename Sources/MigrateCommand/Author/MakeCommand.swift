internal import Seedbed
internal import SeedbedAuthoring

extension Verb {
  static let make = Verb(
    name: "make",
    summary: "write the next migration from the tables' sources",
    about: "Compares the rows that the catalog puts into an empty database with the source of each "
      + "table (its 'source' in catalog.json: CSV, JSON lines, or DATABASE#TABLE and "
      + "DATABASE#FILE.sql of SQLite), by key, and writes the next numbered folder "
      + "with the rows to insert, change and retire. The migration is tested on a scratch "
      + "database before it is written, and on one of PostgreSQL as 'lint' does. A catalog for "
      + "PostgreSQL alone needs a server for this: --database or DATABASE_URL names it.",
    examples: [
      Example("make iupac_2016", "all that changed in the sources"),
      Example("make names --description 'Names of 2016'", "with a description for reviewers"),
      Example("make weights elements=weights.csv", "one table, from any CSV file"),
      Example("make words words=words.sqlite#words", "from a table of a database"),
      Example("make --check", "write nothing; exit 3 if catalog and sources differ"),
      Example("make words words=words.csv --create", "with a new table"),
      Example("make notes --up-sql add.sql", "with SQL that runs first"),
      Example("make words words=words.csv --schema app.sql", "if the app makes its own tables"),
      Example(
        "make words words=words.csv --schema-from app.sqlite", "the same, from the app's database"),
      Example("make iupac_2016 --amend", "write it again, from the state before it"),
    ],
    operands: [
      Verb.Operand(
        name: "NAME",
        help: "the migration's name without its number; optional with --check and --amend"),
      Verb.Operand(
        name: "TABLE=FILE", help: "only these tables, each with its source", repeats: true),
    ],
    usesDatabase: false, triesServers: true,
    exitCodes: [.done, .failed, .disagreement, .busy, .refused, .usage, .interrupted],
    run: MakeCommand.run)
}

enum MakeCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let release = try release(context)
    let isCheck = context.arguments.has(.makeCheck)
    // The first table of an app begins its catalog.
    let begins = release.creates || release.hasSchema
    if isCheck || !begins || release.sources.isEmpty { try context.requireMigrations() }
    let missing = isCheck ? [] : release.renamed.filter { Files.kind($0.path) == .nothing }
    if !missing.isEmpty { return try writeRenamed(missing, release, context) }
    let summary = try isCheck ? release.check() : release.make()
    try complain(summary, release, isCheck: isCheck, context)
    let isOpen = isCheck ? !summary.isUpToDate : !summary.proposals.isEmpty
    try context.result(
      lines(summary, isCheck: isCheck, context),
      document(summary, isCheck: isCheck, context.settings.migrations))
    for reason in summary.created.flatMap(\.reasons) { context.message(reason.printable) }
    return isOpen ? (isCheck ? .disagreement : .failed) : .done
  }

  /// Prints further notes for the author.
  private static func complain(
    _ summary: ReleaseSummary, _ release: Release, isCheck: Bool, _ context: CommandContext
  ) throws {
    let down = context.fileOfSQL("down.sql")
    if release.upSQL != nil, summary.keepsDownSQL {
      context.message(
        "\(down) is kept as it was. Check that it undoes the new \(context.fileOfSQL("up.sql")).")
    } else if release.upSQL != nil, !summary.folders.isEmpty, !summary.writesDownSQL {
      let lines = (summary.downSQL ?? "").split(separator: "\n").map { "\n" + String($0).printable }
      context.message(
        "\(context.fileOfSQL("up.sql")) has no \(down), so this migration cannot be undone. Write "
          + "its \(down)"
          + (lines.isEmpty ? "." : ":" + lines.joined()))
    }
    for source in summary.sources {
      context.message(
        "catalog.json now names \(source.file.printable) as the source of "
          + "'\(source.table.printable)'.")
    }
    for cut in summary.cuts {
      context.message(
        "\(cut.folder) is a separate migration. One cannot hold both: \(cut.reason.printable)")
    }
    context.noteParents(in: summary.leftToApp)
    if !summary.renames.isEmpty { context.message(note(summary, context)) }
    for absence in summary.absent {
      let (table, column) = (absence.table.printable, absence.column.printable)
      context.message(
        "The source of '\(table)' has no column '\(column)', which earlier migrations fill. Its "
          + "values stay as they are.")
    }
    if isCheck, CatalogLock.isStale(directory: release.directory) {
      context.message("The lock is stale. Write it again: \(context.program) lock.")
    }
  }

  private static func release(_ context: CommandContext) throws -> Release {
    let arguments = context.arguments
    var operands = arguments.operands[...]
    var name = "next"
    if let first = operands.first, !first.contains("=") {
      name = first
      operands = operands.dropFirst()
    } else if arguments.has(.amend) {
      name = ""
    } else if !arguments.has(.makeCheck) {
      throw SeedbedError(
        .usage, "'make' needs a name for the migration: \(context.program) make NAME.")
    }
    var release = Release(directory: context.settings.migrations, name: name)
    release.sources = try operands.map { word in
      let (table, path) = pair(word)
      guard let table, !path.isEmpty else {
        throw SeedbedError(.usage, "'\(word.printable)' is not TABLE=FILE.")
      }
      return Release.TableFile(table, context.settings.absolute(path), shownAs: path)
    }
    try refuseTwice(release.sources)
    if let path = try arguments.text(.upSQL) {
      release.upSQL = try Release.text(of: context.settings.absolute(path))
      release.upSQLShownAs = path
    }
    release.renamed = arguments.texts(.renamed).map { word in
      let (table, path) = pair(word)
      return Release.TableFile(table, context.settings.absolute(path), shownAs: path)
    }
    try refuseTwice(release.renamed)
    release.amends = arguments.has(.amend)
    release.creates = arguments.has(.create)
    release.allowsDeletes = arguments.has(.allowDeletes)
    release.acceptsSpreadsheets = arguments.has(.accept)
    release.description = try arguments.text(.description)
    release.usesTimestamp = arguments.has(.timestamp)
    release.settings.ledger = context.settings.options.ledger
    let server = try takeSchemas(&release, context)
    release.settings = try context.scratchSettings(or: server)
    release.onServer = context.serverTrial(or: server)
    return release
  }

  private static func refuseTwice(_ files: [Release.TableFile]) throws {
    let tables = files.compactMap { $0.table?.lowercased() }
    if let twice = tables.first(where: { table in tables.count { $0 == table } > 1 }) {
      throw SeedbedError(.usage, "The table '\(twice.printable)' is given twice. Once is enough.")
    }
  }

  /// `TABLE=FILE`, or only a file.
  private static func pair(_ word: String) -> (table: String?, path: String) {
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
      return (nil, word)
    }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }

  // MARK: words

  static func lines(_ summary: ReleaseSummary, isCheck: Bool, _ context: CommandContext) -> [String]
  {
    let tables = tableLines(summary.tables)
    let tableCount = Measures.count(summary.compared, "table")
    if !summary.folders.isEmpty {
      let folders = summary.folders.map { context.shown(context.settings.migrations + "/" + $0) }
      return tables + [
        "Wrote \(list(folders, "and")). The catalog now ends at \(summary.lock?.version ?? 0)."
      ]
    }
    if summary.isUpToDate {
      return ["Nothing to write: the catalog matches the source of \(tableCount)."]
    }
    return tables + summary.proposals.flatMap { proposal($0) }
      + (isCheck
        ? [
          "The catalog does not match its sources. Write the difference: "
            + "\(context.program) make NAME" + (context.arguments.has(.amend) ? " --amend" : "")
        ] : [])
  }

  /// The lines for each table, also used by `show`.
  static func tableLines(_ tables: [ReleaseSummary.Table]) -> [String] {
    let width = max(10, tables.map(\.table.printable.displayWidth).max() ?? 0)
    return tables.map { table in
      var counts = Migrator.Counts()
      counts.inserted = table.inserted
      counts.updated = table.updated
      counts.deleted = table.deleted
      let columns = table.changedColumns.map(\.printable)
      let shown = columns.prefix(5).joined(separator: ", ") + (columns.count > 5 ? ", …" : "")
      return table.table.printable.padded(to: width) + " " + RunTranscript.counts(counts)
        + (columns.isEmpty ? "" : "  (\(shown))")
    }
  }

  private static func proposal(_ proposal: ReleaseSummary.Proposal) -> [String] {
    ["There is no table '\(proposal.table.printable)' yet. --create makes it:", ""]
      + proposal.sql.split(separator: "\n").map { "    " + String($0).printable } + [""]
      + proposal.reasons.map(\.printable)
  }

  static func document(
    _ summary: ReleaseSummary, isCheck: Bool, _ catalog: String
  ) -> JSON {
    let outcome =
      !summary.folders.isEmpty
      ? "written"
      : summary.isUpToDate && summary.renames.isEmpty
        ? "upToDate" : isCheck ? "differs" : "proposed"
    return .document([
      ("catalog", .string(catalog)),
      ("outcome", .string(outcome)),
      ("folders", .array(summary.folders.map { .string($0) })),
      (
        "tables",
        .array(
          summary.tables.map { table in
            .object([
              ("table", .string(table.table)),
              ("inserted", .number(Int64(table.inserted))),
              ("updated", .number(Int64(table.updated))),
              ("deleted", .number(Int64(table.deleted))),
              ("columns", .array(table.changedColumns.map { .string($0) })),
            ])
          })
      ),
      (
        "proposals",
        .array(
          summary.proposals.map { proposal in
            .object([
              ("table", .string(proposal.table)), ("sql", .string(proposal.sql)),
              ("reasons", .array(proposal.reasons.map { .string($0) })),
            ])
          })
      ),
      (
        "absent",
        .array(
          summary.absent.map { absence in
            .object([("table", .string(absence.table)), ("column", .string(absence.column))])
          })
      ),
      (
        "cuts",
        .array(
          summary.cuts.map { cut in
            .object([("folder", .string(cut.folder)), ("reason", .string(cut.reason))])
          })
      ),
      ("renames", .array(summary.renames.map(document))),
    ])
  }
}
