import Seedbed
import SeedbedFaults
import Testing
import TestSupport

/// A run on a thread of its own, while the app reads and writes on another.
@Suite struct BesideTests {
  @Test(arguments: Scenario.journals)
  func `the app reads each state between two commits, and no other`(_ journal: String) throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.beside, journal: journal, in: place.path)
    // Three migrations, and before each of them a row of the app's.
    #expect(stand.stages.map(\.version) == [0, 0, 1, 1, 2, 2, 3])
    #expect(stand.stages.map(\.isTheApps) == [false, true, false, true, false, true, false])
    _ = stand.subject.beside.takeSeen()
    let replay = try CrashReplay(
      recording: stand.subject, from: stand.start, in: place.path + "/record")
    #expect(stand.subject.beside.takeSeen() == Set(stand.stages.map(\.dump)))
    // Each step is told of between changes, however often the app reads between them.
    let told = replay.entries.map(\.told)
    #expect(told == told.sorted() && Set(told).isSuperset(of: 0..<stand.stages.count - 1))
  }

  @Test(arguments: ["delete", "wal"])
  func `cancelled at any instant, it leaves what was committed before`(_ journal: String) throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.beside, journal: journal, in: place.path)
    var cancelled = 0
    try stand.trial().sweep(PlannedFault.kinds.filter { $0.1 == .cancel }) { fault, outcome in
      cancelled += 1
      #expect(outcome.finding == nil, "\(fault): \(outcome.finding?.text ?? "")")
      return true
    }
    #expect(cancelled > 20)
  }
}
