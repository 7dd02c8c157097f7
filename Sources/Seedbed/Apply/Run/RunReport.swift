/// What a run has done, for its caller.
struct RunReport {
  var adopted = Run.Adopted()
  var done: [Migrator.Report.Migration] = []
  var touched: Set<ExactText> = []
  var notes: [String] = []
  /// On a scratch database: keys that releases changed.
  var newKeys: [(version: Version, keys: MergeContext.NewKeys)] = []

  var isEmpty: Bool { done.isEmpty && adopted.baseline.isEmpty }
  /// The versions that are committed.
  var versions: [Version] {
    [adopted.committed].compactMap(\.self) + done.filter { $0.newOwners == 0 }.map(\.version)
  }

  /// Adds the result of one migration.
  mutating func note(
    _ migration: Migrator.Report.Migration, _ outcome: MigrationTransaction.Outcome, since: Double
  ) {
    done.append(migration)
    done[done.count - 1].duration = .milliseconds(Int((Clock.monotonic() - since) * 1000))
    touched.formUnion(outcome.touched)
    notes += outcome.notes
    newKeys += outcome.findings.newKeys.map { (migration.version, $0) }
  }
}

extension Run {
  /// The result of one migration, without its duration. Read before COMMIT, since nothing may throw
  /// between COMMIT and `note`.
  func logged(
    _ outcome: MigrationTransaction.Outcome, of migration: Migration
  ) throws -> Migrator.Report.Migration {
    var report = Migrator.Report.Migration(
      version: migration.version, name: migration.name, isWithdrawn: migration.isWithdrawn,
      isSnapshot: migration.isSnapshot)
    // The log also has earlier conflicts.
    let start = outcome.conflictsBefore
    report.conflictCount = try ledger.conflictCount(
      of: migration.version, after: start, on: connection)
    if options.reporting == .outcome { return report }
    if report.conflictCount > 0 {
      report.conflicts = try ledger.conflicts(
        on: connection, version: migration.version, after: start, limit: 1000)
      report.moved = try ledger.movedRows(of: migration.version, after: start, on: connection)
    }
    report.tables = try outcome.findings.counts.ordered(by: \.key).map { table, counts in
      Migrator.Report.Table(
        table: table.text, counts: counts,
        changedKeys: try outcome.findings.changedKeys?[table]?.map {
          try Migrator.Row(logged: $0, "changed key")
        })
    }
    return report
  }

  func makeReport(from: Version, to: Version, _ outcome: Migrator.Report.Outcome) -> Migrator.Report
  {
    var report = Migrator.Report(
      database: databaseName, from: from, to: to, backup: backup, outcome: outcome,
      migrations: self.report.done, touchedTables: self.report.touched.texts,
      notes: self.report.notes,
      passedOver: resolved.passedOver)
    report.adopted = self.report.adopted.report
    return report
  }

  var databaseName: String { connection.isLent ? connection.shownPath : database.name }
}
