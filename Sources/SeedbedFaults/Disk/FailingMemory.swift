import CSeedbedSQLite
import Seedbed

/// SQLite's allocator with a counter in front. The k-th allocation fails, perhaps with all after
/// it, or an event happens at that moment instead.
///
/// It needs a process of its own, since SQLite accepts another allocator only before its first use.
package enum FailingMemory {
  private struct State {
    var isInstalled = false
    /// The number of the allocation that is to fail; 0 for none.
    var number = 0
    var isSticky = false
    var count = 0
    /// The event that happens instead of a failure.
    var event: (@Sendable () -> Void)?
  }

  private static let state = Guarded(State())

  // Sound: written once, by `install`, before SQLite gets the functions that read it.
  private nonisolated(unsafe) static var original = sqlite3_mem_methods()

  package static var isInstalled: Bool { state.withLock { $0.isInstalled } }

  /// Whether an allocation failed since `fail` was called.
  static var fired: Bool {
    state.withLock { $0.number > 0 && $0.count >= $0.number }
  }

  /// The memory that SQLite holds. After all connections are closed, it equals that at the
  /// beginning.
  static var usedBytes: Int64 { sqlite3_memory_used() }

  /// On Apple's systems it does nothing: the system's own code uses the same SQLite there.
  package static func install() throws {
    #if !canImport(Darwin)
      var methods = sqlite3_mem_methods()
      guard seedbed_get_allocator(&original) == SQLITE_OK else {
        throw Trouble("SQLite is already in use, and keeps its allocator.")
      }
      methods = original
      methods.xMalloc = { FailingMemory.isTime() ? nil : FailingMemory.original.xMalloc($0) }
      methods.xRealloc = { FailingMemory.isTime() ? nil : FailingMemory.original.xRealloc($0, $1) }
      // The process may have switched off the counting that `usedBytes` needs.
      guard seedbed_set_allocator(&methods) == SQLITE_OK, seedbed_count_memory() == SQLITE_OK else {
        throw Trouble("SQLite refused the failing allocator.")
      }
      state.withLock { $0.isInstalled = true }
    #endif
  }

  /// Takes effect until `stop`.
  static func fail(
    at number: Int, isSticky: Bool, insteadOfFailure event: (@Sendable () -> Void)? = nil
  ) {
    state.withLock { state in
      state.number = number
      state.isSticky = isSticky
      state.count = 0
      state.event = event
    }
  }

  /// - Returns: whether the run got to that allocation.
  static func stop() -> Bool {
    let hasFired = fired
    state.withLock { state in
      state.number = 0
      state.event = nil
    }
    return hasFired
  }

  /// Whether this allocation is to fail.
  private static func isTime() -> Bool {
    let (isTime, event) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      guard state.number > 0 else { return (false, nil) }
      state.count += 1
      let isTime = state.isSticky ? state.count >= state.number : state.count == state.number
      return (isTime, state.event)
    }
    guard isTime, let event else { return isTime }
    event()
    return false
  }
}
