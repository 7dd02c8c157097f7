/// What is wrong with a release, found in the plan, with file and line.
extension TablePlan {
  private var keyList: String { key.map { "k\($0)" }.joined(separator: ", ") }

  private func keyText(_ row: Int64) throws -> String {
    let found = try connection.rows("SELECT \(keyList) FROM \(sql) WHERE row = ?", [.integer(row)])
    let file = file(of: row)
    let indexes = file.oldKeyIndexes
    let value = Dictionary(zip(indexes, found.first ?? [])) { first, _ in first }
    return try json(row, of: file, indexes) { value[$0] ?? .null }
  }

  /// The first key that comes twice.
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
    if file(of: first).role == file(of: second).role { return try twins("key", row[0], row[1]) }
    return .inTwoFiles(try keyText(second), other: try place(of: first), try place(of: second))
  }

  /// Two rows to insert cannot have one UNIQUE value.
  func refuseTwins(_ set: UniqueSet) throws {
    if inserts.isEmpty && !isKey(set) { return }
    let kinds = isKey(set) ? ["\(Kind.update)"] : ["\(Kind.insert)", "\(Kind.replace)"]
    let seeds = set.places.map { columns[$0] == nil ? "k\($0)" : "n\($0)" }
    let values = zip(seeds, set.collations).map(dialect.collated)
    let notNull = seeds.map { "\($0) IS NOT NULL" }
    let twins = try connection.rows(
      """
      SELECT min(row), max(row) FROM \(sql)
      WHERE kind IN (\(kinds.map(\.quotedLiteral).joined(separator: ", "))) AND \(notNull.allTrue)
      GROUP BY \(values.joined(separator: ", ")) HAVING count(*) > 1 ORDER BY 2 LIMIT 1
      """)
    guard let row = twins.first else { return }
    let what = isKey(set) ? "new key of the row" : "UNIQUE value of the row"
    throw try self.twins(what, row[0], row[1])
  }

  func twins(_ what: String, _ first: Value, _ second: Value) throws -> SeedbedError {
    let (first, second) = (first.integer ?? 0, second.integer ?? 0)
    return .duplicate(
      what, try keyText(second), first: try place(of: first), try place(of: second))
  }

  /// A parent that nobody can have deleted, since this run created its table.
  func refuseMissingParents(_ plans: PlanSet) throws {
    for key in parents where plans.context.isCreatedByRun(key.parent) {
      let places = places(of: key.childColumns)
      let wished = places.map { place in
        columns[place]?.hasWhy == true
          ? "CASE WHEN p.kind = 'update' AND p.why\(place) <> '\(Why.parentDeleted)' "
            + "THEN \(next(place, "p")) ELSE p.n\(place) END"
          : next(place, "p")
      }
      let skipped = decided(places).map { "why\($0) = '\(Why.parentDeleted)'" }
      let rows = try connection.rows(
        """
        SELECT row, \(wished.joined(separator: ", ")) FROM \(sql) AS p
        WHERE kind IN ('insert', 'replace') AND fate = '\(Fate.parentDeleted)'
          OR kind = 'update' AND (\(skipped.anyTrue)) ORDER BY row
        """)
      for row in rows {
        var (columns, values, isAmbiguous) = (key.parentColumns, Array(row[1...]), false)
        let number = row[0].integer ?? 0
        if values.contains(.null) { continue }
        if let (natural, name) = try unresolved(key, values, of: number) {
          (columns, values) = (natural.naturalColumns.map(\.name), name)
          isAmbiguous = try plans.isAmbiguous(natural, name)
        } else if try plans.isKnown(key, values) {
          continue
        }
        guard try plans.context.noUserCanHaveRemoved(key.parent, columns, values) else { continue }
        throw SeedbedError.parentNotFound(
          isAmbiguous: isAmbiguous, table: target.name, parent: key.parent,
          key: RowJSON.object(columns, values), try place(of: number))
      }
    }
  }

  // MARK: rows that were not written

  /// The rows of a file that a statement writes.
  func rows(_ write: Write, ofFile number: Int) -> String {
    "SELECT row FROM \(sql) AS p WHERE \(isOf(number)) AND \(write.condition) ORDER BY row"
  }

  var rowsThatMoveUsers: String {
    "SELECT row FROM \(sql) AS p WHERE \(coming("p")) AND p.moved IS NOT NULL ORDER BY row"
  }

  func rowsToFollow(_ places: [Int]) -> String {
    "SELECT row FROM \(sql) AS p WHERE \(changing("p", places)) ORDER BY row"
  }

  /// A row that a trigger kept from being written.
  func swallowed(_ kind: Kind) throws -> SeedbedError {
    // What others follow is written later.
    let followed = Set(followed.joined())
    let isWritten =
      kind == .insert
      ? "\(coming("p")) AND t.\(target.key[0].name.quoted) IS NULL"
      : "\(Self.isWritten) AND ("
        + decided.filter { !followed.contains($0.place) }.map {
          "\(takes($0.place, "p")) AND "
            + dialect.differExactly("t.\($0.schema.name.quoted)", "p.n\($0.place)")
        }.anyTrue + ")"
    let row = try connection.value(
      """
      SELECT p.row FROM \(sql) AS p LEFT JOIN \(target.sql) AS t ON \(isSameRow("p", "t"))
      WHERE \(isWritten) ORDER BY p.row LIMIT 1
      """)
    return try swallowed(row?.integer ?? 0, by: kind == .insert ? .insert : .update)
  }

  /// A row may have gone with its parent in the same table; none may still be there.
  func refuseLeftOver() throws {
    let row = try connection.value(
      """
      SELECT p.row
      FROM \(sql) AS p \(dialect.orderedJoin) \(target.sql) AS t ON \(isSameRow("p", "t"))
      WHERE \(leaving("p")) LIMIT 1
      """)
    if let row { throw try swallowed(row.integer ?? 0, by: .delete) }
  }

  private func swallowed(_ row: Int64, by event: TriggerSchema.Event) throws -> SeedbedError {
    let triggers = target.triggers.filter { $0.mayIgnore(event) }
    return SeedbedError.swallowed(
      table: target.name, triggers: triggers.map(\.name), try place(of: row))
  }

  // MARK: step 8

  /// A new key, or a value that others follow, that a table refuses to have; or a user's row that
  /// cannot move.
  var keepKey: String {
    let kept = keeping(decided(Set(followed.joined()).sorted()), "'\(Why.referenced)'")
    return """
      UPDATE \(sql) AS p SET \(kept.isEmpty ? "" : kept + ", ")
        fate = CASE kind WHEN '\(Kind.update)' THEN fate ELSE '\(Fate.keyTaken)' END
      WHERE row = ?
      """
  }

  /// A row that the table refuses.
  func demote(_ row: Int64, _ failure: any EngineFailure) throws {
    let kind = try connection.value("SELECT kind FROM \(sql) WHERE row = ?", [.integer(row)])?
      .text.flatMap(Kind.init)
    let place = try place(of: row)
    if failure.isForeignKey, kind == .delete {
      throw SeedbedError.cannotGo(table: target.name, reason: failure.message, place)
    }
    // Each row has its parent when all is written.
    if failure.isForeignKey, hasImmediateKeys {
      throw SeedbedError.cannotWait(table: target.name, reason: failure.message, place)
    }
    switch kind {
    case .update where failure.isUniqueness:
      let kept = keeping(decided.map(\.place), "'\(Why.uniqueTaken)'")
      try connection.execute("UPDATE \(sql) AS p SET \(kept) WHERE row = ?", [.integer(row)])
    case .update:
      guard try isMixed(row) else {
        throw SeedbedError.rowRefused(table: target.name, reason: failure.message, place)
      }
      try connection.execute(
        "UPDATE \(sql) SET fate = '\(Fate.refused)' WHERE row = ?", [.integer(row)])
    case .replace where context.isReseeding && !failure.isUniqueness:
      // It is the seed's row, and stays so.
      context.ruleBroken = context.ruleBroken ?? failure.message
      try connection.execute(
        "UPDATE \(sql) SET fate = '\(Fate.refused)' WHERE row = ?", [.integer(row)])
    case .replace,
      .insert where failure.isUniqueness:
      try connection.execute(
        skip([.insert, .replace], "'\(Fate.uniqueTaken)'", where: "row = ?"), [.integer(row)])
    case .insert, .delete, nil:
      throw SeedbedError.rowRefused(table: target.name, reason: failure.message, place)
    }
  }

  /// Whether a row to change keeps anything of the user's.
  private func isMixed(_ row: Int64) throws -> Bool {
    let file = file(of: row)
    let keeps = decided.map { column in
      let place = column.place
      let isOther = dialect.differ("t.\(column.schema.name.quoted)", "p.n\(place)")
      return """
        (p.why\(place) NOT IN ('\(Why.take)', '\(Why.overruled)', '\(Why.same)', '\(Why.ours)')
          OR p.why\(place) = '\(Why.ours)' AND \(isOther))
        """
    }
    let user = "NOT \(try UserColumns.atDefault(file, table: "t", on: connection))"
    return try connection.value(
      """
      SELECT 1 FROM \(sql) AS p JOIN \(target.sql) AS t ON \(isSameRow("p", "t"))
      WHERE p.row = ? AND (\((keeps + [user]).anyTrue))
      """, [.integer(row)]) != nil
  }
}
