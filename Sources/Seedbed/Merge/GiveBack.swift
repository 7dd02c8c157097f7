/// Gives users' rows the values back that `replaceUser` took; for `down`.
///
/// Such a row may be all that still refers to one which is to go, and one that is to go may hold a
/// value that it needs: both happen by turns.
final class GiveBack {
  let context: MergeContext
  /// Newest first, with the columns that the user has not changed since.
  private var rows: [(row: GivenWay, columns: [String])] = []
  private var connection: Connection { context.connection }

  init(context: MergeContext, targets: [TableTarget]) throws {
    self.context = context
    let undo = try Undo(
      version: context.version, ledger: context.ledger, on: context.connection)
    for conflict in undo.givenWay where conflict.kind == .keyTaken {
      guard let target = targets.first(where: { $0.name == conflict.table }),
        let mine = conflict.mine
      else { continue }
      let row = try GivenWay(conflict, mine, target)
      let columns = try columnsToGiveBack(row)
      if !columns.isEmpty { rows.append((row, columns)) }
    }
  }

  /// Before keys change: the log names parents by the keys that they have now.
  func giveBackReferences() throws {
    for (index, (row, columns)) in rows.enumerated() {
      let references = Set(row.target.parents.flatMap(\.childColumns))
        .subtracting(try orphanedColumns(row, columns))
      let possible = columns.filter(references.contains)
      if try write(possible, row) == nil {
        rows[index].columns.removeAll(where: possible.contains)
      }
    }
  }

  /// What can go back goes back; the rest has other turns.
  func giveBack() throws {
    for (row, columns) in rows { _ = try giveBack(row, columns) }
  }

  /// All that is left; `makeRoom` removes what nothing refers to any more.
  func giveBackAll(_ makeRoom: () throws -> Void) throws {
    var open = Int.max
    while case let left = try rows.filter({ try !giveBack($0, $1) }).count, left < open {
      open = left
      try makeRoom()
    }
    for (row, columns) in rows { try settle(row, columns) }
  }

  /// False where a constraint forbids a part of it yet.
  private func giveBack(_ row: GivenWay, _ columns: [String]) throws -> Bool {
    let columns = try columnsToCome(row, columns)
    let orphaned = try orphanedColumns(row, columns)
    let possible = columns.filter { !orphaned.contains($0) }
    if try write(possible, row) == nil { return orphaned.isEmpty }
    // At least it lets go of what it refers to.
    let parents = Set(row.target.parents.flatMap(\.childColumns))
    _ = try write(possible.filter { parents.contains($0) }, row)
    return false
  }

  /// The last word: what cannot go back is logged.
  private func settle(_ row: GivenWay, _ columns: [String]) throws {
    let columns = try columnsToCome(row, columns)
    let orphaned = try orphanedColumns(row, columns)
    let possible = columns.filter { !orphaned.contains($0) }
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
    let columns = try row.columns.filter { name in
      guard let given = seed[name], !key.columns.contains(name) else { return false }
      return try connection.value(
        """
        SELECT 1 FROM \(row.target.sql) WHERE \(condition) AND \(name.quoted) IS ? COLLATE BINARY
        """, key.values + [given]) != nil
    }
    return try columnsToCome(row, columns)
  }

  /// Those that do not have the user's value yet.
  private func columnsToCome(_ row: GivenWay, _ columns: [String]) throws -> [String] {
    let key = try LoggedRow(row.conflict.key, of: row.conflict)
    let condition = key.columns.map { "\($0.quoted) = ?" }.allTrue
    let number = key.values.count + 1
    return try columns.filter { name in
      try connection.value(
        """
        SELECT 1 FROM \(row.target.sql)
        WHERE \(condition) AND NOT (\(name.quoted) IS ?\(number) COLLATE BINARY
          AND typeof(\(name.quoted)) = typeof(?\(number)))
        """, key.values + [row[name]]) != nil
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
}
