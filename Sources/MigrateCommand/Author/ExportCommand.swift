internal import Seedbed
internal import SeedbedAuthoring

extension Verb {
  static let export = Verb(
    name: "export",
    summary: "print a table's seed rows, or the user's rows, as CSV",
    about: "Prints the seed rows of a table as CSV, in the catalog's dialect: a source for 'make' "
      + "that matches the catalog. If --out names a CSV of the table, its rows stay in their "
      + "order, and those that do not change keep every byte; new rows come last. With --mine, "
      + "prints the rows that the user of the database made or changed; a row with a value that "
      + "CSV cannot hold is left out and reported, and the exit code is 2. With --suggestions, "
      + "prints what the user changed in the seed's rows, value by value, for 'suggestions' of the "
      + "data's author: no columns that no file sets, nothing under 'ignore', and no value that "
      + "refers to a row of the user's own. It names no device, but the values are the user's, so "
      + "ask them before you send it. With --each, --out names a new or empty folder, for a file "
      + "of each database that has any. The seed rows of a catalog for PostgreSQL alone need a "
      + "server, as for 'make'.",
    examples: [
      Example("export elements --out Migrations/data/elements.csv", "recover the source CSV"),
      Example("export elements --mine --database app.sqlite", "what the user made or changed"),
      Example("export --suggestions --out mine.csv", "what the user corrected, for the author"),
      Example("export --suggestions --out mine.jsonl", "the same as JSON lines"),
      Example("export --suggestions --each tenants/ --out inbox", "those of many databases"),
    ],
    operands: [
      Verb.Operand(
        name: "TABLE", help: "the table of the rows; optional with --suggestions")
    ],
    triesServers: true,
    exitCodes: [.done, .failed, .disagreement, .busy, .newer, .refused, .usage],
    run: ExportCommand.run)
}

enum ExportCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    try refuseMixtures(context.arguments)
    // Without --mine and --suggestions, only a catalog for PostgreSQL alone needs the server, and
    // says so itself.
    if context.settings.server != nil, context.invocation.server == nil,
      context.arguments.has(.exportMine) || context.arguments.has(.exportSuggestions)
    {
      throw Sibling.missing(beside: context.program)
    }
    try context.requireMigrations()
    if let all = try Each.databases(context, of: context.catalog) {
      return try exportSuggestions(of: all, context)
    }
    if context.arguments.has(.exportSuggestions) { return try exportSuggestions(context) }
    guard let table = context.arguments.operand else {
      throw SeedbedError(.usage, "'export' needs TABLE: the table of the rows.")
    }
    let found: Found
    if let path = try context.arguments.text(.out) {
      let old = context.settings.absolute(path)
      if SourceFile.isOther(old) {
        throw SeedbedError(
          .usage,
          "'export' writes the rows of a table as CSV, and '\(path)' has the name of another form. "
            + "Name a file that ends in .csv.")
      }
      found = try write(old) { write in
        try rows(of: table, context, inPlaceOf: Files.kind(old) == .other ? old : nil, to: write)
      }
      try context.result(
        ["Wrote \(path.printable): \(Measures.count(found.rows, "row")) of \(table.printable)."],
        document(table, found, ("file", .string(context.settings.absolute(path)))))
    } else if context.isJSON {
      let csv = Collected()
      found = try rows(of: table, context) { csv.bytes += $0 }
      let text = String(decoding: csv.bytes, as: UTF8.self)
      try context.result([], document(table, found, ("file", .null), ("csv", .string(text))))
    } else {
      found = try rows(of: table, context) {
        try context.invocation.print(String(decoding: $0, as: UTF8.self))
      }
    }
    return complain(found.unwritable ?? [], table, "rows", context)
  }

  private static func refuseMixtures(_ arguments: Arguments) throws {
    if arguments.has(.exportSuggestions), arguments.has(.exportMine) {
      throw SeedbedError(.usage, "Give either '--mine' or '--suggestions', not both.")
    }
    if !arguments.has(.exportSuggestions), arguments.has(.deletions) || arguments.has(.additions) {
      throw SeedbedError(
        .usage, "'--deletions' and '--additions' say what is exported with '--suggestions'.")
    }
  }

  /// Writes a file in a folder that exists, completely or not at all.
  static func write<Result>(
    _ path: String, _ content: (_ write: @escaping ([UInt8]) throws -> Void) throws -> Result
  ) throws -> Result {
    let file = Files.split(path)
    if Files.kind(file.folder) == .nothing {
      throw SeedbedError(.io, "There is no folder '\(file.folder)'. Create it first.")
    }
    return try AtomicFile.write(to: file.name, in: file.folder, content)
  }

  /// Reports what was left out, since no file can hold it.
  static func complain(
    _ unwritable: [TableExport.Unwritable], _ table: String?, _ what: String,
    _ context: CommandContext
  ) -> ExitCode {
    if unwritable.isEmpty { return .done }
    for value in unwritable {
      let table = table.map { " of '\($0.printable)'" } ?? ""
      context.invocation.complain(
        "Left out the row \(value.key.printable)\(table): its column "
          + "'\(value.column.printable)' holds \(value.reason), which CSV cannot hold.")
    }
    context.invocation.complain(
      "All other \(what) are written. To read a value that was left out, query the database: "
        + "hex(column) shows its bytes.")
    return .failed
  }

  static func document(_ unwritable: [TableExport.Unwritable]) -> JSON {
    .array(
      unwritable.map { value in
        .object([
          ("key", .string(value.key)), ("column", .string(value.column)),
          ("reason", .string(value.reason)),
        ])
      })
  }

  final class Collected { var bytes: [UInt8] = [] }

  private struct Found {
    var rows: Int
    /// nil if the seed's rows were requested.
    var unwritable: [TableExport.Unwritable]?
  }

  private static func rows(
    of table: String, _ context: CommandContext, inPlaceOf old: String? = nil,
    to write: @escaping ([UInt8]) throws -> Void
  ) throws -> Found {
    let settings = context.settings
    return try context.namingTheFlag {
      guard context.arguments.has(.exportMine) else {
        if !settings.downloaded.isEmpty { throw UsageError.noDownloads(.export, " TABLE") }
        return Found(
          rows: try TableExport.seedRows(
            of: table, directory: settings.migrations, try context.scratchSettings,
            inPlaceOf: old, to: write))
      }
      try context.requireDatabase()
      let found = try TableExport.userRows(of: table, in: context.migrator(), to: write)
      return Found(rows: found.rows, unwritable: found.unwritable)
    }
  }

  private static func document(
    _ table: String, _ found: Found, _ more: (key: String, value: JSON)...
  ) -> JSON {
    let unwritable = found.unwritable.map { [(key: "unwritable", value: document($0))] }
    return .document(
      [("table", .string(table)), ("rows", .number(Int64(found.rows)))] + more
        + (unwritable ?? []))
  }
}
