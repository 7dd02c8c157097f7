import Foundation
import Testing

/// Runs `body`, which may take a minute of the processor at most. A time limit by the clock would
/// count what other tests take meanwhile, too.
func withinAMinute<Result>(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) rethrows -> Result {
  let start = threadTime()
  let result = try body()
  #expect(threadTime() - start < 60, sourceLocation: sourceLocation)
  return result
}

/// The seconds of the processor that this thread has taken.
private func threadTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
