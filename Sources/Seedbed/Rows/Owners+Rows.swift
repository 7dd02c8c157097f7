extension Owners {
  /// The rows of a file in SQL: those of a table, or each of them once for each owner.
  static func source(
    _ fields: [RowFile.Field], from table: String, _ dialect: any Dialect
  ) -> String {
    if !fields.contains(where: \.isOwner) { return table }
    let values = fields.enumerated().compactMap { index, field -> String? in
      if field.isOwner { return "o.owner AS c\(index)" }
      if !field.isStreamed { return nil }
      if !field.isMixed { return "f.c\(index) AS c\(index)" }
      let mixed = dialect.mixed("o.owner", "f.c\(index)", field.column)
      return "CASE WHEN o.mixes = 1 THEN \(mixed) ELSE f.c\(index) END AS c\(index)"
    }
    // A stream is read once. Rows of a table come owner by owner, as an app would write them: in
    // the order of its indexes.
    let owners = "\(dialect.temporary(name)) AS o"
    let rows = "\(table) AS f"
    let order = table == dialect.fileRows ? [rows, owners] : [owners, rows]
    return """
      (SELECT \(values.listed), f.line AS line,
          (f.\(dialect.fileRow) - 1) * o.count + o.number AS \(dialect.fileRow)
        FROM \(order.joined(separator: " CROSS JOIN ")))
      """
  }
}
