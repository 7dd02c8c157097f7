import Seedbed

/// Releases, applied by the engine and held against the model.
extension History {
  func up(
    _ app: Policy, _ releases: [Release], _ expected: [Model], refused: Model? = nil,
    _ before: [[[Cell]]]
  ) throws {
    if let twin = bench.twin, try twin.has("t0") { try alignIDs(twin) }
    for database in databases { try up(on: database, app, releases, expected, refused, before) }
    try compareIDs()
  }

  private func up(
    on database: any Database, _ app: Policy, _ releases: [Release], _ expected: [Model],
    _ refused: Model?, _ before: [[[Cell]]]
  ) throws {
    let policies = Migrator.Policies(app)
    let isTwin = database is any Twin
    if releases.count == 1 { try upWithoutWhole(on: database, policies, releases[0], before) }
    let migrator = try bench.migrator(policies, isTwin: isTwin, pending: releases, shape)
    // `plan` does not go on with the next best download.
    let plans =
      refused == nil && bench.shelf == nil && releases.first.map { $0.version % 3 == 2 } ?? false
    let plan = plans ? try plan(migrator, before, database) : nil
    do {
      let report = try host?.up(bench, migrator, policies) ?? migrator.up()
      if refused != nil { throw disagreement("up passed where a policy says fail") }
      let rows = try database.rows(of: shape)
      let expected = expected.map { $0.numbered(like: rows) }
      do {
        if owned != nil, report.migrations.count != expected.count {
          throw disagreement("up reports \(report.migrations.count), not \(expected.count)")
        }
        for report in [plan, report].compactMap({ $0 }) {
          for (migration, model) in zip(report.migrations, expected) {
            try compare(migration, model)
          }
        }
        try compareRows(expected.last?.tables ?? before, on: database)
        try compareLeft(expected.last?.left ?? left, on: database)
      } catch  where adoptsOrphan(before, rows) {
        throw Ending.byChance
      }
    } catch let error as SeedbedError {
      guard let refused, error.code == .conflict else {
        throw disagreement("up failed: \(error)\(database is any Twin ? " (twin)" : "")")
      }
      try compare(error, refused)
      guard error.applied.count == expected.count else {
        throw disagreement("up applied \(error.applied), not \(expected.count)")
      }
      try compareRows(expected.last?.tables ?? before, on: database)
    }
  }

  /// Will have to be the same report; nothing else happens.
  private func plan(
    _ migrator: Migrator, _ before: [[[Cell]]], _ database: any Database
  ) throws -> Migrator.Report {
    do {
      let twin = try (database as? any Twin).flatMap { try $0.has("t0") ? $0 : nil }
      let numbered = shape.tables.filter(\.isAutoincrement).map(\.name)
      let ids = try twin.map { twin in try numbered.map(twin.lastID) }
      let report = try migrator.plan()
      try compareRows(before, on: database)
      // What a sequence gave in a transaction is gone, whatever becomes of the transaction.
      for (table, id) in zip(numbered, ids ?? []) { try twin?.setLastID(of: table, id) }
      return report
    } catch let error as SeedbedError {
      throw disagreement("plan failed: \(error)\(database is any Twin ? " (twin)" : "")")
    }
  }
}
