import Testing

@testable import Seedbed

/// Other connections that read or write at the same time.
struct BusyTests {
  /// A transaction of another connection, begun at a moment of the run and held until it is let go.
  final class Other: Sendable {
    private let connection = Guarded<Connection?>(nil)

    func begin(_ path: String, _ sql: String) {
      connection.withLock { connection in
        guard connection == nil else { return }
        do {
          let new = try Connection(path, .readWrite, setup: nil)
          try new.executeAll(sql)
          connection = new
        } catch {
          Issue.record("the other connection failed: \(error)")
        }
      }
    }

    func end() { connection.withLock { $0 = nil } }
  }

  static let reading = "BEGIN; SELECT count(*) FROM mine"
  static let writing = "BEGIN IMMEDIATE"

  private func device(_ journal: String = "delete") throws -> Device {
    let device = try CommitTests.device(journal)
    device.options.lockTimeout = .milliseconds(300)
    return device
  }

  static let busy = """
    The database is locked by another process or connection. Nothing was changed: try again, or \
    wait longer.
    """

  @Test func `a reader in rollback mode holds COMMIT up until the deadline`() throws {
    let device = try device()
    let before = try device.dump()
    let other = Other()
    device.host.reaching = { [path = device.database] moment in
      if moment == .beforeCommit { other.begin(path, Self.reading) }
    }
    let started = Clock.monotonic()
    let error = try device.failure()
    let seconds = Clock.monotonic() - started
    #expect(seconds >= 0.3)
    #expect(seconds < 5)
    other.end()
    #expect(error.code == .busy)
    #expect(error.message == Self.busy)
    #expect(error.isDatabaseUnchanged)
    #expect(error.version == 1)
    #expect(try device.dump() == before)
    #expect(try device.ledger() == [])
    device.host = .real
    try device.up()
    #expect(try device.dump() == CommitTests.golden("delete"))
  }

  @Test func `a reader that goes away in time holds nothing up`() throws {
    let device = try device()
    device.options.lockTimeout = .seconds(10)
    let other = Other()
    let thread = Guarded<Seedbed.Thread?>(nil)
    device.host.reaching = { [path = device.database] moment in
      guard moment == .beforeCommit else { return }
      other.begin(path, Self.reading)
      thread.withLock { thread in
        thread =
          try? thread
          ?? Thread {
            Clock.sleep(milliseconds: 200)
            other.end()
          }
      }
    }
    try device.up(to: 1)
    #expect(try device.ledger() == ["1|applied|2|0|0|0|0"])
    thread.withLock { $0?.join() }
  }

  @Test func `a busy second migration tells that the first is applied`() throws {
    let device = try device()
    let other = Other()
    device.host.reaching = { [path = device.database] moment in
      if moment == .beforeNextMigration { other.begin(path, Self.writing) }
    }
    let error = try device.failure()
    other.end()
    #expect(error.code == .busy)
    #expect(error.applied == [1])
    #expect(error.version == 2)
    #expect(!error.isDatabaseUnchanged)
    #expect(try device.ledger() == ["1|applied|2|0|0|0|0"])
  }

  @Test func `in WAL mode readers do not matter`() throws {
    let device = try device("wal")
    let other = Other()
    other.begin(device.database, Self.reading)
    #expect(try device.up().to == 2)
    other.end()
  }

  @Test(arguments: ["delete", "wal"])
  func `a writer is waited for, and then it is busy`(_ journal: String) throws {
    let device = try device(journal)
    let other = Other()
    other.begin(device.database, Self.writing)
    let before = try device.rows("SELECT count(*) FROM sqlite_schema")
    let started = Clock.monotonic()
    let error = try device.failure()
    #expect(Clock.monotonic() - started >= 0.3)
    other.end()
    #expect(error.code == .busy)
    #expect(try device.rows("SELECT count(*) FROM sqlite_schema") == before)
  }

  @Test func `what another process applied meanwhile is not applied again`() throws {
    let device = try device()
    let copy = try device.migrator()
    device.host.reaching = { moment in
      guard moment == .runStarted else { return }
      do { _ = try copy.up() } catch { Issue.record("\(error)") }
    }
    let report = try device.up()
    #expect(report.outcome == .upToDate)
    #expect(report.lines == [])
    #expect(report.to == 2)
    #expect(try device.rows("SELECT outcome FROM seedbed_runs") == ["applied", "applied"])
    #expect(try device.dump() == CommitTests.golden("delete"))
  }

  @Test func `what another process applied in part is gone on with`() throws {
    let device = try device()
    let copy = try device.migrator()
    device.host.reaching = { moment in
      guard moment == .runStarted else { return }
      do { _ = try copy.up(to: 1) } catch { Issue.record("\(error)") }
    }
    #expect(try device.up().lines == ["2 t +1 ~0 -0 =0 kept 0"])
    #expect(try device.dump() == CommitTests.golden("delete"))
  }

  @Test func `eight threads apply each migration once`() throws {
    let device = try device()
    device.options.lockTimeout = .seconds(30)
    let migrator = try device.migrator()
    let reports = Guarded<[Result<Migrator.Report, any Error>]>([])
    let threads = try (0..<8).map { _ in
      try Thread {
        let result = Result { try migrator.up() }
        reports.withLock { $0.append(result) }
      }
    }
    for thread in threads { thread.join() }
    let lines = try reports.withLock { $0 }.flatMap { try $0.get().lines }
    #expect(lines.sorted() == ["1 t +2 ~0 -0 =0 kept 0", "2 t +1 ~0 -0 =0 kept 0"])
    #expect(try device.dump() == CommitTests.golden("delete"))
    #expect(try device.rows("SELECT DISTINCT outcome FROM seedbed_runs") == ["applied"])
  }
}
