/// Indexes that are cheaper to build once than to keep up row by row.
///
/// Never one that is UNIQUE, none that leads with a foreign key's child columns (a self-referencing
/// table loaded without it is quadratic, SQLITE.md 38), and none where a trigger may need it.
struct SecondaryIndexes {
  private struct Definition {
    var name: String
    var sql: String
    var statistics: [[Value]]
  }

  private let definitions: [Definition]
  private let connection: Connection

  /// Below so many rows keeping the indexes up costs nothing worth saving.
  static let leastRows = 5000

  /// Drops them where a load of so many rows outweighs what the table holds.
  static func setAside(
    for target: TableTarget, rows: Int, on connection: Connection
  ) throws -> SecondaryIndexes {
    let candidates = target.schema.indexes.filter { index in
      index.origin == "c" && !index.isUnique && !leadsWithChildColumn(index, target)
    }
    guard rows >= leastRows, !candidates.isEmpty, target.triggers.isEmpty,
      try isOutweighed(target, by: rows, on: connection)
    else { return SecondaryIndexes(definitions: [], connection: connection) }
    var definitions: [Definition] = []
    for index in candidates {
      let sql = try connection.value(
        "SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?",
        [.text(index.name)])?.text
      guard let sql else { continue }
      let statistics = try statistics(of: index.name, on: connection)
      try connection.execute("DROP INDEX main.\(index.name.quoted)")
      definitions.append(Definition(name: index.name, sql: sql, statistics: statistics))
    }
    return SecondaryIndexes(definitions: definitions, connection: connection)
  }

  private static func leadsWithChildColumn(_ index: IndexSchema, _ target: TableTarget) -> Bool {
    guard let first = index.columns.first ?? nil else { return false }
    return target.childColumns.contains { $0.asciiLowercased() == first.asciiLowercased() }
  }

  private static func isOutweighed(
    _ target: TableTarget, by rows: Int, on connection: Connection
  ) throws -> Bool {
    // Counts no further than the load: the cost follows the change, not the table.
    let held = try connection.value(
      "SELECT count(*) FROM (SELECT 1 FROM \(target.sql) LIMIT ?)", [Value(rows)])
    return (held?.integer ?? 0) < Int64(rows)
  }

  /// DROP INDEX takes the index's `sqlite_stat1` rows along (SQLITE.md 26).
  private static func statistics(
    of index: String, on connection: Connection
  ) throws -> [[Value]] {
    guard try connection.object(named: "sqlite_stat1") != nil else { return [] }
    return try connection.rows(
      "SELECT tbl, idx, stat FROM main.sqlite_stat1 WHERE idx = ?", [.text(index)])
  }

  /// Builds them again, as they were.
  func putBack() throws {
    for definition in definitions {
      try connection.execute(definition.sql)
      for row in definition.statistics {
        try connection.execute(
          "INSERT INTO main.sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", row)
      }
    }
  }
}
