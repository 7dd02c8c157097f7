import Foundation
import Testing

@testable import Seedbed

/// A request to stop, at each moment and in the midst of each kind of work.
struct CancellationTests {
  static let beforeCommit: [Moment] = [
    .ledgerPrepared, .runStarted, .locked, .backupCopied, .backupChecked, .backupSynced,
    .backupPublished, .beforeRows, .afterRows, .beforeLedgerRow, .beforeCommit,
  ]

  /// Cancels at the n-th time that the moment is reached.
  private func host(_ cancellation: Migrator.Cancellation, at moment: Moment, time: Int = 1)
    -> Seedbed.Host
  {
    let count = Guarded(0)
    var host = Seedbed.Host()
    host.reaching = { reached in
      guard reached == moment else { return }
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == time { cancellation.cancel() }
    }
    return host
  }

  @Test(arguments: beforeCommit)
  func `cancelled at`(_ moment: Moment) throws {
    let device = try CommitTests.device("delete")
    let before = try device.dump()
    let cancellation = Migrator.Cancellation()
    device.host = host(cancellation, at: moment)
    let error = try device.failure(cancellation: cancellation)
    #expect(error.code == .cancelled)
    #expect(error.message == "Interrupted. No migration is half done.")
    #expect(error.isDatabaseUnchanged)
    #expect(error.applied == [])
    #expect(try device.dump() == before)
    if moment != .ledgerPrepared {
      #expect(try device.ledger() == [])
      #expect(try device.migrator().status().lastRun?.outcome == .cancelled)
    }
    // The lock is free: another connection may write at once.
    try device.run("BEGIN IMMEDIATE; COMMIT")
    device.host = .real
    try device.up()
    #expect(try device.dump() == CommitTests.golden("delete"))
  }

  @Test(arguments: [Moment.afterCommit, .beforeNextMigration])
  func `cancelled between two migrations at`(_ moment: Moment) throws {
    let device = try CommitTests.device("delete")
    let cancellation = Migrator.Cancellation()
    device.host = host(cancellation, at: moment)
    let error = try device.failure(cancellation: cancellation)
    #expect(error.code == .cancelled)
    #expect(error.applied == [1])
    #expect(!error.isDatabaseUnchanged)
    #expect(try device.ledger() == ["1|applied|2|0|0|0|0"])
    #expect(try device.migrator().status().lastRun?.outcome == .cancelled)
  }

  @Test(arguments: [(Moment.afterCommit, 2), (.beforeRunEnd, 1)])
  func `a request after the last COMMIT comes too late`(_ moment: Moment, _ time: Int) throws {
    let device = try CommitTests.device("delete")
    let cancellation = Migrator.Cancellation()
    device.host = host(cancellation, at: moment, time: time)
    #expect(try device.up(cancellation: cancellation).outcome == .applied)
    #expect(try device.migrator().status().lastRun?.outcome == .applied)
  }

  @Test func `a request before the call changes nothing at all`() throws {
    let device = try CommitTests.device("delete")
    let cancellation = Migrator.Cancellation()
    cancellation.cancel()
    let before = try Data(contentsOf: URL(fileURLWithPath: device.database))
    #expect(try device.failure(cancellation: cancellation).code == .cancelled)
    #expect(try Data(contentsOf: URL(fileURLWithPath: device.database)) == before)
  }

  struct Long: CustomTestStringConvertible {
    var name: String
    var files: [String: String]

    var testDescription: String { name }
  }

  static let endless = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
    """
  static let longWork = [
    Long(name: "a statement of up.sql", files: ["0001_t/up.sql": endless]),
    Long(name: "a statement of after.sql", files: ["0001_t/after.sql": endless]),
    Long(name: "a query of verify.sql", files: ["0001_t/verify.sql": endless]),
    Long(
      name: "a trigger on the target",
      files: [
        "0001_t/up.sql": """
        CREATE TABLE t (a INTEGER PRIMARY KEY);
        CREATE TRIGGER g AFTER INSERT ON t BEGIN \(endless); END;
        """, "0001_t/t.csv": "a\n1\n",
      ]),
  ]

  @Test(arguments: longWork)
  func `a statement in flight is interrupted:`(_ example: Long) throws {
    let device = try Device(example.files, app: "CREATE TABLE mine (a)")
    let before = try device.dump()
    let cancellation = Migrator.Cancellation()
    let thread = try Seedbed.Thread {
      Clock.sleep(milliseconds: 300)
      cancellation.cancel()
    }
    let started = Clock.monotonic()
    let error = try device.failure(cancellation: cancellation)
    #expect(Clock.monotonic() - started < 20)
    thread.join()
    #expect(error.code == .cancelled)
    #expect(try device.dump() == before)
  }

  @Test func `a wait for a lock ends at once`() throws {
    let device = try CommitTests.device("delete")
    device.options.lockTimeout = .seconds(60)
    let other = BusyTests.Other()
    other.begin(device.database, BusyTests.writing)
    let cancellation = Migrator.Cancellation()
    let thread = try Seedbed.Thread {
      Clock.sleep(milliseconds: 200)
      cancellation.cancel()
    }
    let started = Clock.monotonic()
    let error = try device.failure(cancellation: cancellation)
    #expect(error.code == .cancelled)
    #expect(Clock.monotonic() - started < 20)
    thread.join()
    other.end()
  }

  @Test func `what is noted of a cancelled run waits a moment for others, and no longer`() throws {
    let device = try CommitTests.device("delete")
    let other = BusyTests.Other()
    other.begin(device.database, BusyTests.writing)
    let cancellation = Migrator.Cancellation()
    let connection = try Connection(
      device.database, .readWrite, setup: nil, lockTimeoutSeconds: 60, cancellation: cancellation)
    cancellation.cancel()
    connection.forgetCancellation()
    let started = Clock.monotonic()
    #expect(throws: SQLiteFailure.self) { try connection.execute("BEGIN IMMEDIATE") }
    let seconds = Clock.monotonic() - started
    #expect(seconds > 0.03 && seconds < 30)
    other.end()
  }

  @Test func `a wait of COMMIT for a reader ends at once`() throws {
    let device = try CommitTests.device("delete")
    device.options.lockTimeout = .seconds(30)
    let other = BusyTests.Other()
    let cancellation = Migrator.Cancellation()
    let thread = Guarded<Seedbed.Thread?>(nil)
    device.host.reaching = { [path = device.database] moment in
      guard moment == .beforeCommit else { return }
      other.begin(path, BusyTests.reading)
      thread.withLock { thread in
        thread = try? Seedbed.Thread {
          Clock.sleep(milliseconds: 200)
          cancellation.cancel()
          Clock.sleep(milliseconds: 200)
          other.end()
        }
      }
    }
    let error = try device.failure(cancellation: cancellation)
    #expect(error.code == .cancelled, "\(error)")
    #expect(try device.ledger() == [])
    thread.withLock { $0?.join() }
  }

  @Test func `in the midst of a large file`() throws {
    let csv = "a,v\n" + (1...1_000_000).map { "\($0),some words\n" }.joined()
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY, v TEXT);", "0001_t/t.csv": csv,
    ])
    let cancellation = Migrator.Cancellation()
    var rows: Int64 = 0
    let error = #expect(throws: SeedbedError.self) {
      try device.migrator().up(cancellation: cancellation) { progress in
        rows = max(rows, progress.rows)
        if progress.rows > 0 { cancellation.cancel() }
      }
    }
    #expect(error?.code == .cancelled)
    #expect(rows > 0 && rows < 1_000_000)
    #expect(try device.dump() == [])
  }
}
