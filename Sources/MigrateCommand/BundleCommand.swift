internal import Seedbed
internal import SeedbedAuthoring

extension Verb {
  static let bundle = Verb(
    name: "bundle",
    summary: "copy the catalog as devices need it",
    about: "Copies the catalog, compressed and with a matching lock, but without its source CSV, "
      + "the files for 'down' and SQL for PostgreSQL. Versions, checksums and chain stay the same.",
    examples: [
      Example("bundle App/Resources/Migrations", "replace an earlier bundle there"),
      Example("bundle OUT --with-down", "for an app that undoes migrations itself"),
    ],
    options: [BundleCommand.withDown, BundleCommand.asErrors],
    operands: [Verb.Operand(name: "OUT", help: "the folder to write", isRequired: true)],
    usesDatabase: false,
    exitCodes: [.done, .failed, .disagreement, .usage],
    run: BundleCommand.run)
}

enum BundleCommand {
  static let withDown = OptionSpec(
    name: "with-down", placeholder: nil, help: "keep down.sql and after.down.sql")
  static let asErrors = OptionSpec(
    name: "as-errors", placeholder: nil,
    help: "print errors as a compiler does, so that Xcode shows them at the file")

  static func run(_ session: Session) throws -> ExitCode {
    guard session.arguments.has(asErrors) else {
      return try bundle(session) { try LockCommand.show($0, $1) }
    }
    do {
      return try bundle(session, showErrors)
    } catch let error as SeedbedError {
      _ = showErrors([error], session)
      return ExitCode(error.code)
    }
  }

  /// `/App/Migrations/0002_isles/isles.csv:7:3: error: found 6 fields, expected 7.`
  private static func showErrors(_ errors: [SeedbedError], _ session: Session) -> ExitCode {
    for error in errors.map({ $0.completed(session.program) }) {
      // An error needs a file. This one is about the lock.
      let place = error.place ?? SeedbedError.Place("seedbed.lock")
      let path = "\(session.settings.migrations)/\(place.file)"
      session.invocation.complain(
        "\(path):\(place.line ?? 1):\(place.column ?? 1): error: \(error.message)")
    }
    return ExitCode(errors)
  }

  private static func bundle(
    _ session: Session, _ show: ([SeedbedError], Session) throws -> ExitCode
  ) throws -> ExitCode {
    try session.requireMigrations()
    let folder = session.settings.migrations
    let findings = try session.namingTheFlag { try CatalogLock.check(directory: folder) }
    guard findings.isEmpty else { return try show(findings, session) }
    let summary = try session.namingTheFlag {
      try CatalogBundle.write(
        directory: folder, to: session.settings.absolute(session.arguments.operands[0]),
        withDown: session.arguments.has(withDown))
    }
    let size = [
      Measures.count(summary.migrations, "migration"), Measures.count(summary.files, "file"),
      Measures.count(summary.rows, "row"),
    ].joined(separator: ", ")
    let path = session.shown(Files.split(summary.path).folder)
    let first = summary.first.map { ["New databases begin with \(FirstDatabase.name), at \($0)."] }
    try session.result(
      ["Wrote \(path): \(size). The catalog now ends at \(summary.version)."] + (first ?? []),
      .bundle(summary, of: folder))
    return .done
  }
}
