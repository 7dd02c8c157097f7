import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// A primary that is killed, and its standby that takes over.
@Suite(.enabled(if: Cluster.isInstalled)) struct `A failover` {
  private static let rounds = Seeds.areMany ? 10 : 2

  @Test func `leaves a whole release or none, and the report is true`() throws {
    let reports = try Self.play { trial, uri, old, standby, number, _ in
      // A COMMIT waits for the standby.
      try PostgresSession(old.uri("postgres")).execute(
        "ALTER SYSTEM SET synchronous_standby_names = '*'")
      try PostgresSession(old.uri("postgres")).execute("SELECT pg_reload_conf()")
      let outcome = try Self.up(trial, uri, from: old, to: standby, at: number)
      try trial.check(outcome, at: standby.uri(insteadOf: old, uri), "message \(number)")
      return outcome
    }
    print("Failovers: \(reports)")
  }

  /// What a COMMIT promised is lost with the primary; PostgreSQL says so of such standbys.
  @Test func `to a standby that lags leaves a whole release, and another run brings the rest`()
    throws
  {
    let reports = try Self.play { trial, uri, old, standby, number, dice in
      let lost = 1 + dice.below(number)
      try standby.waitFor(old)
      let outcome = try Self.up(trial, uri, from: old, to: standby, at: number, without: lost)
      try trial.check(
        outcome, at: standby.uri(insteadOf: old, uri), "message \(number) without \(lost)",
        mayLack: true)
      return outcome
    }
    print("Failovers to a standby that lags: \(reports)")
  }

  /// Calls `body` with a database, its server, a standby of that, and the message at which to fail.
  private static func play(
    _ body: (Trial, String, Cluster, Cluster, Int, inout Dice) throws -> Trial.Outcome
  ) throws -> [String: Int] {
    let programs = try #require(Cluster.programs)
    var primary = try Cluster(programs, settings: [], in: Cluster.quickFolder)
    defer { primary.stop() }
    let trial = try Trial(on: primary)
    let (count, _, commits) = try trial.messages()
    // What the last run wrote.
    let last = try #require(commits.last)
    var dice = Dice(seed: Trial.seed)
    var reports: [String: Int] = [:]
    for round in 0..<rounds {
      let number = round % 2 == 0 ? dice.pick(last) : 1 + dice.below(count)
      let standby = try Cluster(
        programs, settings: [], isStandby: true, of: primary, in: Cluster.quickFolder)
      let old = primary
      let outcome = try trial.withDatabase(on: old) { uri in
        try body(trial, uri, old, standby, number, &dice)
      }
      reports[outcome.word, default: 0] += 1
      primary = standby
      old.stop()
    }
    return reports
  }

  /// - Parameter lost: the message from which on the standby gets nothing more.
  private static func up(
    _ trial: Trial, _ uri: String, from primary: Cluster, to standby: Cluster, at number: Int,
    without lost: Int? = nil
  ) throws -> Trial.Outcome {
    let isOver = DispatchSemaphore(value: 0)
    let proxy = try Proxy(before: primary.folder, isLast: true) { current, _ in
      if current == lost { #expect(throws: Never.self) { try standby.leave() } }
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
