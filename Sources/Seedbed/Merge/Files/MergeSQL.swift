/// The SQL text of the merge, in one place. Every identifier comes from the schema, quoted.
///
/// Each writing statement says OR ABORT: a table may declare `ON CONFLICT REPLACE` or `IGNORE`,
/// which would delete a user's row or drop one of ours in silence (SQLITE.md 19).
enum MergeSQL {
  /// A field of a staged row.
  static func staged(_ index: Int) -> String { "s.c\(index)" }

  /// All rows of a file as they stream by; where a natural key names a row, it is looked up. Rows
  /// whose place is taken are passed over, and so are those whose parent is missing.
  static func insertStreamed(_ file: RowFile, from rows: String) -> String {
    let value = { streamed($0, file) }
    let joins = file.naturals.enumerated().map { number, natural in
      let names = zip(natural.naturalColumns, natural.fields)
        .map { "p\(number).\($0.name.quoted) = s.c\($1)" }
      let matches = (names + natural.isKeyed("p\(number)")).allTrue
      return " LEFT JOIN main.\(natural.parent.name.quoted) AS p\(number) ON \(matches)"
    }
    let areFound = file.naturals.map { natural in
      let isFound = natural.receivers.map { "\(value($0)) IS NOT NULL" }
      let isEmpty = natural.fields.map { "s.c\($0) IS NULL" }
      return "(\(isFound.allTrue) OR \(isEmpty.allTrue))"
    }
    // A row that was found is a parent.
    let parents = file.parents.filter { parent in
      !file.naturals.contains { $0.key.isSame(as: parent) }
    }
    let indexes = file.valueIndexes
    let filter = (areFound + parents.map { hasParent($0, file, value: value) }).allTrue
    return """
      INSERT OR ABORT INTO \(file.target.sql)
        (\(indexes.map { file.fields[$0].column.name }.quotedList))
      SELECT \(indexes.map(value).joined(separator: ", ")) FROM \(rows) AS s\(joins.joined())
      WHERE \(filter) ON CONFLICT DO NOTHING
      """
  }

  private static func streamed(_ index: Int, _ file: RowFile) -> String {
    for (number, natural) in file.naturals.enumerated() {
      guard let place = natural.receivers.firstIndex(of: index) else { continue }
      return "p\(number).\(natural.keyColumns[place].name.quoted)"
    }
    return staged(index)
  }

  /// True for rows of `s` without that parent's key, and for those whose parent is there.
  static func hasParent(
    _ parent: ParentKey, _ file: RowFile, value: (Int) -> String = staged
  ) -> String {
    let values = childValues(parent, file, value: value)
    let isNull = values.map { "\($0) IS NULL" }.anyTrue
    return "(\(isNull) OR \(parentExists(parent, values)))"
  }

  static func parentExists(
    _ parent: ParentKey, _ values: [String], _ condition: String = ""
  ) -> String {
    // The parent's column is the left operand: its affinity and collation decide, as they do in
    // SQLite's own check.
    let matches = zip(parent.parentColumns, values).map { "p.\($0.quoted) = \($1)" }
      .allTrue
    return "EXISTS (SELECT 1 FROM main.\(parent.parent.quoted) AS p WHERE \(matches)\(condition))"
  }

  /// The values that a row of `s` will have in the child's columns: those that the file leaves
  /// out take their DEFAULT.
  static func childValues(
    _ parent: ParentKey, _ file: RowFile, value: (Int) -> String = staged
  ) -> [String] {
    parent.childColumns.map { name in
      if let index = file.index(of: name) { return value(index) }
      return file.target.schema.column(name)?.defaultSQL.map { "(\($0))" } ?? "NULL"
    }
  }

  /// The values with which rows of `child` refer to nothing, and how many rows do.
  static func danglingRows(of child: String, _ parent: ParentKey) -> String {
    let columns = parent.childColumns.map { "s.\($0.quoted)" }
    let notNull = columns.map { "\($0) IS NOT NULL" }.allTrue
    let list = columns.joined(separator: ", ")
    return """
      SELECT \(list), count(*) FROM main.\(child.quoted) AS s
      WHERE \(notNull) AND NOT \(parentExists(parent, columns)) GROUP BY \(list)
      """
  }

  /// The row of the table that has the key of `s`.
  static func sameKey(_ file: RowFile, table: String = "m", stage: String = "s") -> String {
    zip(file.target.key, file.keyIndexes)
      .map { "\(table).\($0.name.quoted) = \(stage).c\($1)" }.allTrue
  }
}

extension Collection<String> {
  /// A condition that holds where all of these do.
  package var allTrue: String { chain("AND", ifEmpty: "true") }

  /// A condition that holds where one of these does.
  package var anyTrue: String { chain("OR", ifEmpty: "false") }

  /// > SQLite parses expressions into a tree for processing; the maximum depth of the tree is 1000.
  /// > (Limits In SQLite) A chain is as deep as it is long, so a long one is cut into parts.
  private func chain(_ word: String, ifEmpty: String) -> String {
    if isEmpty { return ifEmpty }
    let most = 64
    guard count > most else { return joined(separator: " \(word) ") }
    let all = Array(self)
    let parts = stride(from: 0, to: all.count, by: most).map { start in
      "(\(all[start..<Swift.min(start + most, all.count)].joined(separator: " \(word) ")))"
    }
    return parts.chain(word, ifEmpty: ifEmpty)
  }
}
