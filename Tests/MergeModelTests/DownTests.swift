import Seedbed
import TestSupport
import Testing

/// What `down` must hold if it is the release's inverse, over random histories.
@Suite struct `A release that is taken back` {
  private static let seeds = 1...40

  /// A database after a first release that the user went on from.
  private struct Journey {
    var dice: Dice
    let shape: Shape
    var truth: TruthMaker
    let bench: Bench
    let policies: Policies

    init(_ seed: Int, _ policies: Policies = Policies()) throws {
      self.policies = policies
      dice = Dice(seed: UInt64(seed))
      shape = ShapeMaker.make(&dice)
      truth = TruthMaker(shape)
      bench = try Bench()
      try bench.write("catalog.json", shape.options(shape.tables.map { _ in Policy() }))
    }

    mutating func release() throws -> Release {
      let release = truth.release(&dice)
      try bench.write(release, shape, upSQL: release.version == 1 ? shape.sql : nil)
      return release
    }

    mutating func userActs(before release: Release? = nil) throws {
      try bench.device.run("PRAGMA foreign_keys = 1; BEGIN")
      let coming = (release?.files ?? []).filter { $0.kind == .insert }
      let maker = UserMaker(
        shape: shape, rows: try bench.device.rows(of: shape),
        coming: Dictionary(grouping: coming, by: \.table).mapValues { $0.flatMap(\.rows) })
      for sql in maker.actions(&dice) { _ = bench.device.attempt(sql) }
      if !bench.device.attempt("COMMIT") { try bench.device.run("ROLLBACK") }
    }

    func up() throws { _ = try bench.migrator(policies).up() }

    func down(to version: Version) throws -> Report {
      try bench.migrator(policies).down(to: version)
    }

    /// Without the columns of the clock and of triggers, and without the case of a key, since a
    /// user's row may have been filled.
    func rows() throws -> [[String]] {
      try zip(shape.tables, bench.device.rows(of: shape)).map { table, rows in
        let shown = table.columns.indices.filter { table.columns[$0].role != .ignored }
        return rows.map { row in "\(shown.map { row[$0] })".lowercased() }.sorted()
      }
    }
  }

  @Test(arguments: seeds, [false, true])
  func `up, down and up again is up`(_ seed: Int, _ overwrites: Bool) throws {
    let all = Policies(onEdited: .overwriteRow, onTaken: .replaceUser)
    var journey = try Journey(seed, overwrites ? all : Policies())
    for version in 1...4 {
      let release = try journey.release()
      if version > 1 { try journey.userActs(before: release) }
      try journey.up()
      let after = try journey.rows()
      if version == 1 { continue }
      _ = try journey.down(to: Version(version - 1))
      try journey.up()
      #expect(try journey.rows() == after, "release \(version)")
    }
  }

  @Test(arguments: seeds)
  func `keeps what the user did since`(_ seed: Int) throws {
    var journey = try Journey(seed)
    for _ in 1...3 {
      _ = try journey.release()
      try journey.up()
      try journey.userActs()
    }
    let after = try journey.bench.device.rows(of: journey.shape)
    try journey.userActs()
    let mine = try journey.bench.device.rows(of: journey.shape)
    _ = try journey.down(to: 2)
    let left = try journey.bench.device.rows(of: journey.shape)
    for (number, table) in journey.shape.tables.enumerated() {
      let keyed = { (rows: [[[Cell]]]) in
        Dictionary(rows[number].map { (table.folded(table.key, of: $0), $0) }) { first, _ in first }
      }
      let (shipped, after, mine, left) = (
        keyed(journey.truth.truth), keyed(after), keyed(mine), keyed(left)
      )
      for (key, row) in mine {
        // A value that is as the release has it counts as the seed's.
        let edited = table.columns.indices.filter {
          after[key]?[$0] != row[$0] && shipped[key]?[$0].isSame(as: row[$0]) != true
            && table.columns[$0].role != .ignored
        }
        // What refers to a value follows it.
        let follows = Set(
          table.foreignKeys.filter { $0.parentColumns != journey.shape.tables[$0.parent].key }
            .flatMap(\.columns))
        for column in edited where !follows.contains(column) {
          #expect(left[key]?[column] == row[column], "\(table.name) lost an edit of \(row)")
        }
      }
      for key in after.keys where mine[key] == nil {
        #expect(left[key] == nil, "\(table.name): \(key) is back")
      }
    }
  }
}
