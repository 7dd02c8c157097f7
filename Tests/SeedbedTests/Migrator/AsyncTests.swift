import Foundation
import Testing

@testable import Seedbed

/// The calls that are awaited.
struct AsyncTests {
  /// Runs `work` in a task, and cancels the task when the run reaches a moment.
  static func cancelling<Value: Sendable>(
    at moment: Moment, of device: Device,
    _ work: @escaping @Sendable (Migrator) async throws -> Value
  ) async throws -> Result<Value, any Error> {
    let task = Guarded<Task<Value, any Error>?>(nil)
    var migrator = try device.migrator()
    migrator.host.reaching = { reached in
      guard reached == moment else { return }
      while task.withLock({ $0 == nil }) { Seedbed.Clock.sleep(milliseconds: 1) }
      task.withLock { $0?.cancel() }
    }
    let begun = Task { [migrator] in try await work(migrator) }
    task.withLock { $0 = begun }
    return await begun.result
  }

  @Test @MainActor func `up tells its progress where the caller is, and returns its report`()
    async throws
  {
    let device = try CommitTests.device("delete")
    // Of the main actor, as a view is: what compiles here needs no lock.
    var fractions: [Double] = []
    let report = try await device.migrator().up { progress in
      #expect(withUnsafeCurrentTask { $0 != nil })
      fractions.append(progress.fraction)
    }
    #expect(report.lines == ["1 t +2 ~0 -0 =0 kept 0", "2 t +1 ~0 -0 =0 kept 0"])
    #expect(fractions.first == 0 && fractions.last == 1)
    #expect(fractions.sorted() == fractions)
    #expect(try device.dump() == CommitTests.golden("delete"))
  }

  @Test func `all four work on a thread of their own`() async throws {
    let device = try CommitTests.device("delete")
    let onTasks = Guarded(0)
    let moments = Guarded(0)
    device.host.reaching = { _ in
      moments.withLock { $0 += 1 }
      // The threads that tasks share always know for which task they work.
      withUnsafeCurrentTask { if $0 != nil { onTasks.withLock { $0 += 1 } } }
    }
    try device.write(["0001_t/down.sql": "DROP TABLE t;"])
    let migrator = try device.migrator()
    #expect(try await migrator.plan().outcome == .planned)
    #expect(try await migrator.up(to: 1).to == 1)
    #expect(try await migrator.down(to: 0).outcome == .reverted)
    #expect(try await migrator.restore().to == 1)
    #expect(moments.withLock { $0 } > 20)
    #expect(onTasks.withLock { $0 } == 0)
  }

  @Test func `many runs at once leave the threads of tasks free`() async throws {
    let device = try CommitTests.device("delete")
    device.options.lockTimeout = .seconds(60)
    let other = BusyTests.Other()
    other.begin(device.database, BusyTests.writing)
    let migrator = try device.migrator()
    // More than there are processors, and all wait for the lock.
    let runs = (0..<64).map { _ in Task { try await migrator.up() } }
    try await Task.sleep(for: .milliseconds(50))
    other.end()
    var lines: [String] = []
    for run in runs { lines += try await run.value.lines }
    #expect(lines.sorted() == ["1 t +2 ~0 -0 =0 kept 0", "2 t +1 ~0 -0 =0 kept 0"])
  }

  @Test(arguments: CancellationTests.beforeCommit)
  func `cancelling the task rolls back and frees every lock, at`(_ moment: Moment) async throws {
    let device = try CommitTests.device("wal")
    let before = try device.dump()
    let result = try await Self.cancelling(at: moment, of: device) { try await $0.up() }
    // At once: nobody waits for a lock here.
    try device.run("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE; COMMIT")
    let error = #expect(throws: SeedbedError.self) { try result.get() }
    #expect(error?.code == .cancelled)
    #expect(error?.isDatabaseUnchanged == true)
    #expect(try device.dump() == before)
  }

  @Test func `in wal nothing that was rolled back is waited for`() throws {
    let device = try CommitTests.device("wal")
    let cancellation = Migrator.Cancellation()
    device.host.reaching = { if $0 == .afterRows { cancellation.cancel() } }
    let syncs = Guarded(0)
    let error = try FaultyDisk.with(device.database) { operation, _ in
      if operation == .sync, cancellation.isCancelled { syncs.withLock { $0 += 1 } }
      return .pass
    } _: {
      try device.failure(cancellation: cancellation)
    }
    #expect(error.code == .cancelled)
    #expect(syncs.withLock { $0 } == 0)
    #expect(try device.migrator().status().lastRun?.outcome == .cancelled)
  }

  @Test func `cancelling between two migrations says what was applied`() async throws {
    let device = try CommitTests.device("delete")
    let result = try await Self.cancelling(at: .beforeNextMigration, of: device) {
      try await $0.up()
    }
    let error = #expect(throws: SeedbedError.self) { try result.get() }
    #expect(error?.code == .cancelled && error?.applied == [1])
  }

  @Test func `cancelling after the last COMMIT comes too late`() async throws {
    let device = try CommitTests.device("delete")
    let result = try await Self.cancelling(at: .beforeRunEnd, of: device) { try await $0.up() }
    #expect(try result.get().outcome == .applied)
  }

  @Test func `plan, down and restore observe it too`() async throws {
    let device = try CommitTests.device("delete")
    try device.write(["0001_t/down.sql": "DROP TABLE t;"])
    let plan = try await Self.cancelling(at: .beforeRows, of: device) { try await $0.plan() }
    #expect(throws: SeedbedError.cancelled().in(1)) { try plan.get() }
    try device.up()
    let before = try device.dump()
    let down = try await Self.cancelling(at: .afterRows, of: device) {
      try await $0.down(to: 0)
    }
    #expect(throws: SeedbedError.self) { try down.get() }
    let restore = try await Self.cancelling(at: .beforeRestoreCopy, of: device) {
      try await $0.restore()
    }
    let error = #expect(throws: SeedbedError.self) { try restore.get() }
    #expect(error?.code == .cancelled)
    #expect(try device.dump() == before)
  }

  @Test func `a task that was cancelled before changes nothing`() async throws {
    let device = try CommitTests.device("delete")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: device.database))
    let migrator = try device.migrator()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await migrator.up()
    }
    await #expect(throws: SeedbedError.cancelled()) { try await task.value }
    #expect(try Data(contentsOf: URL(fileURLWithPath: device.database)) == bytes)
  }

  @Test func `a statement that never ends is interrupted while the caller is busy`() async throws {
    let device = try Device(["0001_t/up.sql": CancellationTests.endless])
    let migrator = try device.migrator()
    let task = Task {
      try await migrator.up { progress in
        // The caller's own thread is taken: cancelling must not need it.
        if progress.phase == .applying { Seedbed.Clock.sleep(milliseconds: 300) }
      }
    }
    let seconds = try Self.secondsUntilFree(device, cancelling: task, after: 0.1)
    let error = await #expect(throws: SeedbedError.self) { try await task.value }
    #expect(seconds < 20)
    #expect(error?.code == .cancelled)
  }

  /// From the request until nobody holds a lock. Without awaiting anything: tasks wait for other
  /// tests here, which block their threads, and a run does not need them.
  private static func secondsUntilFree(
    _ device: Device, cancelling task: Task<Migrator.Report, any Error>, after delay: Double
  ) throws -> Double {
    Seedbed.Clock.sleep(milliseconds: Int(delay * 1000))
    task.cancel()
    let started = Seedbed.Clock.monotonic()
    while Seedbed.Clock.monotonic() - started < 30 {
      do {
        let app = try Connection(device.database, .create, setup: nil, lockTimeoutSeconds: 0)
        try app.executeAll("BEGIN EXCLUSIVE; COMMIT")
        break
      } catch let failure as SQLiteFailure where failure.isBusy {
        Seedbed.Clock.sleep(milliseconds: 1)
      }
    }
    return Seedbed.Clock.monotonic() - started
  }

  /// Random instants of a load: each run is cancelled or done, never anything between.
  @Test(arguments: ["delete", "wal"])
  func `cancelling at any instant frees the locks soon, in`(_ journal: String) async throws {
    let csv = "a,v\n" + (1...60_000).map { "\($0),some words for row \($0)\n" }.joined()
    let files = [
      "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY, v TEXT);", "0001_t/t.csv": csv,
    ]
    var dice = SystemRandomNumberGenerator()
    var cancelled = 0
    for _ in 0..<20 {
      let device = try Device(files, app: "PRAGMA journal_mode = \(journal); CREATE TABLE mine (a)")
      let migrator = try device.migrator()
      let task = Task { try await migrator.up() }
      let delay = Double.random(in: 0...0.06, using: &dice)
      #expect(try Self.secondsUntilFree(device, cancelling: task, after: delay) < 5)
      let result = await task.result
      try device.run("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE; COMMIT")
      let hasTable = try device.rows("SELECT 1 FROM sqlite_schema WHERE name = 't'") == ["1"]
      switch result {
      case .success: #expect(try device.rows("SELECT count(*) FROM t") == ["60000"])
      case .failure(let error):
        cancelled += 1
        #expect((error as? SeedbedError)?.code == .cancelled)
        #expect(!hasTable)
      }
    }
    #expect(cancelled > 0)
  }

  @Test func `a reader that is slow misses what is outdated, never the first or the last`()
    async throws
  {
    let gate = Guarded(false)
    let run = try BackgroundRun(Migrator.Cancellation()) { _, progress in
      for step in 0...100 {
        progress(
          Migrator.Progress(
            phase: .applying, bytes: Int64(step), totalBytes: 100, rows: 0, version: 1, table: nil))
      }
      gate.withLock { $0 = true }
      return 7
    }
    while !gate.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
    var bytes: [Int64] = []
    while true {
      switch await run.next() {
      case .progress(let progress): bytes.append(progress.bytes)
      case .end(let result):
        #expect(try result.get() == 7)
        #expect(bytes == [0, 100])
        return
      }
    }
  }
}
