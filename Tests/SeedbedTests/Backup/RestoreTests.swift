import CSeedbedSQLite
import Foundation
import Testing

@testable import Seedbed

struct RestoreTests {
  // MARK: modes and sizes

  struct Shape: CustomTestStringConvertible {
    var backup: String
    var live: String
    var pageSize = 4096
    var notes = 500
    var testDescription: String {
      "\(backup) into \(live), pages of \(pageSize), \(notes) notes before"
    }
  }

  static let shapes = [
    Shape(backup: "delete", live: "delete"), Shape(backup: "wal", live: "wal"),
    Shape(backup: "delete", live: "wal"), Shape(backup: "wal", live: "delete"),
    Shape(backup: "wal", live: "truncate"), Shape(backup: "wal", live: "persist"),
    Shape(backup: "delete", live: "wal", notes: 30_000),
    Shape(backup: "wal", live: "delete", notes: 30_000),
    Shape(backup: "delete", live: "delete", pageSize: 8192, notes: 9000),
    Shape(backup: "wal", live: "delete", pageSize: 1024, notes: 9000),
  ]

  @Test(arguments: shapes)
  func `the content goes back, the journal mode stays`(_ shape: Shape) throws {
    let shop = try Workshop()
    try shop.make(shape.backup, notes: 2000, version: 2)
    let backup = try shop.take()
    let taken = try shop.bytes(backup.path)
    try shop.make(shape.live, pageSize: shape.pageSize, notes: shape.notes, version: 4)
    // `truncate` and `persist` are a connection's own; the file says only: not WAL.
    let mode = try shop.journalMode()

    let report = try shop.restore()
    #expect(report.database == shop.database)
    #expect(report.restored == backup)
    #expect(report.from == 4 && report.to == 2)
    #expect(try shop.notes() == 2000)
    #expect(try shop.journalMode() == mode)
    let kept = try #require(report.backup)
    #expect(kept.version == 4 && kept.isVerified)
    #expect(try shop.notes(kept.path) == Int64(shape.notes))
    // What was restored is as it was, and nothing else is left.
    #expect(try shop.hasBytes(taken, backup.path))
    #expect(try shop.store().list() == [backup, kept])
    #expect(shop.names(shop.store().path).filter { $0.contains("partial") } == [])
  }

  @Test func `restoring twice takes the first one back`() throws {
    let shop = try Workshop()
    try shop.make(notes: 10, version: 2)
    try shop.take()
    try shop.make(notes: 20, version: 4)
    try shop.restore()
    let report = try shop.restore()
    #expect(report.from == 2 && report.to == 4)
    #expect(try shop.notes() == 20)
  }

  @Test func `another page size cannot come into WAL`() throws {
    let shop = try Workshop()
    try shop.make(pageSize: 8192, notes: 10)
    let backup = try shop.take()
    try shop.make("wal", pageSize: 4096, notes: 20, version: 4)
    let error = seedbedError { try shop.restore() }
    #expect(error?.code == .backup)
    #expect(
      error?.message
        == "The pages of '\(backup.path)' have 8192 bytes, those of the database 4096, "
        + "and a database in WAL mode cannot change that. Nothing was restored. Leave WAL mode "
        + "first (PRAGMA journal_mode=DELETE), restore, and enter it again.")
    #expect(try shop.notes() == 20)
    #expect(shop.names(shop.store().path) == [Paths.split(backup.path).name])
  }

  // MARK: others who have the database open

  @Test func `readers with a rollback journal are waited for`() throws {
    let shop = try Workshop()
    try shop.make(notes: 10, version: 2)
    try shop.take()
    try shop.make(notes: 20, version: 4)
    let ready = Guarded(false)
    let reader = try Thread {
      guard let app = try? shop.open(), (try? app.execute("BEGIN")) != nil else { return }
      _ = try? app.value("SELECT count(*) FROM notes")
      ready.withLock { $0 = true }
      Clock.sleep(milliseconds: 300)
      app.rollBack()
    }
    while !ready.withLock({ $0 }) { Clock.sleep(milliseconds: 1) }
    let started = Clock.monotonic()
    try shop.restore(timeout: 20)
    #expect(Clock.monotonic() - started > 0.1)
    reader.join()
    #expect(try shop.notes() == 10)
  }

  @Test func `a reader who stays makes it busy`() throws {
    let shop = try Workshop()
    try shop.make(notes: 10, version: 2)
    let backup = try shop.take()
    try shop.make(notes: 20, version: 4)
    let app = try shop.open()
    let error = try app.inReadTransaction {
      _ = try app.value("SELECT count(*) FROM notes")
      return seedbedError { try shop.restore(timeout: 0.2) }
    }
    #expect(error == .databaseBusy())
    #expect(try shop.notes() == 20)
    // What was put aside for nothing is gone again.
    #expect(shop.names(shop.store().path) == [Paths.split(backup.path).name])
  }

  @Test func `a reader in WAL mode goes on reading what it began to read`() throws {
    let shop = try Workshop()
    try shop.make("wal", notes: 10, version: 2)
    try shop.take()
    try shop.make("wal", notes: 20, version: 4)
    let app = try shop.open()
    try app.inReadTransaction {
      #expect(try app.value("SELECT count(*) FROM notes") == 20)
      try shop.restore()
      #expect(try app.value("SELECT count(*) FROM notes") == 20)
    }
    #expect(try app.value("SELECT count(*) FROM notes") == 10)
  }

  @Test func `a connection that is open learns of the new schema`() throws {
    let shop = try Workshop()
    try shop.make(notes: 10, version: 2)
    try shop.take()
    let app = try shop.open()
    try app.execute("ALTER TABLE notes ADD COLUMN mood TEXT")
    #expect(try app.value("SELECT count(mood) FROM notes") == 0)
    try shop.restore()
    #expect(throws: SQLiteFailure.self) { try app.value("SELECT count(mood) FROM notes") }
    #expect(try app.value("SELECT count(text) FROM notes") == 10)
  }

  @Test(arguments: ["delete", "wal"])
  func `whoever writes between the keeping and the copy is kept too`(_ mode: String) throws {
    let shop = try Workshop()
    try shop.make(notes: 10, version: 2)
    try shop.take()
    try shop.make(mode, notes: 20, version: 4)
    let turns = Guarded(0)
    let store = shop.store(reaching: { moment in
      guard moment == .beforeRestoreCopy else { return }
      let turn = turns.withLock {
        $0 += 1; return $0
      }
      // Nobody holds the lock at this moment.
      if turn == 1 { try? shop.open().execute("INSERT INTO notes (text) VALUES ('late')") }
    })
    let report = try shop.restore(nil, store)
    #expect(turns.withLock { $0 } == 2)
    let kept = try #require(report.backup)
    #expect(try shop.notes(kept.path) == 21)
    #expect(try shop.store().list().count == 2)
    let runs = try shop.open().rows("SELECT direction, backup FROM seedbed_runs")
    #expect(runs == [["restore", .text(kept.path)]])
  }

  // MARK: cancelling

  @Test func `cancelling leaves the database as it was`() throws {
    let shop = try Workshop()
    try shop.make(notes: 40_000, version: 2)
    let backup = try shop.take()
    try shop.make(notes: 20, version: 4)
    let before = try shop.bytes(shop.database)
    let cancellation = Migrator.Cancellation()
    let error = seedbedError {
      try shop.restore(cancellation: cancellation) { _ in cancellation.cancel() }
    }
    #expect(error?.code == .cancelled)
    #expect(error?.message == "Interrupted. Nothing was restored; the database is unchanged.")
    #expect(try shop.hasBytes(before))
    #expect(shop.names(shop.store().path) == [Paths.split(backup.path).name])
  }
}
