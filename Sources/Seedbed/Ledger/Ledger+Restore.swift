/// What a restore reads and writes in the ledger.
extension Ledger {
  /// The part of a run's row that shows which backup it made.
  struct BackedRun {
    var direction: String
    var from: Version
    var process: String
    var startedAt: String
    var outcome: String?
    var backup: String?

    /// It ended without a result, or its process is gone without having ended it.
    var hasFailed: Bool {
      switch outcome {
      case "failed", "cancelled", "interrupted": true
      case nil: !ProcessIdentity(text: process).isRunning
      default: false
      }
    }
  }

  /// All runs, oldest first.
  func runsWithBackups(on connection: any DatabaseSession) throws -> [BackedRun] {
    try connection.rows(
      """
      SELECT direction, from_version, process, started_at, outcome, backup FROM \(table("runs"))
      ORDER BY id
      """
    ).map { row in
      BackedRun(
        direction: row[0].text ?? "", from: row[1].integer ?? 0, process: row[2].text ?? "",
        startedAt: row[3].text ?? "", outcome: row[4].text, backup: row[5].text)
    }
  }

  /// The highest number that a run ever had.
  func lastRunNumber(on connection: any DatabaseSession) throws -> Int64 {
    try connection.value("SELECT max(id) FROM \(table("runs"))")?.integer ?? 0
  }

  /// A run that had no end when the backup was taken.
  struct OpenRun {
    var id: Int64
    var startedAt: String
    var process: String

    var isRunning: Bool { ProcessIdentity(text: process).isRunning }
  }

  /// How a run ended.
  typealias RunEnd = (outcome: Migrator.Status.LastRun.Outcome, error: String?)

  func openRuns(on connection: any DatabaseSession) throws -> [OpenRun] {
    try connection.rows(
      "SELECT id, started_at, process FROM \(table("runs")) WHERE finished_at IS NULL ORDER BY id"
    ).map { row in
      OpenRun(
        id: row[0].integer ?? 0, startedAt: row[1].text ?? "", process: row[2].text ?? "")
    }
  }

  /// How a run ended, according to the database that has the later ledger; nil if it has no record.
  func end(of run: OpenRun, on connection: any DatabaseSession) throws -> RunEnd? {
    let rows = try connection.rows(
      """
      SELECT outcome, error FROM \(table("runs"))
      WHERE id = ? AND started_at = ? AND process = ? AND outcome IS NOT NULL
      """, [.integer(run.id), .text(run.startedAt), .text(run.process)])
    guard let row = rows.first,
      let outcome = row[0].text.flatMap(Migrator.Status.LastRun.Outcome.init(rawValue:))
    else { return nil }
    return (outcome, row[1].text)
  }

  /// Writes the whole row of a restore, which is committed together with what it restores.
  func insertRestore(
    id: Int64, from: Version, to: Version, startedAt: String, backup: String?,
    on connection: any DatabaseSession
  ) throws {
    let process = ProcessIdentity.current().text
    // An earlier try of the same restore may have written it under another number.
    try connection.execute(
      """
      DELETE FROM \(table("runs")) WHERE direction = 'restore' AND started_at = ? AND process = ?
      """, [.text(startedAt), .text(process)])
    try connection.execute(
      """
      INSERT INTO \(table("runs")) (id, direction, from_version, to_version, process, started_at,
        finished_at, outcome, backup) VALUES (?, 'restore', ?, ?, ?, ?, ?, 'restored', ?)
      """,
      [
        .integer(id), .integer(from), .integer(to), .text(process), .text(startedAt),
        .text(Clock.timestamp()), Value(backup),
      ])
  }

  /// Whether a restore that began then, under this number, is committed.
  func containsRestore(id: Int64, startedAt: String, on connection: any DatabaseSession) throws
    -> Bool
  {
    try connection.value(
      "SELECT 1 FROM \(table("runs")) WHERE id = ? AND direction = 'restore' AND started_at = ?",
      [.integer(id), .text(startedAt)]) != nil
  }
}
