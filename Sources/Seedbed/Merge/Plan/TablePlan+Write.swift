/// Step 7: the statements that write what was decided. Each begins at the plan.
extension TablePlan {
  /// How rows that give up a UNIQUE value which another row gets step aside first.
  struct Aside {
    /// The column that changes.
    let place: Int
    /// The rows of the plan.
    let rows: String
    /// The statement for all of them.
    let sql: String
  }

  func stepAside(_ set: UniqueSet, forNew isForNew: Bool) throws -> Aside? {
    let taking = [moving("q", set.places)] + (isForNew ? [coming("q")] : [])
    let other = [
      agree(set, { next($0, "q") }, { now($0, "p") }), "q.row <> p.row", "(\(taking.anyTrue))",
    ]
    let condition = "(\(leaving("p")) OR \(moving("p", set.places))) AND \(exists("q", other))"
    guard let (place, isNull) = try asidePlace(set, where: condition) else { return nil }
    let sql = """
      \(dialect.update) \(target.sql) AS t SET \(column(place)) = \(isNull ? "NULL" : mark(place))
      FROM \(sql) AS p
      WHERE \(isSameRow(dialect.notSearched + "p", "t")) AND \(condition)
      """
    return Aside(place: place, rows: rows(where: condition), sql: sql)
  }

  /// NULL is no value that anybody holds; else a mark of the column's type, which nobody has. Of an
  /// expression that has to be seen first.
  private func asidePlace(
    _ set: UniqueSet, where condition: String
  ) throws -> (place: Int, isNull: Bool)? {
    let bound = Set(key + followed.joined())
    let children = Set(places(of: target.childColumns))
    let free = set.columns.filter { !bound.contains($0) }
    let empty = set.hasOneNull ? [] : free.filter { !target.schema.columns[$0].isNotNull }
    let marked = free.filter { !children.contains($0) } + free.filter(children.contains)
    let choices =
      empty.map { (place: $0, isNull: true) } + marked.map { (place: $0, isNull: false) }
    if set.index == nil, set.computed.isEmpty { return choices.first }
    return try choices.first { choice in
      try !connection.finds(stillMeeting(set, choice.place, choice.isNull, where: condition))
    }
  }

  /// The rows that would hold a value of the set in spite of a NULL, or the same as another in
  /// spite of marks.
  private func stillMeeting(
    _ set: UniqueSet, _ aside: Int, _ isNull: Bool, where condition: String
  ) -> String {
    func value(_ place: Int) -> String {
      // It has a type, which the NULL alone has not.
      if place == aside { return isNull ? "CASE WHEN false THEN p.m\(place) END" : mark(place) }
      return columns[place]?.computed?.sql(value) ?? now(place, "p")
    }
    let values = set.places.map(value)
    let twice = isNull ? "" : "GROUP BY \(values.listed) HAVING count(*) > 1 "
    return """
      SELECT 1 FROM \(sql) AS p
      WHERE \(condition) AND \(values.map { "\($0) IS NOT NULL" }.allTrue) \(twice)LIMIT 1
      """
  }

  func mark(_ place: Int) -> String {
    dialect.mark("p.row", target.schema.columns[place], of: target.schema)
  }

  /// A statement for the rows of one file whose numbers are from ?1 to ?2.
  struct Write {
    let sql: String
    /// The rows `p` of the plan that it writes.
    let condition: String
  }

  /// Whether rows of a file are written so. A user's row that takes a seed's values is updated.
  func isWritten(_ file: RowFile, as role: RowFile.Role) -> Bool {
    file.role == role || role == .update && file.role == .insert && replaces
  }

  func writes(_ role: RowFile.Role, file number: Int) -> [Write] {
    switch role {
    case .update: outcomesByColumns.compactMap { update($0.places, $0.outcomes) }
    case .delete:
      [
        Write(
          sql: "DELETE FROM \(target.sql) WHERE \(goes(where: "p.row BETWEEN ?1 AND ?2 AND "))",
          condition: leaving("p"))
      ]
    case .insert: [insert(files[number])]
    }
  }

  /// How many rows are written in all. A row to retire may have gone with its parent in the same
  /// table, so this cannot tell.
  func count(_ role: RowFile.Role) -> Int? {
    let written: [Outcome]
    switch role {
    case .update:
      written = outcomesByColumns.filter { !sets($0.places).isEmpty }.flatMap(\.outcomes)
    case .delete: return nil
    case .insert: written = outcomes.filter { $0.kind == .insert && $0.fate == .apply }
    }
    return written.map(\.count).reduce(0, +)
  }

  /// Rows that take the same columns are written together. What others follow is written at last.
  private var outcomesByColumns: [(places: [Int], outcomes: [Outcome])] {
    let followed = Set(followed.joined())
    let written = outcomes.filter {
      ($0.kind == .update || $0.kind == .replace) && $0.fate == .apply && $0.takesSeed
    }
    let groups = Dictionary(grouping: written) { outcome in
      zip(decided.map(\.place), outcome.signs).filter { place, sign in
        (sign == "+" || sign == "!") && !followed.contains(place)
      }.map(\.0)
    }
    return groups.keys.inOrder.map { (places: $0, outcomes: groups[$0] ?? []) }
  }

  private func sets(_ places: [Int]) -> [String] {
    // What stepped aside comes back, even if it keeps its value.
    places.map { "\(column($0)) = p.n\($0)" }
      + aside.subtracting(places).ordered().map { "\(column($0)) = p.x\($0)" }
  }

  /// nil if nothing is left to set.
  private func update(_ places: [Int], _ outcomes: [Outcome]) -> Write? {
    let sets = sets(places)
    if sets.isEmpty { return nil }
    let condition = "p.outcome IN (\(outcomes.map(\.text.quotedLiteral).listed))"
    let sql = """
      \(dialect.update) \(target.sql) AS t SET \(sets.listed)
      FROM \(sql) AS p
      WHERE p.row BETWEEN ?1 AND ?2 AND \(condition)
        AND \(isSameRow(dialect.notSearched + "p", "t"))
      """
    return Write(sql: sql, condition: condition)
  }

  /// Which rows of the table go.
  func goes(where condition: String = "") -> String {
    let (columns, keys) = (key.map(column).listed, key.map { "p.k\($0)" }.listed)
    return "\(key.count == 1 ? columns : "(\(columns))") IN (SELECT \(keys) "
      + "FROM \(sql) AS p WHERE \(condition)\(leaving("p")))"
  }

  private func insert(_ file: RowFile) -> Write {
    let places = places(of: file.valueIndexes.map { file.fields[$0].column.name })
    let values = places.map { columns[$0] == nil ? "p.k\($0)" : "p.n\($0)" }
    let sql = """
      \(dialect.insert) INTO \(target.destination) (\(places.map(column).listed))
      \(dialect.withGivenIDs) SELECT \(values.listed) FROM \(sql) AS p
      WHERE p.row BETWEEN ?1 AND ?2 AND \(coming("p"))
      """
    return Write(sql: sql, condition: coming("p"))
  }

  // MARK: their rows

  private func isOf(_ number: Int) -> String {
    "p.row BETWEEN \(Self.firstRow(of: number)) AND \(Self.firstRow(of: number + 1) - 1)"
  }

  /// The number of the last row of a file.
  func lastRow(ofFile number: Int) throws -> Int64? {
    try connection.number("SELECT max(row) FROM \(sql) AS p WHERE \(isOf(number))")
  }

  /// The rows of a file that a statement writes.
  func rows(_ write: Write, ofFile number: Int) -> String {
    rows(where: "\(isOf(number)) AND \(write.condition)")
  }

  var rowsThatMoveUsers: String { rows(where: movingUser("p")) }

  func rowsToFollow(_ places: [Int]) -> String {
    rows(where: moving("p", places, exactly: true))
  }
}
