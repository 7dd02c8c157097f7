internal import Seedbed
internal import SeedbedAuthoring

// The schema of an app that makes its own tables.

extension MakeCommand {
  /// Returns the URL of the server from which the schema is read; nil for none.
  static func takeSchemas(_ release: inout Release, _ context: CommandContext) throws -> String? {
    let arguments = context.arguments
    for path in arguments.texts(.schema) {
      try release.takeSchema(context.settings.absolute(path), shownAs: path)
    }
    var server: String?
    for database in arguments.texts(.schemaFrom) {
      if DatabaseURL.isServer(database) {
        server = database
        try takeSchema(ofServer: database, &release, context)
      } else {
        try takeSchema(ofFile: database, &release, context)
      }
    }
    return server
  }

  private static func takeSchema(
    ofFile given: String, _ release: inout Release, _ context: CommandContext
  ) throws {
    let path = context.settings.absolute(given)
    switch Files.kind(path) {
    case .file: break
    case .nothing:
      let nearest = Files.nearest(to: path, givenAs: given, .file)
      throw SeedbedError(
        .io,
        "There is no database at '\(given.printable)'. Let the app make it, or name another with "
          + "--schema-from DATABASE." + UsageError.didYouMean(nearest))
    case .folder, .other:
      throw SeedbedError(
        .io,
        "'\(given.printable)' is not a file. Name a database of the app's with --schema-from "
          + "DATABASE.")
    }
    // With an app's own setup, it may be encrypted.
    if context.invocation.setup?.body == nil, Files.isNoDatabase(path) {
      throw SeedbedError(
        .io,
        "'\(given.printable)' is not an SQLite database. For a file with SQL, use --schema "
          + "instead of --schema-from.")
    }
    try release.takeSchema(
      fromDatabase: path, shownAs: given,
      lockTimeoutSeconds: context.settings.options.lockTimeout.inSeconds)
  }

  private static func takeSchema(
    ofServer url: String, _ release: inout Release, _ context: CommandContext
  ) throws {
    guard let server = context.invocation.server else {
      try Sibling.run(context.invocation.arguments, instead: context.invocation)
    }
    let options = context.settings.options
    let shown = DatabaseURL.shown(url)
    try release.takeSchema(shownAs: shown) { catalog, tables in
      let found = try context.changing { cancellation, _ in
        try ServerSchema(
          catalog, tables, on: server(url, options.ledger), options, cancellation: cancellation)
      }
      for part in found.leftOut {
        context.message(
          "\(part.printable) is not in schema.postgresql.sql. Releases are tried without it.")
      }
      return found
    }
  }
}
