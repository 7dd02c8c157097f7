/// The rows that say who ran and how it ended.
extension Ledger {
  struct Run: Sendable {
    enum Direction: String { case up, down, restore, baseline }
    var id: Int64
    var direction: Direction
    var from: Version
    var to: Version
  }

  /// Notes a beginning run, inside a tiny transaction of its own.
  func startRun(
    _ direction: Run.Direction, from: Version, to: Version, on connection: any DatabaseSession
  ) throws -> Run {
    try closeInterruptedRuns(on: connection)
    let id = try connection.value(
      """
      INSERT INTO \(table("runs")) (direction, from_version, to_version, process, started_at)
      VALUES (?, ?, ?, ?, ?) RETURNING id
      """,
      [
        .text(direction.rawValue), .integer(from), .integer(to),
        .text(ProcessIdentity.current().text), .text(Clock.timestamp()),
      ])
    return Run(id: id?.integer ?? 0, direction: direction, from: from, to: to)
  }

  func finishRun(
    _ run: Run, _ outcome: Migrator.Status.LastRun.Outcome, error: String? = nil,
    on connection: any DatabaseSession
  ) throws {
    try finishRun(run.id, outcome, error: error, on: connection)
  }

  func finishRun(
    _ id: Int64, _ outcome: Migrator.Status.LastRun.Outcome, error: String? = nil,
    on connection: any DatabaseSession
  ) throws {
    try connection.execute(
      """
      UPDATE \(table("runs")) SET finished_at = ?, outcome = ?, error = ?
      WHERE id = ? AND finished_at IS NULL
      """, [.text(Clock.timestamp()), .text(outcome.rawValue), Value(error), .integer(id)])
  }

  func isFinished(_ run: Run, on connection: any DatabaseSession) throws -> Bool {
    try connection.value(
      "SELECT 1 FROM \(table("runs")) WHERE id = ? AND finished_at IS NOT NULL",
      [.integer(run.id)]) != nil
  }

  func setBackup(_ path: String, of run: Run, on connection: any DatabaseSession) throws {
    try connection.execute(
      "UPDATE \(table("runs")) SET backup = ? WHERE id = ?", [.text(path), .integer(run.id)])
  }

  /// A run that never ended and whose process is gone was interrupted.
  private func closeInterruptedRuns(on connection: any DatabaseSession) throws {
    for run in try openRuns(on: connection) where !run.isRunning {
      try finishRun(run.id, .interrupted, on: connection)
    }
  }

  /// The pace of the last run that handled enough rows to tell: a run of few is mostly opening,
  /// backing up and waiting for the disk. nil if there was none.
  func rowsPerSecond(on connection: any DatabaseSession) throws -> Double? {
    // As real numbers: anybody can write to the ledger, and no sum may overflow.
    let counts = ["inserted", "updated", "deleted", "unchanged", "kept"]
    let handled =
      "sum(\(counts.map { "CAST(m.\($0) AS DOUBLE PRECISION)" }.joined(separator: " + ")))"
    let seconds = connection.dialect.seconds(from: "r.started_at", to: "r.finished_at")
    let rows = try connection.rows(
      """
      SELECT \(handled), \(seconds)
      FROM \(table("runs")) AS r JOIN \(table("migrations")) AS m ON m.run = r.id
      WHERE r.direction = 'up' AND r.outcome = 'applied' AND r.finished_at > r.started_at
      GROUP BY r.id HAVING \(handled) >= ? ORDER BY r.id DESC LIMIT 1
      """, [Value(Self.rowsThatTell)])
    guard let row = rows.first, case .real(let handled) = row[0],
      case .real(let seconds) = row[1]
    else { return nil }
    return handled / seconds
  }

  static let rowsThatTell = 1000

  package func hasRuns(on connection: any DatabaseSession) throws -> Bool {
    try connection.value("SELECT 1 FROM \(table("runs")) LIMIT 1") != nil
  }

  /// How the last run ended. A run without an end whose process is gone, or that a later run
  /// overtook, counts as interrupted.
  func lastRun(on connection: any DatabaseSession) throws -> Migrator.Status.LastRun? {
    let rows = try connection.rows(
      """
      SELECT id, outcome, started_at, (SELECT count(*) FROM \(table("runs"))
        WHERE outcome = 'interrupted') FROM \(table("runs")) ORDER BY id DESC LIMIT 1
      """)
    guard let last = rows.first else { return nil }
    let running = try openRuns(on: connection).map { $0.isRunning && .integer($0.id) == last[0] }
    let outcome: Migrator.Status.LastRun.Outcome =
      last[1].text.flatMap(Migrator.Status.LastRun.Outcome.init(rawValue:))
      ?? (running.last == true ? .running : .interrupted)
    return Migrator.Status.LastRun(
      outcome: outcome, startedAt: Migrator.Timestamp(text: last[2].text ?? ""),
      interruptedCount: Int(last[3].integer ?? 0) + running.count { !$0 })
  }
}
