extension MigrationTransaction {
  /// The options about keys, held against the schema as it is by now.
  ///
  /// What migration.json names must be there. What catalog.json names may come with a later
  /// migration, or with an after.sql that has not run yet.
  func keyOptions(isAfterScripts: Bool) throws -> KeyOptions {
    let mayStillCome =
      try !isAfterScripts && migration.file(.after) != nil
      || catalog.migrations().contains { $0.version > migration.version && !$0.isWithdrawn }
    return try KeyOptions(options, ledger: ledger, on: connection) { place in
      place.file != Lock.optionsName
        ? isAfterScripts || migration.file(.after) == nil : !mayStillCome
    }
  }

  /// What is there of them; in `down`, and before up.sql ran, nothing has to be.
  func keyOptionsSoFar() throws -> KeyOptions {
    try KeyOptions(options, ledger: ledger, on: connection) { _ in false }
  }

  /// Neither SQLite nor the merge looks at what SQL files do to references that only the options
  /// declare: they are counted before and after.
  func foreignKeyChecks(isNeeded: Bool, scripts: [MigrationFile.Kind]) -> ForeignKeyChecks {
    let hasSQL = scripts.contains { migration.file($0) != nil }
    return ForeignKeyChecks(connection: connection, isNeeded: isNeeded) {
      hasSQL ? try keyOptionsSoFar().references : []
    }
  }
}
