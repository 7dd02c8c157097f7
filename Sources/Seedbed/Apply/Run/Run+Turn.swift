/// One migration's turn, up or down.
extension SeedbedError {
  /// The same error in a migration. An error that COMMIT finds has no file.
  func of(_ migration: Migration) -> SeedbedError {
    let error = self.in(migration.version)
    return code == .foreignKey ? error.located(at: Place(migration.folder)) : error
  }
}

extension Run {
  /// The most attempts.
  private static let mostAttempts = 4

  /// Runs a migration in its own transaction. Begins again if the engine ended it in favour of
  /// another transaction. If the declaration of a foreign key is broken, begins again with SQLite's
  /// enforcement off.
  func turn(_ migration: Migration, of run: Ledger.Run, isLast: Bool) throws {
    if !done.isEmpty { host.reached(.beforeNextMigration) }
    var (number, foreignKeys) = (1, true)
    while true {
      do {
        try attempt(migration, of: run, isLast: isLast, foreignKeys: foreignKeys)
        return meter.pass(migration)
      } catch let failure as any EngineFailure
        where failure.isRetryable && number < Self.mostAttempts
      {
        plannedAt = nil
        notes.append("\(migration.folder) began again: \(failure.message).")
      } catch let broken as MigrationTransaction.BrokenForeignKeys where foreignKeys {
        if connection.isLent {
          connection.rollBack()
          throw SeedbedError.foreignKeysAreOn(migration.folder, broken.reason).in(migration.version)
        }
        foreignKeys = false
        notes.append(broken.note(migration))
      } catch {
        throw SeedbedError.from(error).of(migration)
      }
      connection.rollBack()
      number += 1
    }
  }

  /// Lock, look again, back up, change, commit.
  private func attempt(
    _ migration: Migration, of run: Ledger.Run, isLast: Bool, foreignKeys: Bool
  ) throws {
    let started = Clock.monotonic()
    let isDown = run.direction == .down
    let transaction = try transaction(migration, run, foreignKeys: foreignKeys)
    if !connection.isLent {
      try connection.setForeignKeys(enforced: transaction.enforcesForeignKeys)
    }
    meter.begin(migration.version)
    try connection.beginImmediate()
    host.reached(.locked)
    guard try isDown ? isStillApplied(migration) : isWanted(migration) else {
      return connection.rollBack()
    }
    if isDown { try refuseDown(migration) }
    try takeBackupOnce(run)
    if !isDown { transaction.rowsBegun = try rowsBegun(migration, run) }

    meter.enter(.applying)
    // One statement of an SQL file may take hours. Cancelling must not wait for its end.
    let outcome = try connection.interruptible {
      try isDown ? transaction.revert() : transaction.apply()
    }
    if isLast { try ledger.finishRun(run.id, isDown ? .reverted : .applied, on: connection) }
    meter.enter(.committing)
    let report = try logged(outcome, of: migration)
    try commit { connection in
      guard isDown else {
        return try ledger.contains(migration.version, run: run.id, on: connection)
      }
      return try ledger.applied(on: connection).allSatisfy { $0.version != migration.version }
    }
    host.reached(.afterCommit)
    // From COMMIT to here nothing may throw, not even `cancelled`: the migration is committed.
    note(report, outcome, since: started)
  }

  func transaction(
    _ migration: Migration, _ run: Ledger.Run, foreignKeys: Bool
  ) throws -> MigrationTransaction {
    let options = try catalog.options(of: migration)
    connection.forgetWritten()
    return MigrationTransaction(
      migration, options, context, run: run, engine: engine, hooks: hooks,
      enforcesForeignKeys: try enforces(options, migration, foreignKeys))
  }

  /// On a handle of the app's, foreign keys stay as they are.
  private func enforces(
    _ options: MigrationOptions, _ migration: Migration, _ foreignKeys: Bool
  ) throws -> Bool {
    guard connection.isLent else { return foreignKeys && options.foreignKeys == .on }
    let isOn = try connection.enforcesForeignKeys()
    if isOn, options.foreignKeys == .off {
      throw SeedbedError.foreignKeysAreOn(migration.folder, "its migration.json says so")
    }
    return isOn
  }
}
