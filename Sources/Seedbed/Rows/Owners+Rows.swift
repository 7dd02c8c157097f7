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
    return """
      (SELECT \(values.listed), f.line AS line,
          (f.\(dialect.fileRow) - 1) * o.count + o.number AS \(dialect.fileRow)
        FROM \(table) AS f CROSS JOIN \(dialect.temporary(name)) AS o)
      """
  }
}
