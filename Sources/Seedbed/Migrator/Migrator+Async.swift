// The calls that an app awaits. Each works on a thread of its own, never on one that tasks share,
// and reports its progress on the caller's actor: a closure of the main actor may use views.
//
// They have the same names as the blocking ones. Swift chooses these in an `async` function, and
// the blocking ones elsewhere or if a `cancellation` is given. The top level of a main.swift counts
// as elsewhere, and no attribute changes that: Swift warns there at the `await`.

extension Migrator {
  /// Applies the pending migrations, each in one transaction, while the caller's thread is free.
  ///
  ///     let report = try await migrator.up { splash.show($0.fraction) }
  ///     cache.invalidate(report.touchedTables)
  ///
  /// Cancelling the task rolls back the migration in progress. The call returns or throws when
  /// every lock is released. After the last COMMIT there is nothing left to cancel, and the report
  /// says that everything is applied.
  ///
  /// - Parameters:
  ///   - version: stop after this one; nil for all. A database beyond it is refused with `usage`.
  ///   - createsDatabase: false refuses to create a database, even in an empty file.
  ///   - isolation: leave it out; it is the caller's.
  ///   - progress: called on the caller's actor, at most 30 times a second. While the actor is
  ///     busy, values are skipped, but never the first or the last.
  /// - Throws: for a cancelled task `cancelled`, not `CancellationError`, because it carries what
  ///   was applied before.
  @discardableResult
  public func up(
    to version: Version? = nil, createsDatabase: Bool = true,
    isolation: isolated (any Actor)? = #isolation, progress: (Progress) -> Void = { _ in }
  ) async throws(SeedbedError) -> Report {
    try await awaited(isolation, progress) {
      try up(to: version, createsDatabase: createsDatabase, cancellation: $0, progress: $1)
    }
  }

  /// Takes the write lock, does all that `up` would do, reports every change and conflict, and
  /// rolls it back. Threads, progress and cancelling are as with `up`.
  public func plan(
    to version: Version? = nil, createsDatabase: Bool = true,
    isolation: isolated (any Actor)? = #isolation, progress: (Progress) -> Void = { _ in }
  ) async throws(SeedbedError) -> Report {
    try await awaited(isolation, progress) {
      try plan(to: version, createsDatabase: createsDatabase, cancellation: $0, progress: $1)
    }
  }

  /// Undoes the migrations above a version, the newest first, after a backup. Threads, progress and
  /// cancelling are as with `up`, the errors as with the blocking `down`.
  @discardableResult
  public func down(
    to version: Version, discardsUserRows: Bool = false,
    isolation: isolated (any Actor)? = #isolation, progress: (Progress) -> Void = { _ in }
  ) async throws(SeedbedError) -> Report {
    try await awaited(isolation, progress) {
      try down(to: version, discardsUserRows: discardsUserRows, cancellation: $0, progress: $1)
    }
  }

  /// Copies a backup into the live database, in one transaction, after backing up the database as
  /// it is. Threads, progress and cancelling are as with `up`, the errors as with the blocking
  /// `restore`.
  @discardableResult
  public func restore(
    _ path: String? = nil, isolation: isolated (any Actor)? = #isolation,
    progress: (Progress) -> Void = { _ in }
  ) async throws(SeedbedError) -> RestoreReport {
    try await awaited(isolation, progress) { try restore(path, cancellation: $0, progress: $1) }
  }

  private func awaited<Value: Sendable>(
    _ isolation: isolated (any Actor)?, _ progress: (Progress) -> Void,
    _ work: @escaping BackgroundRun<Value>.Work
  ) async throws(SeedbedError) -> Value {
    let cancellation = Cancellation()
    // A value, because the handler would throw any error.
    let result = await withTaskCancellationHandler { () async -> Result<Value, SeedbedError> in
      do {
        let run = try BackgroundRun(cancellation, work)
        while true {
          switch await run.next(isolation: isolation) {
          case .progress(let value): progress(value)
          case .end(let result): return result
          }
        }
      } catch {
        return .failure(.from(error))
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }
}
