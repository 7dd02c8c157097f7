import Foundation
import TestSupport
import Testing

/// The engine against the small model, over random histories.
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
    let queue = HistoryQueue(Seeds.histories(100, of: 20_000))
    let start = Date()
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      while let seed = queue.next() {
        do {
          var history = try History(seed: seed)
          try history.play()
          queue.note(seen: history.seen)
        } catch {
          queue.note(error, of: seed)
        }
      }
    }
    for error in queue.failures { Issue.record(error) }
    let seen = queue.seen.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print("Seen: \(seen.joined(separator: ", "))")
    print("\(queue.played) histories in \(Date().timeIntervalSince(start)) s")
  }
}

/// Hands the seeds out to as many threads as there are cores.
final class HistoryQueue: @unchecked Sendable {
  // Sound: everything is read and written under the lock.
  private let lock = NSLock()
  private let seeds: Range<UInt64>
  private let failureLimit: Int
  private var nextSeed: UInt64
  private var tally: [String: Int] = [:]
  private var failed: [(seed: UInt64, error: any Error)] = []

  init(_ seeds: Range<UInt64>) {
    self.seeds = seeds
    let limit = ProcessInfo.processInfo.environment["SEEDBED_FAILURES"]
    failureLimit = limit.flatMap { Int($0) } ?? 3
    nextSeed = seeds.lowerBound
    print("The first history's seed is \(nextSeed). Replay one with SEEDBED_SEED.")
  }

  /// Plays each of them on all cores, or the one that SEEDBED_SEED names.
  static func play(
    _ seeds: @autoclosure () -> Range<UInt64>, _ what: String,
    _ body: @Sendable (UInt64) throws -> Void
  ) throws {
    let chosen = ProcessInfo.processInfo.environment["SEEDBED_SEED"]
    if let seed = chosen.flatMap({ UInt64($0) }) { return try body(seed) }
    let queue = HistoryQueue(seeds())
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      while let seed = queue.next() {
        do { try body(seed) } catch { queue.note(error, of: seed) }
      }
    }
    for error in queue.failures { Issue.record(error) }
    print("\(queue.played) \(what)")
  }

  /// nil at the end, and once enough have failed.
  func next() -> UInt64? {
    lock.withLock {
      guard nextSeed < seeds.upperBound, failed.count < failureLimit else { return nil }
      nextSeed += 1
      return nextSeed - 1
    }
  }

  func note(_ error: any Error, of seed: UInt64) {
    lock.withLock { failed.append((seed, error)) }
  }

  func note(seen: [String: Int]) { lock.withLock { tally.merge(seen, uniquingKeysWith: +) } }

  var seen: [String: Int] { lock.withLock { tally } }

  var played: UInt64 { lock.withLock { nextSeed - seeds.lowerBound } }

  var failures: [any Error] {
    lock.withLock {
      failed.sorted { $0.seed < $1.seed }.map { Failed(seed: $0.seed, error: $0.error) }
    }
  }
}

/// A history that failed, with what plays it again.
struct Failed: Error, CustomStringConvertible {
  let seed: UInt64
  let error: any Error

  var description: String { "SEEDBED_SEED=\(seed): \(error)" }
}
