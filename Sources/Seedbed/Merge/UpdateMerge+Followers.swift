/// Columns to which others refer.
extension UpdateMerge {
  /// False where a trigger kept the row as it was.
  func write(_ row: UpdateRow, _ rows: RowReading) throws -> Bool {
    let columns = row.written.filter { referred.contains($0) }
    if columns.isEmpty { return try writer.run(row, rows) }
    let number = row.number.integer ?? 0
    let isEmpty = columns.map { rows.isNull(layout.column($0, .seed)) }
    var values: [Value] = []
    for (column, isEmpty) in zip(columns, isEmpty) {
      values.append(isEmpty ? ofNobody(column, number) : rows[layout.column(column, .seed)])
      if isEmpty { emptied[number, default: []].insert(column) }
    }
    let key = layout.keyValues(rows)
    let row = row
    return try context.attempt {
      let follow = { try self.follow(columns, values, key) }
      if isEmpty.contains(true) {
        try connection.withoutChecks(follow)
      } else {
        try follow()
      }
      return try writer.run(row, rows)
    }
  }

  /// Has what refers to columns of a row follow to their new values.
  func follow(_ columns: [Int], _ values: [Value], _ key: [Value]) throws {
    try context.follow(
      file.target, columns.map { changes[$0].column.name }, values,
      where: zip(file.target.key, key).map { ($0.name, $1) })
  }

  /// Nothing can follow to NULL: for the time being what refers to such a column gets a value of
  /// nobody's. The rest of the migration may point it elsewhere, or retire it.
  func ofNobody(_ column: Int, _ row: Int64) -> Value {
    UpdateLayout.valueAside(
      changes[column].column, isStrict: file.target.schema.isStrict, stage.mark + row)
  }

  /// After the inserts: the changes to NULL by which rows would refer to nothing.
  func neededValues() throws -> [Int64: Set<Int>] {
    var needed: [Int64: Set<Int>] = [:]
    for (row, columns) in emptied {
      for column in columns
      where try context.isReferred(
        file.target.name, changes[column].column.name, by: ofNobody(column, row))
      {
        needed[row, default: []].insert(column)
      }
    }
    return needed
  }
}
