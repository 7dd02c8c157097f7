/// How a row is written for a person, so that no other row changes with it.
///
/// OR ABORT, since a constraint of the schema may say OR REPLACE: then rows of users would go.
extension Settlement {
  func delete(_ row: Row) throws {
    try refuseIfReferred(row, to: nil)
    try change("DELETE FROM \(target.sql) WHERE \(isThisRow)", key)
    if try rows.current(key) != nil { throw SeedbedError.cannotSettle(conflict, .ignored) }
  }

  func insert(_ row: Row) throws -> Row {
    let row = writable(row)
    let marks = row.columns.map { _ in "?" }.joined(separator: ", ")
    try change(
      "INSERT OR ABORT INTO \(target.sql) (\(row.columns.quotedList)) VALUES (\(marks))",
      row.values)
    return try written(row)
  }

  func update(_ current: Row, to row: Row) throws -> Row {
    let names = Set(keyNames.map { $0.asciiLowercased() })
    let row = writable(row.only(row.columns.filter { !names.contains($0.asciiLowercased()) }))
    if row.columns.isEmpty { return current }
    try refuseIfReferred(current, to: row)
    let sets = row.columns.map { "\($0.quoted) = ?" }.joined(separator: ", ")
    try change("UPDATE OR ABORT \(target.sql) SET \(sets) WHERE \(isThisRow)", row.values + key)
    return try written(row)
  }

  /// The row as it is now. A trigger may have made another of it.
  private func written(_ row: Row) throws -> Row {
    guard let now = try rows.current(key), self.is(now, row) else {
      throw SeedbedError.cannotSettle(conflict, .ignored)
    }
    return now
  }

  /// Without the columns that SQLite computes.
  private func writable(_ row: Row) -> Row {
    row.only(row.columns.filter { target.schema.column($0)?.generated == .no })
  }

  private var isThisRow: String { Reseed.isRow(keyNames) }

  private func change(_ sql: String, _ values: [Value]) throws {
    do {
      try connection.execute(sql, values)
    } catch let failure as any EngineFailure
      where failure.isConstraint && connection.isInTransaction
    {
      throw SeedbedError.cannotSettle(
        conflict, failure.isForeignKey ? .missingParent : .rule(failure))
    }
    // A deferred foreign key speaks up at COMMIT only.
    if try connection.hasForeignKeyViolations() {
      throw SeedbedError.cannotSettle(conflict, .missingParent)
    }
    if connection.changes != 1 { throw SeedbedError.cannotSettle(conflict, .ignored) }
  }

  // MARK: references

  /// Rows that refer to this one would lose it, or follow it without anybody having chosen that.
  private func refuseIfReferred(_ row: Row, to new: Row?) throws {
    for child in try context.children(of: target.name) {
      let referred = child.key.parentColumns
      if let new, referred.allSatisfy({ new[$0] == nil || new[$0] == row[$0] }) { continue }
      // The parent's column is the left operand: its collation decides.
      let matches = zip(referred, child.key.childColumns).map { "p.\($0.quoted) = c.\($1.quoted)" }
      let isThis = keyNames.map { "p.\($0.quoted) = ?" }
      let isItself = keyNames.map { "c.\($0.quoted) IS p.\($0.quoted)" }.allTrue
      let others = child.table == target.name ? ["NOT (\(isItself))"] : []
      let found = try connection.value(
        """
        SELECT 1 FROM \(target.sql) AS p CROSS JOIN \(connection.dialect.table(child.table)) AS c
          ON \(matches.allTrue) WHERE \((isThis + others).allTrue) LIMIT 1
        """, key)
      if found != nil { throw SeedbedError.cannotSettle(conflict, .referred(by: child.table)) }
    }
  }

  /// The rows to which it refers by what was written must be there, and for a seed row be the
  /// seed's.
  func refuseParents(of row: Row, isSeeds: Bool) throws {
    let names = Set(row.columns.map { $0.asciiLowercased() })
    for parent in target.parents {
      let children = parent.childColumns
      if !children.contains(where: { names.contains($0.asciiLowercased()) }) { continue }
      let schema = try connection.schema(of: parent.parent)
      let key = context.keyColumns(of: schema)
      let isNull = children.map { "c.\($0.quoted) IS NULL" }.anyTrue
      let isThis = keyNames.map { "c.\($0.quoted) = ?" }.allTrue
      let refers = try connection.value(
        "SELECT 1 FROM \(target.sql) AS c WHERE \(isThis) AND NOT (\(isNull))", self.key)
      if refers == nil { continue }
      let matches = zip(parent.parentColumns, children).map { "p.\($0.quoted) = c.\($1.quoted)" }
      let found = try connection.rows(
        """
        SELECT \(key.map { "p.\($0.name.quoted)" }.joined(separator: ", "))
        FROM \(target.sql) AS c CROSS JOIN \(connection.dialect.table(parent.parent)) AS p
          ON \(matches.allTrue) WHERE \(isThis) LIMIT 1
        """, self.key
      ).first
      guard let found else { throw SeedbedError.cannotSettle(conflict, .missingParent) }
      let entry = RowJSON.collatedKey(key, found)
      // A row that refers to itself comes with its parent.
      let isOwn = parent.parent == target.name
      if isOwn, entry.utf8.elementsEqual(rows.collated(self.key).utf8) { continue }
      let reason = try ledger.reason(table: parent.parent, key: entry, on: connection)
      if isSeeds, let reason, reason != Ledger.pinned {
        throw SeedbedError.cannotSettle(conflict, .usersParent(parent.parent))
      }
    }
  }
}
