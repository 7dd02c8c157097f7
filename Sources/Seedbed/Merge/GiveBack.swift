/// Gives rows back to the users from whom `replaceUser` took them; for `down`.
///
/// A row that took the seed's values may be all that still refers to a row which is to go, and a
/// row that is to go may hold the UNIQUE value of one that is to come back: both happen by turns.
struct GiveBack {
  let context: MergeContext
  /// Newest first.
  private let replaced: [GivenWay]
  private let removed: [GivenWay]
  private var connection: Connection { context.connection }

  init(context: MergeContext, targets: [TableTarget]) throws {
    self.context = context
    let undo = try Undo(
      version: context.version, ledger: context.ledger, on: context.connection)
    let rows = try undo.givenWay.compactMap { conflict in
      try targets.first { $0.name == conflict.table }.flatMap { target in
        try conflict.mine.map { try GivenWay(conflict, $0, target) }
      }
    }
    replaced = rows.filter { $0.conflict.kind == .keyTaken }
    removed = rows.filter { $0.conflict.kind == .uniqueTaken }
  }

  /// What can go back goes back; the rest has other turns.
  func giveBackReplaced() throws {
    for row in replaced { _ = try giveBack(row) }
  }

  /// All that is left; `makeRoom` takes out what nothing refers to any more.
  func giveBackAll(_ makeRoom: () throws -> Void) throws {
    var (replaced, removed) = (replaced, removed)
    var isChanged = true
    while isChanged {
      let before = replaced.count + removed.count
      replaced = try replaced.filter { try !giveBack($0) }
      removed = try removed.filter { try !reinsert($0) }
      isChanged = replaced.count + removed.count < before
      try makeRoom()
    }
    for row in replaced { try settle(row) }
    for row in removed { try logRemoved(row) }
  }

  // MARK: rows that took the seed's values

  /// False where a constraint forbids a part of it yet.
  private func giveBack(_ row: GivenWay) throws -> Bool {
    let columns = try columnsToGiveBack(row)
    if columns.isEmpty { return true }
    let orphaned = try orphanedColumns(row, columns)
    let possible = columns.filter { !orphaned.contains($0) }
    if try write(possible, row) == nil {
      if orphaned.isEmpty { count(row) }
      return orphaned.isEmpty
    }
    // At least it lets go of what it refers to.
    let parents = Set(row.target.parents.flatMap(\.childColumns))
    _ = try write(possible.filter { parents.contains($0) }, row)
    return false
  }

  /// The last word: what cannot go back is logged.
  private func settle(_ row: GivenWay) throws {
    let columns = try columnsToGiveBack(row)
    let orphaned = try orphanedColumns(row, columns)
    let possible = columns.filter { !orphaned.contains($0) }
    if possible.isEmpty, orphaned.isEmpty { return }
    if let failure = try write(possible, row) {
      // Another row has the value by now, or the rest of the row does not go with it.
      let isHeld = failure.isUniqueness
      try log(
        row, possible, isHeld ? .uniqueTaken : .edited, .keptUser,
        policy: isHeld ? "keepUser" : "keepEdits")
    } else {
      count(row)
    }
    if !orphaned.isEmpty { try log(row, orphaned, .parentDeleted, .skipped, policy: nil) }
  }

  /// Those that still have the seed's value and had another: what the user changed since stays.
  private func columnsToGiveBack(_ row: GivenWay) throws -> [String] {
    let seed = try LoggedRow(row.conflict.seed ?? "{}", of: row.conflict)
    let key = try LoggedRow(row.conflict.key, of: row.conflict)
    let condition = key.columns.map { "\($0.quoted) = ?" }.allTrue
    let number = key.values.count + 2
    return try row.columns.filter { name in
      guard let given = seed[name], !key.columns.contains(name) else { return false }
      return try connection.value(
        """
        SELECT 1 FROM \(row.target.sql)
        WHERE \(condition) AND \(name.quoted) IS ? COLLATE BINARY
          AND NOT (\(name.quoted) IS ?\(number) COLLATE BINARY
            AND typeof(\(name.quoted)) = typeof(?\(number)))
        """, key.values + [given, row[name]]) != nil
    }
  }

  /// Columns that would refer to a row which the user deleted since.
  private func orphanedColumns(_ row: GivenWay, _ columns: [String]) throws -> [String] {
    let key = try LoggedRow(row.conflict.key, of: row.conflict)
    let condition = key.columns.map { "\($0.quoted) = ?" }.allTrue
    var orphaned: Set<String> = []
    for parent in row.target.parents where !Set(parent.childColumns).isDisjoint(with: columns) {
      let now = try connection.rows(
        "SELECT \(parent.childColumns.quotedList) FROM \(row.target.sql) WHERE \(condition)",
        key.values)
      let values = zip(parent.childColumns, now.first ?? []).map { name, value in
        columns.contains(name) ? row[name] : value
      }
      if try !parent.isThere(values, on: connection) { orphaned.formUnion(parent.childColumns) }
    }
    return columns.filter(orphaned.contains)
  }

  /// Returns the constraint that forbids it.
  private func write(_ columns: [String], _ row: GivenWay) throws -> SQLiteFailure? {
    if columns.isEmpty { return nil }
    let key = try LoggedRow(row.conflict.key, of: row.conflict)
    let set = columns.map { "\($0.quoted) = ?" }.joined(separator: ", ")
    let condition = key.columns.map { "\($0.quoted) = ?" }.allTrue
    do {
      _ = try context.attempt {
        try context.follow(
          row.target, columns, columns.map { row[$0] },
          where: zip(key.columns, key.values).map { ($0, $1) })
        try connection.execute(
          "UPDATE OR ABORT \(row.target.sql) SET \(set) WHERE \(condition)",
          columns.map { row[$0] } + key.values)
        return true
      }
      return nil
    } catch let failure as SQLiteFailure where context.isBrokenRow(failure) {
      return failure
    }
  }

  private func count(_ row: GivenWay) {
    context.noteChanged(row.target.name, key: row.conflict.key)
    // The merge took it for a row to leave alone.
    context.count(row.target.name) {
      $0.kept -= 1
      $0.updated += 1
    }
  }

  private func log(
    _ row: GivenWay, _ columns: [String], _ kind: Conflict.Kind,
    _ resolution: Conflict.Resolution, policy: String?
  ) throws {
    let seed = try LoggedRow(row.conflict.seed ?? "{}", of: row.conflict)
    let now = RowJSON.object(columns, columns.map { seed[$0] ?? .null })
    try context.log(
      kind, resolution, table: row.target.name, key: row.conflict.key, policy: policy, base: now,
      mine: now, seed: RowJSON.object(columns, columns.map { row[$0] }))
  }

  // MARK: rows that were removed for their UNIQUE value; in no file, so they are not counted

  private func reinsert(_ row: GivenWay) throws -> Bool {
    guard try row.target.parents.allSatisfy({ try row.hasParent($0, on: connection) }) else {
      return false
    }
    let marks = row.columns.map { _ in "?" }.joined(separator: ", ")
    try connection.execute(
      """
      INSERT OR ABORT INTO \(row.target.sql) (\(row.columns.quotedList)) VALUES (\(marks))
      ON CONFLICT DO NOTHING
      """, row.values)
    if connection.changes == 1 { context.noteChanged(row.target.name, key: row.key) }
    return connection.changes == 1
  }

  private func logRemoved(_ row: GivenWay) throws {
    let (target, seed) = (row.target, RowJSON.object(row.columns, row.values))
    if try !target.parents.allSatisfy({ try row.hasParent($0, on: connection) }) {
      try context.log(
        .parentDeleted, .skipped, table: target.name, key: row.key, seed: seed)
      return
    }
    // The place was taken since: what the user has there now stays.
    let mine = try holder(of: row)
    try context.log(
      mine == nil ? .uniqueTaken : .keyTaken, .keptUser, table: target.name, key: row.key,
      policy: "keepUser", mine: mine, seed: seed)
  }

  /// The row under the key of one that is to come back.
  private func holder(of row: GivenWay) throws -> String? {
    let names = row.target.schema.columns.map(\.name)
    let matches = row.target.key.map { "\($0.name.quoted) = ?" }.allTrue
    return try connection.rows(
      "SELECT \(names.quotedList) FROM \(row.target.sql) WHERE \(matches)",
      row.target.key.map { row[$0.name] }
    ).first.map { RowJSON.object(names, $0) }
  }
}
