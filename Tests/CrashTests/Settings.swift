import Foundation
import Seedbed
import SeedbedFaults
import TestSupport

/// How much is played, from the environment: `Scripts/checks/crash` sets it.
enum Settings {
  private static let environment = ProcessInfo.processInfo.environment

  /// What a run draws; another one each time, and what it played is played again by naming it.
  static let seed =
    environment["SEEDBED_CRASH_SEED"].flatMap { UInt64($0) } ?? .random(in: 1..<1_000_000)
  /// How often each drawn crash is drawn at each operation.
  static let draws = environment["SEEDBED_CRASH_DRAWS"].flatMap { Int($0) } ?? 1
  /// Further seeds are played until so many minutes are over.
  static let minutes = environment["SEEDBED_CRASH_MINUTES"].flatMap { Double($0) } ?? 0
  /// Nothing is left to the draw at night, before a release, and where the time is given.
  static let playsAll = Seeds.areMany || minutes > 0
  static let end = Date(timeIntervalSinceNow: minutes * 60)
  /// Where the table goes, beside standard output.
  static let report =
    environment["SEEDBED_CRASH_REPORT"] ?? Place.temporary + "/crash-report.md"
  /// One scenario alone, by its name.
  static let only = environment["SEEDBED_CRASH_ONLY"]

  /// The command that plays something again; names of scenarios hold no quote of this kind.
  static func replay(_ suite: String, seed: UInt64 = seed, only scenario: String? = nil) -> String {
    var words = ["SEEDBED_CRASH_SEED=\(seed)", "SEEDBED_CRASH_DRAWS=\(draws)"]
    if let scenario { words.append("SEEDBED_CRASH_ONLY=\"\(scenario)\"") }
    return (words + ["swift test --filter \(suite)"]).joined(separator: " ")
  }
}

/// Hands work out to as many threads as there are cores.
func onAllCores<Item: Sendable>(_ items: [Item], _ body: @escaping @Sendable (Item) -> Void) {
  let queue = Guarded(items[...])
  let cores = ProcessInfo.processInfo.activeProcessorCount
  DispatchQueue.concurrentPerform(iterations: cores) { _ in
    while let item = queue.withLock({ $0.popFirst() }) { body(item) }
  }
}
