extension MigrationTransaction {
  /// The options about keys, checked against the current schema.
  ///
  /// What migration.json names must be there. What catalog.json names may come with a later
  /// migration, or with an after.sql that has not run yet.
  @inline(never) func keyOptions(isAfterScripts: Bool) throws -> KeyOptions {
    let mayStillCome =
      try !isAfterScripts && migration.file(.after) != nil
      || catalog.migrations().contains { $0.version > migration.version && !$0.isWithdrawn }
    return try KeyOptions(
      options, ledger: ledger, on: connection,
      insists: (!mayStillCome, isAfterScripts || migration.file(.after) == nil))
  }

  /// What is there of them; in `down`, and before up.sql ran, nothing has to be.
  func keyOptionsSoFar() throws -> KeyOptions {
    try KeyOptions(options, ledger: ledger, on: connection)
  }

  /// Neither SQLite nor the merge looks at what SQL files do to references that only the options
  /// declare: they are counted before and after.
  @inline(never) func foreignKeyChecks(isNeeded: Bool, hasSQL: Bool) throws -> ForeignKeyChecks {
    try ForeignKeyChecks(
      connection, isNeeded: isNeeded, renamed: { [newNames] in newNames.given }
    ) { [self] in
      hasSQL ? try keyOptionsSoFar().references : []
    }
  }

  /// On a database that the app has not opened yet, the app is what is missing, not an up.sql.
  func refuseMissingTableOfApp(_ table: String, _ place: String) throws {
    guard !context.isOnScratch, try connection.object(named: table) == nil else { return }
    let name = table.asciiLowercased()
    let isAppsOwn = try (catalog.migrations() + [migration]).contains { other in
      guard other.version <= migration.version, let file = other.file(.schema) else { return false }
      let bytes = try catalog.open(file, in: other).content(limit: MigrationScripts.limit)
      let sql = String(decoding: bytes, as: UTF8.self)
      return sql.asciiLowercased().contains(name)
    }
    guard isAppsOwn else { return }
    throw SeedbedError.catalog(
      "There is no table '\(table.shortened(to: 40))' in the database. The app creates this table, "
        + "as schema.sql says: open the database in the app first, then try again.",
      SeedbedError.Place(place))
  }
}
