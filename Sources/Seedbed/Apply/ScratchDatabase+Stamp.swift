/// A scratch database that is to be shipped.
extension ScratchDatabase {
  /// Leaves in the ledger only which migrations are there: no run, no conflict, and times that are
  /// the same whenever it is made.
  ///
  /// - Returns: the last version and its chain.
  package func stampLedger(to last: Version) throws -> (version: Version, chain: String) {
    let covered = try catalog.migrationsFromBase().filter { $0.version <= last }
    try connection.beginImmediate()
    do {
      try ledger.empty(on: connection)
      for var row in try catalog.rowsAsTheyAre(covered, after: nil) {
        row.appliedAt = "1970-01-01T00:00:00.000Z"
        try ledger.insert(row, run: nil, on: connection)
      }
      try connection.execute("COMMIT")
    } catch {
      connection.rollBack()
      throw error
    }
    guard let head = try ledger.head(on: connection) else {
      throw SeedbedError.unknownVersion(last, first: nil, last: last)
    }
    return head
  }
}
