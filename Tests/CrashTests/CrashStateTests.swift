import Foundation
import Seedbed
import SeedbedFaults
import Testing
import TestSupport

/// The disk as a kill or a power cut at any operation leaves it, for every scenario and mode.
///
/// `SEEDBED_CRASH_ONLY="one of three" SEEDBED_CRASH_SEED=7 swift test --filter CrashStateTests`
/// plays one scenario with other draws.
@Suite struct CrashStateTests {
  @Test func `nothing is lost and nothing half done after a crash at any operation`() throws {
    let all = CrashReport.overTime(part: "states after crashes", Self.report)
    print("\(all.judged) states were judged to the end")
    all.recordProblems()
  }

  private static func report(_ seed: UInt64) -> CrashReport {
    CrashReport.collected(Part.drawn(parts, "states after crashes", seed)) {
      try play($0, $1, seed)
    }
  }

  /// Long ones first, so that the cores end together. What SQLite does to its files is different in
  /// WAL mode; the journals of the other modes differ in how they end alone.
  static let parts = [
    Part(of: Scenario.mechanisms, in: ["delete", "wal"]),
    Part(of: Scenario.runs, in: Scenario.journals, drawn: 2),
    Part(of: Scenario.tables, in: Scenario.journals, drawn: 2),
    Part(of: Scenario.mechanisms, in: ["truncate", "persist"], drawn: 4),
  ]

  private static func play(
    _ scenario: Scenario, _ journal: String, _ seed: UInt64
  ) throws -> CrashReport {
    let place = try Place(in: Place.memory)
    let stand = try Stand(scenario, journal: journal, in: place.path)
    let judge = stand.judge()
    let replay = try CrashReplay(
      recording: stand.subject, from: stand.start, in: place.path + "/record")
    var report = CrashReport()
    var dice = Dice(seed: seed)
    var again: [(image: DiskImage, stage: Int)] = []
    func add(
      _ point: CrashReplay.Point, _ image: DiskImage, _ told: Int, suffix: String
    ) throws {
      let finding = try judge.finding(on: image, told: told)
      report.add(
        scenario.name, journal, point.crash.name + suffix, finding,
        replay: "\(point)\n\(Settings.replay("CrashStateTests", seed: seed, only: scenario.name))")
    }
    if let finding = judge.readFinding() {
      report.add(
        scenario.name, journal, "read beside the run", finding,
        replay: Settings.replay("CrashStateTests", seed: seed, only: scenario.name))
    }
    let points = replay.points(draws: Settings.draws, seed: seed)
    try replay.replay(points) { point, image, told in
      try add(point, image, told, suffix: "")
      if dice.below(points.count) < 4, let stage = try judge.stage(of: image) {
        again.append((image, stage))
      }
    }
    // What the next start does after a crash may be crashed too.
    for (image, stage) in again {
      let second = try CrashReplay(
        recording: stand.subject, from: image, stage: stage, in: place.path + "/record")
      try second.replay(second.points(draws: 1, seed: dice.next())) { point, image, told in
        if dice.chance(14) { try add(point, image, told, suffix: ", in recovery") }
      }
    }
    report.judged = judge.judged
    return report
  }
}

extension Stand {
  func judge() -> Judge {
    Judge(subject, from: start, stages: stages, folder: folder + "/crash")
  }
}

extension CrashReplay.Crash {
  var name: String {
    switch self {
    case .kill: "kill"
    case .powerLoss(.losesAll): "power loss, unsynced lost"
    case .powerLoss(.drops): "power loss, unsynced drawn"
    case .powerLoss(.tears(let sector)): "power loss, torn at \(sector)"
    }
  }
}
