extension Migrator {
  /// A request to stop. Any thread may make it, and a run checks for it between steps.
  ///
  ///     let cancellation = Cancellation()
  ///     // on another thread, or where a signal was received:
  ///     cancellation.cancel()
  ///
  /// The run rolls back, releases every lock and throws `cancelled`. One request may stop several
  /// runs.
  public final class Cancellation: Sendable {
    private let state = Guarded(State())

    private struct State {
      var isCancelled = false
      /// The interrupts of the runs under way, each under a number of its own.
      var interrupts: [Int: @Sendable () -> Void] = [:]
      var lastNumber = 0
    }

    /// A request that is not made yet.
    public init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Sets the flag first and interrupts second: an interrupt between statements is lost.
    public func cancel() {
      state.withLock { state in
        state.isCancelled = true
        for interrupt in state.interrupts.values { interrupt() }
      }
    }

    /// While `body` runs, `cancel()` also calls `interrupt`, never after `body` ended.
    package func interrupting<Result>(
      with interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) rethrows -> Result {
      let number = state.withLock { state in
        state.lastNumber += 1
        state.interrupts[state.lastNumber] = interrupt
        return state.lastNumber
      }
      defer { state.withLock { _ = $0.interrupts.removeValue(forKey: number) } }
      return try body()
    }

    /// Throws `cancelled` after `cancel()` was called.
    @inline(never) package func check() throws {
      if isCancelled { throw SeedbedError.cancelled() }
    }
  }
}

extension SeedbedError {
  package static func cancelled() -> SeedbedError {
    SeedbedError(.cancelled, "Interrupted. No migration is half done.")
  }
}
