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
    let seeds = ofEachOwner(seeds)
    log.append(.text("reseed \(target.name)"))
    let before = try bench.device.rows(of: shape)
    var kept = 0
    for database in databases {
      do {
        kept = try reseedOnce(target.name, on: database, before).counts.kept
      } catch let error as SeedbedError where error.code == .constraint {
        // A row refers to one that is gone.
        log.append(.text("refused: \(error.message)"))
        try compareRows(before, on: database)
        continue
      } catch let error as SeedbedError {
        throw disagreement("reseed failed: \(error)\(database is any Twin ? " (twin)" : "")")
      }
      let now = try database.rows(of: shape)
      try checkUsersRows(table, seeds[table], before[table], now[table])
    }
    left = try leftToUser(on: bench.device)
    for database in databases {
      try compareLeft(left, on: database)
      if kept == 0 { try checkSeedsRows(table, seeds[table], database.rows(of: shape)[table]) }
    }
    seen["reseeds", default: 0] += 1
  }

  /// If no copy of a release is whole, it may be refused first; then nothing changes.
  private func reseedOnce(
    _ table: String, on database: any Database, _ before: [[[Cell]]]
  ) throws -> Migrator.ReseedReport {
    let isTwin = database is any Twin
    if let shelf = bench.shelf, seed.isMultiple(of: 2) {
      do {
        return try bench.migrator(isTwin: isTwin, hasWhole: false).reseed(table)
      } catch let error as SeedbedError where error.code != .constraint {
        shelf.seen["reseed without a whole copy \(error.code)", default: 0] += 1
        try compareRows(before, on: database)
      }
    }
    return try bench.migrator(isTwin: isTwin).reseed(table)
  }

  /// Where nothing is in the way, each row is as the seed has it, or the user's.
  private func checkSeedsRows(_ table: Int, _ seeds: [[Cell]], _ rows: [[Cell]]) throws {
    let target = shape.tables[table]
    for seed in seeds where left[shape.rowKey(of: seed, table)] == nil {
      let row = rows.first { shape.rowKey(of: $0, table) == shape.rowKey(of: seed, table) }
      // What refers to a value follows it.
      let isBack = target.settable.allSatisfy { column in
        target.columns[column].role == .ignored || target.refers(column)
          || row.map { shape.isSame($0[column], seed[column], column, table) } ?? false
      }
      if row == nil || !isBack, withoutUser.clashes.isEmpty {
        throw disagreement("reseed left \(row ?? []) of \(target.name) in place of \(seed)")
      }
    }
  }

  /// The conflicts that the catalog meets even on an empty database, by version, and the keys that
  /// rows have there, in all versions. A release with conflicts does not bring each row of its
  /// sources. `make` does not write it, and `lint` reports it.
  var withoutUser: (clashes: [Int: [Clash]], keys: Set<RowKey>, tables: [[[Cell]]]) {
    let shape = source.shape
    let applied = log.compactMap { if case .release(let release) = $0 { release } else { nil } }
    let releases = Dictionary(applied.map { ($0.version, $0) }, uniquingKeysWith: { $1 }).values
    var model = Model(
      shape, shape.tables.map { _ in [] }, left: [:],
      lastIds: Dictionary(uniqueKeysWithValues: shape.tables.indices.map { ($0, 0) }))
    var (clashes, keys): ([Int: [Clash]], Set<RowKey>) = ([:], [])
    for release in releases.sorted(by: { $0.version < $1.version }) {
      model = model.after(release, policies(of: release, Policy()))
      if !model.clashes.isEmpty { clashes[release.version] = model.clashes }
      for (table, rows) in model.tables.enumerated() {
        keys.formUnion(rows.map { shape.rowKey(of: $0, table) })
      }
      model = model.withoutReport()
    }
    return (clashes, keys, model.tables)
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
    // A catalog that meets conflicts by itself has other rows than its sources.
    let isOfCatalog = { (key: RowKey) in
      let (clashes, keys, _) = withoutUser
      let parts = source.shape.tables[table].key.count
      let own = RowKey(table: key.table, key: Array(key.key.prefix(parts)))
      return left[key] == nil && !clashes.isEmpty && keys.contains(own)
    }
    for row in before {
      let key = shape.rowKey(of: row, table)
      let isUsers = left[key] != nil || !shipped.contains(key)
      if isUsers, !after.contains(where: { shown($0) == shown(row) }), !isOfCatalog(key) {
        throw disagreement("reseed took \(row) of \(target.name), which is the user's")
      }
    }
  }
}
