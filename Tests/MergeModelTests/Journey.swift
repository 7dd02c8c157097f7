import Seedbed
import TestSupport

/// A random schema, its releases and a database that a user works on.
struct Journey {
  var dice: Dice
  let shape: Shape
  var source: SourceMaker
  let bench: Bench
  let policies: Migrator.Policies

  init(_ seed: Int, _ policies: Migrator.Policies = Migrator.Policies()) throws {
    self.policies = policies
    dice = Dice(seed: UInt64(seed))
    var shape = ShapeMaker.make(&dice)
    var keys = Dice(seed: UInt64(seed) &+ 3011)
    shape.drawAllKey(&keys)
    shape.drawIndexes(&dice)
    self.shape = shape
    source = SourceMaker(shape)
    bench = try Bench()
    try bench.write("catalog.json", shape.options(shape.tables.map { _ in Policy() }))
  }

  /// The next release, written to the catalog.
  @discardableResult
  mutating func release() throws -> Release {
    let release = source.release(&dice)
    try bench.write(release, shape, creating: release.version == 1 ? shape : nil)
    return release
  }

  mutating func userActs(before release: Release? = nil) throws {
    try bench.device.run("PRAGMA foreign_keys = 1; BEGIN")
    let coming = (release?.files ?? []).filter { $0.kind == .insert }
    let maker = UserMaker(
      shape: shape, rows: try rows(),
      coming: Dictionary(grouping: coming, by: \.table).mapValues { $0.flatMap(\.rows) })
    for sql in maker.actions(&dice) {
      _ = bench.device.attempt(sql)
    }
    if !bench.device.attempt("COMMIT") { try bench.device.run("ROLLBACK") }
  }

  func rows() throws -> [[[Cell]]] { try bench.device.rows(of: shape) }

  func sorted() throws -> [[String]] { try rows().map { $0.map { "\($0)" }.sorted() } }

  func up() throws { _ = try bench.migrator(policies).up() }

  func down(to version: Version) throws -> Migrator.Report {
    try bench.migrator(policies).down(to: version)
  }

  /// Without the columns of the clock and of triggers, and without the case of a key, since a
  /// user's row may have been filled.
  func shown() throws -> [[String]] {
    try zip(shape.tables, rows()).map { table, rows in
      let shown = table.columns.indices.filter { table.columns[$0].role != .ignored }
      return rows.map { row in "\(shown.map { row[$0] })".lowercased() }.sorted()
    }
  }
}
