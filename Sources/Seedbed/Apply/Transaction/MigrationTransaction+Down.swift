extension MigrationTransaction {
  /// Undoes a migration. The caller commits, or rolls back after any error.
  func revert() throws -> Outcome {
    assert(!connection.isOutsideTransaction, "A migration is taken back in one transaction.")
    assert(run.direction == .down, "Only a run that goes back takes back.")
    connection.forgetWritten()
    let row = try ledger.applied(on: connection).first { $0.version == migration.version }
    guard let row else {
      throw SeedbedError(.missing, "Migration \(migration.version) is no longer applied.")
    }
    let conflictsBefore = try ledger.lastConflict(on: connection)
    if row.state == .withdrawn {
      try ledger.remove(migration.version, on: connection)
      return Outcome(conflictsBefore: conflictsBefore)
    }
    try connection.deferForeignKeys()
    try ledger.setApplying(migration.version, on: connection)
    let checks = try foreignKeyChecks(
      isNeeded: options.foreignKeys == .off,
      hasSQL: migration.file(.afterDown) != nil || migration.file(.down) != nil)
    host.reached(.beforeRows)

    let losses = context.discardsUserRows ? nil : DownLosses(connection)
    let scripts = MigrationScripts(transaction: self, losses: losses)
    _ = try scripts.run(.afterDown)
    let merge = try mergeRows(isInverted: true)
    if migration.file(.down) != nil { try connection.checkDeferredKeys() }
    _ = try scripts.run(.down)
    host.reached(.afterRows)

    meter.enter(.checking)
    try checks.refuseNewViolations()
    try ledger.setApplying(nil, on: connection)
    host.reached(.beforeLedgerRow)
    try ledger.remove(migration.version, on: connection)
    return Outcome(
      findings: merge.findings, notes: notes + (losses?.notes ?? []),
      touched: try touchedTables(merge.findings), conflictsBefore: conflictsBefore)
  }
}
