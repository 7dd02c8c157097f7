import Seedbed
import TestSupport
import Testing

/// What must hold for each conflict of random histories, whoever won it.
@Suite struct `Settled conflicts` {
  @Test(arguments: 1...12, [false, true])
  func `one side and then the other leaves no trace`(_ seed: Int, _ overwrites: Bool) throws {
    let all = Migrator.Policies(onEdited: .overwriteRow, onTaken: .replaceUser)
    var journey = try Journey(seed, overwrites ? all : Migrator.Policies())
    var settled = 0
    for version in 1...4 {
      let release = try journey.release()
      if version > 1 { try journey.userActs(before: release) }
      try journey.up()
      let migrator = try journey.bench.migrator(journey.policies)
      for conflict in try migrator.conflicts() where conflict.version == version {
        let before = try State(journey, migrator)
        let there = try migrator.resolve([conflict], .seed)
        let isSeeds = there.touchedTables.isEmpty
        if isSeeds { #expect(try State(journey, migrator).rows == before.rows, "\(conflict)") }
        if there.conflicts.isEmpty { continue }
        // Back to the side on which it was.
        let back = try migrator.resolve([conflict], .mine)
        if isSeeds, !back.touchedTables.isEmpty { try migrator.resolve([conflict], .seed) }
        // What referred to nothing before refers to the row now.
        if !isSeeds, back.refused.first?.error.code == .foreignKey { continue }
        #expect(back.refused.isEmpty || isSeeds, "\(back.refused)")
        #expect(try State(journey, migrator) == before, "\(conflict)")
        settled += 1
      }
    }
    if !overwrites, seed == 1 { #expect(settled > 0) }
  }

  private struct State: Equatable {
    let rows: [[String]]
    let left: [Migrator.LeftRow]

    init(_ journey: Journey, _ migrator: Migrator) throws {
      rows = try journey.shown()
      left = try migrator.leftToUser()
    }
  }
}
