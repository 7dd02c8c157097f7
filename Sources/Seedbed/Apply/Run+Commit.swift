/// COMMIT, and what its error means: not "rolled back", since the data may be committed after all.
extension Run {
  /// `isDone` reads in the ledger whether the transaction took effect.
  func commit(isDone: (any DatabaseSession) throws -> Bool) throws {
    host.reached(.beforeCommit)
    try cancellation?.check()
    let deadline = Clock.monotonic() + options.lockTimeout.inSeconds
    while true {
      do {
        return try connection.execute("COMMIT")
      } catch let failure as any EngineFailure {
        // > COMMIT may fail with SQLITE_BUSY if there is a reader; the transaction remains active
        // > and can be retried.
        if failure.isBusy || failure.isInterrupt, connection.isInTransaction {
          try cancellation?.check()
          guard Clock.monotonic() < deadline else { throw failure }
          Clock.sleep(milliseconds: 5)
        } else if failure.isForeignKey, connection.isInTransaction {
          throw try refusedByForeignKeys()
        } else if connection.isLent {
          // Nothing can be closed and opened again.
          throw SeedbedError(
            .outcomeUnknown,
            "COMMIT failed (\(failure.sentence)), and it is unknown whether it took effect. Close "
              + "the handle, open the database again, and call up(on:) once more.",
            isDatabaseUnchanged: false)
        } else {
          return try believeLedger(after: failure, isDone)
        }
      }
    }
  }

  /// SQLite counts a row that refers to nothing as a new one as soon as a statement touches it in a
  /// table that refers to itself. If such rows were there before, only our own check can tell.
  func refusedByForeignKeys() throws -> any Error {
    let refusal = ForeignKeyChecks.refusedCommit(on: connection)
    connection.rollBack()
    let isOld = try ForeignKeyChecks(connection, isNeeded: true) { [] }.foundViolations
    return isOld ? MigrationTransaction.BrokenForeignKeys(keys: []) : refusal
  }

  /// An error from COMMIT does not mean "rolled back": after a disk error the data may be
  /// committed. Close, reopen, and believe the ledger.
  private func believeLedger(
    after failure: any EngineFailure, _ isDone: (any DatabaseSession) throws -> Bool
  ) throws {
    connection.rollBack()
    do {
      // The old handle goes first: while it holds its lock, a new one takes the journal it left
      // for one that is in use, and reads pages that were written in part.
      context.connection = try engine.nowhere()
      // A cancelled run must still read the answer.
      context.connection = try engine.openAgain(options)
      attend()
      plannedAt = nil
      let isCommitted = try isDone(connection)
      connection.heed(cancellation)
      if isCommitted { return }
    } catch {
      throw SeedbedError(
        .outcomeUnknown,
        "COMMIT failed (\(failure.sentence)), and the database could not be opened again to see "
          + "whether it took effect (\(SeedbedError.from(error).message)). Check again later.",
        isDatabaseUnchanged: false
      ).remedied(by: .lookAtStatus)
    }
    throw failure.rolledBack
  }
}
