import Foundation
import TestSupport
import Testing

@testable import MergeModelTests

/// Random histories on SQLite, PostgreSQL and the model: the same tables, the same conflicts.
///
/// `SEEDBED_SEED=7 swift test --filter HistoryTests` replays one;
/// `SEEDBED_FIRST=random SEEDBED_HISTORIES=5000` plays so many that nobody has played before.
@Suite(.enabled(if: Cluster.isInstalled)) struct HistoryTests {
  /// What holds on both: a sequence has gaps, so the numbers that a database chooses differ.
  static let features = Features.all.subtracting(.numbers)

  @Test func `SQLite, PostgreSQL and the model agree`() throws {
    try agree(Seeds.histories(60, of: 5000))
  }

  @Test func `so they do on tables of which each owner has a copy`() throws {
    try agree(Seeds.histories(6, of: 1000), forOwners: true)
  }

  private func agree(_ seeds: Range<UInt64>, forOwners: Bool = false) throws {
    let cluster = try #require(Cluster.shared)
    let environment = ProcessInfo.processInfo.environment
    let features =
      environment["SEEDBED_FEATURES"].flatMap { Int($0) }.map(Features.init) ?? Self.features
    let play = { @Sendable (seed: UInt64, uri: String) in
      var features = features
      // Keys that are checked at once follow no new ones: such a release is refused.
      if !seed.isMultiple(of: 4) {
        features.remove(.plainKeys)
      } else if features.contains(.plainKeys), !seed.isMultiple(of: 8) {
        features.subtract([.keyChanges, .moves])
      }
      let twin = try PostgresTwin(
        uri, areDeferrable: !features.contains(.plainKeys), varying: seed)
      if forOwners { features.subtract([.names, .newNames, .downloads, .moves]) }
      var history = try History(seed: seed, beside: twin, with: features, forOwners: forOwners)
      do {
        try history.play()
        // Each step plays the catalog on a scratch database of the server, which takes its time.
        if seed.isMultiple(of: 3), !forOwners { try history.settle() }
      } catch let error as History.Disagreement {
        let words = error.description.prefix { $0 != "\n" }
        let isRefused =
          words.contains("Declare") && words.contains("DEFERRABLE") && words.hasSuffix("(twin)")
        if !features.contains(.keyChanges) || !features.contains(.plainKeys) || !isRefused {
          throw error
        }
        history.seen["refused by plain keys", default: 0] += 1
      } catch {
        throw history.disagreement("\(error)")
      }
      return history.seen
    }
    if let seed = environment["SEEDBED_SEED"].flatMap({ UInt64($0) }) {
      _ = try play(seed, try cluster.newDatabase())
      return
    }
    let queue = HistoryQueue(seeds)
    let start = Date()
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      guard let uri = try? cluster.newDatabase() else { return }
      while let seed = queue.next() {
        do { queue.note(seen: try play(seed, uri)) } catch { queue.note(error, of: seed) }
      }
    }
    for error in queue.failures { Issue.record(error) }
    let settled = ["settled seed", "settled mine", "refused seed", "pins done"]
    let asked =
      (forOwners ? [] : settled)
      + (queue.played < 1000 ? [] : ["refused by plain keys"])
    for what in asked {
      #expect(queue.seen[what, default: 0] > 0, "\(what)")
    }
    let seen = queue.seen.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print("Seen: \(seen.joined(separator: ", "))")
    print("\(queue.played) histories in \(Date().timeIntervalSince(start)) s")
  }
}
