import Seedbed

/// Compares what a snapshot makes of an empty database on a server with what all migrations make.
struct ServerProof {
  /// By all migrations.
  let long: Scratch
  /// By the snapshot.
  let short: Scratch

  /// The first difference, in words; nil if there is none.
  func difference() throws -> String? {
    let one = try Definition.all(of: long)
    let other = try Definition.all(of: short)
    if let difference = Self.difference(one, other) { return difference }
    return try long.session.inReadTransaction {
      try short.session.inReadTransaction {
        for table in one where table.kind == "table" {
          if let difference = try rowDifference(table.name) { return difference }
        }
        return nil
      }
    }
  }

  private static func difference(_ long: [Definition], _ short: [Definition]) -> String? {
    let known = (long: Set(long), short: Set(short))
    // What SQL makes comes before what follows from it.
    let lost = long.filter { !known.short.contains($0) }
    if let first = lost.first(where: { $0.kind != Definition.state }) ?? lost.first {
      return first.kind == Definition.state
        ? "the next ids of '\(first.table)' are not the same"
        : "the \(first.kind) '\(first.name)' is not the same"
    }
    return short.first { !known.long.contains($0) }
      .map { "only the snapshot makes the \($0.kind) '\($0.name)'" }
  }

  private func rowDifference(_ table: String) throws -> String? {
    let schema = try long.session.schema(of: table)
    let columns = try compared(schema)
    let dialect = long.session.dialect
    let texts = columns.map { dialect.comparable($0.name.quoted, $0) }
    let keys = schema.primaryKey.filter { key in columns.contains { $0.name == key.name } }
      .map { dialect.comparable($0.name.quoted, $0) }
    let sql =
      "SELECT \((texts.isEmpty ? ["NULL"] : texts).joined(separator: ", ")) "
      + "FROM \(schema.sql)"
      + (texts.isEmpty ? "" : " ORDER BY \((keys + texts).joined(separator: ", "))")
    let (one, other) = (try long.session.cursor(sql), try short.session.cursor(sql))
    while true {
      let (hasOne, hasOther) = (try one.step(), try other.step())
      if !hasOne, !hasOther { return nil }
      guard hasOne, hasOther else {
        return "'\(table)' has \(hasOne ? "fewer" : "more") rows with the snapshot"
      }
      for (index, column) in columns.enumerated() where one[index] != other[index] {
        return "'\(table)' holds \(other[index].display) in the column '\(column.name)' with the "
          + "snapshot, and \(one[index].display) with all migrations"
      }
    }
  }

  /// All but what is ignored, and what each database takes from a clock or by chance.
  private func compared(_ schema: TableSchema) throws -> [ColumnSchema] {
    let options = try long.servingOptions(of: schema.name).table(schema.name)
    let ignored = Set(options.ignore.map { $0.asciiLowercased() })
    let isServed = try long.serving(schema.name) != nil
    let seeded =
      try isServed ? long.seededColumns(of: long.seededTarget(schema.name)).map(\.name) : []
    return schema.columns.filter { column in
      !ignored.contains(column.name.asciiLowercased())
        && (!column.hasVolatileDefault || column.isAutoincrement || seeded.contains(column.name))
    }
  }
}
