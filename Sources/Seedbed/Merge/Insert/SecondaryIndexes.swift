/// Indexes that are faster to rebuild than to keep up to date row by row.
///
/// Never a UNIQUE one, none that begins with a foreign key's child columns (loading a
/// self-referencing table without it takes quadratic time), and none if a trigger may need it.
struct SecondaryIndexes {
  /// Builds them again, as they were.
  let putBack: () throws -> Void

  /// With fewer rows, keeping the indexes up to date costs too little.
  static let leastRows = 5000

  /// Drops them if a load of `rows` rows outweighs the rows in the table.
  static func setAside(
    for target: TableTarget, rows: Int64, on connection: any DatabaseSession
  ) throws -> SecondaryIndexes {
    let childColumns = target.childColumns.asNames
    let candidates = target.schema.indexes.filter { index in
      let first = index.columns.first ?? nil
      return index.origin == "c" && !index.isUnique
        && first.map { childColumns.contains($0) } != true
    }
    // Counts no further than the load, so that the cost follows the change, not the table.
    guard rows >= leastRows, !candidates.isEmpty, target.triggers.isEmpty,
      try connection.count(
        "SELECT count(*) FROM (SELECT 1 FROM \(target.sql) LIMIT ?) AS held", [.integer(rows)]
      ) < rows
    else { return SecondaryIndexes {} }
    return SecondaryIndexes(putBack: try connection.setAside(candidates.map(\.name)))
  }
}
