// Shows the effect of `up`.

extension Migrator {
  /// Takes the write lock, does all that `up` would do, reports every change and conflict, and
  /// rolls it back.
  ///
  /// Rows, schema and ledger stay as they are; a database that does not exist is not created. The
  /// arguments are those of `up`.
  public func plan(
    to version: Version? = nil, createsDatabase: Bool = true, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws(SeedbedError) -> Report {
    let options = options(createsDatabase)
    var report = try metered(progress) { meter in
      try refuseBackup()
      if options.requiresExistingDatabase { try refuseNewDatabase() }
      return try upWithDownloads(isPlan: true) { resolved in
        do {
          return try plan(resolved, to: version, options, cancellation, meter)
        } catch is MigrationTransaction.BrokenForeignKeys {
          return try planOnCopy(resolved, to: version, cancellation, meter)
        }
      }
    }
    return try SeedbedError.catching {
      if version != nil || report.outcome == .upToDate {
        return try withPacks(report, to: version) { try $0.plan() }
      }
      // What the base's releases change for a pack is not there yet.
      if try !added().isEmpty {
        report.notes.append("The packs are planned once the base is at \(report.to).")
      }
      return report
    }
  }

  private func plan(
    _ resolved: ResolvedCatalog, to version: Version?, _ options: Options,
    _ cancellation: Cancellation?, _ meter: ProgressMeter
  ) throws -> (report: Report, damaged: PassedOver?) {
    if database.exists { return try run(resolved, cancellation, meter, options).plan(to: version) }
    try database.refuseBadPlace()
    let (database, beginning, _) = try planned(resolved, to: version, cancellation)
    let run = try run(resolved, cancellation, meter, withoutBackup, on: database)
    run.report.done = beginning.steps
    let (report, damaged) = try run.plan(to: version)
    return (beginning.completed(report, as: .planned), damaged)
  }

  /// The same on a copy in a temporary file that SQLite removes, for a migration that needs foreign
  /// keys off. The setting cannot change inside a transaction.
  private func planOnCopy(
    _ resolved: ResolvedCatalog, to last: Version?, _ cancellation: Cancellation?,
    _ meter: ProgressMeter
  ) throws -> (report: Report, damaged: PassedOver?) {
    let (copy, beginning, isWAL) =
      try Paths.exists(path)
      ? copied(cancellation, meter) : planned(resolved, to: last, cancellation)
    let sizeBefore = try copy.storage().bytes
    let run = try run(resolved, cancellation, meter, withoutBackup, on: copy)
    run.report.done = beginning.steps
    var (report, damaged) = try run.upWithDownload(to: last)
    if report.outcome == .applied {
      report = try run.planned(
        report.from, report.to, sizeBefore, isWAL: isWAL,
        takesBackup: options.takesBackup && Paths.exists(path))
    }
    return (beginning.completed(report, as: .planned), damaged)
  }

  /// Without a backup: a copy needs none, nor does a new database without users' rows.
  private var withoutBackup: Options {
    var options = options
    options.takesBackup = false
    return options
  }

  /// The database on which a plan is tried, how it began, and whether `up` would find a WAL
  /// database.
  private typealias Trial = (database: Connection, beginning: Beginning, isWAL: Bool)

  private func copied(_ cancellation: Cancellation?, _ meter: ProgressMeter) throws -> Trial {
    let copy = try Connection(
      path, .temporary, setup: hooks.setup, cancellation: cancellation)
    let isWAL = try Connection.reading(
      path, setup: hooks.setup, lockTimeoutSeconds: options.lockTimeout.inSeconds,
      cancellation: cancellation
    ) { source in
      try PageCopy(from: source, to: copy).run(cancellation) { _ in meter.tick() }
      return try source.journalMode() == "wal"
    }
    try copy.configureForWriting(foreignKeys: true)
    return (copy, Beginning(), isWAL)
  }

  /// The database that `up` would begin with if there is none: the ready-made one, or an empty one.
  private func planned(
    _ resolved: ResolvedCatalog, to last: Version?, _ cancellation: Cancellation?
  ) throws -> Trial {
    let database = try Connection(
      path, .temporary, setup: hooks.setup, cancellation: cancellation)
    let beginning = try beginning(resolved, to: last) {
      try PageCopy(from: $0, to: database).run(cancellation)
    }
    try database.configureForWriting(foreignKeys: true)
    return (database, beginning, false)
  }
}
