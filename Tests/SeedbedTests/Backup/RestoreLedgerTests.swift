import Foundation
import Testing

@testable import Seedbed

/// What a restore leaves in the ledger.
struct RestoreLedgerTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    /// How the run, open when the backup was taken, ended in the live database.
    var ended: Migrator.Status.LastRun.Outcome?
    var error: String?
    var expected: String
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "it failed", ended: .failed, error: "no such table", expected: "failed"),
    Case(name: "it was cancelled", ended: .cancelled, expected: "cancelled"),
    Case(name: "it was killed", ended: nil, expected: "interrupted"),
    Case(name: "it did its work, which is now undone", ended: .applied, expected: "reverted"),
  ]

  @Test(arguments: cases)
  func `the run that travelled in the backup is closed`(_ c: Case) throws {
    let shop = try Workshop()
    try shop.make(version: 2)
    let app = try shop.open()
    let run = try shop.ledger.startRun(.up, from: 2, to: 4, on: app)
    let backup = try shop.take()
    try shop.apply(3, on: app)
    if let ended = c.ended {
      try shop.ledger.finishRun(run.id, ended, error: c.error, on: app)
    }
    _ = try shop.ledger.startRun(.up, from: 3, to: 4, on: app)

    let report = try shop.restore()
    let rows = try shop.open().rows(
      """
      SELECT id, direction, from_version, to_version, outcome, error, backup, process,
             finished_at >= started_at
      FROM seedbed_runs ORDER BY id
      """)
    #expect(rows.count == 2)
    #expect(
      Array(rows[0].prefix(7)) == [1, "up", 2, 4, .text(c.expected), Value(c.error), .null])
    // The number 2 was taken by a run that is gone; a number is never used twice.
    let process = ProcessIdentity.current().text
    #expect(
      rows[1] == [
        3, "restore", 3, 2, "restored", .null, Value(report.backup?.path), .text(process), 1,
      ])
    #expect(try shop.ledger.lastRun(on: shop.open())?.outcome == .restored)
    #expect(try shop.ledger.head(on: shop.open())?.version == 2)
    // The backup itself still says what it said.
    let taken = try Connection(backup.path, .immutable, setup: nil)
    #expect(try taken.value("SELECT outcome FROM seedbed_runs") == .null)
  }

  @Test func `a backup without a ledger gets one`() throws {
    let shop = try Workshop()
    let old = shop.folder + "/old copy.db"
    try shop.make(version: 0, at: old)
    let stranger = try Connection(old, .readWrite, setup: nil)
    for table in LedgerSchema.tables { try stranger.execute("DROP TABLE seedbed_\(table)") }
    try shop.make(notes: 5, version: 4)
    let report = try shop.restore(old)
    #expect(report.from == 4 && report.to == 0)
    #expect(report.restored.path == old)
    #expect(try shop.notes() == 100)
    #expect(try shop.ledger.lastRun(on: shop.open())?.outcome == .restored)
  }

  @Test func `a ledger of a newer format is left alone`() throws {
    let shop = try Workshop()
    try shop.make(version: 2)
    try shop.open().execute("UPDATE seedbed_ledger SET format = 99")
    try shop.take()
    try shop.make(notes: 5, version: 4)
    #expect(seedbedError { try shop.restore() } == .ledgerIsNewer(99))
    #expect(try shop.notes() == 5)
  }

  @Test func `the highest number of a run is reported, since none is above it`() throws {
    let shop = try Workshop()
    try shop.make(version: 2)
    try shop.take()
    let run = try shop.ledger.startRun(.up, from: 2, to: 4, on: shop.open())
    try shop.open().execute("UPDATE seedbed_runs SET id = ? WHERE id = \(run.id)", [.integer(.max)])
    let error = seedbedError { try shop.restore() }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("a run with the number 9223372036854775807") == true)
    #expect(try shop.ledger.lastRunNumber(on: shop.open()) == .max)
  }

  @Test func `old backups go after a restore, but neither of the two that it is about`() throws {
    let shop = try Workshop()
    let made = try ([1, 2, 3] as [Version]).map { version in
      try shop.make(notes: 1, version: version)
      return try shop.take(version: version)
    }
    try shop.make(notes: 2, version: 4)
    let report = try shop.restore(Paths.split(made[0].path).name, keep: 1)
    let kept = try #require(report.backup)
    #expect(try shop.store().list() == [made[0], kept])
  }
}
