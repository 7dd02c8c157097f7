import Foundation
import TestSupport
import Testing

/// `SEEDBED_SEED`, `SEEDBED_FIRST` and `SEEDBED_HISTORIES` work as for histories.
@Suite struct `Devices of one user` {
  @Test func `end alike, whatever the order of releases, edits and syncs`() throws {
    try HistoryQueue.play(Seeds.histories(10, of: 2000), "histories of devices") { seed in
      var law = try DevicesLaw(seed: seed)
      try law.play()
    }
  }

  /// What the page says, with a history in which it is missed.
  private static let lines: [(SyncedDevice.Recipe, seed: UInt64)] = [
    (.deletes, 1), (.writesAgain, 3), (.takesBack, 4), (.resolves, 4), (.sendsWhole, 1),
    (.pins, 3), (.knowsEngine, 8),
  ]

  @Test(arguments: lines) func `differ without any line of the recipe`(
    line: SyncedDevice.Recipe, seed: UInt64
  ) throws {
    let environment = ProcessInfo.processInfo.environment
    // Of another seed, to find one in which a line is missed after the law has changed.
    let seed = environment["SEEDBED_SEED"].flatMap { UInt64($0) } ?? seed
    #expect(throws: DevicesLaw.Differing.self) {
      var law = try DevicesLaw(seed: seed, SyncedDevice.Recipe.all.subtracting(line))
      try law.play()
    }
  }
}
