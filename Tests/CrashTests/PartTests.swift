import SeedbedFaults
import Testing

/// What a run leaves out, others play.
@Suite struct PartTests {
  static let drawing = [
    ("states", CrashStateTests.parts), ("faults", FaultTests.parts), ("kills", RealKillTests.parts),
  ]

  @Test(arguments: drawing)
  func `each run draws as many of each part as it should, and all of them are drawn`(
    _ what: String, _ parts: [Part]
  ) {
    let all = Set(names(parts.flatMap(\.all)))
    #expect(all.count == parts.reduce(0) { $0 + $1.all.count }, "something is listed twice")
    var seen: Set<String> = []
    for seed in 1...200 as ClosedRange<UInt64> {
      let drawn = names(Part.drawn(parts, seed: seed, isWhole: false))
      #expect(drawn == names(Part.drawn(parts, seed: seed, isWhole: false)))
      for part in parts {
        #expect(Set(names(part.all)).intersection(drawn).count == part.count)
      }
      seen.formUnion(drawn)
    }
    #expect(seen == all)
  }

  @Test(arguments: drawing)
  func `before a release nothing is left to the draw`(_ what: String, _ parts: [Part]) {
    #expect(
      names(Part.drawn(parts, seed: 1, isWhole: true)) == names(parts.flatMap(\.all)))
  }

  @Test func `every scenario is crashed in each of its journal modes`() {
    let expected = Scenario.all.flatMap { scenario in
      let isThere = scenario.app != nil || scenario.built != nil
      return scenario.journals.filter { $0 != "wal" || isThere }.map { "\(scenario.name), \($0)" }
    }
    let parts = CrashStateTests.parts
    #expect(names(parts.flatMap(\.all)).sorted() == expected.sorted())
    let always = names(Part.drawn(parts, seed: 1, isWhole: false))
    for scenario in Scenario.mechanisms {
      #expect(always.contains("\(scenario.name), delete"))
    }
  }

  private func names(_ combinations: [(Scenario, String)]) -> [String] {
    combinations.map { "\($0.0.name), \($0.1)" }
  }
}
