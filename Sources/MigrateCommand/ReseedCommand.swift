internal import Seedbed

extension Verb {
  static let reseed = Verb(
    name: "reseed",
    summary: "put seed rows back, whatever was done to them",
    about: "Puts rows of one table back to what the catalog has at the version of the database, "
      + "including rows that the user deleted, changed or won in a conflict. Rows of users stay, "
      + "even with the key of a seed row, unless you name that key. Columns that no file of the "
      + "catalog fills stay as they are. A backup is taken first.",
    examples: [
      Example("reseed elements 113 115", "two rows, by their keys"),
      Example("reseed places de,Berlin", "a key of two columns"),
      Example("reseed elements", "all seed rows of the table"),
    ],
    options: [UpCommand.noBackup],
    operands: [
      Verb.Operand(name: "TABLE", help: "the table of the rows", isRequired: true),
      Verb.Operand(
        name: "KEY", help: "a row's key, as in the row files; without one, all rows",
        repeats: true),
    ],
    knowsServers: true,
    exitCodes: [
      .done, .failed, .disagreement, .busy, .newer, .refused, .usage, .interrupted,
    ],
    run: ReseedCommand.run)
}

enum ReseedCommand {
  static func run(_ session: Session) throws -> ExitCode {
    let migrator = try session.migrator { options in
      options.takesBackup = !session.arguments.has(UpCommand.noBackup)
    }
    let operands = session.arguments.operands
    let keys = operands.count > 1 ? Array(operands.dropFirst()) : nil
    let report = try session.changing { cancellation, _ in
      try migrator.reseed(operands[0], keys: keys, cancellation: cancellation)
    }
    try session.result(lines(report, session), .report(report))
    return .done
  }

  static func lines(_ report: Migrator.Report, _ session: Session) -> [String] {
    guard let reseeded = report.reseeded else { return [] }
    let backup = report.backup.map { ["Backup   " + RunTranscript.backup($0, session)] } ?? []
    var counts = reseeded.counts
    let table = reseeded.table.printable
    let users = usersRows(reseeded, hasBackup: report.backup != nil)
    if counts.inserted + counts.updated == 0 {
      return backup + [
        "\(table): nothing to put back, \(Measures.count(counts.unchanged, "row")) as in "
          + "version \(report.to)."
      ] + users
    }
    // Those of users have a line of their own.
    counts.kept = 0
    return backup + [
      "\(table): \(RunTranscript.counts(counts)). These rows are as in version \(report.to)."
    ] + users
  }

  private static func usersRows(_ table: Migrator.Report.Table, hasBackup: Bool) -> [String] {
    var lines: [String] = []
    if table.counts.kept > 0 {
      lines.append(
        "Not put back: \(Measures.count(table.counts.kept, "row")). A user's row is in its place, "
          + "or it is pinned, or a rule of the table refuses it. Name the key of one to put it "
          + "back, or to read why not; unpin a pinned one first.")
    }
    if !table.replacedKeys.isEmpty {
      let keys = table.replacedKeys.map(\.json).joined(separator: ", ")
      lines.append(
        "Replaced rows that a user had made: \(keys)." + (hasBackup ? " The backup has them." : ""))
    }
    return lines
  }
}
