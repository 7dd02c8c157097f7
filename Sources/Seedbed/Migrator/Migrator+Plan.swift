// What `up` would do.

extension Migrator {
  /// Does all that `up` would do, reports every change and conflict, and rolls it back.
  ///
  /// Like `up`, it takes the write lock. Rows, schema and ledger stay as they are; a database that
  /// does not exist is not created.
  public func plan(
    to version: Version? = nil, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    try metered(progress) { meter in
      let exists = engine.exists
      if !exists, options.requiresExistingDatabase { try refuseMissingDatabase() }
      if !exists { try engine.refuseBadPlace() }
      do {
        if exists { return try run(cancellation, meter).plan(to: version) }
        let (database, beginning, _) = try planned(to: version, cancellation)
        let run = try run(cancellation, meter, planOptions(beginning), on: database)
        run.done = beginning.steps
        return beginning.completed(try run.plan(to: version), as: .planned)
      } catch is MigrationTransaction.BrokenForeignKeys {
        return try planOnCopy(to: version, cancellation, meter)
      }
    }
  }

  /// The same on a copy in a temporary file that SQLite removes: where a migration needs foreign
  /// keys off, which cannot change inside a transaction.
  private func planOnCopy(
    to last: Version?, _ cancellation: Cancellation?, _ meter: ProgressMeter
  ) throws -> Report {
    let (copy, beginning, isWAL) =
      try Paths.exists(path) ? copied(cancellation, meter) : planned(to: last, cancellation)
    var options = options
    options.takesBackup = false
    let sizeBefore = try copy.storage().bytes
    let run = try run(cancellation, meter, options, on: copy)
    run.done = beginning.steps
    let done = try run.up(to: last)
    let takesBackup = planOptions(beginning).takesBackup
    let report =
      done.outcome == .applied
      ? try run.planned(done.from, done.to, sizeBefore, isWAL: isWAL, takesBackup: takesBackup)
      : done
    return beginning.completed(report, as: .planned)
  }

  /// What was just copied has no rows of users, and needs no backup.
  private func planOptions(_ beginning: Beginning) -> Options {
    var options = options
    if beginning.step != nil { options.takesBackup = false }
    return options
  }

  /// What a plan is tried on, how it began, and whether `up` would find a WAL database.
  private typealias Trial = (database: Connection, beginning: Beginning, isWAL: Bool)

  private func copied(_ cancellation: Cancellation?, _ meter: ProgressMeter) throws -> Trial {
    let copy = try Connection(path, .temporary, cancellation: cancellation)
    var isWAL = false
    try Connection.reading(
      path, lockTimeoutSeconds: options.lockTimeout.inSeconds, cancellation: cancellation
    ) { source in
      isWAL = try source.journalMode() == "wal"
      try PageCopy(from: source, to: copy).run(cancellation) { _ in meter.tick() }
    }
    try copy.configureForWriting(foreignKeys: true)
    return (copy, Beginning(), isWAL)
  }

  /// What `up` would begin with if there is no database: the ready-made one, or an empty one.
  private func planned(to last: Version?, _ cancellation: Cancellation?) throws -> Trial {
    var beginning = Beginning()
    let database = try Connection(path, .temporary, cancellation: cancellation)
    if let readyMade {
      let look = try readyMade.look(to: last) { source, standing in
        try PageCopy(from: source, to: database).run(cancellation) { _ in }
        return Beginning(readyMade, standing)
      }
      switch look {
      case .success(let fit): beginning = fit
      case .failure(let unfit): beginning.notes = [readyMade.note(unfit)]
      }
    }
    try database.configureForWriting(foreignKeys: true)
    return (database, beginning, false)
  }
}
