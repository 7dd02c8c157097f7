import Seedbed
import TestSupport

extension History {
  /// Takes the last release back and applies it again; half of the time the user acts in between.
  ///
  /// - Parameter first: what the model made of it.
  mutating func takeBack(_ release: Release, _ app: Policy, _ first: Model) throws {
    let after = try bench.device.rows(of: shape)
    let refersToUsers = refersToUsers(release, after)
    let dangles = shape.hasOrphans(after)
    let acts = dice.chance(50)
    if acts {
      log.append(.text("after it"))
      try userActs()
    }
    log.append(.text("down"))
    let taken = try model(try bench.device.rows(of: shape)).before(release)
    if let twin = bench.twin { try alignIDs(twin) }
    let report = try down(to: release, on: bench.device)
    let expected = try taken.numbered(like: bench.device.rows(of: shape))
    for migration in report.migrations { try compare(migration, expected) }
    if let twin = bench.twin {
      for migration in try down(to: release, on: twin).migrations {
        try compare(migration, expected)
      }
    }
    for database in databases {
      try compareRows(expected.tables, on: database)
      try compareLeft(expected.left, on: database)
    }
    left = expected.left
    try apply([release], again: app)
    // Under keepRow a row that the user edited may have been the seed's in a column, and goes back
    // in that; under moveUser what was as shipped may have kept a user's row in place. Rows of
    // disposable tables do not come back, and what they held is free for rows to change the next
    // time. A column that the app rewrites is nobody's. What the user had refer to nothing, or to
    // a row of theirs, as the seed has it, is nothing that the seed may bring again. A row that a
    // rule keeps as it was is as under keepRow: it may have been the seed's in a column.
    let keepsRows = policies(of: release, app).contains {
      $0.onEdited == "keepRow" || $0.onTaken == "moveUser"
    }
    let disposes = !first.disposed.isEmpty || !expected.disposed.isEmpty
    if !acts, !keepsRows, !first.refuses, !dangles, !refersToUsers, !disposes {
      for database in databases {
        try compareRows(after, on: database) { comparable($0, without: expected.tables) }
      }
    }
  }

  private func down(to release: Release, on database: any Database) throws -> Migrator.Report {
    do {
      return try bench.migrator(isTwin: database is any Twin)
        .down(to: Int64(release.version - 1))
    } catch let error as SeedbedError {
      throw disagreement("down failed: \(error)\(database is any Twin ? " (twin)" : "")")
    }
  }

  /// Rows without what may differ after `up`, `down` and `up`: a row that `down` took away comes
  /// again with the next number, and with the letters of its key that the file has. What refers to
  /// a value follows it into its letters, even if the user had changed those before. And without
  /// what the app rewrites.
  private func comparable(_ rows: [[[Cell]]], without taken: [[[Cell]]]) -> [[[Cell]]] {
    let known = Set(
      taken.enumerated().flatMap { table, rows in rows.map { shape.rowKey(of: $0, table) } })
    let comesAgain = { !known.contains(shape.rowKey(of: $1, $0)) }
    var shown = shape.withoutNumbers(rows, where: comesAgain)
    for (table, target) in shape.tables.enumerated() {
      for (index, row) in rows[table].enumerated() {
        for column in target.columns.indices where target.columns[column].role == .ignored {
          shown[table][index][column] = .null
        }
        for key in target.foreignKeys {
          let parent = shape.tables[key.parent]
          for (column, other) in zip(key.columns, key.parentColumns) {
            shown[table][index][column] = shown[table][index][column].folded(
              ignoringCase: parent.columns[other].ignoresCase)
          }
        }
        if !comesAgain(table, row) { continue }
        for (column, letters) in zip(target.key, target.folded(target.key, of: row)) {
          shown[table][index][column] = letters
        }
      }
    }
    return shown
  }

  /// Whether a row that the release brings or changes refers to one that is the user's. What the
  /// release itself kept is the user's only after it.
  private func refersToUsers(_ release: Release, _ rows: [[[Cell]]]) -> Bool {
    let users = left.filter { $0.value.version < release.version || !$0.value.isOfARowToRetire }
    return release.files.filter { $0.kind != .delete }.contains { file in
      let keys = file.rows.flatMap { [$0.key, $0.newKey ?? $0.key] }
        .map { shape.rowKey($0, file.table) }
      let own = rows[file.table].filter { keys.contains(shape.rowKey(of: $0, file.table)) }
      return shape.tables[file.table].foreignKeys.contains { key in
        let parents = rows[key.parent].filter { users[shape.rowKey(of: $0, key.parent)] != nil }
        return own.contains { row in parents.contains { shape.refers(row, key, to: $0) } }
      }
    }
  }
}
