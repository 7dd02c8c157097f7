import Foundation
import Testing

/// The engine against a small model of §4 of DESIGN.md, over random histories.
///
/// `SEEDBED_SEED=7 swift test --filter MergeModelTests` replays one history;
/// `SEEDBED_FIRST=random SEEDBED_HISTORIES=100000` plays so many that nobody has played before.
@Suite struct `The engine and the model agree` {
  @Test func `on random histories`() throws {
    let environment = ProcessInfo.processInfo.environment
    if let text = environment["SEEDBED_SEED"], let seed = UInt64(text) {
      var history = try History(seed: seed)
      return try history.play()
    }
    // The same ones each time, so that a change is what makes them fail.
    let first =
      environment["SEEDBED_FIRST"].map { UInt64($0) ?? .random(in: 0..<1_000_000_000) } ?? 1
    let count = environment["SEEDBED_HISTORIES"].flatMap { UInt64($0) } ?? 400
    print("The first history's seed is \(first). Replay one with SEEDBED_SEED.")
    let start = Date()
    var failures = 0
    let limit = environment["SEEDBED_FAILURES"].flatMap { Int($0) } ?? 3
    for seed in first..<(first + count) {
      do {
        var history = try History(seed: seed)
        try history.play()
      } catch {
        failures += 1
        Issue.record(error)
        if failures == limit { break }
      }
    }
    print("\(count) histories in \(Date().timeIntervalSince(start)) s")
  }

  /// Each fails for a reason of its own; what mends one turns its expectation round.
  @Test(arguments: [968, 1793] as [UInt64])
  func `on histories that are known to disagree yet`(_ seed: UInt64) {
    withKnownIssue {
      var history = try History(seed: seed)
      try history.play()
    }
  }
}
