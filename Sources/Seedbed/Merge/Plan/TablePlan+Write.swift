/// Step 7: the statements that write what was decided. Each begins at the plan.
///
/// OR ABORT, since a table may declare `ON CONFLICT REPLACE` or `IGNORE` (SQLITE.md 19).
extension TablePlan {
  static let isWritten = "p.kind IN ('\(Kind.update)', '\(Kind.replace)') AND p.fate = '\(Fate.go)'"

  /// Rows that give up a UNIQUE value which another row gets step aside first.
  func stepAside(_ set: UniqueSet) -> (column: Int, sql: String)? {
    guard let column = asideColumn(set) else { return nil }
    let others = zip(set.places, set.collations).map { place, collation in
      "\(next(place, "q")) COLLATE \(collation.quoted) = \(now(place, "p"))"
    }
    let mark = column.isNotNull ? mark(of: column) : "NULL"
    let sql = """
      UPDATE OR ABORT \(target.sql) AS t SET \(column.name.quoted) = \(mark)
      FROM \(sql) AS p
      WHERE \(isSameRow(begin: "p", "t")) AND (\(going("p")) OR \(moving("p", set.places)))
        AND EXISTS (SELECT 1 FROM \(sql) AS q WHERE \(others.allTrue) AND q.row <> p.row
          AND \(moving("q", set.places)))
      """
    return (place(of: column.name), sql)
  }

  /// NULL is no value that anybody holds; else a mark of the column's type, which nobody has.
  private func asideColumn(_ set: UniqueSet) -> ColumnSchema? {
    let free = set.columns.filter { !key.contains(place(of: $0.name)) }
    let children = Set(target.childColumns.map { $0.asciiLowercased() })
    return free.first { !$0.isNotNull }
      ?? free.first { !children.contains($0.name.asciiLowercased()) } ?? free.first
  }

  private func mark(of column: ColumnSchema) -> String {
    switch Affinity(of: column, isStrict: target.schema.isStrict) {
    case .text: "char(1) || 'seedbed:' || p.row"
    case .blob: "CAST(char(1) || 'seedbed:' || p.row AS BLOB)"
    case .integer, .real, .numeric: "-4000000000000000000 - p.row"
    }
  }

  /// The plan comes first: the user's row is found by its key.
  private func isSameRow(begin q: String, _ t: String) -> String {
    target.key.map { "\(t).\($0.name.quoted) = +\(q).k\(place(of: $0.name))" }.allTrue
  }

  /// Which columns rows take from the seed; rows that take the same ones are written together.
  var patterns: String {
    "SELECT takes, count(*) FROM \(sql) AS p WHERE \(Self.isWritten) AND takes LIKE '%1%' "
      + "GROUP BY takes ORDER BY takes"
  }

  func update(_ pattern: String) -> String {
    let taken = zip(ordered.filter(\.isSet), pattern).filter { $1 == "1" }.map(\.0)
    // What stepped aside comes back, even if it keeps its value.
    let others = ordered.filter {
      aside.contains($0.place) && !taken.map(\.place).contains($0.place)
    }
    let sets =
      taken.map { "\($0.schema.name.quoted) = p.n\($0.place)" }
      + others.map { "\($0.schema.name.quoted) = p.x\($0.place)" }
    return """
      UPDATE OR ABORT \(target.sql) AS t SET \(sets.joined(separator: ", "))
      FROM \(sql) AS p
      WHERE \(isSameRow(begin: "p", "t")) AND \(Self.isWritten)
        AND p.takes = \(pattern.quotedLiteral)
      """
  }

  var delete: String {
    let columns = target.key.map(\.name).quotedList
    let keys = key.map { "p.k\($0)" }.joined(separator: ", ")
    let left = key.count == 1 ? columns : "(\(columns))"
    return """
      DELETE FROM \(target.sql)
      WHERE \(left) IN (SELECT \(keys) FROM \(sql) AS p WHERE \(going("p")))
      """
  }

  func insert(_ file: RowFile, number: Int) -> String {
    let fields = file.valueIndexes
    let values = fields.map { index -> String in
      let place = place(of: file.fields[index].column.name)
      return columns[place] == nil ? "p.k\(place)" : "p.n\(place)"
    }
    let first = Self.firstRow(of: number)
    return """
      INSERT OR ABORT INTO \(target.sql) (\(fields.map { file.fields[$0].column.name }.quotedList))
      SELECT \(values.joined(separator: ", ")) FROM \(sql) AS p
      WHERE p.row BETWEEN \(first) AND \(first | 0xF_FFFF_FFFF) AND \(coming("p"))
      """
  }

  // MARK: step 9

  /// A row that stays and refers to one that goes; there is none.
  func danglingReference(_ child: MergeContext.Child, _ plans: PlanSet) throws -> String? {
    guard let rule = try referringRows(child, plans) else { return nil }
    return rule + " LIMIT 1"
  }
}
