import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// A primary that is killed, and its standby that takes over.
@Suite(.enabled(if: Cluster.isInstalled)) struct `A failover` {
  @Test func `leaves a whole release or none, and the report is true`() throws {
    let programs = try #require(Cluster.programs)
    var primary = try Cluster(programs, settings: [], in: Cluster.quickPlace)
    defer { primary.stop() }
    let trial = try Trial(on: primary)
    let (count, commits) = try trial.messages()
    // What the last run wrote.
    let last = try #require(commits.last)
    var dice = Dice(seed: Trial.seed)
    var reports: [String: Int] = [:]
    for round in 0..<2 {
      let number = round % 2 == 0 ? dice.pick(last) : 1 + dice.below(count)
      let standby = try Cluster(
        programs, settings: [], isStandby: true, of: primary, in: Cluster.quickPlace)
      // A COMMIT waits for the standby.
      try PostgresSession(primary.uri("postgres")).execute(
        "ALTER SYSTEM SET synchronous_standby_names = '*'")
      try PostgresSession(primary.uri("postgres")).execute("SELECT pg_reload_conf()")
      let old = primary
      try trial.withDatabase(on: old) { uri in
        let outcome = try Self.up(trial, uri, from: old, to: standby, at: number)
        let moved = uri.replacingOccurrences(of: old.folder, with: standby.folder)
        try trial.check(outcome, at: moved, "message \(number)")
        reports[outcome.word, default: 0] += 1
      }
      primary = standby
      old.stop()
    }
    print("Failovers: \(reports)")
  }

  private static func up(
    _ trial: Trial, _ uri: String, from primary: Cluster, to standby: Cluster, at number: Int
  ) throws -> Trial.Outcome {
    let isOver = DispatchSemaphore(value: 0)
    let proxy = try Proxy(before: primary.folder, isLast: true) { current, _ in
      guard current == number else { return .pass }
      primary.crash()
      #expect(throws: Never.self) { try standby.promote() }
      isOver.signal()
      return .dropped
    }
    // > target_session_attrs: read-write: session must accept read-write transactions by default.
    let both = proxy.uri(uri).replacingOccurrences(
      of: "host=\(proxy.folder)", with: "host=\(proxy.folder),\(standby.folder)")
    let outcome = trial.up(both + "&target_session_attrs=read-write")
    // The run may have noticed, and got no answer, before the standby took over.
    #expect(isOver.wait(timeout: .now() + 60) == .success, "no message \(number)")
    return outcome
  }
}
