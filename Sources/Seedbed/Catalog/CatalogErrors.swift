// Errors in the catalog's folders and files that are found in more than one place.

extension SeedbedError {
  static func catalog(_ message: String, _ place: Place?, _ remedies: Remedy...) -> SeedbedError {
    SeedbedError(.catalog, message, at: place).with { $0.remedies = remedies }
  }

  /// `path` is the path of a folder or file in the catalog; nil for the catalog itself.
  static func inCatalog(_ message: String, _ path: String?, _ remedies: Remedy...) -> SeedbedError {
    catalog(message, path.map { Place($0) }).with { $0.remedies = remedies }
  }

  static func fileUnknown(_ path: String, nearest: String?) -> SeedbedError {
    let advice =
      nearest.map { "Did you mean '\($0)'?" }
        ?? """
        It holds up.sql, <table>.csv or .csv.gz, after.sql, after.down.sql, down.sql, verify.sql, \
        schema.sql and migration.json; keep other files outside of it.
        """
    return inCatalog("A migration's folder cannot hold a file of this name. \(advice)", path)
  }

  static func fileNotRegular(_ path: String) -> SeedbedError {
    inCatalog(
      "This is a symbolic link or something else that is not a regular file. Put the file itself "
        + "here.", path)
  }

  static func fileGone(_ path: String) -> SeedbedError {
    inCatalog("The file disappeared while the catalog was being read. Put it back.", path)
  }

  package static func unknownVersion(
    _ wanted: Version, first: Version?, last: Version
  ) -> SeedbedError {
    SeedbedError(
      .usage,
      "There is no migration \(wanted) in this catalog, which goes from \(first ?? 0) to \(last).")
  }

  // MARK: engines

  static let enginesOption = #""engines": ["sqlite", "postgresql"]"#

  /// `path` is the catalog's path.
  static func otherEngine(_ path: String) -> SeedbedError {
    inCatalog(
      "The catalog '\(path)' is for SQLite alone. Add \(enginesOption) to catalog.json, SQL for "
        + "PostgreSQL to the migrations, and write the lock again.", nil, .writeLock)
  }

  /// The error of SQLite's side of a catalog that does not serve it.
  static func onlyForPostgreSQL(_ path: String) -> SeedbedError {
    inCatalog(
      "The catalog '\(path)' is for PostgreSQL alone, but this database is on SQLite. Name one on "
        + "a server.", nil, .nameServer)
  }

  // MARK: snapshots

  static func snapshotStale(_ folder: String) -> SeedbedError {
    inCatalog(
      "This snapshot was made from different migrations, or before one was withdrawn. If the first "
        + "folders were dropped, put back the lock with its line 'base' first. Then remove the "
        + "folder, and make the snapshot again.", folder, .makeSnapshot)
  }
}
