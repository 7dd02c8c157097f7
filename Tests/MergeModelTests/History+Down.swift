import Seedbed
import TestSupport

extension History {
  /// Takes the last release back and applies it again; half of the time the user acts in between.
  ///
  /// - Parameter first: what the model made of it.
  mutating func takeBack(_ release: Release, _ app: Policy, _ first: Model) throws {
    let after = try bench.device.rows(of: shape)
    let hasFilled = owned?.hasFilled == true
    let dangles = shape.hasOrphans(after)
    let waits = waitsForUsersRow(merged(release))
    var acts = dice.chance(50)
    if acts {
      log.append(.text("after it"))
      try userActs()
    }
    if self.after.chance(40), try useFreedKeys(of: [release]) { acts = true }
    log.append(.text("down"))
    let expected = try takeBack(release)
    left = expected.left
    if self.after.chance(25) {
      try reseed(source.old)
      acts = true
    }
    try apply([release], again: app)
    // Under keepRow a row that the user edited may have been the seed's in a column, and goes back
    // in that; under moveUser what was as shipped may have kept a user's row in place. Rows of
    // disposable tables do not come back, and what they held is free for rows to change the next
    // time. A column that the app rewrites is nobody's. What the user had refer to nothing,
    // as the seed has it, is nothing that the seed may bring again. A row that a
    // rule keeps as it was is as under keepRow: it may have been the seed's in a column. And a row
    // that a user's own kept out at an earlier version comes once theirs is gone. Nor does a name
    // mean a value of the user's any more that the release took from them. An orphan comes back
    // without its parent, and is no longer as what retires it: it stays, and what refers to it does
    // not come again. A row that took a user's place has their values where the app rewrites them,
    // which may decide what a partial index holds.
    let keepsRows = policies(of: release, app).contains {
      $0.onEdited == "keepRow" || $0.onTaken == "moveUser"
    }
    let disposes = !first.disposed.isEmpty || !expected.disposed.isEmpty
    let tookNames =
      first.clashes.contains { $0.kind.hasPrefix("parent") }
      && first.clashes.contains { $0.kind == "edited" && $0.resolution == "tookSeed" }
    let isOrphan = { (clash: Clash) in
      clash.kind == "parentDeleted" && clash.resolution == "merged"
    }
    let orphans = first.clashes.filter(isOrphan)
    let wasOrphan = expected.clashes.contains { clash in
      let isKept = clash.kind == "editedRetired" && clash.resolution == "keptUser"
      return isOrphan(clash)
        || isKept && orphans.contains { $0.table == clash.table && $0.key == clash.key }
    }
    let tookPlaces =
      first.clashes.contains { $0.kind == "keyTaken" && $0.resolution == "tookSeed" }
      && shape.tables.contains { table in
        table.uniques.flatMap(\.all).contains { table.columns[$0].role == .ignored }
      }
    let isFree = !keepsRows && !first.refuses && !dangles && !disposes && !waits
    let isAgain = !tookNames && !wasOrphan && !tookPlaces && !hasFilled
    if !acts, isFree, isAgain, !lacksParents(release) {
      for database in databases {
        try compareRows(after, on: database) { comparable($0, without: expected.tables) }
      }
    }
  }

  /// Takes it back on each database, and returns what the model made of that.
  private func takeBack(_ release: Release) throws -> Model {
    let before = try bench.device.rows(of: shape)
    let taken = try model(before).before(merged(release))
    if let twin = bench.twin { try alignIDs(twin) }
    let report = try down(to: release, on: bench.device)
    let rows = try bench.device.rows(of: shape)
    let expected = taken.numbered(like: rows)
    let more = try bench.twin.map { try down(to: release, on: $0).migrations } ?? []
    do {
      for migration in report.migrations + more { try compare(migration, expected) }
      for database in databases {
        try compareRows(expected.tables, on: database)
        try compareLeft(expected.left, on: database)
      }
    } catch  where adoptsOrphan(before, rows) {
      throw Ending.byChance
    }
    return expected
  }

  /// A release, and what the seed had before it.
  struct Earlier {
    var release: Release
    var seeds: [[[Cell]]]
  }

  /// Takes the last two releases back and applies them again. In between the user makes rows under
  /// keys that the seed gave up, and may ask for the seed's rows.
  mutating func takeBackBoth(_ release: Release) throws {
    guard let earlier, earlier.release.version == release.version - 1, after.chance(30) else {
      return
    }
    // What is not seen between two releases: see `play`.
    let hides = shape.tables.contains { $0.assigned != nil || $0.uniques.count > 1 }
    if hides && nameShare > 0 || shape.tables.contains(where: { $0.assigned != nil }) { return }
    let both = [earlier.release, release]
    _ = try useFreedKeys(of: both)
    log.append(.text("down by two"))
    let first = try model(try bench.device.rows(of: shape)).before(merged(release))
    let second = first.withoutReport().before(merged(earlier.release))
    if let twin = bench.twin { try alignIDs(twin) }
    for database in databases {
      let report = try down(to: earlier.release, on: database)
      for (migration, model) in zip(report.migrations, [first, second]) {
        try compare(migration, model)
      }
      try compareRows(second.tables, on: database)
      try compareLeft(second.left, on: database)
    }
    left = second.left
    seen["taken back by two", default: 0] += 1
    if after.chance(40) { try reseed(earlier.seeds) }
    if after.chance(40) {
      log.append(.text("after it"))
      try userActs()
    }
    try apply(both, again: after.chance(50) ? shape.policy(&after).limited(to: features) : Policy())
  }

  /// The user makes rows under keys that the seed gave up. True if there were any.
  private mutating func useFreedKeys(of releases: [Release]) throws -> Bool {
    let rows = try bench.device.rows(of: shape)
    let taken = Set(
      rows.enumerated().flatMap { table, rows in rows.map { shape.rowKey(of: $0, table) } })
    try bench.device.run("PRAGMA foreign_keys = 1; BEGIN")
    try bench.twin?.run("BEGIN")
    var made = 0
    let maker = UserMaker(shape: shape, rows: rows)
    for file in releases.flatMap({ merged($0).files }) where file.kind != .insert {
      for row in file.rows where file.kind == .delete || row.newKey != nil {
        let key = shape.rowKey(row.key, file.table)
        if taken.contains(key) || key.key.contains(.null) || !after.chance(50) { continue }
        var freed = shape.tables[file.table].columns.map { _ in Cell.null }
        for (column, value) in zip(shape.tables[file.table].key, row.key) { freed[column] = value }
        let sql = maker.insert(maker.newRow(of: file.table, freed, &after), into: file.table)
        let isDone = try attempt(sql)
        log.append(.text((isDone ? "user: " : "refused: ") + sql))
        if isDone { made += 1 }
      }
    }
    try commit()
    seen["rows under freed keys", default: 0] += made
    return made > 0
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
  /// what the app rewrites, and white space that does not count.
  private func comparable(_ rows: [[[Cell]]], without taken: [[[Cell]]]) -> [[[Cell]]] {
    let known = Set(
      taken.enumerated().flatMap { table, rows in rows.map { shape.rowKey(of: $0, table) } })
    let comesAgain = { !known.contains(shape.rowKey(of: $1, $0)) }
    var shown = shape.withoutNumbers(rows, where: comesAgain)
    for (table, target) in shape.tables.enumerated() {
      for (index, row) in rows[table].enumerated() {
        for column in target.columns.indices {
          if target.columns[column].role == .ignored { shown[table][index][column] = .null }
          if target.columns[column].isPlainText {
            shown[table][index][column] = row[column].inPlainText
          }
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

  /// Whether rows lack their parents even if there is no user, which `lint` reports: as a name of a
  /// row whose value, which others receive, the same release changes. What the user had refer to it
  /// before goes back, and cannot come again.
  private func lacksParents(_ release: Release) -> Bool {
    withoutUser.clashes[release.version]?.contains { $0.kind.hasPrefix("parent") } == true
  }

  /// Whether the release brings a row whose key `down` left to the user, for a row of theirs.
  private func waitsForUsersRow(_ release: Release) -> Bool {
    release.files.filter { $0.kind == .insert }.contains { file in
      file.rows.contains { row in
        left[shape.rowKey(row.key, file.table)]?.has { $0.version == 0 && $0.isOfAUsersRow } == true
      }
    }
  }
}
