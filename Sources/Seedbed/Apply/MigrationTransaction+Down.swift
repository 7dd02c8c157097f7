extension MigrationTransaction {
  /// Everything between BEGIN IMMEDIATE and COMMIT of a migration that is undone. The caller
  /// commits, or rolls back on any error.
  func revert() throws -> Outcome {
    let row = try ledger.applied(on: connection).first { $0.version == migration.version }
    guard let row else { throw SeedbedError.notApplied(migration.version) }
    let conflictsBefore = try ledger.lastConflict(on: connection)
    if row.state == .withdrawn {
      try ledger.remove(migration.version, on: connection)
      return Outcome(conflictsBefore: conflictsBefore)
    }
    try connection.deferForeignKeys()
    try ledger.setApplying(migration.version, on: connection)
    let checks = foreignKeyChecks(
      isNeeded: options.foreignKeys == .off, scripts: [.afterDown, .down])
    try checks.noteOldViolations()
    host.reached(.beforeRows)

    let losses = context.options.discardsUserRows ? nil : DownLosses(connection)
    let scripts = MigrationScripts(transaction: self, losses: losses)
    _ = try scripts.run(.afterDown)
    let merge = try revertRows()
    _ = try scripts.run(.down)
    host.reached(.afterRows)

    meter.enter(.checking)
    try checks.refuseNewViolations()
    try ledger.setApplying(nil, on: connection)
    host.reached(.beforeLedgerRow)
    try ledger.remove(migration.version, on: connection)
    return Outcome(
      counts: merge.findings.counts, notes: losses?.notes ?? [],
      touched: try touchedTables(merge.findings),
      changedKeys: merge.findings.changedKeys, conflictsBefore: conflictsBefore)
  }

  private func revertRows() throws -> MergeContext {
    let merge = try mergeContext(
      Migrator.Policies(onEdited: .keepEdits, onTaken: .keepUser), keyOptionsSoFar())
    merge.isTakingBack = true
    try connection.withFixedSchema {
      let files = try rowFiles(merge, isInverted: true)
      if enforcesForeignKeys { try refuseBrokenForeignKeys(of: files.map(\.target)) }
      try holdOffWriters(of: files)
      try MigrationMerge(context: merge).run(files)
      try connection.noteIDs(of: files.map(\.target.schema))
    }
    return merge
  }
}

extension SeedbedError {
  static func notApplied(_ version: Version) -> SeedbedError {
    SeedbedError(.missing, "Migration \(version) is no longer applied.")
  }
}
