/// The keys of a table that are left to the user, in a temporary table.
struct UsersKeys {
  let sql: String
  let key: [(slot: Int, column: ColumnSchema)]

  /// nil if there are none.
  init?(_ table: String, number: Int, _ context: MergeContext) throws {
    let (connection, dialect) = (context.connection, context.connection.dialect)
    let all = try context.ledger.leftToUser(table: table, on: connection)
    if all.isEmpty { return nil }
    let schema = try connection.schema(of: table)
    let columns = context.keyColumns(of: schema)
    let entries = all.filter { $0.key.hasColumns(columns) }
    key = try columns.map { (try schema.slot(of: $0.name), $0) }
    let name = "seedbed:left:\(number)"
    sql = dialect.temporary(name)
    let types = key.map { "k\($0.slot) \(dialect.type(of: $0.column, in: schema))" }
    let rows = entries.map { entry in
      [.text(entry.reason), .integer(entry.version ?? 0)] + entry.key.values(of: columns)
    }
    try connection.makeTable(sql, ["kind TEXT", "version BIGINT"] + types, rows)
    try connection.execute(
      "CREATE INDEX \(dialect.temporaryIndex(name + ":key", on: name)) "
        + "(\(key.map { "k\($0.slot)" }.listed))")
  }

  /// Whether the entry `l` is about the row `t` of the table.
  func isRow(_ t: String) -> String {
    key.map { "l.k\($0.slot) = \(t).\($0.column.name.quoted)" }.allTrue
  }
}
