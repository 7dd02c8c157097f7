extension Migrator {
  /// Puts seed rows back as they are in the catalog, including those that the user deleted, changed
  /// or won in a conflict. Columns that no file fills are not changed.
  ///
  ///     try migrator.reseed("elements", keys: ["113", "115"])
  ///
  /// The state is that of the database's version. Users' rows stay, even with a seed row's key,
  /// unless `keys` names it; so do the user's values in other columns. All of it is one
  /// transaction, after a backup.
  ///
  /// - Parameters:
  ///   - table: a table that the catalog fills.
  ///   - keys: written as in the row files, with commas between the values of a key of several
  ///     columns; nil for all seed rows of the table.
  ///   - cancellation: checked at each row. Nothing was changed then.
  /// - Throws: `usage` for a table or key that the catalog does not have, `constraint` if a row of
  ///   `keys` cannot be put back, `foreignKey` if a row refers to one that is gone.
  @discardableResult
  public func reseed(
    _ table: String, keys: [String]? = nil, cancellation: Cancellation? = nil
  ) throws(SeedbedError) -> ReseedReport {
    try onExisting(needingFilesAbove: 0, cancellation) { run in
      defer { prune(after: run) }
      return try run.reseed(table, keys: keys)
    }
  }

  /// Puts all seed rows of several tables back in one transaction, after one backup; nil for all
  /// tables that the catalog fills.
  ///
  /// - Returns: a report for each.
  package func reseed(
    tables: [String]?, cancellation: Cancellation? = nil
  ) throws -> [ReseedReport] {
    try onExisting(needingFilesAbove: 0, cancellation) { run in
      defer { prune(after: run) }
      return try run.reseed(tables)
    }
  }
}
