/// Step 7: the statements that write what was decided. Each begins at the plan.
extension TablePlan {
  static let isWritten =
    "p.kind IN ('\(Kind.update)', '\(Kind.replace)') AND p.fate = '\(Fate.apply)'"

  /// Rows that give up a UNIQUE value which another row gets step aside first: the column that
  /// changes, the rows of the plan, and the statement for all of them.
  func stepAside(
    _ set: UniqueSet, forNew isForNew: Bool
  ) -> (column: Int, rows: String, sql: String)? {
    guard let column = asideColumn(set) else { return nil }
    let taking = [moving("q", set.places)] + (isForNew ? [coming("q")] : [])
    let others = zip(set.places, set.collations).map { place, collation in
      "\(dialect.collated(next(place, "q"), collation)) = \(now(place, "p"))"
    }
    let condition = """
      (\(leaving("p")) OR \(moving("p", set.places)))
        AND EXISTS (SELECT 1 FROM \(sql) AS q WHERE \(others.allTrue) AND q.row <> p.row
          AND (\(taking.anyTrue)))
      """
    let mark = column.isNotNull || set.hasOneNull ? mark(of: column) : "NULL"
    let rows = "SELECT row FROM \(sql) AS p WHERE \(condition) ORDER BY row"
    let sql = """
      \(dialect.update) \(target.sql) AS t SET \(column.name.quoted) = \(mark)
      FROM \(sql) AS p
      WHERE \(isSameRow(dialect.notSearched + "p", "t")) AND \(condition)
      """
    return (place(of: column.name), rows, sql)
  }

  /// NULL is no value that anybody holds; else a mark of the column's type, which nobody has.
  private func asideColumn(_ set: UniqueSet) -> ColumnSchema? {
    let bound = Set(key + followed.joined())
    let free = set.columns.filter { !bound.contains(place(of: $0.name)) }
    let children = Set(target.childColumns.map { $0.asciiLowercased() })
    return free.first { !$0.isNotNull && !set.hasOneNull }
      ?? free.first { !children.contains($0.name.asciiLowercased()) } ?? free.first
  }

  func mark(of column: ColumnSchema) -> String { dialect.mark("p.row", column, of: target.schema) }

  /// A statement for the rows of one file whose numbers are from ?1 to ?2.
  struct Write {
    let sql: String
    /// The rows `p` of the plan that it writes.
    let condition: String
  }

  func writes(_ kind: Kind, file number: Int) -> [Write] {
    switch kind {
    case .update, .replace: outcomesByColumns.compactMap { update($0.places, $0.outcomes) }
    case .delete: [Write(sql: delete, condition: leaving("p"))]
    case .insert: [Write(sql: insert(files[number]), condition: coming("p"))]
    }
  }

  /// How many rows are written in all. A row to retire may have gone with its parent in the same
  /// table, so this cannot tell.
  func count(_ kind: Kind) -> Int? {
    switch kind {
    case .update, .replace:
      outcomesByColumns.filter { !sets($0.places).isEmpty }.flatMap(\.outcomes).map(\.count)
        .reduce(0, +)
    case .delete: nil
    case .insert:
      outcomes.filter { $0.kind == .insert && $0.fate == .apply }.map(\.count).reduce(0, +)
    }
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
    return groups.map { (places: $0.key, outcomes: $0.value) }
      .sorted { $0.places.lexicographicallyPrecedes($1.places) }
  }

  func isOf(_ number: Int) -> String {
    "p.row BETWEEN \(Self.firstRow(of: number)) AND \(Self.firstRow(of: number + 1) - 1)"
  }

  private func sets(_ places: [Int]) -> [String] {
    // What stepped aside comes back, even if it keeps its value.
    let others = aside.subtracting(places).sorted()
    return places.map { "\(target.schema.columns[$0].name.quoted) = p.n\($0)" }
      + others.map { "\(target.schema.columns[$0].name.quoted) = p.x\($0)" }
  }

  /// nil if nothing is left to set.
  private func update(_ places: [Int], _ outcomes: [Outcome]) -> Write? {
    let sets = sets(places)
    if sets.isEmpty { return nil }
    let texts = outcomes.map(\.text.quotedLiteral).joined(separator: ", ")
    let condition = "p.outcome IN (\(texts))"
    let sql = """
      \(dialect.update) \(target.sql) AS t SET \(sets.joined(separator: ", "))
      FROM \(sql) AS p
      WHERE p.row BETWEEN ?1 AND ?2 AND \(condition)
        AND \(isSameRow(dialect.notSearched + "p", "t"))
      """
    return Write(sql: sql, condition: condition)
  }

  private var delete: String {
    "DELETE FROM \(target.sql) WHERE \(goes(where: "p.row BETWEEN ?1 AND ?2 AND "))"
  }

  /// Which rows of the table go.
  func goes(where condition: String = "") -> String {
    let columns = target.key.map(\.name).quotedList
    let keys = key.map { "p.k\($0)" }.joined(separator: ", ")
    let left = key.count == 1 ? columns : "(\(columns))"
    return "\(left) IN (SELECT \(keys) FROM \(sql) AS p WHERE \(condition)\(leaving("p")))"
  }

  private func insert(_ file: RowFile) -> String {
    let fields = file.valueIndexes
    let values = fields.map { index -> String in
      let place = place(of: file.fields[index].column.name)
      return columns[place] == nil ? "p.k\(place)" : "p.n\(place)"
    }
    let names = fields.map { file.fields[$0].column.name }.quotedList
    return """
      \(dialect.insert) INTO \(target.sql) (\(names))
      \(dialect.withGivenIDs) SELECT \(values.joined(separator: ", ")) FROM \(sql) AS p
      WHERE p.row BETWEEN ?1 AND ?2 AND \(coming("p"))
      """
  }
}
