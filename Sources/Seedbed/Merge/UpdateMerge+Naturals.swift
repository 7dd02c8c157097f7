/// References by natural key in update files.
extension UpdateMerge {
  /// The old values and the key were found in the data as up.sql left it. What is new is named as
  /// the migration leaves it: as far as parents have yet to change, as they are to. What turned out
  /// to be otherwise in an earlier turn is known.
  func settleNaturals() throws {
    for reference in newNames {
      if file.isKey(reference) {
        if context.tablesToUpdate.contains(reference.parent.name) { try settleKeys(reference) }
        continue
      }
      try context.fillAhead(stage, reference)
      for (name, meaning) in names where name.receiver == reference.receivers[0] {
        // What it means hangs on what it means: nothing is guessed then.
        let nobody = reference.receivers.map { "c\($0) = \(reference.unresolvedSQL())" }
        try connection.execute(
          "UPDATE \(stage.sql) SET "
            + (meaning.isFinal ? nobody.joined(separator: ", ") : set(reference))
            + " WHERE row = ?",
          (meaning.isFinal ? [] : meaning.values) + [.integer(name.row)])
      }
      if context.tablesToFill.contains(reference.parent.name) { try park(reference) }
    }
  }

  /// Those of new values, and of new keys.
  private var newNames: [NaturalReference] {
    file.naturals.filter { reference in
      !file.fields[reference.receivers[0]].isBase && context.mayRename(reference.parent)
        && (file.hasKeyChanges || !file.isKey(reference))
    }
  }

  private func set(_ reference: NaturalReference) -> String {
    reference.receivers.map { "c\($0) = ?" }.joined(separator: ", ")
  }

  /// In the end: new names that mean other rows than it was thought. Where rows of the parent are
  /// retired, that shows only after these are gone.
  func otherNames(ofRetired: Bool) throws -> [NewName: NewName.Meaning] {
    var found: [NewName: NewName.Meaning] = [:]
    for reference in newNames where !file.isKey(reference) {
      let isRetired = context.deletes.contains { $0.file.target.name == reference.parent.name }
      if isRetired != ofRetired { continue }
      for (row, values) in try otherRows(reference) + halfOld(reference) {
        let name = NewName(stage: stage.sql, row: row, receiver: reference.receivers[0])
        if names[name]?.isFinal != true { found[name] = NewName.Meaning(values: values) }
      }
    }
    return found
  }

  private func otherRows(_ reference: NaturalReference) throws -> [(Int64, [Value])] {
    let thought = "temp." + "\(stage.name):thought".quoted
    let receivers = reference.receivers.map { "c\($0)" }
    try connection.execute(
      """
      CREATE TABLE \(thought) AS
      SELECT row AS number, \(receivers.joined(separator: ", ")) FROM \(stage.sql)
      """)
    let isGone = context.deletes.filter { $0.file.target.name == reference.parent.name }
    try stage.lookup(reference).fillAhead([], isGone)
    let columns = (["t", "s"].flatMap { table in receivers.map { "\(table).\($0)" } })
    let rows = try connection.rows(
      """
      SELECT s.row, \(columns.joined(separator: ", "))
      FROM \(stage.sql) AS s JOIN \(thought) AS t ON t.number = s.row
      WHERE \(receivers.map { "s.\($0) IS NOT t.\($0)" }.anyTrue)
      """)
    try connection.execute("DROP TABLE \(thought)")
    return rows.compactMap { row in
      let number = row[0].integer ?? 0
      // What was awaited for a column that stays as it is makes no difference.
      let awaited = reference.receivers.map { file.awaited($0, mark: stage.mark + number) }
      if Array(row[1...receivers.count]) == awaited { return nil }
      return (number, Array(row[(1 + receivers.count)...]))
    }
  }

  /// Rows that awaited a composite key: the part of it that they had before does not change.
  private func halfOld(_ reference: NaturalReference) throws -> [(Int64, [Value])] {
    let receivers = reference.receivers.map { "c\($0)" }
    guard receivers.count > 1, context.tablesToFill.contains(reference.parent.name) else {
      return []
    }
    let rows = try connection.rows(
      """
      SELECT row, \(receivers.joined(separator: ", ")) FROM \(stage.sql)
      WHERE row IN (SELECT row FROM \(stage.awaitingSQL) WHERE field = ?)
      """, [Value(reference.receivers[0])])
    return rows.map { ($0[0].integer ?? 0, Array($0.dropFirst())) }
      .filter { row, _ in
        let receiver = reference.receivers[0]
        return names[NewName(stage: stage.sql, row: row, receiver: receiver)] == nil
      }
  }

  /// The log shows the keys of rows that came since.
  func mendLog() throws { try stage.mendLog(context.ledger) }

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
    let receiver = reference.receivers[0]
    for row in rows.map({ $0[0] }) {
      let name = NewName(stage: stage.sql, row: row.integer ?? 0, receiver: receiver)
      if names[name]?.isFinal == true { continue }
      let mark = stage.mark + (row.integer ?? 0)
      try connection.execute(
        "UPDATE \(stage.sql) SET \(set(reference)) WHERE row = ?",
        reference.receivers.map { file.awaited($0, mark: mark) } + [row])
      try stage.noteAwaiting(row: row, field: receiver)
    }
  }

  /// After the inserts: gives the rows that hoped for a parent its key. Returns those that found
  /// none, or cannot have it.
  func settleAwaited(
    _ parent: UpdateParent, _ reference: NaturalReference
  ) throws -> [UpdateParent.Hope] {
    let lookup = stage.lookup(reference)
    let hoping = [
      "s.row IN (SELECT row FROM \(stage.hopesSQL) WHERE parent = \(parent.index))",
      "s.row IN (SELECT row FROM \(stage.awaitingSQL) WHERE field = \(reference.receivers[0]))",
    ].allTrue
    try lookup.fill(where: hoping)
    var vain: [UpdateParent.Hope] = []
    let columns = ["s.row", lookup.isUnresolved] + reference.receivers.map { "s.c\($0)" }
    let rows = try connection.rows(
      "SELECT \(columns.joined(separator: ", ")) FROM \(stage.sql) AS s WHERE \(hoping)")
    for row in rows {
      if row[1] == 1 {
        let values = try lookup.unresolvedKey(of: row[0]) ?? []
        if parent.isLeft(values) {
          vain.append(hope(parent, row[0], .taken))
          continue
        }
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
