/// Writes a row for a person, so that no other row changes with it.
///
/// The dialect's INSERT and UPDATE say OR ABORT on SQLite, since a constraint of the schema may say
/// OR REPLACE, which would delete users' rows.
extension RowSettlement {
  func delete(_ row: Row) throws {
    try refuseIfReferred(row, to: nil)
    try change("DELETE FROM \(target.sql) WHERE \(rows.isRow)", key)
    if try rows.current(key) != nil { throw ignored }
  }

  /// Inserts a row, or updates the existing one.
  ///
  /// - Returns: the row as it is now.
  func write(_ row: Row, over current: Row?, isSeeds: Bool) throws -> Row {
    let written = try current.map { try update($0, to: row) } ?? insert(row)
    if let together {
      together.check(conflict) { try self.refuseParents(of: row, isSeeds: isSeeds) }
    } else {
      try refuseParents(of: row, isSeeds: isSeeds)
    }
    return written
  }

  private func insert(_ row: Row) throws -> Row {
    var row = writable(row)
    if try isIDTaken(of: row) { row = row.only(row.columns.filter { !isChosenID($0) }) }
    let marks = row.columns.map { _ in "?" }.joined(separator: ", ")
    try change(
      "\(dialect.insert) INTO \(target.destination) (\(row.columns.quotedList)) "
        + "\(dialect.withGivenIDs) VALUES (\(marks))",
      row.values)
    return try written(row)
  }

  /// Whether another row has got the id since. The database then chooses another.
  private func isIDTaken(of row: Row) throws -> Bool {
    guard let id = row.columns.first(where: isChosenID), let value = row[id] else { return false }
    let other = "SELECT 1 FROM \(target.sql) WHERE \(id.quoted) = ?"
    return try connection.value(other, [value]) != nil
  }

  private func update(_ current: Row, to row: Row) throws -> Row {
    let names = rows.keyNames.asNames
    let row = writable(row.only(row.columns.filter { !names.contains($0) }))
    if row.columns.isEmpty { return current }
    try refuseIfReferred(current, to: row)
    let sets = row.columns.equalsParameters().listed
    try change("\(dialect.update) \(target.sql) SET \(sets) WHERE \(rows.isRow)", row.values + key)
    return try written(row)
  }

  /// The row as it is now. A trigger may have changed it.
  private func written(_ row: Row) throws -> Row {
    guard let now = try rows.current(key), self.is(now, row) else { throw ignored }
    return now
  }

  private var ignored: SeedbedError {
    conflict.unsettled(
      "a trigger of the table keeps the row from becoming as you chose", .constraint)
  }

  private var missingParent: SeedbedError {
    conflict.unsettled(
      "the row refers to one that is gone. Put that one back, and try again", .foreignKey)
  }

  /// The row without the columns that SQLite computes.
  private func writable(_ row: Row) -> Row {
    row.only(row.columns.filter { target.schema.column($0)?.generated == .no })
  }

  private func change(_ sql: String, _ values: [Value]) throws {
    do {
      try connection.execute(sql, values)
    } catch let failure as any EngineFailure
      where failure.isConstraint && connection.isInTransaction
    {
      if failure.isForeignKey { throw missingParent }
      throw conflict.unsettled(
        failure.isUniqueness
          ? "another row holds one of its UNIQUE values (\(failure.message)). Change or delete "
            + "that one, and try again"
          : "a rule of the table refuses it (\(failure.message))", .constraint)
    }
    // A deferred foreign key reports an error only at COMMIT.
    if together == nil, try connection.hasForeignKeyViolations() { throw missingParent }
    if connection.changes != 1 { throw ignored }
  }

  // MARK: references

  /// Rows that refer to this one would lose their parent, or follow it, although no person has
  /// chosen that.
  func refuseIfReferred(_ row: Row, to new: Row?) throws {
    for child in try context.children(of: target.name) {
      let referred = child.key.parentColumns
      if let new, referred.allSatisfy({ new[$0] == nil || new[$0] == row[$0] }) { continue }
      // The parent's column is the left operand, because its collation decides.
      let matches = zip(referred, child.key.childColumns).map { "p.\($0.quoted) = c.\($1.quoted)" }
      let isThis = rows.keyNames.equalsParameters(of: "p")
      let isAnother = rows.keyNames.map {
        dialect.differ("c.\($0.quoted)", "p.\($0.quoted)")
      }.anyTrue
      let others = child.table.isSameText(as: target.name) ? ["(\(isAnother))"] : []
      let children = try connection.schema(of: child.table)
      let ownKey = context.keyColumns(of: children)
      let found = try connection.cursor(
        """
        SELECT \((["1"] + ownKey.names.map { "c.\($0.quoted)" }).listed)
        FROM \(target.sql) AS p \(dialect.orderedJoin) \(children.sql) AS c
          ON \(matches.allTrue) WHERE \((isThis + others).allTrue)
        """)
      found.bind(key)
      while try found.step() {
        let entry = RowJSON.collatedKey(ownKey, found.values(from: 1))
        if new == nil, together?.goes(child.table, entry) == true { continue }
        throw conflict.unsettled(
          "rows of '\(child.table)' refer to what would go. Change or delete those first, and try "
            + "again", .foreignKey)
      }
    }
  }

  /// The rows that the new values refer to must exist. For a seed row they must be the seed's.
  private func refuseParents(of row: Row, isSeeds: Bool) throws {
    let names = row.columns.asNames
    for parent in target.parents {
      let children = parent.childColumns
      if !children.contains(where: { names.contains($0) }) { continue }
      let key = context.keyColumns(of: try connection.schema(of: parent.parent))
      let isThis = rows.keyNames.equalsParameters(of: "c")
      let refers = children.map { "c.\($0.quoted) IS NOT NULL" }
      let matches = zip(parent.parentColumns, children).map { "p.\($0.quoted) = c.\($1.quoted)" }
      let columns = [parent.parentColumns[0]] + key.names
      let found = try connection.rows(
        """
        SELECT \(columns.map { "p.\($0.quoted)" }.joined(separator: ", "))
        FROM \(target.sql) AS c LEFT JOIN \(try connection.schema(of: parent.parent).sql) AS p
          ON \(matches.allTrue) WHERE \((isThis + refers).allTrue) LIMIT 1
        """, self.key
      ).first
      guard let found else { continue }
      if found[0] == .null { throw missingParent }
      let entry = RowJSON.collatedKey(key, Array(found[1...]))
      // A row that refers to itself comes with its parent.
      let isItself =
        parent.parent.isSameText(as: target.name)
        && entry.isSameText(as: rows.collated(self.key))
      if !isSeeds || isItself { continue }
      if try ledger.reason(table: parent.parent, key: entry, on: connection) != nil {
        throw conflict.unsettled(
          "it would refer to a row of '\(parent.parent)' that is the user's")
      }
    }
  }
}
