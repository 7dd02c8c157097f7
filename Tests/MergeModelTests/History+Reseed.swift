import Seedbed
import TestSupport

/// What `reseed` must hold whatever the model says. The seed's rows are those of the sources.
extension History {
  /// - Parameter seeds: by table, the rows of the catalog at the database's version.
  mutating func reseed(_ seeds: [[[Cell]]]) throws {
    // The catalog is played on a scratch database: it must create the tables, and know their names.
    if appOwnsTables || isRenamed { return }
    let table = after.below(shape.tables.count)
    let target = shape.tables[table]
    // Each database chooses such numbers itself, and what refers to them.
    if shape.tables.contains(where: { $0.assigned != nil }) || seeds[table].isEmpty { return }
    log.append(.text("reseed \(target.name)"))
    let before = try bench.device.rows(of: shape)
    for database in databases {
      do {
        _ = try bench.migrator(isTwin: database is any Twin).reseed(target.name)
      } catch let error as SeedbedError where error.code == .constraint {
        // A row refers to one that is gone.
        log.append(.text("refused: \(error.message)"))
        try compareRows(before, on: database)
        continue
      }
      let now = try database.rows(of: shape)
      try checkUsersRows(table, seeds[table], before[table], now[table])
    }
    left = try leftToUser(on: bench.device)
    for database in databases { try compareLeft(left, on: database) }
    seen["reseeds", default: 0] += 1
  }

  /// A row whose key is the user's stays as it is, and so does each that the seed does not have.
  private func checkUsersRows(
    _ table: Int, _ seeds: [[Cell]], _ before: [[Cell]], _ after: [[Cell]]
  ) throws {
    let target = shape.tables[table]
    let shipped = Set(seeds.map { shape.rowKey(of: $0, table) })
    // What refers to a value follows it.
    let follows = Set(
      target.foreignKeys.filter { $0.parentColumns != shape.tables[$0.parent].key }
        .flatMap(\.columns))
    let shown = { (row: [Cell]) in
      row.indices.filter { !follows.contains($0) && target.columns[$0].role != .ignored }
        .map { row[$0] }
    }
    for row in before {
      let key = shape.rowKey(of: row, table)
      let isUsers = left[key] != nil || !shipped.contains(key)
      if isUsers, !after.contains(where: { shown($0) == shown(row) }) {
        throw disagreement("reseed took \(row) of \(target.name), which is the user's")
      }
    }
  }
}
