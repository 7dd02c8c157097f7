internal import Seedbed

extension CommandContext {
  /// An error about the one database, with the command to type.
  func completed(_ error: SeedbedError, for verb: Verb) -> SeedbedError {
    error.completed(program, for: verb, isServer: settings.server != nil)
  }

  /// The same error for one of many databases, with the command to type.
  func explained(_ error: SeedbedError, of path: String) -> SeedbedError {
    let there = "--database \([shown(path)].shellOperands)"
    if DatabaseURL.isServer(path) { return error.completed(program, on: path, isServer: true) }
    if Files.kind(path) == .nothing {
      return SeedbedError(
        .io,
        "There is no database here, and '--each' creates none. Create it first: \(program) up "
          + "\(there).")
    }
    let except = "--except \([Files.split(path).name].shellOperands)"
    if let found = Paths.whatIsNoFile(path) {
      return SeedbedError(.io, "This is \(found), not a file. Leave it out with \(except).")
    }
    if Files.isEmpty(path), hasBackups(path) {
      return SeedbedError(
        .io,
        "This file is empty, and it has backups. Restore one: \(program) restore \(there); or "
          + "leave the file out with \(except).")
    }
    if Files.isEmpty(path) {
      return SeedbedError(
        .io,
        "This file is empty, and '--each' creates no database in it. Leave it out with \(except), "
          + "or create it: \(program) up \(there).")
    }
    guard error.code == .corrupt, Files.isNoDatabase(path) else {
      return error.completed(program, on: shown(path))
    }
    return SeedbedError(
      .corrupt,
      "This file is encrypted, or not a SQLite database. Leave it out with \(except), or, if it "
        + "was one, restore a backup: \(program) restore \(there).")
  }

  /// `up` fills an empty file like a new database. If it has backups, it was one.
  func refuseEmptied() throws {
    let path = settings.database
    if settings.server != nil || !Files.isEmpty(path) || !hasBackups(path) { return }
    let there = "--database \([shown(path)].shellOperands)"
    throw SeedbedError(
      .io,
      "'\(settings.givenDatabase)' is empty, and it has backups. Restore one: \(program) restore "
        + "\(there). To begin with a new database, remove the file.")
  }

  private func hasBackups(_ path: String) -> Bool {
    let migrator = Migrator(
      catalog: Catalog(unread: settings.migrations), at: path, options: settings.options)
    // If they cannot be listed, there is no advice about them.
    return (try? migrator.backups())?.contains { !$0.isDamaged } ?? false
  }

  /// The same error with more detail, after a look at the database.
  func explained(_ error: SeedbedError) -> SeedbedError {
    guard error.code == .corrupt, Files.isNoDatabase(settings.database) else { return error }
    return SeedbedError(
      .corrupt,
      "'\(settings.givenDatabase)' is encrypted, or not a SQLite database. Name another with "
        + "--database PATH, or, if it was one, restore a backup: \(program) restore.")
  }
}
