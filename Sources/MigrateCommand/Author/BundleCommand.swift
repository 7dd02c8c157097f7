internal import Seedbed
internal import SeedbedAuthoring
internal import SeedbedOverTheAir

extension Verb {
  static let bundle = Verb(
    name: "bundle",
    summary: "copy the catalog as devices need it",
    about: "Copies the catalog, compressed and with a matching lock, but without its source CSV, "
      + "the files for 'down' and SQL for PostgreSQL. Versions, checksums and chain stay the same. "
      + "If OUT ends in .seedbed, it is one file for devices to download: the signed lock and all "
      + "that it names, so 'sign' comes first. It is a tar archive, the same for the same catalog.",
    examples: [
      Example("bundle App/Resources/Migrations", "replace an earlier bundle there"),
      Example("bundle OUT --with-down", "for an app that undoes migrations itself"),
      Example("bundle june.seedbed", "one signed file, to download"),
      Example("bundle june.seedbed --since 8", "only for databases that have version 8"),
    ],
    operands: [
      Verb.Operand(
        name: "OUT", help: "the folder to write, or a file that ends in .seedbed",
        isRequired: true)
    ],
    usesDatabase: false,
    exitCodes: [.done, .failed, .disagreement, .usage],
    run: BundleCommand.run)
}

enum BundleCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    guard context.arguments.has(.asErrors) else {
      return try bundle(context) { try LockCommand.show($0, $1) }
    }
    if context.isJSON {
      throw SeedbedError(.usage, "Give either '--as-errors' or '--json', not both.")
    }
    do {
      return try bundle(context, showErrors)
    } catch let error as SeedbedError {
      _ = showErrors([error], context)
      return ExitCode(error.code)
    }
  }

  /// `/App/Migrations/0002_isles/isles.csv:7:3: error: found 6 fields, expected 7.`
  private static func showErrors(_ errors: [SeedbedError], _ context: CommandContext) -> ExitCode {
    for error in errors.map({ $0.completed(context.program) }) {
      // An error needs a file. This one is about the lock.
      let place = error.place ?? SeedbedError.Place("seedbed.lock")
      let path = "\(context.settings.migrations)/\(place.file)"
      context.invocation.complain(
        "\(path):\(place.line ?? 1):\(place.column ?? 1): error: \(error.message)")
    }
    return ExitCode(errors)
  }

  private static func bundle(
    _ context: CommandContext, _ show: ([SeedbedError], CommandContext) throws -> ExitCode
  ) throws -> ExitCode {
    try context.requireMigrations()
    let folder = context.settings.migrations
    let isFile = context.arguments.operands[0].hasSuffix(BundleLayout.ending)
    try refuseMisplaced(context.arguments, isFile: isFile)
    let findings = try context.namingTheFlag {
      try CatalogLock.check(directory: folder) + SignatureCheck(directory: folder).findings
    }
    guard findings.isEmpty else { return try show(findings, context) }
    if isFile { return try bundleFile(context) }
    let summary = try context.namingTheFlag {
      try CatalogBundle.write(
        directory: folder, to: context.settings.absolute(context.arguments.operands[0]),
        withDown: context.arguments.has(.bundleWithDown))
    }
    let size = [
      Measures.count(summary.migrations, "migration"), Measures.count(summary.files, "file"),
      Measures.count(summary.rows, "row"),
    ].joined(separator: ", ")
    let path = context.shown(Files.split(summary.path).folder)
    let first = summary.first.map { ["New databases begin with \(FirstDatabase.name), at \($0)."] }
    try context.result(
      ["Wrote \(path): \(size). The catalog now ends at \(summary.version)."] + (first ?? []),
      .bundle(summary, of: folder))
    return .done
  }

  private static func refuseMisplaced(_ arguments: Arguments, isFile: Bool) throws {
    if isFile, arguments.has(.bundleWithDown) {
      throw SeedbedError(
        .usage,
        "A bundle of one file has all files in the lock, which '--with-down' does not change. "
          + "Leave it out.")
    }
    if !isFile, arguments.names(.bundleSince) {
      throw SeedbedError(
        .usage,
        "'--since' is for a bundle of one file, whose name ends in \(BundleLayout.ending). A "
          + "folder has all releases: leave it out.")
    }
  }

  private static func bundleFile(_ context: CommandContext) throws -> ExitCode {
    let (folder, arguments) = (context.settings.migrations, context.arguments)
    let path = context.settings.absolute(arguments.operands[0])
    let place = Files.split(path).folder
    if Files.kind(place) == .nothing {
      throw SeedbedError(.io, "There is no folder '\(place)'. Create it first.")
    }
    let summary = try context.namingTheFlag {
      try BundleWriter.write(
        directory: folder, to: path, since: arguments.number(.bundleSince) ?? 0)
    }
    let size = [
      Measures.count(summary.migrations, "migration"), Measures.count(summary.files, "file"),
      Measures.count(summary.rows, "row"), Measures.bytes(summary.bytes),
    ].joined(separator: ", ")
    let after = summary.since == 0 ? "" : " after \(summary.since)"
    try context.result(
      ["Wrote \(context.shown(path)): \(size). Releases\(after) up to \(summary.version)."]
        + SignCommand.lines(of: summary.keys),
      .bundle(summary, of: folder))
    return .done
  }
}
