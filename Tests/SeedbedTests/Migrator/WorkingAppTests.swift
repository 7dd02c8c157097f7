import CSeedbedSQLite
import SeedbedFaults
import Testing

@testable import Seedbed

/// An app that goes on reading and writing on threads of its own while a release comes in.
struct WorkingAppTests {
  private static let files = [
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, text TEXT);",
    "0001_t/t.csv": csv("id,n,text", 1...1000) { "\($0),1,row \($0)" },
    "0002_many/t.csv": csv("id,n,text", 1001...51_000) { "\($0),1,row \($0)" },
    "0003_fixes/up.sql": "ALTER TABLE t ADD COLUMN tone TEXT; CREATE INDEX t_n ON t (n);",
    "0003_fixes/t.update.csv": csv("id,n,was:n", 1...5000) { "\($0),2,1" },
    "0003_fixes/t.delete.csv": csv("id,n,text", 40_001...43_000) { "\($0),1,row \($0)" },
  ]

  private static func csv(
    _ header: String, _ ids: ClosedRange<Int>, _ record: (Int) -> String
  ) -> String {
    ids.reduce(into: header + "\n") { $0 += record($1) + "\n" }
  }

  /// Rows, their sum and the version, between two migrations.
  private static let states: [[Int64]] = [
    [1000, 1000, 1], [51_000, 51_000, 2], [48_000, 53_000, 3],
  ]

  private func device() throws -> Device {
    let device = try Device(
      Self.files,
      app: "PRAGMA journal_mode = wal; CREATE TABLE mine (id INTEGER PRIMARY KEY, n INTEGER);")
    try device.up(to: 1)
    return device
  }

  @available(macOS 15, *)
  @Test func `readers and a writer work on while a release comes in`() throws {
    let device = try device()
    let app = try WorkingApp(device.database, readers: 8)
    app.waitUntil("every reader has read") { $0.readsOfEach.allSatisfy { $0 > 0 } }
    device.host.reaching = { moment in
      switch moment {
      case .beforeCommit:
        // The write lock is held: readers do not notice, and the writer is told to try again.
        let before = app.now
        app.waitUntil("readers read beside an open migration") { now in
          zip(now.readsOfEach, before.readsOfEach).allSatisfy { $0 > $1 }
        }
        app.waitUntil("the writer's timeout is over") { $0.busy > before.busy }
      case .beforeNextMigration:
        let before = app.now
        app.waitUntil("the app writes between two migrations") { $0.written > before.written }
        app.waitUntil("a reader sees the state between two migrations") { $0.states.count >= 2 }
      default: break
      }
    }
    let migrator = try device.migrator()
    let report = try Awaiting.result(Migrator.Cancellation()) { try await migrator.up() }
    let reached = app.now
    app.waitUntil("the app reads what is new") { $0.states.count >= 3 }
    app.waitUntil("the app writes afterwards") { $0.written > reached.written }
    let end = app.end()
    #expect(report.to == 3)
    #expect(end.failures == [])
    #expect(end.states == Self.states)
    #expect(
      try device.rows("SELECT count(*), sum(n) FROM mine") == ["\(end.written)|\(end.written)"])
    #expect(try device.rows("SELECT count(*) FROM t WHERE tone IS NULL AND n = 2") == ["5000"])
  }

  @Test func `whoever began to read before a release reads on, and must begin again to write`()
    throws
  {
    let device = try device()
    let app = try AppConnection(device.database, busyTimeoutMs: 5000)
    let insert = "INSERT INTO mine (n) VALUES (1)"
    let failure = #expect(throws: AppConnection.Failure.self) {
      try app.transaction("BEGIN") {
        #expect(try app.run(WorkingApp.look) == [Self.states[0] + [0]])
        try device.up()
        #expect(try app.run(WorkingApp.look) == [Self.states[0] + [0]])
        try app.run(insert)
      }
    }
    // At once: no timeout makes an old state writable.
    #expect(failure?.code == SQLITE_BUSY | (2 << 8))
    try app.transaction("BEGIN IMMEDIATE") { _ = try app.run(insert) }
    #expect(try app.run(WorkingApp.look) == [Self.states[2] + [1]])
  }
}

/// Threads that read, one that writes, and what they met.
private final class WorkingApp: Sendable {
  struct Record: Sendable {
    var readsOfEach: [Int]
    /// Seen by any reader, in their order.
    var states: [[Int64]] = []
    var written: Int64 = 0
    /// How often the writer was told to try again.
    var busy = 0
    var failures: [String] = []
    var isOver = false
  }

  /// All in one statement, so from one state.
  static let look = """
    SELECT (SELECT count(*) FROM t), (SELECT sum(n) FROM t),
      (SELECT max(version) FROM seedbed_migrations), (SELECT count(*) FROM mine)
    """

  private let record: Guarded<Record>
  private let threads = Guarded<[Seedbed.Thread]>([])
  /// Opened before all others and closed after them: the first and the last hold others up.
  private let first: Guarded<AppConnection>

  init(_ path: String, readers: Int) throws {
    record = Guarded(Record(readsOfEach: Array(repeating: 0, count: readers)))
    let connection = try AppConnection(path, busyTimeoutMs: 5000)
    try connection.run(Self.look)
    first = Guarded(connection)
    let readers = try (0..<readers).map { reader in
      // In wal nobody who reads ever waits: without a timeout each wait would be an error.
      try thread(path, busyTimeoutMs: 0) { [record] app in try Self.read(app, reader, record) }
    }
    // So short that a migration takes longer.
    let writer = try thread(path, busyTimeoutMs: 20) { [record] app in try Self.write(app, record) }
    threads.withLock { $0 = readers + [writer] }
  }

  private func thread(
    _ path: String, busyTimeoutMs: Int32, _ work: @escaping @Sendable (AppConnection) throws -> Void
  ) throws -> Seedbed.Thread {
    try Seedbed.Thread { [record] in
      do {
        let app = try AppConnection(path, busyTimeoutMs: busyTimeoutMs)
        while !record.withLock({ $0.isOver }) {
          try work(app)
          Clock.sleep(milliseconds: 2)
        }
      } catch {
        record.withLock { $0.failures.append("\(error)") }
      }
    }
  }

  private static func read(
    _ app: AppConnection, _ reader: Int, _ record: Guarded<Record>
  ) throws {
    let (first, second) = try app.transaction("BEGIN") { (try app.run(look), try app.run(look)) }
    let state = Array(first[0].prefix(3))
    record.withLock { record in
      record.readsOfEach[reader] += 1
      if first != second { record.failures.append("\(first) became \(second)") }
      if !record.states.contains(state) { record.states.append(state) }
    }
  }

  private static func write(_ app: AppConnection, _ record: Guarded<Record>) throws {
    let next = record.withLock { $0.written } + 1
    do {
      try app.transaction("BEGIN IMMEDIATE") {
        try app.run("INSERT INTO mine VALUES (?, 0)", next)
        try app.run("UPDATE mine SET n = 1 WHERE id = ?", next)
      }
      record.withLock { $0.written = next }
    } catch let failure as AppConnection.Failure where failure.code == SQLITE_BUSY {
      record.withLock { $0.busy += 1 }
    }
  }

  var now: Record { record.withLock { $0 } }

  /// What does not happen within a time that is long for any machine is a failure.
  func waitUntil(_ what: String, _ isTrue: (Record) -> Bool) {
    let deadline = Clock.monotonic() + 60
    while !isTrue(now) {
      if Clock.monotonic() > deadline || !now.failures.isEmpty {
        record.withLock { $0.failures.append("never: \(what)") }
        return
      }
      Clock.sleep(milliseconds: 1)
    }
  }

  func end() -> Record {
    record.withLock { $0.isOver = true }
    for thread in threads.withLock({ $0 }) { thread.join() }
    return now
  }
}
