extension Migrator {
  /// Puts seed rows back to what the catalog says, also those that the user deleted, changed or won
  /// by conflict; columns that no file fills are left alone.
  ///
  ///     try migrator.reseed("elements", keys: ["113", "115"])
  ///
  /// The state is that of the version which the database is at. Rows of users stay, also under a
  /// seed's key, unless `keys` names it; and so does what the user wrote into other columns. All in
  /// one transaction, after a backup.
  ///
  /// - Parameters:
  ///   - keys: as the row files have them, the values of a key of several columns with commas
  ///     between them; nil for all seed rows of the table.
  ///   - cancellation: asked for each row; then nothing was changed.
  /// - Throws: `usage` for a table or key that the catalog does not have, `constraint` where a
  ///   row of `keys` cannot be put back, `foreignKey` where a row refers to one that is gone.
  @discardableResult
  public func reseed(
    _ table: String, keys: [String]? = nil, cancellation: Cancellation? = nil
  ) throws -> ReseedReport {
    try metered(nil) { meter in
      let path = databasePath
      try refuseMissingDatabase(path)
      var options = options
      options.mustExist = true
      let run = try Run(
        catalog: catalog, path: path, options: options, host: host, cancellation: cancellation,
        meter: meter)
      defer { prune(sparing: run.backup) }
      return try run.reseed(table, keys: keys)
    }
  }
}
