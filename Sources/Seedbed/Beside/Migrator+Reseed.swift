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
    let wanted = keys.map { WantedRows.named($0.map { .text($0) }) } ?? .all
    return try reseed([table], wanted, cancellation)[0]
  }

  /// The same for rows by their keys, as `absent` has them.
  ///
  ///     let rows = try migrator.absent(from: "elements")
  ///     try migrator.reseed(rows.map(\.key), in: "elements")
  @discardableResult
  public func reseed(
    _ keys: [Row], in table: String, cancellation: Cancellation? = nil
  ) throws(SeedbedError) -> ReseedReport {
    try reseed([table], .named(keys.map { .row($0) }), cancellation)[0]
  }

  /// Puts all seed rows back that are absent, and changes no row that is there. A row stays away if
  /// it is pinned, a user's row is in its place, or its parent stays away.
  ///
  /// - Parameters:
  ///   - table: nil for all tables that the catalog fills.
  ///   - cancellation: checked at each row. Nothing was changed then.
  ///   - counted: gets the absent rows before anything is written.
  /// - Returns: a report for each table. If no row is absent, there is no backup.
  @discardableResult
  public func reseed(
    missingFrom table: String?, cancellation: Cancellation? = nil,
    counted: ([AbsentRow]) -> Void = { _ in }
  ) throws(SeedbedError) -> [ReseedReport] {
    try reseed(table.map { [$0] }, .absent, cancellation, counted)
  }

  /// Puts all seed rows of several tables back in one transaction, after one backup; nil for all
  /// tables that the catalog fills.
  ///
  /// - Returns: a report for each.
  package func reseed(
    tables: [String]?, cancellation: Cancellation? = nil
  ) throws(SeedbedError) -> [ReseedReport] {
    try reseed(tables, .all, cancellation)
  }

  private func reseed(
    _ tables: [String]?, _ wanted: WantedRows, _ cancellation: Cancellation?,
    _ counted: ([AbsentRow]) -> Void = { _ in }
  ) throws(SeedbedError) -> [ReseedReport] {
    try onExisting(needingFilesAbove: 0, cancellation) { run in
      defer { prune(after: run) }
      return try run.reseed(tables, wanted, counted: counted)
    }
  }

  /// The seed rows that the database does not have: the user deleted them, or a release left them
  /// out, since a user's row was in their place or their parent was gone.
  ///
  ///     for row in try migrator.absent(from: "elements") { show(row.row, row.reason) }
  ///
  /// It changes nothing. It creates the catalog's tables in a temporary database first: for a large
  /// catalog, call it off the main thread.
  ///
  /// - Parameters:
  ///   - table: nil for all tables that the catalog fills.
  ///   - cancellation: checked at each row.
  /// - Returns: the rows of parents before those of their children.
  /// - Throws: `usage` for a table that the catalog does not fill.
  public func absent(
    from table: String? = nil, cancellation: Cancellation? = nil
  ) throws(SeedbedError) -> [AbsentRow] {
    try onExisting(needingFilesAbove: 0, cancellation, mayBeBackup: true) { run in
      try run.absent(from: table.map { [$0] })
    }
  }
}
