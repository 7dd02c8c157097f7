internal import Seedbed

extension Session {
  /// The same error, with what a look at the database adds to it.
  func explained(_ error: SeedbedError, from verb: Verb) -> SeedbedError {
    if error.code == .corrupt, Files.isNoDatabase(settings.database) {
      return SeedbedError(
        .corrupt,
        "'\(settings.givenDatabase)' is no SQLite database, or it is encrypted. Name another with "
          + "--database PATH, or, where it was one, put a backup back: \(program) restore.")
    }
    guard error.code == .sql, error.applied.isEmpty,
      [Verb.up.name, Verb.plan.name].contains(verb.name), hasTablesWithoutLedger
    else { return error }
    return SeedbedError(
      error.code,
      error.message
        + " The database has tables, and no migration was applied to it: where they are those of "
        + "a release, see what differs and mark it as there: \(program) baseline N --check.",
      at: error.place, version: error.version, isDatabaseUnchanged: error.isDatabaseUnchanged)
  }

  private var hasTablesWithoutLedger: Bool {
    if databaseIsMissing { return false }
    let ledger = settings.options.ledger
    // The error that is there is told in any case.
    let answer = try? Scratch.looking(
      at: settings.database, ledger: ledger,
      lockTimeoutSeconds: settings.options.lockTimeoutSeconds
    ) { connection, version in
      try version == 0
        && connection.tableNames().contains { !$0.asciiLowercased().hasPrefix(ledger + "_") }
    }
    return answer ?? false
  }
}
