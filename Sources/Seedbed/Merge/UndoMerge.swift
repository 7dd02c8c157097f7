/// Takes the rows of one migration back: the same files read backwards.
///
/// Whatever the user changed since stays: `down` merges as `keepEdits` and `keepUser` do.
final class UndoMerge {
  let context: MergeContext
  let undo: Undo
  /// The files of rows that come back with the user's values, by table and key.
  private var homes: [String: [String: RowFile]] = [:]
  private var connection: Connection { context.connection }

  init(context: MergeContext, undo: Undo) {
    self.context = context
    self.undo = undo
  }

  func run(_ files: [RowFile]) throws {
    try MigrationMerge(context: context, prepare: leaveAlone).run(files)
    try bringBack(undo.givenWay)
    try moveBack(files)
  }

  /// Rows of users that moved away go back, where they are there still and the place is free.
  private func moveBack(_ files: [RowFile]) throws {
    for conflicts in undo.moved.grouped(by: \.table) {
      guard
        let target = files.first(where: { $0.target.name == conflicts[0].table })?.target,
        let id = target.schema.rowidAlias?.name, target.key.map(\.name) == [id]
      else { continue }
      let moves = try conflicts.compactMap { conflict in
        let old = try LoggedRow(conflict.key, of: conflict)[id]?.integer
        let new = try LoggedRow(conflict.movedTo ?? "{}", of: conflict)[id]?.integer
        return old.flatMap { old in new.map { RowMoves.Move(old: $0, new: old) } }
      }
      let rows = RowMoves(context: context, target: target)
      let possible = try rows.possible(moves)
      let refused = try rows.run(possible)
      for move in possible where !refused.contains(move.old) {
        let key = { RowJSON.object([id], [.integer($0)]) }
        context.noteMovedBack(
          MovedRow(table: target.name, from: key(move.old), to: key(move.new)))
        context.noteChanged(target.name, key: key(move.new))
      }
    }
  }

  /// Marks in a stage what is not ours to take back, and what the user had instead of the seed's
  /// old value.
  private func leaveAlone(_ stage: Stage) throws {
    let table = stage.file.target.name
    let isInsert = stage.file.role == .delete
    let rows = (isInsert ? undo.insertsLeftAlone : undo.leftAlone)[table] ?? []
    let columns = undo.columns[table] ?? [:]
    let values = undo.usersValues[table] ?? [:]
    if rows.isEmpty, columns.isEmpty, values.isEmpty { return }
    for row in try connection.rows("SELECT row FROM \(stage.sql)").map({ $0[0] }) {
      let key = try stage.loggedKey(row: row)
      if rows.contains(key) {
        try stage.decide(.leftToUser, row: row)
        // The other kinds count their verdicts.
        if stage.file.role == .update { context.count(table) { $0.kept += 1 } }
      } else if stage.file.role == .update {
        if let names = columns[key] {
          try leaveAlone(stage.file.columnNames(names), stage, row)
        }
        if let values = values[key] { try aim(at: values, stage, row) }
      } else if stage.file.role == .insert, let values = values[key] {
        homes[table, default: [:]][key] = stage.file
        try replace(with: values, stage, row)
      }
    }
  }

  /// Where the old value equals the new one, a column is not changed.
  private func leaveAlone(_ names: Set<String>, _ stage: Stage, _ row: Value) throws {
    if stage.file.keyChanges.contains(where: { names.contains($0.name) }) {
      let set = zip(stage.file.oldKeyIndexes, stage.file.keyIndexes).map { "c\($0) = c\($1)" }
      try connection.execute(
        "UPDATE \(stage.sql) SET \(set.joined(separator: ", ")) WHERE row = ?", [row])
    }
    for change in stage.file.changes where names.contains(change.column.name) {
      guard let base = change.base else { continue }
      try stage.set(change.seed, to: stage.values([base], row: row)[0], row: row)
    }
  }

  /// The row goes back in one step: half-way between the seed's values and the user's it might
  /// break a CHECK.
  private func aim(at values: [String: Value], _ stage: Stage, _ row: Value) throws {
    for change in stage.file.changes {
      guard let value = values[change.column.name] else { continue }
      try stage.set(change.seed, to: value, row: row)
    }
  }

  /// The user's row comes back in the place of the seed's, so that its children find it.
  private func replace(with values: [String: Value], _ stage: Stage, _ row: Value) throws {
    for index in stage.file.valueIndexes {
      guard let value = values[stage.file.fields[index].column.name] else { continue }
      try stage.set(index, to: value, row: row)
    }
  }

  // MARK: the user's values come back

  /// Of a row that was removed though the user had edited it, the columns that no file has.
  private func bringBack(_ conflicts: [Conflict]) throws {
    for conflict in conflicts where conflict.kind == .editedRetired {
      guard let mine = conflict.mine, let file = homes[conflict.table]?[conflict.key] else {
        continue
      }
      try putBackRest(GivenWay(conflict, mine, file.target), file)
    }
  }

  /// Favourites, notes: only of the row that came back, and where nothing was put into them since.
  private func putBackRest(_ row: GivenWay, _ file: RowFile) throws {
    let known = Set(file.ownIndexes.map { file.fields[$0].column.name })
    let orphaned = try row.target.parents.filter { try !row.hasParent($0, on: connection) }
      .flatMap(\.childColumns)
    let names = row.columns.filter { !known.contains($0) && !orphaned.contains($0) }
    if names.isEmpty { return }
    let shipped = row.columns.filter { known.contains($0) }
    let matches =
      shipped.map { "m.\($0.quoted) IS ? COLLATE BINARY" }
      + [try UserColumns.atDefault(file, table: "m", on: connection)]
    let set = names.map { "\($0.quoted) = ?" }.joined(separator: ", ")
    do {
      try connection.execute(
        """
        UPDATE OR ABORT \(row.target.sql) AS m SET \(set)
        WHERE \(matches.allTrue)
        """, names.map { row[$0] } + shipped.map { row[$0] })
    } catch let failure as SQLiteFailure where failure.isConstraint {
      try context.log(
        failure.isUniqueness ? .uniqueTaken : .edited, .keptUser, table: row.target.name,
        key: row.key, policy: failure.isUniqueness ? "keepUser" : "keepEdits",
        seed: RowJSON.object(names, names.map { row[$0] }))
    }
  }
}
