extension Migrator.Fleet {
  /// Calls `work` with each database, on threads of its own, and `onEach` on this thread.
  package func each<Value: Sendable>(
    _ cancellation: Migrator.Cancellation?,
    _ work: @escaping @Sendable (Migrator) throws -> Value,
    _ onEach: (String, Result<Value, SeedbedError>, Duration) -> Void
  ) throws(SeedbedError) {
    guard options.backupFolder == nil else {
      throw SeedbedError(
        .usage,
        "Databases of the same name would share their backups. Leave the folder of the backups "
          + "out: those of each database are next to it.")
    }
    try SeedbedError.catching { try workOnAll(cancellation, work, onEach) }
  }

  private func workOnAll<Value: Sendable>(
    _ cancellation: Migrator.Cancellation?,
    _ work: @escaping @Sendable (Migrator) throws -> Value,
    _ onEach: (String, Result<Value, SeedbedError>, Duration) -> Void
  ) throws {
    let first = canaries > 0 ? try spread(canaries, cancellation) : []
    let disk = SharedDisk()
    var hasFailed = false
    func go(over paths: [String], keepsGoing: Bool) throws {
      let queue = FleetQueue<Value>(
        cancellation: cancellation, keepsGoing: keepsGoing,
        work: { path in
          var migrator = migrator(at: path, cancellation)
          if mayBeEmpty { try migrator.engine.refuseMissing() }
          if !mayBeEmpty { try migrator.refuseNewDatabase() }
          migrator.disk = disk
          defer { disk.release(path) }
          return try work(migrator)
        },
        state: Guarded(FleetQueue.State(waiting: paths[...])))
      try queue.run(min(jobs, Self.mostJobs)) { path, result, duration in
        if case .failure = result { hasFailed = true }
        onEach(path, result, duration)
      }
    }
    try go(over: first, keepsGoing: false)
    if hasFailed { return }
    let canaries = Set(first)
    try go(over: paths.filter { !canaries.contains($0) }, keepsGoing: keepsGoing)
  }

  private func migrator(
    at path: String, _ cancellation: Migrator.Cancellation?
  ) -> Migrator {
    var migrator = Migrator(catalog: catalog, at: path, options: options, hooks: hooks)
    // A misspelt path must not become a database.
    migrator.options.requiresExistingDatabase = true
    migrator.cancellation = cancellation
    return migrator
  }

  /// The limit of open files allows this many: each run opens the database, its journal, a backup,
  /// rows and temporary tables.
  private static var mostJobs: Int { max(1, (Machine.mostOpenFiles - 32) / 16) }

  /// A number of databases that are not up to date: first those whose last run failed, then a
  /// spread from the oldest and smallest to the newest and largest. A missing database tells
  /// nothing about the release: the list is wrong.
  private func spread(
    _ count: Int, _ cancellation: Migrator.Cancellation?
  ) throws -> [String] {
    let target = try awaits == nil ? catalog.migrations().last?.version ?? 0 : 0
    let awaits = awaits ?? { $0 < target }
    var others: [(path: String, version: Version, size: Int64)] = []
    var failed: [String] = []
    for path in paths where cancellation?.isCancelled != true {
      guard let size = Paths.size(path), size > 0 else { continue }
      var migrator = migrator(at: path, cancellation)
      migrator.options.lockTimeout = .zero
      let facts: (version: Version, outcome: Migrator.Status.LastRun.Outcome?)
      do {
        facts =
          try migrator.readingLedger {
            try ($1.head(on: $0)?.version ?? 0, $1.lastRun(on: $0)?.outcome)
          } ?? (0, nil)
      } catch {
        // One that cannot be read will report that itself.
        failed.append(path)
        continue
      }
      if !awaits(facts.version) { continue }
      if facts.outcome == .failed {
        failed.append(path)
      } else {
        others.append((path, facts.version, size))
      }
    }
    others = others.ordered(by: \.path).ordered(by: \.size).ordered(by: \.version)
    let room = min(max(0, count - failed.count), others.count)
    return failed.prefix(count)
      + (0..<room).map {
        others[room == 1 ? others.count / 2 : $0 * (others.count - 1) / (room - 1)].path
      }
  }
}

/// The databases of one call, and the results of those that are done.
private struct FleetQueue<Value: Sendable>: Sendable {
  typealias Outcome = (path: String, result: Result<Value, SeedbedError>, duration: Duration)

  struct State {
    var waiting: ArraySlice<String>
    var working = 0
    var outcomes: [Outcome] = []
  }

  let cancellation: Migrator.Cancellation?
  let keepsGoing: Bool
  let work: @Sendable (String) throws -> Value
  let state: Guarded<State>

  /// Returns when every thread is done.
  func run(_ jobs: Int, _ hear: (Outcome) -> Void) throws {
    var threads: [Thread] = []
    for _ in 0..<min(max(1, jobs), state.withLock { $0.waiting.count }) {
      state.withLock { $0.working += 1 }
      do {
        threads.append(try Thread { workThrough() })
      } catch {
        state.withLock { $0.working -= 1 }
        // With fewer threads it takes longer.
        if threads.isEmpty { throw error }
        break
      }
    }
    var isDone = false
    while !isDone {
      let outcomes = state.wait(until: { !$0.outcomes.isEmpty || $0.working == 0 }) { state in
        defer { state.outcomes = [] }
        isDone = state.working == 0
        return state.outcomes
      }
      for outcome in outcomes { hear(outcome) }
    }
    for thread in threads { thread.join() }
  }

  private func workThrough() {
    while let path = take() {
      let started = ContinuousClock.now
      let result = Result { try work(path) }.mapError(SeedbedError.from)
      let duration = started.duration(to: .now)
      // Wakes the thread that reports.
      state.wait(until: { _ in true }) { state in
        state.outcomes.append((path, result, duration))
        if case .failure = result, !keepsGoing { state.waiting = [] }
      }
    }
    state.wait(until: { _ in true }) { $0.working -= 1 }
  }

  private func take() -> String? {
    state.withLock { cancellation?.isCancelled == true ? nil : $0.waiting.popFirst() }
  }
}
