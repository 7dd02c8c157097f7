import CSeedbedSQLite
import Seedbed
import SeedbedFaults
import Testing
import TestSupport

/// Found by failing each operation in turn: all was committed, and `up` said that nothing was.
@Suite struct LastLookTests {
  @Test(arguments: [Scenario.oneOfThree, .down])
  func `a disk that dies after the last COMMIT makes no failure of the run`(
    _ scenario: Scenario
  ) throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(scenario, journal: "truncate", in: place.path)
    let home = place.path + "/home"
    try stand.start.write(to: home)
    let disk = DyingDisk()
    let host = Seedbed.Host(reaching: { if $0 == .beforeRunEnd { disk.die() } })
    let steps = try DiskLayer.observing(home, with: disk) {
      try stand.subject.perform(in: home, host: host)
    }
    #expect(steps == stand.stages.count - 1)
    #expect(try stand.judge().stage(of: DiskImage(of: home)) == stand.stages.count - 1)
    #expect(disk.hasFailed)
  }

  private final class DyingDisk: DiskObserver {
    private let state = Guarded((isDead: false, hasFailed: false))

    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    func die() { state.withLock { $0.isDead = true } }

    func answer(to request: DiskRequest) -> DiskAnswer {
      guard case .lock = request else { return .pass }
      return state.withLock { state in
        guard state.isDead else { return .pass }
        state.hasFailed = true
        return .fail(SQLITE_IOERR)
      }
    }

    func opened(_ handle: OpaquePointer) {
      sqlite3_exec(handle, "PRAGMA journal_mode=truncate", nil, nil, nil)
    }
  }
}
