/// The log of a run: its own row in the ledger, from its start to its end.
extension Run {
  /// Runs `body` between the start and the end of the run's row in the ledger. Any error is
  /// reported with the migrations committed before it.
  func recorded(
    _ direction: Ledger.Run.Direction, from: Version, to: Version,
    _ body: (Ledger.Run) throws -> Void
  ) throws {
    let run = try start(direction, from: from, to: to)
    do {
      try body(run)
      host.reached(.beforeRunEnd)
      // All is committed, so a cancellation has nothing to roll back.
      connection.forgetCancellation()
      // If another process did the last step, the row is still open. All is committed, so a row
      // that cannot be closed is not a failure of the run.
      try? ledger.finishRun(run.id, direction == .down ? .reverted : .applied, on: connection)
    } catch {
      throw fail(run, error)
    }
  }

  private func start(
    _ direction: Ledger.Run.Direction, from: Version, to: Version
  ) throws -> Ledger.Run {
    try connection.beginImmediate()
    defer { connection.rollBack() }
    do {
      try ledger.create(on: connection)
      host.reached(.ledgerPrepared)
      let run = try ledger.startRun(direction, from: from, to: to, on: connection)
      try connection.execute("COMMIT")
      host.reached(.runStarted)
      return run
    } catch let failure as any EngineFailure {
      // It may have taken effect: the row of a run that did nothing.
      throw failure.rolledBack
    }
  }

  private func fail(_ run: Ledger.Run, _ cause: any Error) -> SeedbedError {
    connection.rollBack()
    connection.forgetCancellation()
    let cause = SeedbedError.from(cause)
    let error = cause.with {
      $0.applied = report.versions
      $0.isDatabaseUnchanged = $0.applied.isEmpty && cause.code != .outcomeUnknown
    }
    if report.isEmpty, resolved.damage(behind: error) != nil, forget(run) {
      return error
    }
    // The caller who cancelled waits for the locks. The unfinished work here is not needed.
    if error.code == .cancelled, !connection.isLent { try? connection.stopSyncing() }
    // The cause counts. A row that cannot be closed shows as interrupted, which is also true.
    try? ledger.finishRun(
      run.id, error.code == .cancelled ? .cancelled : .failed, error: error.description,
      on: connection)
    return error
  }

  /// Leaves no trace of a run that a damaged download ended before it changed anything: it ends
  /// each start of an app until the file is replaced, and the database must not grow by that.
  ///
  /// - Returns: whether the row is gone. The cause counts, and a backup that stays does no harm.
  private func forget(_ run: Ledger.Run) -> Bool {
    guard (try? ledger.forgetRun(run.id, on: connection)) != nil else { return false }
    guard let taken = backup, !database.path.isEmpty else { return true }
    // The backup of an earlier run that failed made room for this one, which takes its place.
    if (try? ledger.replaceBackup(with: taken, on: connection)) != false { return true }
    let store = BackupStore(of: database.path, options, host, database.setup)
    if (try? store.remove([taken.path])) != nil { backup = nil }
    return true
  }
}
