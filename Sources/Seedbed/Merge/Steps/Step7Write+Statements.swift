/// Step 7: the statements that write what was decided. Each begins at the plan.
extension TablePlan {
  /// A statement for the rows of one file with numbers from ?1 to ?2.
  struct Statement {
    let file: Int
    let sql: String
    /// A condition for the rows `p` of the plan that it writes.
    let condition: String
  }

  private static let isInRange = "p.row BETWEEN ?1 AND ?2"

  /// Rows that give up a UNIQUE value first step aside if another row takes it: the column that
  /// changes, and the statement. nil if there are none.
  ///     row 1: 'A' → 'B', row 2: 'B' → 'A'. First row 2 gets NULL, or a value that no row has
  func stepAside(
    _ set: UniqueSet, forNew isForNew: Bool
  ) throws -> (slot: Int, statements: [Statement])? {
    let taking = [moving("q", set.slots)] + (isForNew ? [coming("q")] : [])
    let other = [
      agree(set, { next($0, "q") }, { now($0, "p") }), "q.row <> p.row", "(\(taking.anyTrue))",
    ]
    let condition = "(\(leaving("p")) OR \(moving("p", set.slots))) AND \(exists("q", other))"
    // With LIMIT, a server's planner would expect to meet one soon, and compare all with all.
    guard try connection.number("SELECT max(row) FROM \(sql) AS p WHERE \(condition)") != nil,
      let (slot, isNull) = try asideSlot(set, where: condition)
    else { return nil }
    let new = "\(column(slot)) = \(isNull ? "NULL" : markSQL(slot))"
    return (slot, files.indices.map { change(new, ofFile: $0, where: condition) })
  }

  /// NULL is a value that no row holds. Otherwise, a mark of the column's type is used. For an
  /// expression, a query has to show first whether that helps.
  private func asideSlot(
    _ set: UniqueSet, where condition: String
  ) throws -> (slot: Int, isNull: Bool)? {
    let bound = try Set(key + followed().joined())
    let children = try Set(slots(of: target.childColumns))
    let free = set.columns.filter { !bound.contains($0) }
    let empty = set.hasOneNull ? [] : free.filter { !target.schema.columns[$0].isNotNull }
    let most = try mostRows()
    let able = free.filter { hasMarks($0, for: most) }
    let marked = able.filter { !children.contains($0) } + able.filter(children.contains)
    let choices =
      empty.map { (slot: $0, isNull: true) } + marked.map { (slot: $0, isNull: false) }
    if set.index == nil, set.computed.isEmpty { return choices.first }
    return try choices.first { choice in
      try !connection.finds(stillMeeting(set, choice.slot, choice.isNull, where: condition))
    }
  }

  /// Rows that would still hold a value of the set in spite of a NULL, or the same value as another
  /// in spite of marks.
  private func stillMeeting(
    _ set: UniqueSet, _ aside: Int, _ isNull: Bool, where condition: String
  ) -> String {
    func value(_ slot: Int) -> String {
      // It has a type, which a plain NULL lacks.
      if slot == aside { return isNull ? "CASE WHEN false THEN p.m\(slot) END" : markSQL(slot) }
      return columns[slot]?.computed?.sql(value) ?? now(slot, "p")
    }
    let values = set.slots.map(value)
    let twice = isNull ? "" : "GROUP BY \(values.listed) HAVING count(*) > 1 "
    return """
      SELECT 1 FROM \(sql) AS p
      WHERE \(condition) AND \(values.map { "\($0) IS NOT NULL" }.allTrue) \(twice)LIMIT 1
      """
  }

  private func mark(_ slot: Int) -> Mark? {
    dialect.mark("p.row", target.schema.columns[slot], of: target.schema)
  }

  /// For a column that has marks.
  func markSQL(_ slot: Int) -> String { mark(slot)?.sql ?? "NULL" }

  /// Whether each row gets a mark of its own in a column, and, if `sure`, no rule can refuse one.
  func hasMarks(_ slot: Int, for rows: Int64, sure: Bool = false) -> Bool {
    guard let mark = mark(slot) else { return false }
    return mark.room > rows && mark.files >= files.count && (mark.isSure || !sure)
  }

  /// The number of rows in the longest file.
  func mostRows() throws -> Int64 {
    try connection.number("SELECT max(row % \(Self.firstRow(of: 1))) FROM \(sql)") ?? 0
  }

  /// A statement that changes the rows of a file for which a condition holds.
  private func change(
    _ sets: String, ofFile number: Int, where condition: String
  ) -> Statement {
    let sql = """
      \(dialect.update) \(target.sql) AS t SET \(sets)
      FROM \(sql) AS p
      WHERE \(Self.isInRange) AND \(condition)
        AND \(isSameRow(dialect.notSearched + "p", "t"))
      """
    return Statement(file: number, sql: sql, condition: condition)
  }

  /// Sets the values to NULL that become NULL. Nothing refers to them any more.
  func emptying(_ slots: [Int]) -> [Statement] {
    let decided = decided(slots)
    let sets = decided.map { "\(column($0)) = p.x\($0)" }.listed
    let isEmptied = decided.map { "p.x\($0) IS NULL" }.anyTrue
    let condition = "\(moving("p", slots, exactly: true)) AND (\(isEmptied))"
    return files.indices.map { change(sets, ofFile: $0, where: condition) }
  }

  // MARK: rows to change

  /// The statements, and the number of rows that they write. A user's row that takes a seed's
  /// values is updated, too. A row that stepped aside gets its value back, even if it keeps it.
  func updating(and aside: Set<Int>) throws -> (statements: [Statement], count: Int) {
    let groups = try outcomesByColumns().compactMap { slots, outcomes -> (String, String, Int)? in
      let sets =
        slots.map { "\(column($0)) = p.n\($0)" }
        + aside.subtracting(slots).ordered().map { "\(column($0)) = p.x\($0)" }
      if sets.isEmpty { return nil }
      let condition = "p.outcome IN (\(outcomes.map(\.text.quotedLiteral).listed))"
      return (sets.listed, condition, outcomes.map(\.count).reduce(0, +))
    }
    let numbers = files.indices.filter {
      files[$0].role == .update || files[$0].role == .insert && replaces
    }
    let statements = numbers.flatMap { number in
      groups.map { change($0.0, ofFile: number, where: $0.1) }
    }
    return (statements, groups.map(\.2).reduce(0, +))
  }

  /// Rows that take the same columns are written together, columns that others follow last.
  private func outcomesByColumns() throws -> [(slots: [Int], outcomes: [Outcome])] {
    let followed = Set(try followed().joined())
    let written = outcomes.filter {
      ($0.kind == .update || $0.kind == .replace) && $0.fate == .apply && $0.takesSeed
    }
    let groups = Dictionary(grouping: written) { outcome in
      zip(decided.map(\.slot), outcome.signs).filter { slot, sign in
        (sign == "+" || sign == "!") && !followed.contains(slot)
      }.map(\.0)
    }
    return groups.keys.inOrder.map { (slots: $0, outcomes: groups[$0] ?? []) }
  }

  // MARK: rows to retire

  /// A row may have gone with its parent in the same table, so the number of rows is not known.
  var deleting: [Statement] {
    let sql = "DELETE FROM \(target.sql) WHERE \(goes(where: Self.isInRange + " AND "))"
    return files.indices.filter { files[$0].role == .delete }
      .map { Statement(file: $0, sql: sql, condition: leaving("p")) }
  }

  /// A condition for the rows of the table that are retired.
  func goes(where condition: String = "") -> String {
    let (columns, keys) = (key.map(column).listed, key.map { "p.k\($0)" }.listed)
    return "\(key.count == 1 ? columns : "(\(columns))") IN (SELECT \(keys) "
      + "FROM \(sql) AS p WHERE \(condition)\(leaving("p")))"
  }

  // MARK: rows to insert

  func inserting() throws -> [Statement] {
    try files.indices.filter { files[$0].role == .insert }.map(insert)
  }

  var insertCount: Int {
    outcomes.filter { $0.kind == .insert && $0.fate == .apply }.map(\.count).reduce(0, +)
  }

  private func insert(_ number: Int) throws -> Statement {
    let file = files[number]
    let optional = parents.compactMap(withoutParent).joined().map(\.slot)
    let own = try slots(of: file.valueIndexes.map { file.fields[$0].column.name })
    let slots = own + Set(optional).subtracting(own).ordered()
    let values = slots.map { slot in
      columns[slot] == nil ? "p.k\(slot)" : "p.\(optional.contains(slot) ? "x" : "n")\(slot)"
    }
    let sql = """
      \(dialect.insert) INTO \(target.destination) (\(slots.map(column).listed))
      \(dialect.withGivenIDs) SELECT \(values.listed) FROM \(sql) AS p
      WHERE \(Self.isInRange) AND \(coming("p"))
      """
    return Statement(file: number, sql: sql, condition: coming("p"))
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
  func rows(_ statement: Statement) -> String {
    rows(where: "\(isOf(statement.file)) AND \(statement.condition)")
  }

  var rowsThatMoveUsers: String { rows(where: movingUser("p")) }

  func rowsToFollow(_ slots: [Int]) -> String {
    rows(where: moving("p", slots, exactly: true))
  }
}
