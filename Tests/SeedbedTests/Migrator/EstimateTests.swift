import Foundation
import Testing

@testable import Seedbed

/// What an `up` has before it.
struct EstimateTests {
  static func device() throws -> Device {
    func rows(_ numbers: ClosedRange<Int>) -> String {
      "a,v\n" + numbers.map { "\($0),word \($0)\n" }.joined()
    }
    let device = try Device(
      [
        "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY, v TEXT);",
        "0001_t/t.csv": rows(1...2000), "0002_t/t.csv": rows(3001...4000),
        "0003_t/t.csv": rows(5001...5500), "0004_t/t.csv": rows(6001...6500),
        "0004_t/migration.json": #"{"withdrawn": true}"#,
      ], app: "CREATE TABLE mine (a); INSERT INTO mine VALUES (1)")
    try device.lock()
    return device
  }

  @Test func `bytes and rows are those of the pending files, the disk has the backup too`() throws {
    let device = try Self.device()
    let migrator = try device.migrator(locked: true)
    let first = try migrator.estimate()
    #expect(first.pending == [1, 2, 3])
    #expect(first.rows == 3500)
    let sizes = try ["0001_t/t.csv", "0002_t/t.csv", "0003_t/t.csv"].map { file in
      try Data(contentsOf: URL(fileURLWithPath: "\(device.catalog)/\(file)")).count
    }
    #expect(first.bytes == Int64(sizes.reduce(0, +)))
    #expect(first.neededBytes == first.bytes + 8192)
    #expect(try #require(first.freeBytes) > first.neededBytes)
    #expect(first.duration == nil)
    device.options.takesBackup = false
    #expect(try device.migrator(locked: true).estimate().neededBytes == first.bytes)
  }

  @Test func `the time is that of the last run that handled enough rows`() throws {
    let device = try Self.device()
    try device.up(to: 2)
    try device.run(
      """
      UPDATE seedbed_runs SET started_at = '2026-01-01T00:00:00.000Z',
                              finished_at = '2026-01-01T00:00:06.000Z'
      """)
    let estimate = try device.migrator(locked: true).estimate()
    #expect(estimate.pending == [3])
    // 3,000 rows took 6 seconds, and 500 are to come.
    let seconds = try #require(estimate.duration?.inSeconds)
    #expect(abs(seconds - 1) < 0.01)
    // One of fewer rows says nothing, and a failed one neither.
    try device.up()
    try device.run("UPDATE seedbed_runs SET started_at = '2025-01-01T00:00:00.000Z' WHERE id = 2")
    try device.write(["0005_t/t.csv": "a,v\n9001,x\n9002,y\n"])
    try device.lock()
    let next = try #require(try device.migrator(locked: true).estimate().duration?.inSeconds)
    #expect(abs(next - 0.004) < 0.0001)
    try device.run("UPDATE seedbed_runs SET outcome = 'failed'")
    #expect(try device.migrator(locked: true).estimate().duration == nil)
  }

  @Test func `rows to change are in the temporary file of one migration at a time`() throws {
    let device = try Self.device()
    let before = try device.migrator(locked: true).estimate()
    let update = "a,v,was:v\n" + (1...100).map { "\($0),y,x\n" }.joined()
    try device.write([
      "0005_t/t.update.csv": update, "0006_t/t.delete.csv": "a,v\n1,y\n",
    ])
    try device.lock()
    let after = try device.migrator(locked: true).estimate()
    #expect(
      after.neededBytes - before.neededBytes == after.bytes - before.bytes + 4
        * Int64(update.utf8.count))
  }

  @Test func `nothing pending has no estimate`() throws {
    let device = try Self.device()
    try device.up()
    #expect(try device.migrator(locked: true).outlook() == .upToDate)
  }

  @Test func `without a lock nobody has counted the rows`() throws {
    let device = try Device(CommitTests.files)
    let estimate = try device.migrator().estimate()
    #expect(estimate.pending == [1, 2] && estimate.rows == nil && estimate.duration == nil)
    #expect(estimate.bytes == 20 && estimate.neededBytes == 20)
    #expect(!FileManager.default.fileExists(atPath: device.database))
  }

  @Test func `it reads only, and opens no file with rows`() throws {
    let device = try Self.device()
    try device.up(to: 1)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: device.database))
    let opened = Guarded<[String]>([])
    device.host.failing = { call, path in
      if call == .open { opened.withLock { $0.append(path) } }
      return 0
    }
    _ = try device.migrator(locked: true).estimate()
    #expect(try Data(contentsOf: URL(fileURLWithPath: device.database)) == bytes)
    #expect(opened.withLock { !$0.contains { $0.hasSuffix(".csv") } })
  }

  @Test func `a database that a killed process left half-way is told of too`() async throws {
    let device = try Self.device()
    try device.up(to: 1)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = device.database as String] in
      LookingTests.die(in: path, "delete")
    }
    #expect(try device.migrator(locked: true).status().state == .needsRecovery)
    #expect(try device.migrator(locked: true).estimate().pending == [2, 3])
    #expect(try device.rows("SELECT count(*) FROM mine") == ["1"])
  }

  @Test func `a changed migration is the error that up would be`() throws {
    let device = try Self.device()
    try device.up(to: 1)
    try device.write(["0001_t/t.csv": "a,v\n1,other\n"])
    try device.lock()
    let error = #expect(throws: SeedbedError.self) { try device.migrator().estimate() }
    #expect(error?.code == .drift)
  }
}
