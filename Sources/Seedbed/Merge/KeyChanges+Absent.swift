/// Rows to get new keys that are not there.
extension KeyChanges {
  struct Absent {
    var row: Value
    var old: [Value]
    var new: [Value]
  }

  /// Where such a row is there under its new key already, with all that the file wants, nothing is
  /// to do. What stands under its old key by now is another.
  func settleAbsent() throws {
    for absent in absent {
      try find(absent.row, under: absent.new)
      let isThere = try isThere(absent.row)
      try find(absent.row, under: aside(absent.row.integer ?? 0, absent.old))
      if !isThere { continue }
      try stage.decide(.absent, row: absent.row)
      context.count(file.target.name) { $0.unchanged += 1 }
      try context.ledger.noteAlreadyThere(
        version: context.version, table: file.target.name,
        key: try stage.keyText(row: absent.row), columns: [], on: connection)
    }
  }

  private func find(_ row: Value, under key: [Value]) throws {
    for (index, value) in zip(file.keyIndexes, key)
    where index != file.oldIndex(of: file.fields[index].column.name) {
      try stage.set(index, to: value, row: row)
    }
  }

  private func isThere(_ row: Value) throws -> Bool {
    let values = file.comparedIndexes.map {
      "m.\(file.fields[$0].column.name.quoted) IS \(stage.field($0)) COLLATE BINARY"
    }
    // A row that the migration speaks of under that key is another.
    let others = ([stage] + retired).map { other in
      let isAnother = other === stage ? " AND o.row <> s.row" : ""
      return "NOT EXISTS (SELECT 1 FROM \(other.sql) AS o WHERE "
        + MergeSQL.sameKey(other.file, stage: "o") + isAnother + ")"
    }
    return try connection.value(
      """
      SELECT 1 FROM \(stage.sql) AS s JOIN \(file.target.sql) AS m
        ON \(([MergeSQL.sameKey(file), "s.row = ?"] + values + others).allTrue)
      """, [row]) != nil
  }
}
