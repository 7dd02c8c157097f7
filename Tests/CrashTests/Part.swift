import Foundation
import Seedbed
import SeedbedFaults
import TestSupport

/// Scenarios in their journal modes: all of them have a mechanism of their own, and each run plays
/// them; or they differ in one detail, and each run draws other ones.
///
/// `Scripts/test --long` and `Scripts/checks/crash` play all.
struct Part: Sendable {
  let all: [(scenario: Scenario, journal: String)]
  /// How many of them a run plays.
  let count: Int

  init(_ all: [(Scenario, String)], drawn count: Int? = nil) {
    self.all = all
    self.count = count ?? all.count
  }

  /// Each scenario in those of the journal modes that it can have.
  init(of scenarios: [Scenario], in journals: [String], drawn count: Int? = nil) {
    self.init(
      scenarios.flatMap { scenario in
        // Only a database that is there can be in WAL mode.
        let isThere = scenario.app != nil || scenario.built != nil
        return journals.filter { scenario.journals.contains($0) && ($0 != "wal" || isThere) }
          .map { (scenario, $0) }
      }, drawn: count)
  }

  /// What a run with this seed plays, in the order of the parts.
  static func drawn(_ parts: [Part], seed: UInt64, isWhole: Bool) -> [(Scenario, String)] {
    var dice = Dice(seed: seed)
    return parts.flatMap { part in
      if isWhole { return part.all }
      let places = part.all.indices.shuffled(using: &dice).prefix(part.count).sorted()
      return places.map { part.all[$0] }
    }
  }

  /// The same for the settings of this run, which says what it draws.
  static func drawn(
    _ parts: [Part], _ what: String, _ seed: UInt64 = Settings.seed
  ) -> [(Scenario, String)] {
    if let only = Settings.only { return parts.flatMap(\.all).filter { $0.0.name == only } }
    let played = drawn(parts, seed: seed, isWhole: Settings.playsAll)
    if !Settings.playsAll {
      announce(played.count, of: parts.reduce(0) { $0 + $1.all.count }, what, seed)
    }
    return played
  }

  /// `Scripts/checks/suites` repeats this line. It is written at once: a failure that ends the
  /// process must not swallow it.
  static func announce(_ count: Int, of all: Int, _ what: String, _ seed: UInt64) {
    let line = "Drawn: \(count) of \(all) \(what); SEEDBED_CRASH_SEED=\(seed) draws them again"
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
