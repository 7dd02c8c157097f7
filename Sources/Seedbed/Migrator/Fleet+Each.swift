extension Migrator.Fleet {
  /// Does `work` with each database, on threads of its own, and calls `onEach` on this thread.
  package func each<Value: Sendable>(
    _ cancellation: Migrator.Cancellation?,
    _ work: @escaping @Sendable (Migrator) throws -> Value,
    _ onEach: (String, Result<Value, SeedbedError>, Duration) -> Void
  ) throws {
    guard options.backupFolder == nil else { throw SeedbedError.sharedBackups }
    let first = canaries > 0 ? try spread(canaries) : []
    var hasFailed = false
    func go(over paths: [String], keepsGoing: Bool) throws {
      let queue = FleetQueue<Value>(paths, cancellation, keepsGoing: keepsGoing) { path in
        try work(migrator(at: path))
      }
      try queue.run(min(jobs, Self.mostJobs)) { path, result, duration in
        if case .failure = result { hasFailed = true }
        onEach(path, result, duration)
      }
    }
    if !first.isEmpty { try go(over: first, keepsGoing: false) }
    if hasFailed { return }
    let canaries = Set(first)
    try go(over: paths.filter { !canaries.contains($0) }, keepsGoing: keepsGoing)
  }

  private func migrator(at path: String) -> Migrator {
    var migrator = Migrator(catalog: catalog, at: path, options: options)
    // A misspelt path must not become a database.
    migrator.options.requiresExistingDatabase = true
    migrator.beforeCommit = beforeCommit
    migrator.onConnection = onConnection
    return migrator
  }

  /// Each has a few files open: the database, its journal, a backup, rows and temporary tables.
  private static var mostJobs: Int { max(1, (Machine.mostOpenFiles - 32) / 16) }

  /// So many databases that are not up to date: first those whose last run failed, then from the
  /// oldest and smallest to the newest and largest.
  private func spread(_ count: Int) throws -> [String] {
    let target = try catalog.migrations().last?.version ?? 0
    var candidates: [(path: String, version: Version, size: Int64)] = []
    var failed: [String] = []
    for path in paths {
      var migrator = migrator(at: path)
      migrator.options.lockTimeout = .zero
      let facts = try? throwingSeedbedErrors(onConnection) {
        try migrator.reading { connection, ledger in
          try ledger.exists(on: connection)
            ? (ledger.head(on: connection)?.version ?? 0, ledger.lastRun(on: connection)?.outcome)
            : (0, nil)
        }
      }
      // One that cannot be read will say so itself.
      let (version, outcome) = facts ?? (0, .failed)
      if version >= target { continue }
      if outcome == .failed {
        failed.append(path)
      } else {
        candidates.append((path, version, Paths.size(path) ?? 0))
      }
    }
    candidates.sort { ($0.version, $0.size, $0.path) < ($1.version, $1.size, $1.path) }
    let room = max(0, count - failed.count)
    let places: [Int]
    switch room {
    case candidates.count...: places = Array(candidates.indices)
    case 0: places = []
    case 1: places = [candidates.count / 2]
    default: places = (0..<room).map { $0 * (candidates.count - 1) / (room - 1) }
    }
    return failed.prefix(count) + places.map { candidates[$0].path }
  }
}

/// The databases of one call, and what became of those that are done.
private final class FleetQueue<Value: Sendable>: Sendable {
  typealias Outcome = (path: String, result: Result<Value, SeedbedError>, duration: Duration)

  private struct State: Sendable {
    var isStopped = false
    var next = 0
    var working = 0
    var outcomes: [Outcome] = []
  }

  private let paths: [String]
  private let cancellation: Migrator.Cancellation?
  private let keepsGoing: Bool
  private let work: @Sendable (String) throws -> Value
  private let state = Guarded(State())

  init(
    _ paths: [String], _ cancellation: Migrator.Cancellation?, keepsGoing: Bool,
    work: @escaping @Sendable (String) throws -> Value
  ) {
    (self.paths, self.cancellation, self.keepsGoing) = (paths, cancellation, keepsGoing)
    self.work = work
  }

  /// Returns when every thread is done.
  func run(_ jobs: Int, _ hear: (String, Result<Value, SeedbedError>, Duration) -> Void) throws {
    var threads: [Thread] = []
    for _ in 0..<min(max(1, jobs), paths.count) {
      state.withLock { $0.working += 1 }
      do {
        threads.append(try Thread { self.workThrough() })
      } catch {
        state.withLock { $0.working -= 1 }
        // With fewer it takes longer.
        if threads.isEmpty { throw error }
        break
      }
    }
    while true {
      let (outcomes, isDone) = state.wait(until: { !$0.outcomes.isEmpty || $0.working == 0 }) {
        state in
        defer { state.outcomes = [] }
        return (state.outcomes, state.working == 0)
      }
      for outcome in outcomes { hear(outcome.path, outcome.result, outcome.duration) }
      if isDone { break }
    }
    for thread in threads { thread.join() }
  }

  private func workThrough() {
    while let path = take() {
      let started = Clock.monotonic()
      let result: Result<Value, SeedbedError>
      do {
        result = .success(try work(path))
      } catch {
        result = .failure(SeedbedError.from(error))
      }
      let duration = Duration.clamped(seconds: Clock.monotonic() - started)
      // Wakes the thread that reports.
      state.wait(until: { _ in true }) { state in
        state.outcomes.append((path, result, duration))
        if case .failure = result, !keepsGoing { state.isStopped = true }
      }
    }
    state.wait(until: { _ in true }) { $0.working -= 1 }
  }

  private func take() -> String? {
    state.withLock { state in
      if state.isStopped || state.next == paths.count || cancellation?.isCancelled == true {
        return nil
      }
      defer { state.next += 1 }
      return paths[state.next]
    }
  }
}

extension SeedbedError {
  static let sharedBackups = SeedbedError(
    .usage,
    "Databases of the same name would share their backups. Leave the folder of the backups out: "
      + "those of each database are next to it.")
}
