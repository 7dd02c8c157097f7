import Seedbed
import TestSupport
import Testing

/// What `down` must hold if it is the release's inverse, over random histories.
@Suite struct `A release that is taken back` {
  private static let seeds = Seeds.first(12, of: 40)

  @Test(arguments: seeds, [false, true])
  func `up, down and up again is up`(_ seed: Int, _ overwrites: Bool) throws {
    let all = Migrator.Policies(onEdited: .overwriteRow, onTaken: .replaceUser)
    var journey = try Journey(seed, overwrites ? all : Migrator.Policies())
    for version in 1...4 {
      let release = try journey.release()
      if version > 1 { try journey.userActs(before: release) }
      try journey.up()
      let after = try journey.shown()
      if version == 1 { continue }
      _ = try journey.down(to: Version(version - 1))
      try journey.up()
      #expect(try journey.shown() == after, "release \(version)")
    }
  }

  @Test(arguments: seeds)
  func `keeps what the user did since`(_ seed: Int) throws {
    var journey = try Journey(seed)
    for _ in 1...3 {
      try journey.release()
      try journey.up()
      try journey.userActs()
    }
    let after = try journey.rows()
    try journey.userActs()
    let mine = try journey.rows()
    _ = try journey.down(to: 2)
    let left = try journey.rows()
    for (number, table) in journey.shape.tables.enumerated() {
      let keyed = { (rows: [[[Cell]]]) in
        Dictionary(rows[number].map { (table.folded(table.key, of: $0), $0) }) { first, _ in first }
      }
      let (shipped, after, mine, left) = (
        keyed(journey.source.source), keyed(after), keyed(mine), keyed(left)
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
