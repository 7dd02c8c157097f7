import CSQLite
import Foundation

/// What the threads of the app did, and how long each thing took.
final class Diary: @unchecked Sendable {
  struct Entry {
    var kind: String
    var start: ContinuousClock.Instant
    var end: ContinuousClock.Instant
  }

  // Sound: all of it is touched only under the lock.
  private let lock = NSLock()
  private var noted: [Entry] = []
  private var isClosed = false
  private var rows: Int64 = 0
  private var counts = ["readerErrors": 0, "halves": 0, "busy": 0, "writerErrors": 0]

  var entries: [Entry] { lock.withLock { noted } }
  /// Rows that were committed.
  var written: Int64 { lock.withLock { rows } }
  var problems: [String: Int] { lock.withLock { counts } }

  func close() { lock.withLock { isClosed = true } }

  /// Keys of the release and of others, a screen full of rows, and the newest notes.
  func reading(_ path: String, last: Int64, _ number: Int) throws {
    let app = try Connection(path, timeoutMs: 0)
    var key = Int64(number) * 7919
    try work("read", pauseMs: 5) {
      key = (key &* 48_271 &+ 11) % (last + last / 10)
      do {
        // In one statement, so from one state: all of the release or nothing of it.
        let ends = try app.run(
          """
          SELECT (SELECT count(*) FROM moves WHERE id = 1),
            (SELECT count(*) FROM moves WHERE id = ?1),
            (SELECT total(power) FROM (SELECT power FROM moves WHERE id > ?2 LIMIT 50)),
            (SELECT max(id) FROM notes)
          """, last, key)
        if ends.first?[0] != ends.first?[1] { count("halves") }
      } catch is Connection.Failure {
        count("readerErrors")
      }
    }
  }

  func writing(_ path: String, timeoutMs: Int32) throws {
    let app = try Connection(path, timeoutMs: timeoutMs)
    try work("write", pauseMs: 10) {
      do {
        try app.run("BEGIN IMMEDIATE")
        try app.run("INSERT INTO notes (text) VALUES ('a note of the user''s')")
        try app.run("COMMIT")
        lock.withLock { rows += 1 }
      } catch let failure as Connection.Failure {
        count(failure.code & 0xFF == SQLITE_BUSY ? "busy" : "writerErrors")
        app.rollBack()
      }
    }
  }

  private func work(_ kind: String, pauseMs: UInt32, _ body: () throws -> Void) throws {
    while !lock.withLock({ isClosed }) {
      let start = ContinuousClock.now
      try body()
      let entry = Entry(kind: kind, start: start, end: .now)
      lock.withLock { noted.append(entry) }
      usleep(pauseMs * 1000)
    }
  }

  private func count(_ problem: String) { lock.withLock { counts[problem, default: 0] += 1 } }
}

extension Duration {
  var milliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
  }
}
