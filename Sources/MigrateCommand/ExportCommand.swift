internal import Seedbed
internal import SeedbedAuthoring

extension Verb {
  static let export = Verb(
    name: "export",
    summary: "a table's seed rows as CSV, or what the user made of it",
    about: "Prints the rows that the catalog makes, as CSV in the catalog's dialect: a readable "
      + "truth for 'make', which finds nothing to do with it. With --mine, the rows that the "
      + "user of the database made or changed.",
    examples: [
      Example("export elements --out Migrations/data/elements.csv", "recover the truth"),
      Example("export elements --mine --database app.sqlite", "what the user made"),
    ],
    options: [ExportCommand.out.spec, ExportCommand.mine],
    operands: [Verb.Operand(name: "TABLE", help: "the table of the rows", isRequired: true)],
    exitCodes: [.done, .failed, .busy, .usage],
    run: ExportCommand.run)
}

enum ExportCommand {
  static let out = CommandOption.path("out", "FILE", "write a file in place of stdout")
  static let mine = OptionSpec(
    name: "mine", placeholder: nil, help: "the database's rows that the user made or changed")

  static func run(_ session: Session) throws -> ExitCode {
    try session.requireMigrations()
    let table = session.arguments.operands[0]
    let export = try session.namingTheFlag { try rows(of: table, session) }
    guard let path = try session.arguments.value(out) else {
      guard session.isJSON else {
        try session.invocation.print(String(decoding: export.bytes, as: UTF8.self))
        return .done
      }
      try session.result([], document(export, table, file: nil))
      return .done
    }
    let file = Files.split(session.settings.absolute(path))
    try AtomicFile.write(export.bytes, to: file.name, in: file.folder)
    try session.result(
      ["Wrote \(path.printable): \(Measures.count(export.rows, "row")) of \(table.printable)."],
      document(export, table, file: session.settings.absolute(path)))
    return .done
  }

  private static func rows(of table: String, _ session: Session) throws -> TableExport {
    let settings = session.settings
    guard session.arguments.has(mine) else {
      return try TableExport.seedRows(
        of: table, directory: settings.migrations, ledger: settings.options.ledger)
    }
    try session.requireDatabase()
    return try TableExport.userRows(
      of: table, in: settings.database, directory: settings.migrations,
      ledger: settings.options.ledger,
      lockTimeoutSeconds: settings.options.lockTimeoutSeconds)
  }

  private static func document(_ export: TableExport, _ table: String, file: String?) -> JSON {
    var members: [(key: String, value: JSON)] = [
      ("table", .string(table)), ("rows", .number(Int64(export.rows))), ("file", .optional(file)),
    ]
    if file == nil {
      members.append(("csv", .string(String(decoding: export.bytes, as: UTF8.self))))
    }
    return .document(members)
  }
}
