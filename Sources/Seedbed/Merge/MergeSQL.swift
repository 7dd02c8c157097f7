/// The SQL text of the merge, in one place. Every identifier comes from the schema, quoted.
///
/// Each writing statement says OR ABORT: a table may declare `ON CONFLICT REPLACE` or `IGNORE`,
/// which would delete a user's row or drop one of ours in silence (SQLITE.md 19).
enum MergeSQL {
  /// All rows of a file in one statement; rows whose place is taken are passed over, and so are
  /// those whose parent is missing.
  static func insertAll(_ file: RowFile, from source: String, where conditions: [String])
    -> String
  {
    let indexes = file.valueIndexes
    let columns = indexes.map { file.fields[$0].column.name }.quotedList
    let values = indexes.map { "s.c\($0)" }.joined(separator: ", ")
    let filter = (conditions.isEmpty ? ["true"] : conditions).joined(separator: " AND ")
    return """
      INSERT OR ABORT INTO \(file.target.sql) (\(columns))
      SELECT \(values) FROM \(source) AS s WHERE \(filter) ON CONFLICT DO NOTHING
      """
  }

  /// True for rows of `s` without that parent's key, and for those whose parent is there.
  static func hasParent(_ parent: ParentKey, _ file: RowFile) -> String {
    let values = childValues(parent, file)
    let isNull = values.map { "\($0) IS NULL" }.joined(separator: " OR ")
    return "(\(isNull) OR \(parentExists(parent, values)))"
  }

  static func parentExists(_ parent: ParentKey, _ values: [String]) -> String {
    // The parent's column is the left operand: its affinity and collation decide, as they do in
    // SQLite's own check.
    let matches = zip(parent.parentColumns, values).map { "p.\($0.quoted) = \($1)" }
      .joined(separator: " AND ")
    return "EXISTS (SELECT 1 FROM main.\(parent.parent.quoted) AS p WHERE \(matches))"
  }

  /// The values that a row of `s` will have in the child's columns: those that the file leaves
  /// out take their DEFAULT.
  static func childValues(_ parent: ParentKey, _ file: RowFile) -> [String] {
    parent.childColumns.map { name in
      if let index = file.index(of: name) { return "s.c\(index)" }
      return file.target.schema.column(name)?.defaultSQL.map { "(\($0))" } ?? "NULL"
    }
  }

  /// The values with which rows of `child` refer to nothing, and how many rows do.
  static func danglingRows(of child: String, _ parent: ParentKey) -> String {
    let columns = parent.childColumns.map { "s.\($0.quoted)" }
    let notNull = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let list = columns.joined(separator: ", ")
    return """
      SELECT \(list), count(*) FROM main.\(child.quoted) AS s
      WHERE \(notNull) AND NOT \(parentExists(parent, columns)) GROUP BY \(list)
      """
  }

  /// The row of the table that has the key of `s`.
  static func sameKey(_ file: RowFile, table: String = "m", stage: String = "s") -> String {
    zip(file.target.key, file.keyIndexes)
      .map { "\(table).\($0.name.quoted) = \(stage).c\($1)" }.joined(separator: " AND ")
  }

  static func keyExists(_ file: RowFile) -> String {
    "EXISTS (SELECT 1 FROM \(file.target.sql) AS m WHERE \(sameKey(file)))"
  }
}
