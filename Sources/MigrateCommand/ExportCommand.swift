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
    if let path = try session.arguments.value(out) {
      let file = Files.split(session.settings.absolute(path))
      let count = try AtomicFile.write(to: file.name, in: file.folder) { write in
        try rows(of: table, session, to: write)
      }
      try session.result(
        ["Wrote \(path.printable): \(Measures.count(count, "row")) of \(table.printable)."],
        document(table, count, ("file", .string(session.settings.absolute(path)))))
    } else if session.isJSON {
      let csv = Collected()
      let count = try rows(of: table, session) { csv.bytes += $0 }
      let text = String(decoding: csv.bytes, as: UTF8.self)
      try session.result([], document(table, count, ("file", .null), ("csv", .string(text))))
    } else {
      _ = try rows(of: table, session) {
        try session.invocation.print(String(decoding: $0, as: UTF8.self))
      }
    }
    return .done
  }

  private final class Collected { var bytes: [UInt8] = [] }

  /// How many there are.
  private static func rows(
    of table: String, _ session: Session, to write: @escaping ([UInt8]) throws -> Void
  ) throws -> Int {
    let settings = session.settings
    return try session.namingTheFlag {
      guard session.arguments.has(mine) else {
        return try TableExport.seedRows(
          of: table, directory: settings.migrations, ledger: settings.options.ledger, to: write)
      }
      try session.requireDatabase()
      return try TableExport.userRows(
        of: table, in: settings.database, directory: settings.migrations,
        ledger: settings.options.ledger,
        lockTimeoutSeconds: settings.options.lockTimeoutSeconds, to: write)
    }
  }

  private static func document(
    _ table: String, _ count: Int, _ more: (key: String, value: JSON)...
  ) -> JSON {
    .document([("table", .string(table)), ("rows", .number(Int64(count)))] + more)
  }
}
