extension Fleet {
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
    func go(over databases: [any DatabaseKind], keepsGoing: Bool) throws {
      let queue = FleetQueue<Value>(
        cancellation: cancellation, keepsGoing: keepsGoing,
        work: { database in
          var migrator = migrator(on: database, cancellation)
          try mayBeEmpty ? migrator.database.refuseMissing() : migrator.refuseNewDatabase()
          migrator.disk = disk
          defer { disk.release(database.path) }
          return try work(migrator)
        },
        state: Guarded(FleetQueue.State(waiting: databases[...])))
      try queue.run(min(jobs, Self.mostJobs)) { path, result, duration in
        if case .failure = result { hasFailed = true }
        onEach(path, result, duration)
      }
    }
    try go(over: first, keepsGoing: false)
    if hasFailed { return }
    let canaries = Set(first.map { ExactText($0.name) })
    try go(
      over: databases.filter { !canaries.contains(ExactText($0.name)) }, keepsGoing: keepsGoing)
  }

  private func migrator(
    on database: any DatabaseKind, _ cancellation: Migrator.Cancellation?
  ) -> Migrator {
    var migrator = Migrator(catalog: catalog, on: database, options: options, hooks: hooks)
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
  ) throws -> [any DatabaseKind] {
    let last = try awaits == nil ? catalog.migrations().last?.version ?? 0 : 0
    // Where more is expected than the catalog has, a database that has all of it will fail, too.
    let target = max(last, options.expectedVersion ?? 0)
    let awaits = awaits ?? { $0 < target }
    var others: [(database: any DatabaseKind, version: Version, size: Int64)] = []
    var failed: [any DatabaseKind] = []
    for database in databases where cancellation?.isCancelled != true {
      guard let size = database.size, size > 0 else { continue }
      var migrator = migrator(on: database, cancellation)
      migrator.options.lockTimeout = .zero
      let facts: (version: Version, outcome: Migrator.Status.LastRun.Outcome?)
      do {
        facts =
          try migrator.readingLedger {
            try ($1.head(on: $0)?.version ?? 0, $1.lastRun(on: $0)?.outcome)
          } ?? (0, nil)
      } catch {
        // One that cannot be read will report that itself.
        failed.append(database)
        continue
      }
      if !awaits(facts.version) { continue }
      if facts.outcome == .failed {
        failed.append(database)
      } else {
        others.append((database, facts.version, size))
      }
    }
    others = others.ordered(by: \.database.name).ordered(by: \.size).ordered(by: \.version)
    let room = min(max(0, count - failed.count), others.count)
    return failed.prefix(count)
      + (0..<room).map {
        others[room == 1 ? others.count / 2 : $0 * (others.count - 1) / (room - 1)].database
      }
  }
}

/// The databases of one call, and the results of those that are done.
private struct FleetQueue<Value: Sendable>: Sendable {
  typealias Outcome = (name: String, result: Result<Value, SeedbedError>, duration: Duration)

  struct State {
    var waiting: ArraySlice<any DatabaseKind>
    var working = 0
    var outcomes: [Outcome] = []
  }

  let cancellation: Migrator.Cancellation?
  let keepsGoing: Bool
  let work: @Sendable (any DatabaseKind) throws -> Value
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
    while let database = take() {
      let started = ContinuousClock.now
      let result = Result { try work(database) }.mapError(SeedbedError.from)
      let duration = started.duration(to: .now)
      // Wakes the thread that reports.
      state.wait(until: { _ in true }) { state in
        state.outcomes.append((database.name, result, duration))
        if case .failure = result, !keepsGoing { state.waiting = [] }
      }
    }
    state.wait(until: { _ in true }) { $0.working -= 1 }
  }

  private func take() -> (any DatabaseKind)? {
    state.withLock { cancellation?.isCancelled == true ? nil : $0.waiting.popFirst() }
  }
}
