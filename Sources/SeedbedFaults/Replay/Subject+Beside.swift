import Seedbed

extension Subject {
  /// - Returns: the number of steps reported as done: migrations, and the app's own writes.
  func upBeside(in folder: String, host: Seedbed.Host, writing sql: String) throws -> Int {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      throw Trouble("This system has no executors for tasks.")
    }
    let app = WorkingApp(
      folder + "/" + Self.database, writing: sql,
      ledgers: [options.ledger] + [catalog.pack?.ledger].compactMap(\.self))
    var host = host
    for moment in [Moment.runStarted, .beforeNextMigration] {
      host.also(at: moment) { if app.write() { beside.wrote() } }
    }
    for moment in [Moment.locked, .beforeRows, .beforeCommit, .afterCommit] {
      host.also(at: moment) { app.look() }
    }
    let migrator = migrator(in: folder, host: host)
    let cancellation = cancellation ?? Migrator.Cancellation()
    var result: Result<Int, any Error>?
    let seen = try app.during {
      result = Result {
        try Awaiting.result(cancellation) { try await migrator.up().migrations.count }
      }
    }
    beside.note(seen, writes: app.writes)
    return (try result?.get() ?? 0) + app.writes
  }
}

/// The work of apps during the runs of one subject.
package final class Beside: Sendable {
  private struct State {
    var seen: Set<DatabaseDump> = []
    /// The number of writes in the last run.
    var writes = 0
    var hearing: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())

  func note(_ seen: Set<DatabaseDump>, writes: Int) {
    state.withLock { state in
      state.seen.formUnion(seen)
      state.writes = writes
    }
  }

  /// The states that were read since the last call.
  package func takeSeen() -> Set<DatabaseDump> {
    state.withLock { state in
      defer { state.seen = [] }
      return state.seen
    }
  }

  /// The number of the app's own steps in the last run.
  var writes: Int { state.withLock { $0.writes } }

  func wrote() { state.withLock { $0.hearing }?() }

  /// While `body` runs, `hear` is called after each of the app's own steps.
  func hearing(_ hear: @escaping @Sendable () -> Void, _ body: () throws -> Void) rethrows {
    state.withLock { $0.hearing = hear }
    defer { state.withLock { $0.hearing = nil } }
    try body()
  }
}
