/// References by natural key in update files.
extension UpdateMerge {
  /// The old values and the key were found in the data as up.sql left it. What is new is named as
  /// the migration leaves it: after the updates of its parents, or by rows that have yet to come.
  func settleNaturals() throws {
    for reference in file.naturals where !file.fields[reference.receivers[0]].isBase {
      let isUpdated = context.tablesToUpdate.contains(reference.parent.name)
      let isKey = reference.receivers.contains { file.keyIndexes.contains($0) }
      if isKey {
        if isUpdated { try settleKeys(reference) }
        continue
      }
      if isUpdated { try stage.lookup(reference).fill(where: differs(reference)) }
      if context.tablesToFill.contains(reference.parent.name) { try park(reference) }
    }
  }

  private func settleKeys(_ reference: NaturalReference) throws {
    let lookup = stage.lookup(reference)
    try stage.forgetKeys()
    try lookup.fill(where: lookup.isUnresolved)
    try stage.indexByKey()
  }

  /// Holds where the new value is not the old one.
  private func differs(_ reference: NaturalReference) -> String {
    let differences = changes.compactMap { change -> String? in
      guard reference.receivers.contains(change.seed), let base = change.base else { return nil }
      return "\(stage.field(change.seed)) IS NOT \(stage.field(base))"
    }
    return differences.isEmpty ? "true" : "(\(differences.anyTrue))"
  }

  /// Rows that name what is not there yet are written with values of nobody's.
  private func park(_ reference: NaturalReference) throws {
    let isUnresolved = stage.lookup(reference).isUnresolved
    let rows = try connection.rows(
      """
      SELECT s.row FROM \(stage.sql) AS s WHERE \(isUnresolved) AND \(differs(reference))
      """)
    let set = reference.receivers.map { "c\($0) = ?" }.joined(separator: ", ")
    for row in rows.map({ $0[0] }) {
      let mark = stage.mark + (row.integer ?? 0)
      try connection.execute(
        "UPDATE \(stage.sql) SET \(set) WHERE row = ?",
        reference.receivers.map { file.awaited($0, mark: mark) } + [row])
    }
  }

  /// After the inserts: gives the rows that hoped for a parent its key. Returns those that found
  /// none, or cannot have it.
  func settleAwaited(
    _ parent: UpdateParent, _ reference: NaturalReference
  ) throws -> [UpdateParent.Hope] {
    let lookup = stage.lookup(reference)
    let hoping = "s.row IN (SELECT row FROM \(stage.hopesSQL) WHERE parent = \(parent.index))"
    try lookup.fill(where: hoping)
    var vain: [UpdateParent.Hope] = []
    let columns = ["s.row", lookup.isUnresolved] + reference.receivers.map { "s.c\($0)" }
    let rows = try connection.rows(
      "SELECT \(columns.joined(separator: ", ")) FROM \(stage.sql) AS s WHERE \(hoping)")
    for row in rows {
      if row[1] == 1 {
        let values = try lookup.unresolvedKey(of: row[0]) ?? []
        try refuseSeedsFault(parent, row[0], reference.naturalColumns.map(\.name), values)
        vain.append(hope(parent, row[0]))
      } else if try !write(Array(row[2...]), reference, row[0]) {
        vain.append(hope(parent, row[0], .held))
      }
    }
    return vain
  }

  /// Only in place of what was awaited; false where another row holds the value.
  private func write(
    _ values: [Value], _ reference: NaturalReference, _ row: Value
  ) throws -> Bool {
    let mark = stage.mark + (row.integer ?? 0)
    let key = zip(file.target.key, file.keyIndexes)
      .map { "\($0.name.quoted) = (SELECT c\($1) FROM \(stage.sql) WHERE row = ?1)" }
      .allTrue
    for (value, index) in zip(values, reference.receivers) {
      let name = file.fields[index].column.name.quoted
      do {
        try connection.execute(
          "UPDATE OR ABORT \(file.target.sql) SET \(name) = ?2 WHERE \(key) AND \(name) = ?3",
          [row, value, file.awaited(index, mark: mark)])
      } catch let failure as SQLiteFailure where context.isBrokenRow(failure) {
        return false
      }
    }
    return true
  }

  // MARK: parents that are not there

  func refuseSeedsFault(
    _ parent: UpdateParent, _ row: UpdateRow, _ rows: RowReading
  ) throws {
    let (columns, values) = try parent.wanted(row, rows)
    try refuseSeedsFault(parent, row.number, columns.map(\.name), values)
  }

  func refuseSeedsFault(
    _ parent: UpdateParent, _ row: Value, _ columns: [String], _ values: [Value]
  ) throws {
    guard try context.isSeedsFault(parent.name, columns, values) else { return }
    let lookup = parent.reference.map(stage.lookup)
    let isNatural = try lookup?.unresolvedKey(of: row) != nil
    throw SeedbedError.parentNotFound(
      isAmbiguous: try isNatural && lookup?.isAmbiguous(values) == true,
      table: file.target.name, parent: parent.name, key: RowJSON.object(columns, values),
      try stage.place(of: row))
  }
}
