/// The rows of files that name other rows, or are named by them, in temporary tables.
extension TablePlan {
  func isBuffered(_ file: RowFile) -> Bool {
    !file.naturals.isEmpty || isNamed && file.role == .insert
  }

  /// The table or stream from which the rows of a file are read.
  func rows(_ number: Int) -> String {
    isBuffered(files[number])
      ? dialect.temporary("\(name):rows:\(number)") : files[number].source
  }

  func rowsCreation(_ number: Int) -> String {
    let columns = files[number].fields.enumerated().map {
      "c\($0) \(dialect.collated($1.type, $1.column.collation))"
    }
    return """
      CREATE TABLE \(rows(number)) (row \(dialect.rowNumber) PRIMARY KEY, line BIGINT,
        \(columns.listed))
      """
  }

  /// At first, no name is looked up.
  func bufferRows(_ number: Int) -> String {
    let file = files[number]
    var values = [("row", "s.\(dialect.fileRow)"), ("line", "s.line")]
    for (index, field) in file.fields.enumerated() where field.isRead {
      values.append(("c\(index)", "s.c\(index)"))
    }
    for natural in file.naturals {
      let isEmpty = natural.fields.map { "s.c\($0) IS NULL" }.allTrue
      for (slot, receiver) in natural.receivers.enumerated() {
        let unresolved = natural.unresolvedSQL(slot, dialect)
        values.append(("c\(receiver)", "CASE WHEN NOT (\(isEmpty)) THEN \(unresolved) END"))
      }
    }
    return """
      INSERT INTO \(rows(number)) (\(values.map(\.0).listed))
      SELECT \(values.map(\.1).listed) FROM \(file.source) AS s
      """
  }

  /// Throws if some of the fields that name a row are empty, and some are not.
  func refuseHalfEmpty(_ natural: NaturalReference, _ number: Int) throws {
    let (isEmpty, file) = (natural.fields.map { "c\($0) IS NULL" }, files[number])
    let line = try connection.value(
      "SELECT line FROM \(rows(number)) "
        + "WHERE (\(isEmpty.anyTrue)) AND NOT (\(isEmpty.allTrue)) LIMIT 1")
    guard let line else { return }
    throw SeedbedError.naturalHalfEmpty(
      natural.fields.map { file.fields[$0].header },
      SeedbedError.Place(file.place, line: line.integer.map(Int.init)))
  }

  /// Gives rows the key of the row that they name, if exactly one row has the name.
  static func lookUp(
    _ natural: NaturalReference, for rows: String, among parents: String,
    where conditions: [String] = [], _ dialect: any Dialect
  ) -> String {
    // The parent's column is the left operand, because its collation decides.
    let names = natural.matches.map { "p.\($0.column.name.quoted) = r.c\($0.field)" }
    // In the ON clause, these would make SQLite read the whole table for a Bloom filter.
    let filter = "FILTER (WHERE \(conditions.allTrue))"
    let keys = natural.keyColumns.enumerated().map { slot, column in
      let unresolved = natural.unresolvedSQL(slot, stage: "r", dialect)
      return """
        CASE count(*) \(filter) WHEN 1
          THEN coalesce(\(dialect.anyOf("p.\(column.name.quoted)", filter)), \(unresolved))
          ELSE \(unresolved) END AS k\(slot)
        """
    }
    let set = natural.receivers.enumerated().map { "c\($1) = f.k\($0)" }
    return """
      UPDATE \(rows) AS s SET \(set.listed)
      FROM (SELECT r.row, \(keys.listed)
        FROM \(rows) AS r \(dialect.orderedJoin) \(parents) AS p ON \(names.allTrue)
        GROUP BY r.row) AS f
      WHERE s.row = f.row
      """
  }

  /// The names and keys of the rows to insert; nil if no file has any. A row that was kept has the
  /// name that the user gave it.
  func namedRows(_ natural: NaturalReference) -> String? {
    let names = natural.matches.map(\.column)
    let others = natural.keyColumns.filter { key in !names.names.contains(name: key.name) }
    let columns = names + others
    let selects = files.enumerated().compactMap { number, file -> String? in
      let values = columns.compactMap { column in
        file.index(of: column.name).map { "c\($0) AS \(column.name.quoted)" }
      }
      guard file.role == .insert, values.count == columns.count else { return nil }
      return "SELECT \(values.listed) FROM \(rows(number)) AS s WHERE NOT \(isKept(file))"
    }
    return selects.isEmpty ? nil : "(\(selects.joined(separator: " UNION ALL ")))"
  }

  // MARK: names of what was not found

  /// A name without a row means no parent, even if another part of the key is NULL.
  func isUnresolved(_ key: ParentKey, _ values: [String]) -> [String] {
    if !files.contains(where: { $0.natural(of: key) != nil }) { return [] }
    return zip(key.childColumns, values).compactMap { name, value in
      target.schema.column(name).map { dialect.isUnresolved(value, $0) }
    }
  }

  /// Fields of a row as JSON. A name without a row is shown itself, under its header.
  func json(_ row: Int64, _ indexes: [Int], _ values: [Value]) throws -> String {
    let file = file(of: row)
    if file.naturals.isEmpty {
      return RowJSON.object(indexes.map { file.fields[$0].column.name }, values)
    }
    let unresolved = Set(zip(indexes, values).filter(file.isUnresolved).map(\.0))
    var (columns, shown): ([String], [Value]) = ([], [])
    var seen: Set<Int> = []
    for (index, value) in zip(indexes, values) {
      // A part of the key may be known even if the parent refers to another row by name.
      let natural = file.naturals.first { natural in
        natural.receivers.contains(index) && !unresolved.isDisjoint(with: natural.receivers)
      }
      guard let natural else {
        columns.append(file.fields[index].column.name)
        shown.append(value)
        continue
      }
      for (field, name) in zip(natural.fields, try names(natural, of: row))
      where seen.insert(field).inserted {
        columns.append(file.fields[field].plainHeader)
        shown.append(name)
      }
    }
    return RowJSON.object(columns, shown)
  }

  /// The name, to show in place of a parent's key.
  func unresolved(
    _ key: ParentKey, _ values: [Value], of row: Int64
  ) throws -> (NaturalReference, name: [Value])? {
    let file = file(of: row)
    guard let natural = file.natural(of: key),
      zip(key.childColumns, values).contains(where: { name, value in
        file.index(of: name).map { file.isUnresolved($0, value) } ?? false
      })
    else { return nil }
    return (natural, try names(natural, of: row))
  }

  /// The name by which a row of the plan refers to another.
  private func names(_ natural: NaturalReference, of row: Int64) throws -> [Value] {
    let number = Int(row >> 36)
    return try connection.rows(
      "SELECT \(natural.matches.map { "c\($0.field)" }.listed) FROM \(rows(number)) WHERE row = ?",
      [.integer(row - Self.firstRow(of: number))]
    ).first ?? []
  }
}

extension RowFile {
  func isAssigned(_ column: ColumnSchema) -> Bool {
    index(of: column.name).map { fields[$0].source == .assigned } ?? false
  }

  /// Whether a name may mean a row that the same migration inserts. Old values and present keys of
  /// existing rows do not.
  func looksAhead(_ natural: NaturalReference) -> Bool {
    switch role {
    case .insert: true
    case .update: !natural.receivers.contains { fields[$0].isBase || oldKeyIndexes.contains($0) }
    case .delete: false
    }
  }
}
