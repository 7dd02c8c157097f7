/// COMMIT. Its error does not mean "rolled back", since the data may still be committed.
extension Run {
  /// `isDone` reads in the ledger whether the transaction took effect.
  @discardableResult
  func commit<Result>(
    _ changed: consuming Changed<Result>, isDone: (any DatabaseSession) throws -> Bool
  ) throws -> Result {
    let result = changed.found()
    guard let failure = try commit() else { return result }
    do {
      try openAgain()
      let isCommitted = try isDone(connection)
      connection.observe(cancellation)
      if isCommitted { return result }
    } catch {
      throw outcomeUnknown(after: failure, error)
    }
    throw failure.rolledBack
  }

  /// - Returns: a failure after which only the ledger can tell; nil once all is committed.
  private func commit() throws -> (any EngineFailure)? {
    host.reached(.beforeCommit)
    try cancellation?.check()
    let deadline = Clock.monotonic() + options.lockTimeout.inSeconds
    while true {
      do {
        try connection.execute("COMMIT")
        return nil
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
          // A lent handle cannot be closed and opened again.
          throw SeedbedError(
            .outcomeUnknown,
            "COMMIT failed (\(failure.sentence)), and it is unknown whether it took effect. Close "
              + "the handle, open the database again, and call up(on:) once more."
          ).with { $0.isDatabaseUnchanged = false }
        } else {
          return failure
        }
      }
    }
  }

  /// SQLite counts a row with a missing parent as a new violation as soon as a statement touches
  /// it, if its table refers to itself. If there were such rows before, only our own check can
  /// decide.
  func refusedByForeignKeys() throws -> any Error {
    let refusal = ForeignKeyChecks.refusedCommit(on: connection)
    connection.rollBack()
    let isOld = try ForeignKeyChecks(connection, isNeeded: true) { [] }.foundViolations
    return isOld ? MigrationTransaction.BrokenForeignKeys(keys: []) : refusal
  }

  /// An error from COMMIT does not mean "rolled back": after a disk error the data may be
  /// committed. Close the database, open it again, and trust the ledger.
  private func openAgain() throws {
    connection.rollBack()
    // Close the old handle first. While it holds its lock, a new one would take its leftover
    // journal for one in use, and read half-written pages.
    context.connection = try database.nowhere()
    // A cancelled run must still read the answer.
    context.connection = try database.openAgain(options)
    prepareConnection()
    plannedAt = nil
  }

  private func outcomeUnknown(
    after failure: any EngineFailure, _ error: any Error
  ) -> SeedbedError {
    SeedbedError(
      .outcomeUnknown,
      "COMMIT failed (\(failure.sentence)), and the database could not be opened again to see "
        + "whether it took effect (\(SeedbedError.from(error).message)). Check again later."
    ).with { $0.isDatabaseUnchanged = false }.remedied(by: .lookAtStatus)
  }
}
