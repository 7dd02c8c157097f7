import Seedbed
import TestSupport
import Testing

/// What must hold for each conflict of random histories, whoever won it.
@Suite struct `Settled conflicts` {
  @Test func `mine takes away a seed row to which the database gave an id`() throws {
    let bench = try Bench()
    try bench.write("catalog.json", #"{"tables": {"t": {"key": ["s"]}}}"#)
    try bench.write(
      "1_t/up.sql", "CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT UNIQUE, u TEXT UNIQUE);")
    try bench.write("1_t/t.csv", "s,u\na,1\n")
    _ = try bench.migrator().up()
    try bench.device.run("INSERT INTO t (s, u) VALUES ('own', '2')")
    try bench.write("2_t/t.csv", "s,u\nb,2\n")
    _ = try bench.migrator().up()
    // Theirs goes, and the seed's comes.
    try bench.device.run("DELETE FROM t WHERE s = 'own'")
    _ = try bench.migrator().down(to: 1)
    _ = try bench.migrator().up()
    let settled = try bench.migrator().resolve(bench.migrator().conflicts(), with: .mine)
    #expect(settled.changedSince.isEmpty && settled.touchedTables == ["t"])
    #expect(try bench.device.rows("SELECT s FROM t") == [["a"]])
  }

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
        let there = try migrator.resolve([conflict], with: .seed)
        let isSeeds = there.touchedTables.isEmpty
        if isSeeds { #expect(try State(journey, migrator).rows == before.rows, "\(conflict)") }
        if there.conflicts.isEmpty { continue }
        // Back to the side on which it was.
        let back = try migrator.resolve([conflict], with: .mine)
        if isSeeds, !back.touchedTables.isEmpty { try migrator.resolve([conflict], with: .seed) }
        // What referred to nothing before refers to the row now.
        if !isSeeds, back.refused.first?.error.code == .foreignKey { continue }
        #expect(back.refused.isEmpty || isSeeds, "\(back.refused)")
        #expect(try State(journey, migrator) == before, "\(conflict)")
        settled += 1
      }
    }
    if !overwrites, seed == 2 { #expect(settled > 0) }
  }

  /// A side is as it was, or as the catalog is, whatever releases and `reseed` did meanwhile.
  @Test(arguments: Seeds.drawn(24, of: 60), [false, true])
  func `nothing that comes later locks a side out`(_ seed: Int, _ overwrites: Bool) throws {
    let all = Migrator.Policies(onEdited: .overwriteRow, onTaken: .replaceUser)
    var journey = try Journey(seed, overwrites ? all : Migrator.Policies())
    for version in 1...2 {
      let release = try journey.release()
      if version > 1 { try journey.userActs(before: release) }
      try journey.up()
    }
    var chosen: [(conflict: Migrator.Conflict, mine: [String: Cell]?)] = []
    let first = try journey.bench.migrator(journey.policies)
    for conflict in try first.conflicts() {
      let settled = try first.resolve([conflict], with: .mine)
      if settled.conflicts.isEmpty || !settled.changedSince.isEmpty { continue }
      let row = try journey.row(of: conflict)
      if try first.resolve([conflict], with: .seed).refused.isEmpty {
        chosen.append((conflict, row))
      }
    }
    for (round, side) in [Migrator.Conflict.Side.mine, .seed, .mine, .seed].enumerated() {
      for _ in 0..<((seed + round) % 3) {
        try journey.release()
        try journey.up()
      }
      let migrator = try journey.bench.migrator(journey.policies)
      if side == .mine, seed.isMultiple(of: 2) {
        // A row whose parent is the user's stays out.
        for table in journey.shape.tables { _ = try? migrator.reseed(table.name) }
      }
      // A newer conflict decides instead, and a row that waits for another is where it was.
      let newer = try migrator.conflicts().filter { $0.version > 2 }
      chosen.removeAll { one in
        newer.contains { $0.table == one.conflict.table && $0.key == one.conflict.key }
      }
      let settled = try migrator.resolve(chosen.map(\.conflict), with: side)
      let changed = settled.refused.filter { $0.error.message.contains("changed since") }
      #expect(settled.changedSince.isEmpty && changed.isEmpty, "\(settled)")
      chosen.removeAll { !settled.conflicts.contains($0.conflict.id) }
      for (conflict, mine) in chosen {
        let expected = side == .mine ? mine : try journey.original(of: conflict, migrator)
        let found = try journey.row(of: conflict)
        let names = conflict.isOfColumns ? conflict.columns.map(\.name) : expected?.keys.sorted()
        let isThere = conflict.isOfColumns || (found == nil) == (expected == nil)
        #expect(
          isThere && names?.allSatisfy { found?[$0] == expected?[$0] } != false, "\(conflict)")
      }
    }
  }

  private struct State: Equatable {
    let rows: [[String]]
    let left: [Migrator.UserOwnedKey]

    init(_ journey: Journey, _ migrator: Migrator) throws {
      rows = try journey.shown()
      left = try migrator.userOwnedKeys()
    }
  }
}

extension Journey {
  /// The row of a conflict, but for the columns of the clock and of triggers; nil if there is none.
  fileprivate func row(of conflict: Migrator.Conflict) throws -> [String: Cell]? {
    let table = try #require(shape.tables.first { $0.name == conflict.table })
    let names = table.columns.filter { $0.role != .ignored }.map(\.name)
    let key = try #require(CellJSON.columns(conflict.key.json))
    let isRow = key.map { "\($0) = \($1.sql)" }.joined(separator: " AND ")
    return try bench.device.rows(
      "SELECT \(names.joined(separator: ", ")) FROM \(table.name) WHERE \(isRow)"
    ).first.map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
  }

  /// The same of the catalog, in the columns that it fills.
  fileprivate func original(
    of conflict: Migrator.Conflict, _ migrator: Migrator
  ) throws -> [String: Cell]? {
    let origin = try migrator.origin(of: conflict.key, in: conflict.table)
    let original = CellJSON.columns(origin?.original?.json)
    let names = try row(of: conflict)?.keys
    return original?.filter { names?.contains($0.key) ?? true }
  }
}
