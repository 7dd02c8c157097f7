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
    try bringBack(undo.givenWay, files)
  }

  /// Marks in a stage what is not ours to take back, and what the user had instead of the seed's
  /// old value.
  private func leaveAlone(_ stage: Stage) throws {
    let table = stage.file.target.name
    let rows = undo.leftAlone[table] ?? []
    let columns = undo.columns[table] ?? [:]
    let values = undo.usersValues[table] ?? [:]
    if rows.isEmpty, columns.isEmpty, values.isEmpty { return }
    for row in try connection.rows("SELECT row FROM \(stage.sql)").map({ $0[0] }) {
      let key = try stage.keyText(row: row)
      if rows.contains(key) {
        try stage.decide(.leftToUser, row: row)
        // The other kinds count their verdicts.
        if stage.file.role == .update { context.count(table) { $0.kept += 1 } }
      } else if stage.file.role == .update {
        if let names = columns[key] { try leaveAlone(names, stage, row) }
        if let values = values[key] { try aim(at: values, stage, row) }
      } else if stage.file.role == .insert, let values = values[key] {
        homes[table, default: [:]][key] = stage.file
        try replace(with: values, stage, row)
      }
    }
  }

  /// Where the old value equals the new one, a column is not changed.
  private func leaveAlone(_ names: Set<String>, _ stage: Stage, _ row: Value) throws {
    for change in stage.file.changes
    where !names.isDisjoint(with: stage.file.names(of: change)) {
      guard let base = change.base else { continue }
      try connection.execute(
        "UPDATE \(stage.sql) SET c\(change.seed) = c\(base) WHERE row = ?", [row])
    }
  }

  /// The row goes back in one step: half-way between the seed's values and the user's it might
  /// break a CHECK.
  private func aim(at values: [String: Value], _ stage: Stage, _ row: Value) throws {
    for change in stage.file.changes {
      guard let value = values[change.column.name] else { continue }
      try connection.execute(
        "UPDATE \(stage.sql) SET c\(change.seed) = ? WHERE row = ?", [value, row])
    }
  }

  /// The user's row comes back in the place of the seed's, so that its children find it.
  private func replace(with values: [String: Value], _ stage: Stage, _ row: Value) throws {
    for index in stage.file.valueIndexes {
      guard let value = values[stage.file.fields[index].column.name] else { continue }
      try connection.execute("UPDATE \(stage.sql) SET c\(index) = ? WHERE row = ?", [value, row])
    }
  }

  // MARK: the user's values come back

  private func bringBack(_ conflicts: [Conflict], _ files: [RowFile]) throws {
    for conflict in conflicts {
      guard let mine = conflict.mine,
        let file = files.first(where: { $0.target.name == conflict.table })
      else { continue }
      let row = try GivenWay(conflict, mine, file.target)
      switch conflict.kind {
      case .editedRetired:
        if let file = homes[conflict.table]?[conflict.key] { try putBackRest(row, file) }
      case .uniqueTaken: try reinsert(row)
      default: try putBack(row)
      }
    }
  }

  /// What of a user's row gave way, by the columns that the schema still has; others went with a
  /// later migration.
  private struct GivenWay {
    let conflict: Conflict
    let target: TableTarget
    let columns: [String]
    let values: [Value]

    init(_ conflict: Conflict, _ mine: String, _ target: TableTarget) throws {
      let row = try LoggedRow(mine, of: conflict)
      let known = zip(row.columns, row.values).compactMap { name, value in
        target.schema.column(name).flatMap { $0.generated == .no ? ($0.name, value) : nil }
      }
      self.conflict = conflict
      self.target = target
      columns = known.map(\.0)
      values = known.map(\.1)
    }

    var key: String {
      let names = target.key.map(\.name)
      return RowJSON.object(names, names.map { self[$0] })
    }

    subscript(column: String) -> Value {
      columns.firstIndex(of: column).map { values[$0] } ?? .null
    }
  }

  private func hasParent(_ parent: ParentKey, _ row: GivenWay) throws -> Bool {
    let values = parent.childColumns.map { row[$0] }
    if values.contains(where: \.isNull) { return true }
    let matches = parent.parentColumns.map { "\($0.quoted) = ?" }.joined(separator: " AND ")
    return try connection.value(
      "SELECT 1 FROM main.\(parent.parent.quoted) WHERE \(matches) LIMIT 1", values) != nil
  }

  /// The columns that no file has: favourites, notes. Only of the row that came back, and where
  /// nothing was put into them since.
  private func putBackRest(_ row: GivenWay, _ file: RowFile) throws {
    let known = Set(file.ownIndexes.map { file.fields[$0].column.name })
    let orphaned = try row.target.parents.filter { try !hasParent($0, row) }.flatMap(\.childColumns)
    let names = row.columns.filter { !known.contains($0) && !orphaned.contains($0) }
    if names.isEmpty { return }
    let shipped = row.columns.filter { known.contains($0) }
    let matches =
      shipped.map { "m.\($0.quoted) IS ? COLLATE BINARY" }
      + [UserColumns.atDefault(file, table: "m")]
    let set = names.map { "\($0.quoted) = ?" }.joined(separator: ", ")
    do {
      try connection.execute(
        """
        UPDATE OR ABORT \(row.target.sql) AS m SET \(set)
        WHERE \(matches.joined(separator: " AND "))
        """, names.map { row[$0] } + shipped.map { row[$0] })
    } catch let failure as SQLiteFailure where failure.isConstraint {
      try context.log(
        failure.isUniqueness ? .uniqueTaken : .edited, .keptUser, table: row.target.name,
        key: row.key, policy: failure.isUniqueness ? "keepUser" : "keepEdits",
        seed: RowJSON.object(names, names.map { row[$0] }))
    }
  }

  /// A user's row that was removed for its UNIQUE value; it is in no file, so it is not counted.
  private func reinsert(_ row: GivenWay) throws {
    guard try row.target.parents.allSatisfy({ try hasParent($0, row) }) else {
      return try log(row, .parentDeleted, .skipped, policy: nil)
    }
    let marks = row.columns.map { _ in "?" }.joined(separator: ", ")
    try connection.execute(
      """
      INSERT OR ABORT INTO \(row.target.sql) (\(row.columns.quotedList)) VALUES (\(marks))
      ON CONFLICT DO NOTHING
      """, row.values)
    if connection.changes == 1 {
      context.noteChanged(row.target.name, key: row.key)
    } else {
      // The place was taken since: what the user has there now stays.
      let mine = try holder(of: row)
      try log(
        row, mine == nil ? .uniqueTaken : .keyTaken, .keptUser, policy: "keepUser", mine: mine)
    }
  }

  /// The row under the key of one that is to come back.
  private func holder(of row: GivenWay) throws -> String? {
    let names = row.target.schema.columns.map(\.name)
    let matches = row.target.key.map { "\($0.name.quoted) = ?" }.joined(separator: " AND ")
    return try connection.rows(
      "SELECT \(names.quotedList) FROM \(row.target.sql) WHERE \(matches)",
      row.target.key.map { row[$0.name] }
    ).first.map { RowJSON.object(names, $0) }
  }

  /// Only columns that still have the seed's value: what the user changed since stays.
  private func putBack(_ row: GivenWay) throws {
    let (target, conflict) = (row.target, row.conflict)
    let seed = try LoggedRow(conflict.seed ?? "{}", of: conflict)
    let key = try LoggedRow(conflict.key, of: conflict)
    let condition = key.columns.map { "\($0.quoted) = ?" }.joined(separator: " AND ")
    let names = try row.columns.filter { name in
      guard let given = seed[name], !key.columns.contains(name) else { return false }
      return try connection.value(
        """
        SELECT 1 FROM \(target.sql) WHERE \(condition) AND \(name.quoted) IS ? COLLATE BINARY
        """, key.values + [given]) != nil
    }
    if names.isEmpty { return }
    let set = names.map { "\($0.quoted) = ?" }.joined(separator: ", ")
    do {
      try connection.execute(
        "UPDATE OR ABORT \(target.sql) SET \(set) WHERE \(condition)",
        names.map { row[$0] } + key.values)
      context.noteChanged(target.name, key: conflict.key)
      // The merge took it for a row to leave alone.
      context.count(target.name) {
        $0.kept -= 1
        $0.updated += 1
      }
    } catch let failure as SQLiteFailure where failure.isConstraint {
      // Another row has the value by now, or the rest of the row does not go with it.
      let isHeld = failure.isUniqueness
      let now = RowJSON.object(names, names.map { seed[$0] ?? .null })
      try context.log(
        isHeld ? .uniqueTaken : .edited, .keptUser, table: target.name, key: conflict.key,
        policy: isHeld ? "keepUser" : "keepEdits", base: now, mine: now,
        seed: RowJSON.object(names, names.map { row[$0] }))
    }
  }

  private func log(
    _ row: GivenWay, _ kind: Conflict.Kind, _ resolution: Conflict.Resolution, policy: String?,
    mine: String? = nil
  ) throws {
    try context.log(
      kind, resolution, table: row.target.name, key: row.key, policy: policy, mine: mine,
      seed: RowJSON.object(row.columns, row.values))
  }
}
