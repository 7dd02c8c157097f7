/// Errors for a table that does not fit a migration's files. Either its author made a mistake, or
/// the table was changed on this device after an earlier migration filled it. The ledger shows
/// which.
extension MigrationTransaction {
  func explainingChangedTables<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SeedbedError where !context.isOnScratch {
      // On a scratch database only the migrations have changed anything.
      switch error.cause {
      case .noTable(let table):
        guard let filler = try fillers(of: table).last else { throw error }
        throw error.saying(
          "The table '\(table.shortened(to: 40))' no longer exists in this database: "
            + "\(filler.folder) filled it. If a migration renamed the table, name the file after "
            + "it. Otherwise restore a backup that has it, or create it again as the migrations do "
            + "and put its rows back.", .restoreEarlierBackup, .reseed(table, key: nil))
      case .noColumn(let column, let table):
        let filler = try fillers(of: table).last { try fills($0, table, column) }
        guard let filler else { throw error }
        throw error.saying(
          "The table '\(table)' has no column '\(column.shortened(to: 40))' in this database: "
            + "\(filler.folder) filled it. If a migration renamed the column, use its new name in "
            + "the header. Otherwise restore a backup that has it, or add the column again and put "
            + "its values back.", .restoreEarlierBackup, .reseed(table, key: nil))
      case .rowRefused(let table):
        let created = try connection.createdTables(since: context.tablesBefore)
        if created.contains(table) { throw error }
        guard let filler = try fillers(of: table).last else { throw error }
        throw error.saying(
          "\(error.message) If the row is correct, the table was changed in this database after "
            + "\(filler.folder) filled it: undo that change, or restore a backup.",
          .restoreEarlierBackup)
      case .missingBase, .noKey, .duplicate, .limit, .otherNames, .laterSeedbed, .leftOut, nil:
        throw error
      }
    }
  }

  /// The applied migrations that have rows for a table.
  private func fillers(of table: String) throws -> [Migration] {
    let applied = try ledger.applied(on: connection).filter { $0.state != .withdrawn }
    let versions = Set(applied.map(\.version))
    return try catalog.migrations().filter { migration in
      versions.contains(migration.version) && context.resolved.hasFiles(of: migration)
        && migration.files.contains { $0.serves(table) }
    }
  }

  private func fills(_ filler: Migration, _ table: String, _ column: String) throws -> Bool {
    let names = [column, "was:" + column]
    return try filler.files.filter { $0.serves(table) }.contains { file in
      try catalog.rows(of: file, in: filler).header.contains {
        names.contains(name: $0.name)
      }
    }
  }
}

extension SeedbedError {
  /// The error with advice for the user of the device, and for people who help them.
  fileprivate func saying(_ message: String, _ remedies: Remedy...) -> SeedbedError {
    with { ($0.message, $0.remedies) = (message, remedies) }
  }
}
