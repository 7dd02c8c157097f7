import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// `kill -9` at instants that are drawn, on a server of their own that waits for its disk.
@Suite(.enabled(if: Cluster.isInstalled)) struct `A server that is killed` {
  enum Victim: CaseIterable {
    /// The run's own process; the server then starts all of them again.
    case backend
    case postmaster
  }

  @Test func `leaves a whole release or none, and the report is true`() throws {
    let cluster = try Cluster(try #require(Cluster.programs), settings: [], in: Cluster.quickFolder)
    defer { cluster.stop() }
    let trial = try Trial(on: cluster)
    let (count, _, commits) = try trial.messages()
    let inCommit = Array(commits.joined())
    var dice = Dice(seed: Trial.seed)
    var reports: [String: Int] = [:]
    for round in 0..<(Seeds.areMany ? 200 : 4) {
      let victim = Victim.allCases[round % 2]
      let number = round % 4 < 2 ? dice.pick(inCommit) : 1 + dice.below(count)
      let delay = dice.below(1500)
      let instant = "\(victim), message \(number), \(delay) µs later"
      let outcome = try trial.withDatabase { uri in
        let witness = try PostgresSession(cluster.uri("postgres"))
        let outcome = try Self.up(trial, uri, victim, at: number, delay)
        // The process may have been at its end already; otherwise the server notices.
        for _ in 0..<100 where (try? witness.execute("SELECT pg_sleep(0.01)")) != nil {}
        if victim == .postmaster { try cluster.start() } else { try cluster.waitUntilReady() }
        try trial.check(outcome, at: uri, instant)
        return outcome
      }
      reports[outcome.word, default: 0] += 1
    }
    print("Killed: \(reports)")
  }

  private static func up(
    _ trial: Trial, _ uri: String, _ victim: Victim, at number: Int, _ delay: Int
  ) throws -> Trial.Outcome {
    let cluster = trial.cluster
    let isDead = DispatchSemaphore(value: 0)
    let process = Locked<pid_t>(0)
    let end: @Sendable () -> Void = {
      switch victim {
      case .backend:
        let process = process.withLock { $0 }
        if process > 0 { kill(process, SIGKILL) }
      case .postmaster: cluster.crash()
      }
      isDead.signal()
    }
    let proxy = try Proxy(before: cluster.folder) { current, message in
      if message.isFromServer, message.kind == UInt8(ascii: "K") {
        process.withLock { $0 = message.process }
      }
      if current == number {
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(delay), execute: end)
      }
      return .pass
    }
    let outcome = trial.up(proxy.uri(uri))
    #expect(isDead.wait(timeout: .now() + 10) == .success, "no message \(number)")
    return outcome
  }
}
