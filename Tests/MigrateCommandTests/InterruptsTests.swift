import Foundation
import Seedbed
import Testing

@testable import MigrateCommand

struct InterruptsTests {
  @Test func `the first signal cancels, a second one is only noted`() {
    let (memory, cancellation) = (Memory(), Cancellation())
    let watcher = Interrupts.Watcher(signals: sigset_t(), cancellation: cancellation) {
      _ = memory.sink().write($0)
    }
    watcher.answer()
    #expect(cancellation.isCancelled)
    watcher.answer()
    #expect(
      memory.pieces == [
        "Interrupted. Rolling back what is in flight.",
        "Still rolling back: this signal changes nothing.",
      ])
  }
}
