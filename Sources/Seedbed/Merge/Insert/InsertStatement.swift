/// Inserts the rows of a file as they are read. If a natural key names a row, it is looked up. Rows
/// whose key is in use are skipped, and so are rows whose parent is missing.
struct InsertStatement {
  let file: RowFile
  let connection: any DatabaseSession
  private var dialect: any Dialect { connection.dialect }

  func sql() throws -> String {
    let joins = file.naturals.enumerated().map { number, natural in
      let names = natural.matches.map { "p\(number).\($0.column.name.quoted) = s.c\($0.field)" }
      let matches = (names + natural.isKeyed("p\(number)")).allTrue
      return " LEFT JOIN \(natural.parent.sql) AS p\(number) ON \(matches)"
    }
    let areFound = file.naturals.map { natural in
      let isFound = natural.receivers.map { "\(value($0)) IS NOT NULL" }
      let isEmpty = natural.fields.map { "s.c\($0) IS NULL" }
      return "(\(isFound.allTrue) OR \(isEmpty.allTrue))"
    }
    // A row that was looked up is an existing parent.
    let parents = file.parents.filter { parent in
      !file.naturals.contains { $0.key.isSame(as: parent) }
    }
    let indexes = file.valueIndexes
    let isThere = try (areFound + parents.map(hasParent)).allTrue
    return """
      \(dialect.insert) INTO \(file.target.destination)
        (\(indexes.map { file.fields[$0].column.name }.quotedList))
      \(dialect.withGivenIDs) SELECT \(indexes.map(value).joined(separator: ", "))
      FROM \(file.source) AS s\(joins.joined())
      WHERE \(isThere) ON CONFLICT DO NOTHING
      """
  }

  private func value(_ index: Int) -> String {
    for (number, natural) in file.naturals.enumerated() {
      guard let slot = natural.receivers.firstIndex(of: index) else { continue }
      return "p\(number).\(natural.keyColumns[slot].name.quoted)"
    }
    return "s.c\(index)"
  }

  /// A condition for rows without that parent's key, and for rows whose parent exists. A column
  /// that the file leaves out has its DEFAULT.
  private func hasParent(_ parent: ParentKey) throws -> String {
    let values = parent.childColumns.map { name in
      if let index = file.index(of: name) { return value(index) }
      return file.target.schema.column(name)?.defaultSQL.map { "(\($0))" } ?? "NULL"
    }
    let isNull = values.map { "\($0) IS NULL" }.anyTrue
    // The parent's column is on the left: its affinity and collation decide, as in SQLite.
    let matches = zip(parent.parentColumns, values).map { "p.\($0.quoted) = \($1)" }.allTrue
    let table = try connection.schema(of: parent.parent).sql
    return "(\(isNull) OR EXISTS (SELECT 1 FROM \(table) AS p WHERE \(matches)))"
  }
}
