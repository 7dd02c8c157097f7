/// Indexes that are cheaper to build once than to keep up row by row.
///
/// Never one that is UNIQUE, none that leads with a foreign key's child columns (a self-referencing
/// table loaded without it takes quadratic time), and none if a trigger may need it.
struct SecondaryIndexes {
  /// Builds them again, as they were.
  let putBack: () throws -> Void

  /// Below so many rows keeping the indexes up costs nothing worth saving.
  static let leastRows = 5000

  /// Drops them if a load of so many rows outweighs what the table holds.
  static func setAside(
    for target: TableTarget, rows: Int64, on connection: any DatabaseSession
  ) throws -> SecondaryIndexes {
    let childColumns = target.childColumns.map { $0.asciiLowercased() }
    let candidates = target.schema.indexes.filter { index in
      let first = (index.columns.first ?? nil)?.asciiLowercased()
      return index.origin == "c" && !index.isUnique
        && first.map(childColumns.contains) != true
    }
    // Counts no further than the load: the cost follows the change, not the table.
    guard rows >= leastRows, !candidates.isEmpty, target.triggers.isEmpty,
      try connection.number(
        "SELECT count(*) FROM (SELECT 1 FROM \(target.sql) LIMIT ?) AS held", [.integer(rows)]
      ) ?? 0 < rows
    else { return SecondaryIndexes {} }
    return SecondaryIndexes(putBack: try connection.setAside(candidates.map(\.name)))
  }
}
