import TestSupport
import Testing

@testable import Seedbed

/// The rows that say who ran and how it ended.
struct RunsTests {
  static let files = ["0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY);"]
  static let gone = "1:1:00000000-0000-0000-0000-000000000000"

  private func lastRun(_ device: Device) throws -> Migrator.Status.LastRun? {
    try device.migrator().status().lastRun
  }

  @Test func `no run, no row`() throws {
    let device = try Device(Self.files, app: "CREATE TABLE mine (a)")
    #expect(try lastRun(device) == nil)
  }

  @Test func `a failed run leaves its error, and the next one is another`() throws {
    let device = try Device(["0001_t/up.sql": "SELEC"])
    let error = try device.failure()
    #expect(try lastRun(device)?.outcome == .failed)
    #expect(try device.rows("SELECT error FROM seedbed_runs") == [error.description])
    #expect(error.description == #"0001_t/up.sql:1:1: SQLite error 1: near "SELEC": syntax error."#)
    try device.write(Self.files)
    try device.up()
    #expect(
      try device.rows("SELECT id, from_version, to_version, outcome FROM seedbed_runs")
        == ["1|0|1|failed", "2|0|1|applied"])
    #expect(try lastRun(device)?.interruptedCount == 0)
  }

  @Test func `a refusal beforehand leaves no row`() throws {
    let device = try Device(Self.files)
    try device.up()
    #expect(try device.failure(to: 7).code == .usage)
    #expect(try device.rows("SELECT count(*) FROM seedbed_runs") == ["1"])
  }

  /// `process` of rows without an end, oldest first; `true` is this very process.
  struct Case: CustomTestStringConvertible {
    var name: String
    var isRunning: [Bool]
    var outcome: Migrator.Status.LastRun.Outcome
    var interrupted: Int

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "one of a process that is gone", isRunning: [false], outcome: .interrupted,
      interrupted: 1),
    Case(name: "one that runs", isRunning: [true], outcome: .running, interrupted: 0),
    Case(
      name: "a later run overtook one that seems to run", isRunning: [true, true],
      outcome: .running, interrupted: 1),
    Case(name: "several", isRunning: [false, true, false], outcome: .interrupted, interrupted: 3),
  ]

  @Test(arguments: cases)
  func `rows without an end:`(_ example: Case) throws {
    let device = try Device(Self.files)
    try device.up()
    for isRunning in example.isRunning {
      let process = isRunning ? ProcessIdentity.current().text : Self.gone
      try device.run(
        """
        INSERT INTO seedbed_runs (direction, from_version, to_version, process, started_at)
        VALUES ('up', 0, 1, '\(process)', '2026-01-01T00:00:00.000Z')
        """)
    }
    let last = try #require(try lastRun(device))
    #expect(last.outcome == example.outcome)
    #expect(last.interruptedCount == example.interrupted)
    #expect(last.startedAt == "2026-01-01T00:00:00.000Z")
    // It informs, it never blocks.
    try device.write(["0002_t/t.csv": "a\n1\n"])
    try device.up()
    let gone = example.isRunning.filter { !$0 }.count
    #expect(
      try device.rows("SELECT count(*) FROM seedbed_runs WHERE outcome = 'interrupted'")
        == ["\(gone)"])
  }

  @Test func `a process is told apart from another that got its number`() {
    let current = ProcessIdentity.current()
    #expect(current.isRunning)
    #expect(current == ProcessIdentity.current())
    let parts = current.text.split(separator: ":")
    #expect(parts.count == 3)
    #expect(!ProcessIdentity(text: "\(parts[0]):1:\(parts[2])").isRunning)
    #expect(!ProcessIdentity(text: "\(parts[0]):\(parts[1]):other").isRunning)
    #expect(!ProcessIdentity(text: "nonsense").isRunning)
    #expect(!ProcessIdentity(text: Self.gone).isRunning)
    // What a sandbox shows of another process.
    let app = ProcessIdentity(text: "7:12.5:boot")
    #expect(app.isSame(as: ProcessIdentity(text: "7:hidden:boot")))
    #expect(!app.isSame(as: ProcessIdentity(text: "7:hidden:next")))
    #expect(!app.isSame(as: ProcessIdentity(text: "7:gone:boot")))
    // What is not known proves nothing.
    let unknown = ProcessIdentity(text: "7:12.5:unknown")
    #expect(!unknown.isSame(as: ProcessIdentity(text: "7:hidden:unknown")))
    #expect(unknown.isSame(as: unknown))
    let gone = ProcessIdentity(text: "7:gone:boot")
    #expect(!gone.isSame(as: gone))
  }

  @Test func `the run tells where its backup is`() throws {
    let device = try Device(Self.files, app: "CREATE TABLE mine (a)")
    let backup = try #require(try device.up().backup)
    #expect(try device.rows("SELECT backup FROM seedbed_runs") == [backup.path])
  }

  @Test func `a run whose second migration fails has failed`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY);",
      "0002_u/up.sql": "CREATE TABLE t (b);", "0003_v/up.sql": "CREATE TABLE v (c);",
    ])
    #expect(try device.failure().applied == [1])
    #expect(try device.rows("SELECT outcome, to_version FROM seedbed_runs") == ["failed|3"])
    try device.write(["0002_u/up.sql": "CREATE TABLE u (b);"])
    try device.up()
    #expect(try device.rows("SELECT outcome FROM seedbed_runs") == ["failed", "applied"])
  }
}
