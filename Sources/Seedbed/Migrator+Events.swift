extension Migrator {
  /// What `upEvents` brings.
  public enum Event: Sendable {
    /// How far the run has come.
    case progress(Progress)
    /// The last.
    case finished(Report)
  }

  /// The same as the `up` that is awaited, as a sequence: for who has a loop already.
  ///
  ///     for try await event in migrator.upEvents() {
  ///       switch event {
  ///       case .progress(let progress): splash.show(progress.fraction)
  ///       case .finished(let report): cache.invalidate(report.touchedTables)
  ///       }
  ///     }
  ///
  /// Each iteration is a run of its own, which begins with it. Leaving the loop early cancels the
  /// run, which rolls back and releases its locks soon after; cancelling the task ends the loop
  /// with the error `cancelled` when they are released.
  public func upEvents(to version: Version? = nil) -> Events {
    Events { try up(to: version, cancellation: $0, progress: $1) }
  }

  /// The progress of a run and then its report.
  public struct Events: AsyncSequence, Sendable {
    /// What each turn of the loop gets.
    public typealias Element = Event

    let work: BackgroundRun<Report>.Work

    /// A run of its own, which begins with the first `next`.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iteration: Iteration(work)) }

    /// Brings the events of one run; when it goes, the run is cancelled.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let iteration: Iteration

      /// - Throws: what `up` throws.
      public mutating func next() async throws -> Event? { try await iteration.next() }
    }
  }

  /// One run; it is cancelled when nobody iterates any more.
  final class Iteration {
    private let work: BackgroundRun<Report>.Work
    private let cancellation = Cancellation()
    private var run: BackgroundRun<Report>?
    private var isOver = false

    init(_ work: @escaping BackgroundRun<Report>.Work) { self.work = work }

    deinit { cancellation.cancel() }

    func next() async throws -> Event? {
      if isOver { return nil }
      let message = try await withTaskCancellationHandler {
        let run = try self.run ?? BackgroundRun(cancellation, work)
        self.run = run
        return await run.next()
      } onCancel: { [cancellation] in
        cancellation.cancel()
      }
      switch message {
      case .progress(let progress): return .progress(progress)
      case .end(let result):
        isOver = true
        return .finished(try result.get())
      }
    }
  }
}
