/// The steps of a write, in the only order there is: each is made by the one before it and used up
/// by the one after it.
///
///     lock()              Locked     holds the write lock, and has changed nothing
///     backUp(_:run)       Writable   has a copy of the database as it was before the run's changes
///     withoutBackup()     Writable   needs none
///     changing { … }      Changed    has the changes, and what they found
///     commit(_:isDone:)              all of it, or nothing; returns what was found
///
/// What changes a database takes a `Writable`, so it cannot run before the backup.
struct Locked: ~Copyable {
  fileprivate init() {}

  /// For what needs none: it changes only the ledger, it settles rows one by one, it is rolled
  /// back, or it is the caller's transaction.
  consuming func withoutBackup() -> Writable { Writable() }

  fileprivate consuming func afterBackup() -> Writable { Writable() }
}

struct Writable: ~Copyable {
  fileprivate init() {}

  consuming func changing<Result>(_ body: () throws -> Result) rethrows -> Changed<Result> {
    Changed(result: try body())
  }
}

struct Changed<Result>: ~Copyable {
  private let result: Result

  fileprivate init(result: Result) { self.result = result }

  /// Only for `commit`, which returns it.
  consuming func found() -> Result { result }
}

extension Run {
  func lock() throws -> Locked {
    try connection.beginImmediate()
    return Locked()
  }

  /// Begins to write, unless another process has applied a migration since.
  func lock(at version: Version) throws -> Locked {
    let locked = try lock()
    let now = try ledger.head(on: connection)?.version ?? 0
    guard now == version else { throw SeedbedError.appliedMeanwhile(now) }
    return locked
  }

  /// The transaction that the caller has open.
  func lockOfCaller() throws -> Locked {
    guard connection.isInTransaction else {
      throw SeedbedError(
        .usage,
        "The handle is not inside a transaction, and applyIfPending(_:on:) is part of the "
          + "caller's. Begin one, or let up(on:) begin its own.")
    }
    return Locked()
  }

  /// Takes a backup under the lock, unless an earlier migration of the run did, or there is nothing
  /// to lose. An attempt that follows another takes a new one if anybody wrote since, or if the
  /// engine cannot tell.
  func backUp(_ locked: consuming Locked, _ run: Ledger.Run) throws -> Writable {
    let state = try connection.stateNumber()
    let isOld = backup == nil || state == nil || state != backedUpAt
    if isOld, report.done.isEmpty, options.takesBackup,
      try connection.interruptible({
        try database.needsBackup(ledger, of: catalog.filledTables(), on: connection)
      })
    {
      meter.enter(.backingUp)
      let taken = try database.backUp(options, host, ledger, on: connection, cancellation) {
        meter.tick()
      }
      (backup, backedUpAt) = (taken, state)
      if !taken.isVerified {
        report.notes.append(
          "The backup could not be checked, because the database uses functions of its app: "
            + "\(taken.path)")
      }
    }
    if let backup { try ledger.setBackup(backup.path, of: run, on: connection) }
    return locked.afterBackup()
  }
}
