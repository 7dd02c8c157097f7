import Foundation
import Seedbed
import Testing

@testable import MigrateCommand

struct InterruptsTests {
  @Test func `the first signal cancels, a second one is only noted`() {
    let (memory, cancellation) = (Memory(), Migrator.Cancellation())
    let watcher = Interrupts.Watcher(
      signals: sigset_t(), cancellation: cancellation, words: .ofRun
    ) { _ = memory.sink().write($0) }
    watcher.answer()
    #expect(cancellation.isCancelled)
    watcher.answer()
    #expect(
      memory.pieces == [
        "Interrupted. Rolling back.",
        "Still rolling back: this signal changes nothing.",
      ])
  }

  @Test func `the first signal lets a look say what it saw`() {
    let (memory, cancellation) = (Memory(), Migrator.Cancellation())
    let watcher = Interrupts.Watcher(
      signals: sigset_t(), cancellation: cancellation, words: .ofLook
    ) { _ = memory.sink().write($0) }
    watcher.answer()
    #expect(cancellation.isCancelled && memory.text == "Interrupted. Stopping.")
  }

  @Test func `what has nothing in flight rolls nothing back`() {
    let (memory, cancellation) = (Memory(), Migrator.Cancellation())
    let watcher = Interrupts.Watcher(
      signals: sigset_t(), cancellation: cancellation, words: .ofRehearsal
    ) { _ = memory.sink().write($0) }
    watcher.answer()
    #expect(cancellation.isCancelled)
    #expect(memory.text == "Interrupted. Stopping after this point.")
  }
}
