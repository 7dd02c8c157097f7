import Dispatch
import Seedbed

/// An app that keeps working during a run: it reads all the time, and writes when it is asked to.
///
/// It has its own thread and connection.
final class WorkingApp: Sendable {
  private enum Request { case look, write, end }

  private struct State {
    var request: Request?
    var seen: Set<DatabaseDump> = []
    var writes = 0
    var failure: (any Error)?
    var isOver = false
  }

  private let state = Guarded(State())
  private let asked = DispatchSemaphore(value: 0)
  private let path: String
  private let sql: String
  private let ledgers: [String]

  /// - Parameter sql: the statement with which it writes.
  init(_ path: String, writing sql: String, ledgers: [String]) {
    self.path = path
    self.sql = sql
    self.ledgers = ledgers
  }

  /// Runs `body` while the app works. Its connection is opened before and closed afterwards.
  ///
  /// - Returns: every state that it read.
  func during(_ body: () -> Void) throws -> Set<DatabaseDump> {
    let thread = try Seedbed.Thread { [self] in
      do {
        try work()
      } catch {
        state.withLock { $0.failure = error }
      }
      state.wait(until: { _ in true }) { $0.isOver = true }
    }
    look()
    body()
    ask(.end)
    thread.join()
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.seen
    }
  }

  /// The number of times that it wrote something new.
  var writes: Int { state.withLock { $0.writes } }

  /// Makes it read once more, from the beginning.
  func look() { ask(.look) }

  /// - Returns: whether there was something to write.
  func write() -> Bool {
    let before = writes
    ask(.write)
    return writes > before
  }

  /// Waits until the request is done.
  private func ask(_ request: Request) {
    state.withLock { $0.request = request }
    asked.signal()
    state.wait(until: { $0.request == nil || $0.isOver }) { _ in }
  }

  private func work() throws {
    let app = try Reader(path)
    try app.run("PRAGMA synchronous=EXTRA")
    while true {
      let request = state.withLock { $0.request }
      switch request {
      case .end: return
      case .write:
        try app.run(sql)
        let changes = try app.texts("SELECT changes()")
        state.withLock { $0.writes += changes == ["0"] ? 0 : 1 }
      case .look, nil:
        let dump = try app.inReadTransaction { try DatabaseDump(app, ledgers: ledgers) }
        state.withLock { _ = $0.seen.insert(dump) }
      }
      if request != nil { state.wait(until: { _ in true }) { $0.request = nil } }
      // Without a pause, it would occupy a processor core.
      _ = asked.wait(timeout: .now() + .milliseconds(2))
    }
  }
}
