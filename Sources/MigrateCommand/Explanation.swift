internal import Seedbed

extension Session {
  /// The same error, with what a look at the database adds to it.
  func explained(_ error: SeedbedError) -> SeedbedError {
    guard error.code == .corrupt, Files.isNoDatabase(settings.database) else { return error }
    return SeedbedError(
      .corrupt,
      "'\(settings.givenDatabase)' is encrypted, or not a SQLite database. Name another with "
        + "--database PATH, or, if it was one, restore a backup: \(program) restore.")
  }
}
