/// The rows that record each run and how it ended.
extension Ledger {
  struct Run: Sendable {
    enum Direction: String { case up, down, restore, baseline }
    var id: Int64
    var direction: Direction
    /// The version that it is to reach.
    var to: Version?
  }

  /// Records the start of a run, in a small transaction of its own. A run without an end whose
  /// process is gone was interrupted.
  func startRun(
    _ direction: Run.Direction, from: Version, to: Version, on connection: any DatabaseSession
  ) throws -> Run {
    for run in try openRuns(on: connection) where run.outcome == .interrupted {
      try finishRun(run.id, .interrupted, on: connection)
    }
    let id = try connection.count(
      """
      INSERT INTO \(table("runs")) (direction, from_version, to_version, process, started_at)
      VALUES (?, ?, ?, ?, ?) RETURNING id
      """,
      [
        .text(direction.rawValue), .integer(from), .integer(to),
        .text(ProcessIdentity.current().text), .text(Clock.timestamp()),
      ])
    return Run(id: id, direction: direction, to: to)
  }

  @inline(never) func finishRun(
    _ id: Int64, _ outcome: Migrator.Status.LastRun.Outcome, error: String? = nil,
    on connection: any DatabaseSession
  ) throws {
    try connection.execute(
      """
      UPDATE \(table("runs")) SET finished_at = ?, outcome = ?, error = ?
      WHERE id = ? AND finished_at IS NULL
      """, [.text(Clock.timestamp()), .text(outcome.rawValue), Value(error), .integer(id)])
  }

  /// Removes the row of a run that changed nothing.
  func forgetRun(_ id: Int64, on connection: any DatabaseSession) throws {
    try connection.execute("DELETE FROM \(table("runs")) WHERE id = ?", [.integer(id)])
  }

  /// Gives a backup to the last run if that failed at its version and has none: a later backup has
  /// taken the place of its own.
  ///
  /// - Returns: whether it did.
  func replaceBackup(
    with backup: Migrator.Backup, on connection: any DatabaseSession
  ) throws -> Bool {
    let ended: Set<Migrator.Status.LastRun.Outcome> = [.failed, .cancelled, .interrupted]
    let last = try runs(on: connection).last {
      $0.from == backup.version && ended.contains($0.outcome)
    }
    // It is beside the new one, even if their folder has moved since.
    let folder = Paths.split(backup.path).folder
    let old = last?.backup.map { [$0, folder + "/" + Paths.split($0).name] } ?? []
    guard let last, !old.contains(where: Paths.exists) else { return false }
    try setBackup(backup.path, of: Run(id: last.id, direction: .up), on: connection)
    return true
  }

  func setBackup(_ path: String, of run: Run, on connection: any DatabaseSession) throws {
    try connection.execute(
      "UPDATE \(table("runs")) SET backup = ? WHERE id = ?", [.text(path), .integer(run.id)])
  }

  // MARK: looking back

  /// Everything that the ledger records, for a report.
  func history(on connection: any DatabaseSession) throws -> Migrator.History {
    let rows = try connection.rows("SELECT version, run FROM \(table("migrations"))")
    let runs = try rows.reduce(into: [:]) { $0[try $1.integer(0)] = $1[1].integer }
    return Migrator.History(
      runs: try self.runs(on: connection),
      migrations: try applied(on: connection).reduce(into: [:]) {
        $0[$1.version] = Migrator.History.Applied(counts: $1.counts, run: runs[$1.version])
      }, leftToUser: try leftToUser(on: connection))
  }

  /// Whether a run took migrations back.
  func wasTakenBack(on connection: any DatabaseSession) throws -> Bool {
    try connection.value("SELECT 1 FROM \(table("runs")) WHERE direction = 'down' LIMIT 1") != nil
  }

  /// All runs, oldest first. A run without an end is still running, or was interrupted if its
  /// process is gone.
  func runs(
    where condition: String = "true", _ values: [Value] = [], on connection: any DatabaseSession
  ) throws -> [Migrator.History.Run] {
    try connection.rows(
      """
      SELECT id, direction, from_version, to_version, process, started_at, finished_at, outcome,
             error, backup
      FROM \(table("runs")) WHERE \(condition) ORDER BY id
      """, values
    ).map { row in
      try Migrator.History.Run(
        id: row.integer(0), direction: row.text(1), from: row.integer(2), to: row.integer(3),
        process: row.text(4), startedAt: Migrator.Timestamp(text: row.text(5)),
        finishedAt: row.time(6),
        outcome: row[7].text.map(Migrator.Status.LastRun.Outcome.init(logged:))
          ?? (ProcessIdentity(text: row.text(4)).isRunning ? .running : .interrupted),
        error: row[8].text, backup: row[9].text)
    }
  }

  /// The runs without an end.
  func openRuns(on connection: any DatabaseSession) throws -> [Migrator.History.Run] {
    try runs(where: "finished_at IS NULL", on: connection)
  }

  /// How the last run ended. A run without an end counts as interrupted if a later run exists.
  func lastRun(on connection: any DatabaseSession) throws -> Migrator.Status.LastRun? {
    let isLast = "id = (SELECT max(id) FROM \(table("runs")))"
    guard let last = try runs(where: isLast, on: connection).first else { return nil }
    let noted =
      try connection.value(
        "SELECT count(*) FROM \(table("runs")) WHERE outcome = 'interrupted'")?.integer ?? 0
    let open = try openRuns(on: connection)
    return Migrator.Status.LastRun(
      outcome: last.outcome, startedAt: last.startedAt,
      interruptedCount: Int(noted) + open.count { $0.outcome != .running || $0.id != last.id },
      message: last.error)
  }

  /// The highest number of a run; 0 if there was none.
  package func lastRunNumber(on connection: any DatabaseSession) throws -> Int64 {
    try connection.value("SELECT max(id) FROM \(table("runs"))")?.integer ?? 0
  }

  /// The pace of the last run that handled enough rows. A run of few rows mostly opens files, backs
  /// up and waits for the disk. nil if there was none.
  func rowsPerSecond(on connection: any DatabaseSession) throws -> Double? {
    // As real numbers: anyone can write to the ledger, and no sum may overflow.
    let counts = ["inserted", "updated", "deleted", "unchanged", "kept"]
    let handled =
      "sum(\(counts.map { "CAST(m.\($0) AS DOUBLE PRECISION)" }.joined(separator: " + ")))"
    let seconds = connection.dialect.seconds(from: "r.started_at", to: "r.finished_at")
    let rows = try connection.rows(
      """
      SELECT \(handled), \(seconds)
      FROM \(table("runs")) AS r JOIN \(table("migrations")) AS m ON m.run = r.id
      WHERE r.direction = 'up' AND r.outcome = 'applied' AND r.finished_at > r.started_at
      GROUP BY r.id HAVING \(handled) >= 1000 ORDER BY r.id DESC LIMIT 1
      """)
    guard let row = rows.first, case .real(let handled) = row[0],
      case .real(let seconds) = row[1]
    else { return nil }
    return handled / seconds
  }

  // MARK: restore

  private static let restore = Run.Direction.restore.rawValue

  /// The end of a run that is open in a backup, according to the later ledger; nil if it has none.
  func end(
    of run: Migrator.History.Run, on connection: any DatabaseSession
  ) throws -> Migrator.History.Run? {
    try runs(
      where: "id = ? AND started_at = ? AND process = ? AND outcome IS NOT NULL",
      [.integer(run.id), .text(run.startedAt.text), .text(run.process)], on: connection
    ).first
  }

  /// Writes the whole row of a restore. It is committed together with the restored content.
  func insertRestore(
    id: Int64, from: Version, to: Version, startedAt: String, backup: String?,
    on connection: any DatabaseSession
  ) throws {
    let process = ProcessIdentity.current().text
    // An earlier attempt at the same restore may have written it under another number.
    try connection.execute(
      """
      DELETE FROM \(table("runs"))
      WHERE direction = '\(Self.restore)' AND started_at = ? AND process = ?
      """, [.text(startedAt), .text(process)])
    try connection.execute(
      """
      INSERT INTO \(table("runs")) (id, direction, from_version, to_version, process, started_at,
        finished_at, outcome, backup)
      VALUES (?, '\(Self.restore)', ?, ?, ?, ?, ?, 'restored', ?)
      """,
      [
        .integer(id), .integer(from), .integer(to), .text(process), .text(startedAt),
        .text(Clock.timestamp()), Value(backup),
      ])
  }

  /// Whether a restore with this number and start time was committed.
  func containsRestore(id: Int64, startedAt: String, on connection: any DatabaseSession) throws
    -> Bool
  {
    try connection.value(
      """
      SELECT 1 FROM \(table("runs"))
      WHERE id = ? AND direction = '\(Self.restore)' AND started_at = ?
      """, [.integer(id), .text(startedAt)]) != nil
  }
}
