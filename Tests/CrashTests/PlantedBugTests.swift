import Seedbed
import SeedbedFaults
import Testing

/// The harness can fail: it sees every mistake that is planted.
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
    #expect(PlantedBug.all.count >= 14)
  }

  /// Which layer sees it, after how many cases.
  private static func caught(_ bug: PlantedBug) throws -> (PlantedBug.Layer?, Int) {
    var cases = 0
    let layer: PlantedBug.Layer?
    switch bug.layer {
    case .states, .run, .reads, .modes, .locks: layer = try caughtByReplay(bug, &cases)
    case .faults: layer = try caughtByFaults(bug, &cases) ? .faults : nil
    case .races: layer = try caughtByRaces(bug, &cases) ? .races : nil
    case .files:
      let mistakes = bug.mistakes
      let isCaught = try SpoiledCatalog.all.contains { catalog in
        cases += 1
        return try catalog.problem(making: mistakes) != nil
      }
      layer = isCaught ? .files : nil
    }
    return (layer, cases)
  }

  private static func caughtByReplay(
    _ bug: PlantedBug, _ cases: inout Int
  ) throws -> PlantedBug.Layer? {
    let bench = try Bench()
    for journal in ["delete", "wal"] {
      let stand = try Stand(bug.scenario, journal: journal, in: bench.folder + "/" + journal)
      let replay: CrashReplay
      do {
        cases += 1
        let access = Access()
        replay = try CrashReplay(
          recording: stand.subject, from: stand.start, in: bench.folder + "/record",
          plant: { log, host in
            host.mistakes = bug.mistakes
            bug.plant(log, &host)
            access.watch(log, &host)
          })
        if let problem = access.problem { return problem }
      } catch is SeedbedError {
        return .run
      }
      let judge = stand.judge()
      if judge.readFinding() != nil { return .reads }
      var isCaught = false
      try replay.replay(replay.points(draws: 4, seed: Settings.seed)) { _, image, told in
        guard !isCaught else { return }
        cases += 1
        isCaught = try judge.finding(on: image, told: told) != nil
      }
      if isCaught { return .states }
    }
    return nil
  }

  private static func caughtByFaults(_ bug: PlantedBug, _ cases: inout Int) throws -> Bool {
    let bench = try Bench()
    var trial = try Stand(bug.scenario, journal: "delete", in: bench.folder).trial()
    trial.mistakes = bug.mistakes
    var isCaught = false
    try trial.sweep { _, outcome in
      cases += 1
      isCaught = outcome.finding != nil
      return !isCaught
    }
    return isCaught
  }

  private static func caughtByRaces(_ bug: PlantedBug, _ cases: inout Int) throws -> Bool {
    let bench = try Bench()
    let stand = try Stand(bug.scenario, journal: "delete", in: bench.folder)
    for moment in Moment.allCases {
      cases += 1
      if try stand.problem(overtakenAt: moment, making: bug.mistakes) != nil { return true }
    }
    return false
  }
}

extension PlantedBug {
  fileprivate var mistakes: Set<Mistake> { mistake.map { [$0] } ?? [] }
}
