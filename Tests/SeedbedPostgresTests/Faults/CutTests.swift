import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// Cuts a run at messages of the protocol, or ends the server's process for it there.
@Suite(.enabled(if: Cluster.isInstalled)) struct `A connection that is cut` {
  @Test(arguments: [0, 1] as [Migrator.Version])
  func `leaves a whole release or none, and the report is true`(
    _ first: Migrator.Version
  ) throws {
    let trial = try Trial(on: try #require(Cluster.shared), from: first)
    let (count, statements, commits) = try trial.messages()
    let cuts = Self.cuts(among: count, statements, commits)
    let reports = Locked<[String: Int]>([:])
    let rest = Locked(cuts[...])
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      while let cut = rest.withLock({ $0.popFirst() }) {
        do {
          let report = try Self.play(cut, on: trial)
          reports.withLock { $0[report, default: 0] += 1 }
        } catch {
          Issue.record("\(cut): \(error)")
        }
      }
    }
    let seen = reports.withLock { $0 }
    print("\(cuts.count) cuts at \(count) messages from version \(first) on: \(seen)")
    #expect(Set(seen.keys) == ["done", "failed", "unknown"])
  }

  @Test(arguments: [false, true])
  func `is no reason to call a COMMIT failed that the server is still at`(
    _ isTooSlow: Bool
  ) throws {
    let trial = try Trial(on: try #require(Cluster.shared), adding: Self.slow)
    try trial.withDatabase { uri in
      let state = Locked((commits: 0, isCut: false))
      let proxy = try Proxy(before: trial.cluster.folder) { _, message in
        state.withLock { state in
          if message.says("COMMIT") { state.commits += 1 }
          // > Execute; the first COMMIT is that of the run's row.
          let isSent = !message.isFromServer && message.kind == UInt8(ascii: "E")
          guard isSent, state.commits == 2, !state.isCut else { return .pass }
          state.isCut = true
          return .last
        }
      }
      let outcome = trial.up(proxy.uri(uri)) { options in
        if isTooSlow { options.lockTimeout = .milliseconds(200) }
      }
      #expect(outcome.word == (isTooSlow ? "unknown" : "done"))
      try trial.check(outcome, at: uri, "during COMMIT")
    }
  }

  /// The COMMIT of the second migration takes a second.
  private static let slow = [
    "0001_words/after.sql": "-- none",
    "0001_words/after.postgresql.sql": """
    CREATE FUNCTION rest() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(1); RETURN new; END $$;
    CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON words DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (new.id = 22) EXECUTE FUNCTION rest();
    """,
  ]

  private struct Cut: Sendable {
    var number: Int
    var deed: Proxy.Deed
    /// Whether the run can connect again.
    var comesBack: Bool
  }

  /// All, or some that are drawn; more of them in COMMIT, whose effect is then hard to know.
  private static func cuts(
    among count: Int, _ statements: [Int], _ commits: [[Int]]
  ) -> [Cut] {
    var dice = Dice(seed: Trial.seed)
    let deeds: [Proxy.Deed] = [.dropped, .torn, .last]
    if Seeds.areMany {
      let inCommit = Set(commits.joined())
      let cuts = (1...count).flatMap { number in
        let isIn = inCommit.contains(number)
        return (isIn ? deeds : [dice.pick(deeds)]).flatMap { deed in
          (isIn ? [true, false] : [true]).map { Cut(number: number, deed: deed, comesBack: $0) }
        }
      }
      let ends = Set(statements).union(inCommit).sorted()
      return cuts + ends.map { Cut(number: $0, deed: .ended, comesBack: true) }
    }
    let anywhere = (0..<6).map { _ in
      Cut(number: 1 + dice.below(count), deed: dice.pick(deeds), comesBack: true)
    }
    let ended = (0..<6).map { _ in
      Cut(number: dice.pick(statements), deed: .ended, comesBack: true)
    }
    return anywhere + ended
      + commits.flatMap { numbers in
        [true, true, false].map { comesBack in
          Cut(number: dice.pick(numbers), deed: dice.pick(deeds), comesBack: comesBack)
        } + [Cut(number: dice.pick(numbers), deed: .ended, comesBack: true)]
      }
  }

  /// What the run reported.
  private static func play(_ cut: Cut, on trial: Trial) throws -> String {
    let proxy = try Proxy(before: trial.cluster.folder, isLast: !cut.comesBack) { number, _ in
      number == cut.number ? cut.deed : .pass
    }
    return try trial.withDatabase { uri in
      let outcome = trial.up(proxy.uri(uri))
      try trial.check(outcome, at: uri, "\(cut)")
      return outcome.word
    }
  }
}
