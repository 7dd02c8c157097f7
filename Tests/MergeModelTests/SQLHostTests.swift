import Foundation
import TestSupport
import Testing

/// `Scripts/checks/test-extension` builds the extension, and runs these.
@Suite(.enabled(if: SQLHost.here != nil)) struct `A host of the extension and the model agree` {
  @Test func `on random histories`() throws {
    let queue = HistoryQueue(Seeds.histories(500, of: 2000))
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      while let seed = queue.next() {
        do {
          var history = try History(seed: seed, in: SQLHost.here)
          try history.play()
          queue.note(seen: history.seen)
        } catch {
          queue.note(error, of: seed)
        }
      }
    }
    for error in queue.failures { Issue.record(error) }
    #expect(!queue.seen.isEmpty)
    print("\(queue.played) histories in a host")
  }
}
