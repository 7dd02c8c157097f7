extension Connection {
  /// > The AUTOINCREMENT algorithm chooses an id larger than any in the table and than the one in
  /// > sqlite_sequence, which ordinary UPDATE and INSERT statements may modify. (Autoincrement)
  package func raiseSequence(of table: String, to last: Int64) throws {
    let values: [Value] = [.integer(last), .text(table)]
    let found = try value(
      "SELECT max(typeof(seq) = 'integer' AND seq >= ?) FROM main.sqlite_sequence WHERE name = ?",
      values)
    if found == 1 { return }
    try execute(
      found == .null
        ? "INSERT INTO main.sqlite_sequence (seq, name) VALUES (?, ?)"
        : "UPDATE main.sqlite_sequence SET seq = ? WHERE name = ?", values)
  }

  /// Makes AUTOINCREMENT follow an UPDATE, which it ignores, to the highest id of the table.
  package func noteMovedIDs(of table: TableSchema) throws {
    guard let id = table.columns.first(where: \.isAutoincrement) else { return }
    if let last = try highestID(of: table, id) { try raiseSequence(of: table.name, to: last) }
  }

  /// The highest id that SQLite knows of: of a row, or given out before by AUTOINCREMENT.
  package func highestID(of table: TableSchema, _ id: ColumnSchema) throws -> Int64? {
    var ids = ["SELECT max(\(id.name.quoted)) AS id FROM main.\(table.name.quoted)"]
    if id.isAutoincrement {
      ids.append(
        "SELECT max(seq) FROM main.sqlite_sequence WHERE name = \(table.name.quotedLiteral)")
    }
    return try value("SELECT max(id) FROM (\(ids.joined(separator: " UNION ALL ")))")?.integer
  }
}
