/// Indexes that are cheaper to build once than to keep up row by row.
///
/// Never one that is UNIQUE, none that leads with a foreign key's child columns (a self-referencing
/// table loaded without it takes quadratic time), and none if a trigger may need it.
struct SecondaryIndexes {
  /// How each is made, and its rows in `sqlite_stat1`, which DROP INDEX takes along.
  private var definitions: [(sql: String, statistics: [[Value]])] = []
  private let connection: any DatabaseSession

  /// Below so many rows keeping the indexes up costs nothing worth saving.
  static let leastRows = 5000

  /// Drops them if a load of so many rows outweighs what the table holds.
  static func setAside(
    for target: TableTarget, rows: Int64, on connection: any DatabaseSession
  ) throws -> SecondaryIndexes {
    var indexes = SecondaryIndexes(connection: connection)
    let candidates = target.schema.indexes.filter { index in
      index.origin == "c" && !index.isUnique && !leadsWithChildColumn(index, target)
    }
    guard rows >= leastRows, !candidates.isEmpty, target.triggers.isEmpty,
      try isOutweighed(target, by: rows, on: connection)
    else { return indexes }
    let hasStatistics = try connection.object(named: "sqlite_stat1") != nil
    for name in candidates.map(\.name) {
      let sql = try connection.value(
        "SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?", [.text(name)])?.text
      guard let sql else { continue }
      let statistics =
        hasStatistics
        ? try connection.rows(
          "SELECT tbl, idx, stat FROM main.sqlite_stat1 WHERE idx = ?", [.text(name)]) : []
      try connection.execute("DROP INDEX main.\(name.quoted)")
      indexes.definitions.append((sql, statistics))
    }
    return indexes
  }

  private init(connection: any DatabaseSession) { self.connection = connection }

  private static func leadsWithChildColumn(_ index: IndexSchema, _ target: TableTarget) -> Bool {
    guard let first = index.columns.first ?? nil else { return false }
    return target.childColumns.contains { $0.asciiLowercased() == first.asciiLowercased() }
  }

  private static func isOutweighed(
    _ target: TableTarget, by rows: Int64, on connection: any DatabaseSession
  ) throws -> Bool {
    // Counts no further than the load: the cost follows the change, not the table.
    let held = try connection.value(
      "SELECT count(*) FROM (SELECT 1 FROM \(target.sql) LIMIT ?)", [.integer(rows)])
    return (held?.integer ?? 0) < rows
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
