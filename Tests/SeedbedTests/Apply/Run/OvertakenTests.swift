import Testing

@testable import Seedbed

/// Two processes find the same migrations pending, and one of them is faster.
struct OvertakenTests {
  private static let releases = [
    "0001_words/up.sql":
      "CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT); CREATE TABLE log (at TEXT);",
    "0001_words/words.csv": "id,text\n1,one\n", "0002_more/words.csv": "id,text\n2,two\n",
    "0003_log/up.sql": "INSERT INTO log VALUES ('now');",
  ]

  /// The report of a run that another overtakes up to a version, once it has planned.
  private func overtaken(to version: Version, from first: Version? = nil) throws -> Migrator.Report
  {
    let device = try Device(Self.releases)
    if let first { try device.up(to: first) }
    let other = try device.migrator()
    device.host.reaching = { moment in
      if moment == .runStarted { #expect(throws: Never.self) { try other.up(to: version) } }
    }
    return try device.up()
  }

  @Test func `one that finds nothing left says what it found, and that others changed it`() throws {
    let report = try overtaken(to: 3)
    #expect(report.outcome == .upToDate && report.migrations.isEmpty)
    #expect(report.from == 3 && report.to == 3)
    #expect(report.touchedTables == ["log", "words"])
    #expect(
      report.notes == [
        "Another process applied 3 migrations up to 3 while this run waited for its turn."
      ])
  }

  @Test func `one that finds nothing left waits for the lock only once`() throws {
    let device = try Device(Self.releases)
    let other = try device.migrator()
    let locks = Guarded(0)
    device.host.reaching = { moment in
      if moment == .runStarted { #expect(throws: Never.self) { try other.up() } }
      if moment == .locked { locks.withLock { $0 += 1 } }
    }
    #expect(try device.up().outcome == .upToDate)
    #expect(locks.withLock { $0 } == 1)
  }

  @Test func `one that does the rest names the tables of both`() throws {
    let report = try overtaken(to: 2, from: 1)
    #expect(report.outcome == .applied && report.migrations.map(\.version) == [3])
    #expect(report.from == 1 && report.to == 3)
    #expect(report.touchedTables == ["log", "words"])
    #expect(
      report.notes == ["Another process applied migration 2 while this run waited for its turn."])
  }

  @Test func `one that nobody overtakes names its own`() throws {
    let device = try Device(Self.releases)
    try device.up(to: 1)
    let report = try device.up(to: 2)
    #expect(report.notes == [] && report.touchedTables == ["words"])
    #expect(try device.up().touchedTables == ["log"])
    #expect(try device.up().touchedTables == [])
  }
}
