import Foundation
import Seedbed
import SeedbedFaults
import Testing
import TestSupport

/// A request to stop at any moment of SQLite's work, in the midst of preparing a statement too.
///
/// SQLite asks for memory wherever it does anything, so its allocator is a clock that ticks the
/// same way in each run; what another thread asks at any time is asked at one of these ticks.
@Suite struct CancelTests {
  @Test(arguments: ["delete", "wal"])
  func `a run that is cancelled says just that, whatever SQLite was at`(
    _ journal: String
  ) async throws {
    let seed = Settings.seed
    if !Settings.playsAll {
      Part.announce(Self.drawn, of: Self.points, "ticks at which a run is cancelled", seed)
    }
    await #expect(processExitsWith: .success) {
      [journal = journal as String, seed = seed as UInt64] in
      do {
        try FailingMemory.install()
        let findings = try CancelTests.findings(journal, seed)
        guard findings.isEmpty else { throw Trouble(findings.joined(separator: "\n")) }
      } catch {
        // What is thrown here would be told as a signal only.
        print("\(journal): \(error)")
        exit(1)
      }
    }
  }

  /// At how many ticks the run is cancelled, and how many of them a day's run draws.
  private static let (points, drawn) = (300, 100)

  private static func findings(_ journal: String, _ seed: UInt64) throws -> [String] {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.merge, journal: journal, in: place.path)
    let trial = stand.trial()
    func outcome(_ number: Int) throws -> FaultTrial.Outcome? {
      try trial.outcome(
        of: PlannedFault(.allocation, .cancel, number: number, isSticky: false))
    }
    var (count, beyond) = (1, 2)
    while try outcome(beyond) != nil { (count, beyond) = (beyond, 2 * beyond) }
    while beyond - count > 1 {
      let middle = (count + beyond) / 2
      if try outcome(middle) != nil { count = middle } else { beyond = middle }
    }
    guard count > points else { throw Trouble("There were only \(count) allocations.") }
    let all = Array(stride(from: 1, through: count, by: count / points))
    var dice = Dice(seed: seed)
    let played = Settings.playsAll ? all[...] : all.shuffled(using: &dice).prefix(drawn)
    return try played.compactMap { number in
      try outcome(number)?.finding.map { "allocation \(number) of \(count): \($0.text)" }
    }
  }
}
