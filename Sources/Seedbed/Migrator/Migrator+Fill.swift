extension Migrator {
  /// Gives a new owner a copy of the rows of each table with the option `per`, as of the database's
  /// version.
  ///
  ///     try migrator.fill(owner: 7)
  ///
  /// `up` does the same for all owners that have none. On a handle of the app's, call
  /// `HandleMigrator.fill(owner:on:)` in the transaction that adds the owner.
  ///
  /// - Returns: a report with the counts; `upToDate` if the owner has rows already.
  /// - Throws: `usage` if there is no such owner, or no table is of owners.
  @discardableResult
  public func fill(owner: Value) throws(SeedbedError) -> Report {
    try onExisting(needingFilesAbove: 0) { try $0.fill(owner) }
  }
}

extension HandleMigrator {
  /// Gives a new owner a copy of the catalog's rows, inside the transaction that the app has open
  /// on its handle, or in one of its own.
  ///
  ///     try dbQueue.write { db in
  ///       try db.execute(sql: "INSERT INTO organizations (name) VALUES ('Nordwind')")
  ///       try migrator.fill(owner: .integer(db.lastInsertedRowID), on: db.sqliteConnection!)
  ///     }
  ///
  /// - Parameters:
  ///   - owner: the owner's key.
  ///   - handle: with no statement partly read, and not used elsewhere during the call.
  ///   - sourceID: as in `with`.
  @discardableResult
  public func fill(
    owner: Migrator.Value, on handle: OpaquePointer, sourceID: String? = nil
  ) throws(SeedbedError) -> Migrator.Report {
    try SeedbedError.catching {
      try borrowing(handle, sourceID) { migrator, file in
        let connection = try file.lent(nil)
        return try migrator.metered(nil) { meter in
          try migrator.run(migrator.resolved(on: connection), nil, meter, on: connection)
            .fill(owner)
        }
      }
    }
  }
}
