extension Run {
  /// Puts rows back to the state that the catalog had at the version that the database is at.
  func reseed(_ table: String, keys: [String]?) throws -> Migrator.Report {
    try connection.refuseCoreData()
    let before = try connection.inReadTransaction {
      try catalog.plan(for: ledger, on: connection)
    }
    if before.current > before.target {
      throw SeedbedError.newer(current: before.current, target: before.target)
    }
    try before.refuseDrift(lineEndings)
    let current = before.current
    let scratch = try ScratchDatabase(
      catalog, to: current, ledger: options.ledger, host: host, cancellation: cancellation)
    let target = try scratch.seededTarget(table)
    var reseeded = Migrator.Report.Table(table: table, counts: Migrator.Counts())
    try recorded(.up, from: current, to: current) { run in
      try connection.beginImmediate()
      guard try ledger.head(on: connection)?.version ?? 0 == current else {
        throw SeedbedError.appliedMeanwhile(try ledger.head(on: connection)?.version ?? 0)
      }
      try takeBackupOnce(run)
      meter.enter(.applying)
      try connection.deferForeignKeys()
      let reseed = try Reseed(table, scratch: scratch, version: current, context)
      let outcome = try connection.interruptible { try reseed.run(keys) }
      if try connection.hasForeignKeyViolations() { throw SeedbedError.reseedOrphans(table) }
      try ledger.finishRun(run, .applied, on: connection)
      meter.enter(.committing)
      try commit { try ledger.isFinished(run, on: $0) }
      reseeded = Migrator.Report.Table(
        table: table, counts: outcome.counts, changedKeys: outcome.keys,
        replacedKeys: outcome.replaced)
    }
    let isChanged = reseeded.changedKeys?.isEmpty == false
    if isChanged { touched.insert(target.name) }
    var report = makeReport(from: current, to: current, isChanged ? .reseeded : .upToDate)
    report.reseeded = reseeded
    return report
  }
}
