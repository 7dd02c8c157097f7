import TestSupport
import Testing

/// `SEEDBED_SEED`, `SEEDBED_FIRST` and `SEEDBED_HISTORIES` work as for histories.
@Suite struct `Devices of one user` {
  @Test func `end alike, whatever the order of releases, edits and syncs`() throws {
    try HistoryQueue.play(Seeds.histories(8, of: 2000), "histories of devices") { seed in
      var law = try DevicesLaw(seed: seed)
      try law.play()
    }
  }

  /// What the page says, with a history in which it is missed. If the law changes, there is another
  /// among the first thirty.
  private static let lines: [(SyncedDevice.Recipe, seed: UInt64)] = [
    (.deletes, 1), (.writesAgain, 2), (.takesBack, 21), (.resolves, 12), (.sendsWhole, 1),
    (.pins, 1), (.knowsEngine, 5),
  ]

  @Test(arguments: lines) func `differ without any line of the recipe`(
    line: SyncedDevice.Recipe, seed: UInt64
  ) throws {
    #expect(throws: DevicesLaw.Differing.self) {
      var law = try DevicesLaw(seed: seed, SyncedDevice.Recipe.all.subtracting(line))
      try law.play()
    }
  }
}
