#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A value behind a mutex, with a condition to wait on.
///
/// Replaces the `Synchronization` module, which needs newer systems than Seedbed supports. It is
/// below Model because `Cancellation` uses it.
package final class Guarded<Value>: @unchecked Sendable {
  // Sound: `value` is touched only while `mutex` is held.
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Waits until `isReady`, runs `body`, and wakes all waiting threads.
  package func wait<Result>(
    until isReady: (Value) -> Bool, _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    while !isReady(value) { pthread_cond_wait(condition, mutex) }
    return try body(&value)
  }
}
