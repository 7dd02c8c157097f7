/// UNIQUE values that go from a row to retire to another one.
///
/// A row that comes to refer to such a value means the row that gets it, and does not keep the
/// other from being retired. Until the value has gone over, the row refers to nobody.
extension UpdateMerge {
  func awaitPassedOn(_ row: UpdateRow, _ rows: RowReading) throws {
    for parent in parents where context.mayPassOn(parent.key) {
      let hope = hope(parent, row.number)
      let columns = parent.changes.filter { row.written.contains($0) }
      guard !columns.isEmpty, referred.isDisjoint(with: columns),
        try context.isGivingUp(parent.key, parent.values(row, rows))
      else { continue }
      let matches = file.target.key.map { "\($0.name.quoted) = ?" }.allTrue
      try connection.withoutChecks {
        try set(
          columns, to: columns.map { ofNobody($0, hope.row) }, matches, layout.keyValues(rows))
      }
      passedOn[hope] = columns
    }
  }

  /// After the inserts: the rows take the values. Returns those that would refer to nobody.
  func takePassedOn() throws -> [UpdateParent.Hope] {
    var vain: [UpdateParent.Hope] = []
    for parent in parents {
      for (hope, columns) in passedOn where hope.parent == parent.index {
        if try !takePassedOn(parent, columns, .integer(hope.row)) { vain.append(hope) }
      }
    }
    return vain
  }

  private func takePassedOn(
    _ parent: UpdateParent, _ columns: [Int], _ row: Value
  ) throws -> Bool {
    let values = try stage.values(columns.map { changes[$0].seed }, row: row)
    let key = try stage.values(file.keyIndexes, row: row)
    let matches = file.target.key.map { "\($0.name.quoted) = ?" }
    // Where the row stepped aside in vain, it was not written.
    let asides = columns.map { "\(changes[$0].column.name.quoted) = ?" }
    do {
      try set(
        columns, to: values, (matches + asides).allTrue,
        key + columns.map { ofNobody($0, row.integer ?? 0) })
      if connection.changes == 0 { return true }
    } catch let failure as SQLiteFailure where context.isBrokenRow(failure) {
      return false
    }
    let found = try connection.rows(
      """
      SELECT \(parent.key.childColumns.quotedList) FROM \(file.target.sql)
      WHERE \(matches.allTrue)
      """, key)
    return try parent.key.isThere(found.first ?? [], on: connection)
  }

  private func set(
    _ columns: [Int], to values: [Value], _ condition: String, _ more: [Value]
  ) throws {
    let set = columns.map { "\(changes[$0].column.name.quoted) = ?" }.joined(separator: ", ")
    try connection.execute(
      "UPDATE OR ABORT \(file.target.sql) SET \(set) WHERE \(condition)", values + more)
  }
}

extension MergeContext {
  /// Whether rows to retire may hold what this key refers to, for another to get.
  func mayPassOn(_ key: ParentKey) -> Bool {
    deletes.contains { stage in
      stage.file.target.name == key.parent
        && stage.file.target.key.map { $0.name.asciiLowercased() }
          != key.parentColumns.map { $0.asciiLowercased() }
    }
  }

  func mayPassOn(_ file: RowFile) -> Bool {
    let changed = Set(file.changes.map { $0.column.name.asciiLowercased() })
    return file.parents.contains { key in
      mayPassOn(key) && key.childColumns.contains { changed.contains($0.asciiLowercased()) }
    }
  }

  /// Whether the row that holds these values is to be retired, or waits for one that is.
  func isGivingUp(_ key: ParentKey, _ values: [Value]) throws -> Bool {
    if values.contains(.null) { return false }
    let matches = key.parentColumns.map { "p.\($0.quoted) = ?" }
    let isThere = { (stage: Stage, conditions: [String]) in
      try self.connection.value(
        """
        SELECT 1 FROM \(stage.joinedSQL) JOIN \(stage.file.target.sql) AS p
          ON \(MergeSQL.sameKey(stage.file, table: "p"))
        WHERE \((conditions + matches).allTrue) LIMIT 1
        """, values) != nil
    }
    let isParent = { (stage: Stage) in stage.file.target.name == key.parent }
    let retired = ["s.verdict = \(Stage.Verdict.insert.rawValue)"]
    if try deletes.filter(isParent).contains(where: { try isThere($0, retired) }) { return true }
    return try updates.filter(isParent).contains { stage in
      let names = Set(key.parentColumns.map { $0.asciiLowercased() })
      let changed = stage.file.changes
        .filter { names.contains($0.column.name.asciiLowercased()) }
        .map { "\(stage.joined($0.seed)) IS NOT p.\($0.column.name.quoted)" }
      let waits = ["s.verdict = \(Stage.Verdict.postponed.rawValue)", "(\(changed.anyTrue))"]
      return try !changed.isEmpty && isThere(stage, waits)
    }
  }
}
