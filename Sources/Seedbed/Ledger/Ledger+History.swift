/// The whole ledger, for a report.
extension Ledger {
  package func history(on connection: any DatabaseSession) throws -> Migrator.History {
    Migrator.History(
      runs: try allRuns(on: connection), migrations: try appliedByRun(on: connection),
      leftToUser: try leftToUser(on: connection))
  }

  private func allRuns(on connection: any DatabaseSession) throws -> [Migrator.History.Run] {
    let running = Set(try openRuns(on: connection).filter(\.isRunning).map(\.id))
    return try connection.rows(
      """
      SELECT id, direction, from_version, to_version, started_at, finished_at, outcome, error,
             backup
      FROM \(table("runs")) ORDER BY id
      """
    ).map { row in
      let id = row[0].integer ?? 0
      return Migrator.History.Run(
        id: id, direction: row[1].text ?? "", from: row[2].integer ?? 0, to: row[3].integer ?? 0,
        startedAt: Migrator.Timestamp(text: row[4].text ?? ""),
        finishedAt: row[5].text.map { Migrator.Timestamp(text: $0) },
        outcome: row[6].text.flatMap(Migrator.Status.LastRun.Outcome.init(rawValue:))
          ?? (running.contains(id) ? .running : .interrupted),
        error: row[7].text, backup: row[8].text)
    }
  }

  private func appliedByRun(
    on connection: any DatabaseSession
  ) throws -> [Version: Migrator.History.Applied] {
    let rows = try connection.rows("SELECT version, run FROM \(table("migrations"))")
    let runs = rows.reduce(into: [:]) { $0[$1[0].integer ?? 0] = $1[1].integer }
    return try applied(on: connection).reduce(into: [:]) {
      $0[$1.version] = Migrator.History.Applied(counts: $1.counts, run: runs[$1.version])
    }
  }
}
