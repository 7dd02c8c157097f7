/// Errors of a release that the plan shows, with file and line.
extension TablePlan {
  private var keyList: String { key.map { "k\($0)" }.listed }

  private func keyText(_ row: Int64) throws -> String {
    let found = try connection.rows("SELECT \(keyList) FROM \(sql) WHERE row = ?", [.integer(row)])
    let indexes = file(of: row).oldKeyIndexes
    return try json(row, indexes, found.first ?? indexes.map { _ in .null })
  }

  /// The first key that occurs twice.
  func duplicateKey() throws -> SeedbedError {
    let found = try connection.rows(
      """
      SELECT min(row), max(row) FROM (
        SELECT row, \(keyList), row_number() OVER (PARTITION BY \(keyList) ORDER BY row) AS nth
        FROM \(sql)) AS twins
      WHERE nth <= 2 GROUP BY \(keyList) HAVING count(*) > 1 ORDER BY 2 LIMIT 1
      """)
    guard let row = found.first, let first = row[0].integer, let second = row[1].integer else {
      return SeedbedError(.csv, "A key of '\(target.name)' appears twice in this migration.")
    }
    if file(of: first).role == file(of: second).role { return try twins("key", first, second) }
    return .inTwoFiles(try keyText(second), other: try origin(of: first), try origin(of: second))
  }

  /// Throws if two rows to insert have the same UNIQUE value.
  func refuseTwins(_ set: UniqueSet) throws {
    if inserts.isEmpty && !isKey(set) { return }
    let (what, kinds): (String, [Kind]) =
      isKey(set)
      ? ("new key of the row", [.update]) : ("UNIQUE value of the row", [.insert, .replace])
    let seeds = set.slots.map(seed)
    let twins = try connection.rows(
      """
      SELECT min(row), max(row) FROM \(sql)
      WHERE kind IN (\(kinds.map { "'\($0)'" }.listed))
        AND \(seeds.map { "\($0) IS NOT NULL" }.allTrue)
      GROUP BY \(zip(seeds, set.collations).map(dialect.collated).listed)
      HAVING count(*) > 1 ORDER BY 2 LIMIT 1
      """)
    guard let row = twins.first, let first = row[0].integer, let second = row[1].integer else {
      return
    }
    throw try self.twins(what, first, second)
  }

  func twins(_ what: String, _ first: Int64, _ second: Int64) throws -> SeedbedError {
    .duplicate(what, try keyText(second), first: try origin(of: first), try origin(of: second))
  }
}
