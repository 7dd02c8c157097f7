/// Takes the rows of one migration back: the same files read backwards.
///
/// Whatever the user changed since stays: `down` merges as `keepEdits` and `keepUser` do.
struct UndoMerge {
  let context: MergeContext
  let undo: Undo
  private var connection: Connection { context.connection }

  func run(_ files: [RowFile]) throws {
    try MigrationMerge(context: context, prepare: leaveAlone).run(files)
    for conflict in undo.givenWay { try bringBack(conflict, files) }
  }

  /// Marks in a stage what is not ours to take back.
  private func leaveAlone(_ stage: Stage) throws {
    let table = stage.file.target.name
    let rows = undo.leftAlone[table] ?? []
    let columns = undo.columns[table] ?? [:]
    if rows.isEmpty, columns.isEmpty { return }
    for row in try connection.rows("SELECT row FROM \(stage.sql)").map({ $0[0] }) {
      let key = try stage.keyText(row: row)
      if rows.contains(key) {
        try stage.decide(.leftToUser, row: row)
      } else if stage.file.role == .update, let names = columns[key] {
        try leaveAlone(names, stage, row)
      }
    }
  }

  /// Where the old value equals the new one, a column is not changed.
  private func leaveAlone(_ names: Set<String>, _ stage: Stage, _ row: Value) throws {
    for change in stage.file.changes where names.contains(change.column.name) {
      guard let base = change.base else { continue }
      try connection.execute(
        "UPDATE \(stage.sql) SET c\(change.seed) = c\(base) WHERE row = ?", [row])
    }
  }

  // MARK: the user's values come back

  private func bringBack(_ conflict: Conflict, _ files: [RowFile]) throws {
    guard let text = conflict.mine,
      let target = files.first(where: { $0.target.name == conflict.table })?.target
    else { return }
    let mine = try LoggedRow(text, of: conflict)
    let key = try LoggedRow(conflict.key, of: conflict)
    switch conflict.kind {
    case .editedRetired, .uniqueTaken: try reinsert(mine, target)
    default: try putBack(mine, key, conflict, target)
    }
  }

  /// Columns that the schema still has; others went with a later migration.
  private func known(_ row: LoggedRow, _ target: TableTarget) -> [(name: String, value: Value)] {
    zip(row.columns, row.values).compactMap { name, value in
      guard let column = target.schema.column(name), column.generated == .no else { return nil }
      return (column.name, value)
    }
  }

  private func reinsert(_ mine: LoggedRow, _ target: TableTarget) throws {
    let columns = known(mine, target)
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    // The place may be taken by now: then what the user has there stays.
    try connection.execute(
      """
      INSERT OR ABORT INTO \(target.sql) (\(columns.map(\.name).quotedList)) VALUES (\(marks))
      ON CONFLICT DO NOTHING
      """, columns.map(\.value))
    if connection.changes == 1 { context.count(target.name) { $0.inserted += 1 } }
  }

  /// Only columns that still have the seed's value: what the user changed since stays.
  private func putBack(
    _ mine: LoggedRow, _ key: LoggedRow, _ conflict: Conflict, _ target: TableTarget
  ) throws {
    let seed = try LoggedRow(conflict.seed ?? "{}", of: conflict)
    let condition = key.columns.map { "\($0.quoted) = ?" }.joined(separator: " AND ")
    for (name, value) in known(mine, target) {
      guard let given = seed[name], !key.columns.contains(name) else { continue }
      try connection.execute(
        """
        UPDATE OR ABORT \(target.sql) SET \(name.quoted) = ?
        WHERE \(condition) AND \(name.quoted) IS ?
        """, [value] + key.values + [given])
    }
  }
}
