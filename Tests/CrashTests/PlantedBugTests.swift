import Seedbed
import SeedbedFaults
import Testing
import TestSupport

/// The harness can fail: it sees every bug that is planted from outside.
/// `Scripts/checks/crash --planted` shows the same of bugs in Seedbed itself.
@Suite struct PlantedBugTests {
  @Test func `every planted bug is caught`() {
    let rows = Guarded<[String]>([])
    onAllCores(PlantedBug.all) { bug in
      do {
        let (layer, cases) = try Self.caught(bug)
        #expect(layer == bug.layer, "\(bug.name): \(layer?.rawValue ?? "never caught")")
        rows.withLock { $0.append("| \(bug.name) | \(layer?.rawValue ?? "–") | \(cases) |") }
      } catch {
        Issue.record("\(bug.name): \(error)")
      }
    }
    print("| planted bug | caught by | after cases |\n|---|---|--:|")
    print(rows.withLock { $0 }.sorted().joined(separator: "\n"))
    #expect(PlantedBug.all.count >= 9)
  }

  /// Which layer sees it, after how many cases.
  private static func caught(_ bug: PlantedBug) throws -> (PlantedBug.Layer?, Int) {
    var cases = 0
    let place = try Place(in: Place.memory)
    for journal in ["delete", "wal"] {
      let stand = try Stand(bug.scenario, journal: journal, in: place.path + "/" + journal)
      let replay: CrashReplay
      do {
        cases += 1
        let access = Access()
        replay = try CrashReplay(
          recording: stand.subject, from: stand.start, in: place.path + "/record",
          plant: { log, host in
            bug.plant(log, &host)
            access.watch(log, &host)
          })
        if let problem = access.problem { return (problem, cases) }
      } catch is SeedbedError {
        return (.run, cases)
      }
      let judge = stand.judge()
      if judge.readFinding() != nil { return (.reads, cases) }
      var isCaught = false
      // The same draws each time: that a bug is caught must not depend on luck.
      try replay.replay(replay.points(draws: 4, seed: 1)) { _, image, told in
        guard !isCaught else { return }
        cases += 1
        isCaught = try judge.finding(on: image, told: told) != nil
      }
      if isCaught { return (.states, cases) }
    }
    return (nil, cases)
  }
}
