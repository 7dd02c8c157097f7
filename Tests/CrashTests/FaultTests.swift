import Seedbed
import SeedbedFaults
import Testing

/// The first operation of a kind fails, then the second, and so on until none is left to fail.
@Suite struct FaultTests {
  @Test func `whatever fails, what is reported is what is there`() {
    let played = CrashStateTests.combinations.filter { scenario, journal in
      Self.scenarios.contains(scenario.name) && ["delete", "wal"].contains(journal)
    }
    let all = CrashReport.collected(played, Self.play)
    WholeReport.add(all, part: "faults")
    all.recordProblems()
  }

  static let scenarios: Set = [
    Scenario.firstRun.name, Scenario.oneOfThree.name, Scenario.merge.name,
    Scenario.down.name, Scenario.restore.name,
  ]

  private static func play(_ scenario: Scenario, _ journal: String) throws -> CrashReport {
    let bench = try Bench()
    let stand = try Stand(scenario, journal: journal, in: bench.folder)
    let trial = FaultTrial(
      stand.subject, from: stand.start, judge: stand.judge(), folder: bench.folder + "/faulty")
    var report = CrashReport()
    for (operation, answer) in FaultPlan.kinds {
      for isSticky in [false, true] {
        var number = 1
        while true {
          let plan = FaultPlan(operation, answer, number: number, isSticky: isSticky)
          guard let outcome = try trial.outcome(of: plan) else { break }
          report.add(
            scenario.name, journal, "\(answer.rawValue) on \(operation)", outcome.finding,
            replay: "\(plan)")
          // Early ones all, later ones at growing distances; a lock that never comes free costs
          // seconds each time, and tells no more the second time.
          if operation == .lock, answer == .busy, isSticky { break }
          number += max(1, number / 4)
        }
      }
    }
    return report
  }
}
