import TestSupport
import Testing

/// `SEEDBED_SEED`, `SEEDBED_FIRST` and `SEEDBED_HISTORIES` work as for histories.
@Suite struct `Packs in any order` {
  @Test func `end alike`() throws {
    try HistoryQueue.play(Seeds.histories(12, of: 4000), "histories of packs") { seed in
      var law = PackLaw(seed: seed)
      let (one, other) = (law.order(), law.order())
      let (first, second) = (try law.end(one), try law.end(other))
      if first == second { return }
      throw Installation.Disagreement(
        description: """
          one order: \(one)
          the other: \(other)
          only in one:   \(Set(first).subtracting(second).sorted())
          in the other:  \(Set(second).subtracting(first).sorted())
          """)
    }
  }

  @Test(arguments: Seeds.drawn(1, of: 40)) func `in every order of a few acts`(_ seed: Int) throws {
    let law = PackLaw(seed: UInt64(seed))
    let ends = try Set(law.orders(of: [2, 3, 2]).map { try law.end($0) })
    #expect(ends.count == 1, "\(law.sequences)")
  }

  /// The law finds packs that are not disjoint: who comes first has the row.
  @Test func `do not, if they share rows`() throws {
    let differ = try (1...UInt64(8)).contains { seed in
      var law = PackLaw(seed: seed, sharing: 2)
      return try law.end(law.order()) != law.end(law.order())
    }
    #expect(differ)
  }
}
