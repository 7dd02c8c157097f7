package import Seedbed

/// Makes a thread wait for a task. Meanwhile, the thread itself runs the task's jobs.
///
/// The threads that tasks share cannot be used here, since tests block them.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package final class Awaiting: TaskExecutor {
  private let jobs = Guarded<[UnownedJob]>([])

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.wait(until: { _ in true }) { $0.append(job) }
  }

  /// - Parameter cancellation: cancels the task.
  package static func result<Value: Sendable>(
    _ cancellation: Migrator.Cancellation, _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let executor = Awaiting()
    let result = Guarded<Result<Value, any Error>?>(nil)
    let task = Task(executorPreference: executor) {
      do {
        let value = try await work()
        result.withLock { $0 = .success(value) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
    }
    cancellation.interrupting(with: { task.cancel() }) {
      if cancellation.isCancelled { task.cancel() }
      while result.withLock({ $0 == nil }) {
        let job = executor.jobs.wait(until: { !$0.isEmpty }) { $0.removeFirst() }
        job.runSynchronously(on: executor.asUnownedTaskExecutor())
      }
    }
    guard let result = result.withLock({ $0 }) else { throw SeedbedError.cancelled() }
    return try result.get()
  }
}
