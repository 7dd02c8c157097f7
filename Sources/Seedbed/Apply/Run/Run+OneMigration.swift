/// One migration, up or down: lock, look again, back up, apply, commit.
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
    if !report.done.isEmpty { host.reached(.beforeNextMigration) }
    do {
      try enforcing(migration.folder, wanted: enforces(migration)) { isEnforced in
        var number = 1
        while true {
          do {
            return try attempt(migration, of: run, isLast: isLast, isEnforced)
          } catch let failure as any EngineFailure
            where failure.isRetryable && number < Self.mostAttempts
          {
            plannedAt = nil
            report.notes.append("\(migration.folder) began again: \(failure.message).")
            connection.rollBack()
            number += 1
          }
        }
      }
    } catch {
      throw SeedbedError.from(error).of(migration)
    }
    meter.pass(migration)
  }

  /// Runs `body` with SQLite's enforcement of foreign keys, and once more without it if a
  /// declaration is broken, or if rows of the database already refer to rows that do not exist.
  /// Seedbed's own check (`ForeignKeyChecks`) then takes its place. On a handle of the app's, they
  /// stay as they are.
  ///
  /// - Parameter what: the migration's folder, or the verb.
  func enforcing<Result>(
    _ what: String, wanted: Bool = true, _ body: (_ isEnforced: Bool) throws -> Result
  ) throws -> Result {
    func run(_ isEnforced: Bool) throws -> Result {
      if connection.isLent { return try body(connection.enforcesForeignKeys()) }
      try connection.setForeignKeys(enforced: isEnforced)
      return try body(isEnforced)
    }
    do {
      return try run(wanted)
    } catch let broken as MigrationTransaction.BrokenForeignKeys {
      connection.rollBack()
      if connection.isLent { throw SeedbedError.foreignKeysAreOn(what, broken.reason) }
      report.notes.append(
        "\(what) ran without SQLite's enforcement of foreign keys, under Seedbed's own check, "
          + "because \(broken.reason).")
      return try run(false)
    }
  }

  /// Lock, look again, back up, change, commit.
  private func attempt(
    _ migration: Migration, of run: Ledger.Run, isLast: Bool, _ isEnforced: Bool
  ) throws {
    let started = Clock.monotonic()
    let isDown = run.direction == .down
    meter.begin(migration.version)
    let locked = try lock()
    host.reached(.locked)
    guard try isDown ? isStillApplied(migration) : isWanted(migration) else {
      return connection.rollBack()
    }
    if isDown { try refuseDown(migration) }
    let writable = try backUp(locked, run)
    let transaction = try transaction(migration, run, writable, enforcesForeignKeys: isEnforced)

    meter.enter(.applying)
    let changed = try writable.changing {
      // One statement of an SQL file may take hours. Cancelling must not wait for its end.
      let outcome = try connection.interruptible {
        try isDown ? transaction.revert() : transaction.apply()
      }
      if isLast { try ledger.finishRun(run.id, isDown ? .reverted : .applied, on: connection) }
      if !isDown || run.to == 0 { try notePack(isDown ? .removed : .added) }
      return (outcome, try logged(outcome, of: migration))
    }
    meter.enter(.committing)
    let (outcome, result) = try commit(changed) { connection in
      guard isDown else {
        return try ledger.contains(migration.version, run: run.id, on: connection)
      }
      return try ledger.applied(on: connection).allSatisfy { $0.version != migration.version }
    }
    host.reached(.afterCommit)
    // From COMMIT to here nothing may throw, not even `cancelled`: the migration is committed.
    report.note(result, outcome, since: started)
  }

  /// - Parameter options: those under present names; nil for the migration's own.
  func transaction(
    _ migration: Migration, _ run: Ledger.Run, _ writable: borrowing Writable,
    enforcesForeignKeys: Bool, options: MigrationOptions? = nil
  ) throws -> MigrationTransaction {
    MigrationTransaction(
      migration, try options ?? catalog.options(of: migration), context, run: run,
      database: database, hooks: hooks, enforcesForeignKeys: enforcesForeignKeys)
  }

  /// Whether the engine is to enforce foreign keys in a migration. On a handle of the app's, they
  /// stay as they are.
  func enforces(_ migration: Migration) throws -> Bool {
    let options = try catalog.options(of: migration)
    guard connection.isLent else { return options.foreignKeys == .on }
    let isOn = try connection.enforcesForeignKeys()
    if isOn, options.foreignKeys == .off {
      throw SeedbedError.foreignKeysAreOn(migration.folder, "its migration.json says so")
    }
    return isOn
  }
}
