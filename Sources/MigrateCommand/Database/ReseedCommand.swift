internal import Seedbed
internal import SeedbedOptions

extension Verb {
  static let reseed = Verb(
    name: "reseed",
    summary: "put seed rows back, whatever was done to them",
    about: "Puts rows of one table back as the catalog has them at the version of the database, "
      + "including rows that the user deleted, changed or won in a conflict; with --tables "
      + "or --all, those of several tables, in one transaction. With --missing, says how "
      + "many rows are absent, brings them back, and changes no other; 'absent' lists them. "
      + "Rows of users stay, even with the key of a seed row, unless you name that key. "
      + "Columns that no file of the catalog fills stay as they are. If a key holds an id "
      + "that each database chose itself, write the id of this one, as in 3,pro, or the name "
      + "in the row files, as in CZ,pro. A backup is taken first.",
    examples: [
      Example("reseed elements 113 115", "two rows, by their keys"),
      Example("reseed places de,Berlin", "a key of two columns"),
      Example("reseed elements", "all seed rows of the table"),
      Example("reseed --tables elements isotopes", "all seed rows of two tables"),
      Example("reseed --all", "all seed rows of every table"),
      Example("reseed --missing", "the absent ones of every table"),
    ],
    operands: [
      Verb.Operand(name: "TABLE", help: "the table of the rows"),
      Verb.Operand(
        name: "KEY",
        help: "a row's key, as in the row files or in this database; without one, all rows",
        repeats: true),
    ],
    knowsServers: true,
    exitCodes: [
      .done, .failed, .disagreement, .busy, .newer, .refused, .usage, .interrupted,
    ],
    run: ReseedCommand.run)
}

enum ReseedCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let reports = try reports(context, context.arguments.operands)
    // Tables without an absent row were counted already.
    let shown =
      context.arguments.has(.missing)
      ? reports.filter { $0.counts.inserted + $0.counts.kept > 0 } : reports
    try context.result(lines(shown, context), .reseed(reports))
    return .done
  }

  private static func reports(
    _ context: CommandContext, _ operands: [String]
  ) throws -> [Migrator.ReseedReport] {
    let arguments = context.arguments
    let (isAll, namesTables) = (arguments.has(.reseedAll), arguments.has(.reseedTables))
    if isAll, namesTables || !operands.isEmpty {
      throw SeedbedError(.usage, "Name tables, or all of them with '--all', not both.")
    }
    if arguments.has(.missing) {
      if isAll || namesTables || operands.count > 1 {
        throw SeedbedError(
          .usage, "'--missing' takes one table or none, and no '--all' and no '--tables'.")
      }
      let migrator = try context.migrator()
      return try context.changing { cancellation, _ in
        try migrator.reseed(missingFrom: operands.first, cancellation: cancellation) {
          context.message(AbsentCommand.count($0))
        }
      }
    }
    if operands.isEmpty, !isAll {
      throw UsageError.missingOperand(Verb.reseed.operands[0], of: .reseed)
    }
    let migrator = try context.migrator()
    if isAll || namesTables {
      return try context.changing { cancellation, _ in
        try migrator.reseed(tables: isAll ? nil : operands, cancellation: cancellation)
      }
    }
    let keys = operands.count > 1 ? Array(operands.dropFirst()) : nil
    return try context.changing { cancellation, _ in
      do {
        return [try migrator.reseed(operands[0], keys: keys, cancellation: cancellation)]
      } catch let error as SeedbedError where error.code == .usage && keys != nil {
        throw areTables(operands, migrator)
          ? error.with { $0.message += " For several tables, give '--tables'." } : error
      }
    }
  }

  private static func areTables(_ words: [String], _ migrator: Migrator) -> Bool {
    // A catalog that cannot be read has already been reported.
    let files = ((try? migrator.catalog.migrations()) ?? []).flatMap(\.files)
    return words.allSatisfy { word in files.contains { $0.serves(word) } }
  }

  static func lines(_ reports: [Migrator.ReseedReport], _ context: CommandContext) -> [String] {
    let backup = reports.first?.backup
    return (backup.map { ["Backup   " + RunTranscript.backup($0, context)] } ?? [])
      + reports.flatMap(lines)
  }

  private static func lines(_ report: Migrator.ReseedReport) -> [String] {
    var counts = report.counts
    let name = report.table.printable
    let users = usersRows(report)
    if counts.inserted + counts.updated == 0 {
      // Only rows that are absent were wanted, and none could come.
      if counts.unchanged == 0, counts.kept > 0 { return users }
      return [
        "\(name): nothing to put back, \(Measures.count(counts.unchanged, "row")) as in version "
          + "\(report.version)."
      ] + users
    }
    // Users' rows have their own line.
    counts.kept = 0
    return [
      "\(name): \(RunTranscript.counts(counts)). These rows are as in version \(report.version)."
    ] + users
  }

  private static func usersRows(_ report: Migrator.ReseedReport) -> [String] {
    var lines: [String] = []
    if report.counts.kept > 0 {
      lines.append(
        "Not put back: \(Measures.count(report.counts.kept, "row")) of \(report.table.printable). "
          + "A user's row is in its place, or it is pinned, or a rule of the table refuses it. "
          + "Name the key of one to put it back, or to read why not; unpin a pinned one first.")
    }
    if !report.replacedKeys.isEmpty {
      let keys = report.replacedKeys.map(\.json).joined(separator: ", ")
      lines.append(
        "Replaced rows that a user had made: \(keys)."
          + (report.backup == nil ? "" : " The backup has them."))
    }
    return lines
  }
}
