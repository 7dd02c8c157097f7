import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// The connection is cut at one message of the protocol after the other.
@Suite(.enabled(if: Cluster.isInstalled)) struct `A connection that is cut` {
  @Test func `leaves a whole release or none, and the report is true`() throws {
    let trial = try Trial(on: try #require(Cluster.shared))
    let (count, commits) = try Self.uncut(trial)
    var dice = Dice(seed: Trial.seed)
    let drawn = Trial.isLong ? Array(1...count) : (0..<24).map { _ in 1 + dice.below(count) }
    // All of them in COMMIT and its answer, where it is hard to tell the truth.
    let numbers = Set(drawn).union(commits).sorted()
    var reports: [String: Int] = [:]
    for number in numbers {
      let isInCommit = commits.contains(number)
      let all: [Proxy.Deed] = [.dropped, .torn, .last]
      for deed in isInCommit || Trial.isLong ? all : [dice.pick(all)] {
        for comesBack in isInCommit ? [true, false] : [true] {
          let instant = "message \(number) \(deed)\(comesBack ? "" : ", and nobody let in")"
          let outcome = try Self.cut(trial, number, deed, comesBack: comesBack, instant)
          reports["\(outcome)", default: 0] += 1
        }
      }
    }
    print("Cut at \(numbers.count) of \(count) messages: \(reports)")
    #expect(reports["done"] != nil && reports["failed"] != nil && reports["unknown"] != nil)
  }

  /// How many messages there are, and which belong to COMMIT.
  private static func uncut(_ trial: Trial) throws -> (count: Int, commits: Set<Int>) {
    let seen = Locked((commits: Set<Int>(), isInCommit: false))
    let proxy = try Proxy(before: trial.cluster.folder) { number, message in
      seen.withLock { seen in
        if message.says("COMMIT") { seen.isInCommit = true }
        if seen.isInCommit { seen.commits.insert(number) }
        // > ReadyForQuery
        if message.isFromServer, message.kind == UInt8(ascii: "Z") { seen.isInCommit = false }
      }
      return .pass
    }
    return try trial.withDatabase { uri in
      let outcome = trial.up(proxy.uri(uri))
      let count = proxy.count
      try trial.check(outcome, at: uri, "uncut")
      return (count, seen.withLock { $0.commits })
    }
  }

  /// What the run reported.
  private static func cut(
    _ trial: Trial, _ number: Int, _ deed: Proxy.Deed, comesBack: Bool, _ instant: String
  ) throws -> String {
    let proxy = try Proxy(before: trial.cluster.folder, isLast: !comesBack) { current, _ in
      current == number ? deed : .pass
    }
    return try trial.withDatabase { uri in
      let outcome = trial.up(proxy.uri(uri))
      try trial.check(outcome, at: uri, instant)
      guard case .failure(let error as SeedbedError) = outcome else { return "done" }
      return error.code == .outcomeUnknown ? "unknown" : "failed"
    }
  }
}
