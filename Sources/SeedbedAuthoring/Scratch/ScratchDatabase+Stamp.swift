import Seedbed

extension ScratchDatabase {
  /// Reduces the ledger to the list of migrations, for a database that is to be shipped: no run, no
  /// conflict, and fixed times.
  ///
  /// - Returns: the last version and its chain.
  func stampLedger(to last: Version) throws -> (version: Version, chain: String) {
    let covered = try catalog.migrationsFromBase().filter { $0.version <= last }
    try connection.beginImmediate()
    defer { connection.rollBack() }
    try ledger.empty(on: connection)
    for var row in try catalog.rowsAsTheyAre(covered, after: nil) {
      row.appliedAt = "1970-01-01T00:00:00.000Z"
      try ledger.insert(row, run: nil, on: connection)
    }
    try connection.execute("COMMIT")
    guard let head = try ledger.head(on: connection) else {
      throw SeedbedError.unknownVersion(last, first: nil, last: last)
    }
    return head
  }
}

extension Ledger {
  /// Empties all tables of the ledger, as if they had just been created.
  fileprivate func empty(on connection: Connection) throws {
    let own = LedgerSchema.tables.filter { $0 != "ledger" }
    for name in own { try connection.execute("DELETE FROM \(table(name))") }
    for name in own {
      try connection.execute(
        "DELETE FROM main.sqlite_sequence WHERE name = ?", [.text("\(prefix)_\(name)")])
    }
  }
}
