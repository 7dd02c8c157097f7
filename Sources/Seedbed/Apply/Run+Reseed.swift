extension Run {
  /// Puts rows back to the state that the catalog had at the version that the database is at.
  func reseed(_ table: String, keys: [String]?) throws -> Migrator.Report {
    let (scratch, current) = try scratchAsApplied()
    let target = try scratch.seededTarget(table)
    var reseeded: Migrator.Report.Table?
    try recorded(.up, from: current, to: current) { run in
      try beginImmediate(at: current)
      try takeBackupOnce(run)
      meter.enter(.applying)
      try connection.deferForeignKeys()
      try connection.holdOffWriters(of: [target.name])
      let reseed = try Reseed(table, scratch: scratch, version: current, context)
      reseeded = try connection.interruptible {
        try scratch.session.inReadTransaction { try reseed.run(keys) }
      }
      if try connection.hasForeignKeyViolations() { throw SeedbedError.reseedOrphans(table) }
      try ledger.finishRun(run.id, .applied, on: connection)
      meter.enter(.committing)
      try commit { try ledger.openRuns(on: $0).allSatisfy { $0.id != run.id } }
    }
    let isChanged = reseeded?.changedKeys?.isEmpty == false
    if isChanged { touched.insert(target.name) }
    var report = makeReport(from: current, to: current, isChanged ? .reseeded : .upToDate)
    report.reseeded = reseeded
    return report
  }

  /// The catalog's tables as they are at the version that the database is at.
  func scratchAsApplied() throws -> (scratch: Scratch, version: Version) {
    let plan = try currentPlan()
    if plan.current > plan.target {
      throw SeedbedError.newer(current: plan.current, target: plan.target)
    }
    try plan.refuseDrift(lineEndings)
    do {
      let scratch = try Scratch(
        catalog, to: plan.current, on: engine.empty(options, cancellation), ledger: options.ledger)
      return (scratch, plan.current)
    } catch {
      throw SeedbedError.unplayable(SeedbedError.from(error))
    }
  }

  /// Begins to write, unless another process has applied something since.
  func beginImmediate(at version: Version) throws {
    try connection.beginImmediate()
    let now = try ledger.head(on: connection)?.version ?? 0
    guard now == version else { throw SeedbedError.appliedMeanwhile(now) }
  }
}
