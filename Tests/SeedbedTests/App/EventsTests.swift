import Testing

@testable import Seedbed

/// The run as a sequence.
struct EventsTests {
  @Test func `progress comes first and the report last`() async throws {
    let device = try CommitTests.device("delete")
    var fractions: [Double] = []
    var reports: [Report] = []
    for try await event in try device.migrator().upEvents() {
      switch event {
      case .progress(let progress):
        #expect(reports == [])
        fractions.append(progress.fraction)
      case .finished(let report): reports.append(report)
      }
    }
    #expect(reports.map(\.to) == [2])
    #expect(fractions.first == 0 && fractions.last == 1 && fractions.sorted() == fractions)
  }

  @Test func `a run begins with its iteration, and each is one of its own`() async throws {
    let device = try CommitTests.device("delete")
    let events = try device.migrator().upEvents(to: 1)
    #expect(try device.dump().count == 2)
    var outcomes: [Report.Outcome] = []
    for _ in 0..<2 {
      for try await event in events {
        if case .finished(let report) = event { outcomes.append(report.outcome) }
      }
    }
    #expect(outcomes == [.applied, .upToDate])
    #expect(try device.ledger().count == 1)
  }

  @Test func `leaving the loop cancels the run`() async throws {
    let device = try CommitTests.device("delete")
    let before = try device.dump()
    let hasLeft = Guarded(false)
    device.host.reaching = { moment in
      guard moment == .beforeRows else { return }
      while !hasLeft.withLock({ $0 }) { Clock.sleep(milliseconds: 1) }
    }
    let migrator = try device.migrator()
    for try await event in migrator.upEvents() {
      if case .progress(let progress) = event, progress.phase == .applying { break }
    }
    hasLeft.withLock { $0 = true }
    // It ends by itself, soon.
    for _ in 0..<1000 where try device.migrator().status().lastRun?.outcome == .running {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(try device.migrator().status().lastRun?.outcome == .cancelled)
    #expect(try device.dump() == before)
  }

  @Test func `cancelling the task ends the loop when all locks are free`() async throws {
    let device = try CommitTests.device("delete")
    let result = try await AsyncTests.cancelling(at: .afterRows, of: device) { migrator in
      for try await _ in migrator.upEvents() {}
    }
    try device.run("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE; COMMIT")
    let error = #expect(throws: SeedbedError.self) { try result.get() }
    #expect(error?.code == .cancelled)
  }

  @Test func `an error ends the sequence`() async throws {
    let device = try Device(["0001_t/up.sql": "SELEC"])
    var events = try device.migrator().upEvents().makeAsyncIterator()
    var code: SeedbedError.Code?
    do {
      while let event = try await events.next() {
        if case .finished = event { Issue.record("it must fail") }
      }
    } catch let error as SeedbedError {
      code = error.code
    }
    #expect(code == .sql)
    #expect(try await events.next() == nil)
  }

  @Test func `a reader that is slow misses what is outdated, never the first or the last`()
    async throws
  {
    let gate = Guarded(false)
    let run = try BackgroundRun(Cancellation()) { _, progress in
      for step in 0...100 {
        progress(
          Progress(
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
