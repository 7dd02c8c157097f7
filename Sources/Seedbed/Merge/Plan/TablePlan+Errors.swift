/// Errors of a release that the plan shows, with file and line.
extension TablePlan {
  private var keyList: String { key.map { "k\($0)" }.listed }

  private func keyText(_ row: Int64) throws -> String {
    let found = try connection.rows("SELECT \(keyList) FROM \(sql) WHERE row = ?", [.integer(row)])
    let indexes = file(of: row).oldKeyIndexes
    return try json(row, indexes, found.first ?? indexes.map { _ in .null })
  }

  /// The first key that occurs twice.
  func duplicateKey() throws -> SeedbedError {
    let found = try connection.rows(
      """
      SELECT min(row), max(row) FROM (
        SELECT row, \(keyList), row_number() OVER (PARTITION BY \(keyList) ORDER BY row) AS nth
        FROM \(sql)) AS twins
      WHERE nth <= 2 GROUP BY \(keyList) HAVING count(*) > 1 ORDER BY 2 LIMIT 1
      """)
    guard let row = found.first, let first = row[0].integer, let second = row[1].integer else {
      return SeedbedError(.csv, "A key of '\(target.name)' appears twice in this migration.")
    }
    if file(of: first).role == file(of: second).role { return try twins("key", first, second) }
    return .inTwoFiles(try keyText(second), other: try origin(of: first), try origin(of: second))
  }

  /// Throws if two rows to insert have the same UNIQUE value.
  func refuseTwins(_ set: UniqueSet) throws {
    if inserts.isEmpty && !isKey(set) { return }
    let (what, kinds): (String, [Kind]) =
      isKey(set)
      ? ("new key of the row", [.update]) : ("UNIQUE value of the row", [.insert, .replace])
    let seeds = set.places.map(seed)
    let twins = try connection.rows(
      """
      SELECT min(row), max(row) FROM \(sql)
      WHERE kind IN (\(kinds.map { "'\($0)'" }.listed))
        AND \(seeds.map { "\($0) IS NOT NULL" }.allTrue)
      GROUP BY \(zip(seeds, set.collations).map(dialect.collated).listed)
      HAVING count(*) > 1 ORDER BY 2 LIMIT 1
      """)
    guard let row = twins.first, let first = row[0].integer, let second = row[1].integer else {
      return
    }
    throw try self.twins(what, first, second)
  }

  func twins(_ what: String, _ first: Int64, _ second: Int64) throws -> SeedbedError {
    .duplicate(what, try keyText(second), first: try origin(of: first), try origin(of: second))
  }

  /// Throws if a parent is missing that no user can have deleted, since this run created its table.
  func refuseMissingParents(_ plans: PlanSet) throws {
    for key in parents where context.isCreatedByRun(key.parent) {
      let places = try places(of: key.childColumns)
      let decided = decided(places)
      let wished = places.map { place in
        let next = next(place, "p")
        let isKept = "p.kind = 'update' AND p.why\(place) <> '\(Why.parentDeleted)'"
        return decided.contains(place)
          ? "CASE WHEN \(isKept) THEN \(next) ELSE p.n\(place) END" : next
      }
      let skipped = decided.map { "why\($0) = '\(Why.parentDeleted)'" }
      let rows = try connection.rows(
        """
        SELECT row, \(wished.listed) FROM \(sql) AS p
        WHERE kind IN ('insert', 'replace') AND fate = '\(Fate.parentDeleted)'
          OR kind = 'update' AND (\(skipped.anyTrue)) ORDER BY row
        """)
      for row in rows {
        var (columns, values, isAmbiguous) = (key.parentColumns, Array(row[1...]), false)
        let number = try row.integer(0)
        if values.contains(.null) { continue }
        if let (natural, name) = try unresolved(key, values, of: number) {
          (columns, values) = (natural.naturalColumns.names, name)
          isAmbiguous = try plans.isAmbiguous(natural, name)
        } else if try plans.isKnown(key, values) {
          continue
        }
        guard try context.noUserCanHaveRemoved(key.parent, columns, values) else { continue }
        throw SeedbedError.parentNotFound(
          isAmbiguous: isAmbiguous, table: target.name, parent: key.parent,
          key: RowJSON.object(columns, values), try origin(of: number))
      }
    }
  }

  // MARK: rows that were not written

  /// The error for a row that a trigger kept from being written.
  func swallowed(_ role: RowFile.Role) throws -> SeedbedError {
    // Columns that others follow are written later.
    let followed = Set(try followed().joined())
    let isOther = decided.filter { !followed.contains($0.place) }.map {
      let differs = dialect.differExactly("t.\($0.schema.name.quoted)", "p.n\($0.place)")
      return "\(takes($0.place, "p")) AND \(differs)"
    }
    let isMissing =
      role == .insert
      ? isAbsent : "\(applies("p", [.update, .replace])) AND (\(isOther.anyTrue))"
    let row = try firstRow(where: isMissing)
    return try swallowed(row ?? 0, by: role == .insert ? .insert : .update)
  }

  /// Throws if a trigger wrote a new row under another key.
  func refuseOtherKey(_ condition: String) throws {
    guard target.mayChangeKeys, let row = try firstRow(where: "\(condition) AND \(isAbsent)")
    else { return }
    let triggers = target.triggers.filter(\.mayChangeNewRows)
    throw SeedbedError.keyChanged(
      table: target.name, triggers: triggers, dialect, try origin(of: row))
  }

  /// A condition for new rows whose key is not in the table.
  private var isAbsent: String { "\(coming("p")) AND t.\(column(key[0])) IS NULL" }

  /// The first row `p` of the plan for which a condition holds, beside the row `t` of its key.
  private func firstRow(where condition: String) throws -> Int64? {
    try connection.number(
      """
      SELECT p.row FROM \(sql) AS p LEFT JOIN \(target.sql) AS t ON \(isSameRow("p", "t"))
      WHERE \(condition) ORDER BY p.row LIMIT 1
      """)
  }

  /// Throws if a row to retire still exists. It may have been deleted with its parent in the same
  /// table.
  func refuseLeftOver() throws {
    let row = try connection.number(
      """
      SELECT p.row
      FROM \(sql) AS p \(dialect.orderedJoin) \(target.sql) AS t ON \(isSameRow("p", "t"))
      WHERE \(leaving("p")) LIMIT 1
      """)
    if let row { throw try swallowed(row, by: .delete) }
  }

  private func swallowed(_ row: Int64, by event: TriggerSchema.Event) throws -> SeedbedError {
    let triggers = target.triggers.filter { $0.mayIgnore(event) }
    return .swallowed(table: target.name, triggers: triggers, dialect, try origin(of: row))
  }
}
