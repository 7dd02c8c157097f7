extension Migrator {
  /// A request to stop that any thread may make, and that a run looks at between steps.
  ///
  ///     let cancellation = Cancellation()
  ///     // on another thread, or where a signal was received:
  ///     cancellation.cancel()
  ///
  /// The run rolls back, releases every lock and throws `cancelled`.
  public final class Cancellation: Sendable {
    private let state = Guarded(State())

    private struct State {
      var isCancelled = false
      var interrupt: (@Sendable () -> Void)?
    }

    /// Not asked for yet.
    public init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Sets the flag first and interrupts second: an interrupt between statements is lost.
    public func cancel() {
      state.withLock { state in
        state.isCancelled = true
        state.interrupt?()
      }
    }

    /// While `body` runs, `cancel()` also calls `interrupt`, never after `body` ended.
    package func interrupting<Result>(
      with interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) rethrows -> Result {
      state.withLock { $0.interrupt = interrupt }
      defer { state.withLock { $0.interrupt = nil } }
      return try body()
    }

    /// Throws `cancelled` once it was asked for.
    func check() throws {
      if isCancelled { throw SeedbedError.cancelled() }
    }
  }
}

extension SeedbedError {
  package static func cancelled() -> SeedbedError {
    SeedbedError(.cancelled, "Interrupted. The migration in flight was rolled back.")
  }
}
