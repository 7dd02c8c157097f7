/// What the report of an adoption says of a table.
extension PlayedTable {
  /// Counts the rows of each edition that are absent, and those that are exactly as an edition had
  /// them: if these are half of both, it has arrived. A row that the user changed shows neither.
  func countEditions(_ versions: [Version], _ absent: Adoption.AbsentRows) throws {
    let isPlaced = "SELECT 1 FROM \(placed) AS w WHERE w.identity = s.identity"
    let rows = try connection.rows(
      """
      SELECT first, count(*), sum(isThere) FROM (
        SELECT min(s.edition) AS first, max(s.until) AS last,
          CASE WHEN EXISTS (\(isPlaced) AND w.differing = 0) THEN 1 ELSE 0 END AS isThere,
          CASE WHEN EXISTS (\(isPlaced)) THEN 1 ELSE 0 END AS isPlaced
        FROM \(states) AS s GROUP BY s.identity) AS rows
      WHERE last = \(Editions.never) AND isPlaced = 0 OR isThere = 1
      GROUP BY first ORDER BY first
      """)
    for row in rows {
      guard let number = row[0].integer.map(Int.init), let count = row[1].integer.map(Int.init),
        let found = row[2].integer.map(Int.init)
      else { continue }
      let hasArrived = found > 0 && found * 2 >= count
      report.editions.append(
        .init(version: versions[number - 1], rows: count, found: found, hasArrived: hasArrived))
      if absent == .deleted || absent == .byEdition && hasArrived { arrived.insert(number) }
    }
  }

  /// Counts what the comparison found, before anything is written.
  func count() throws {
    report.unchanged = try total(
      "SELECT count(*) FROM \(placed) AS w JOIN \(states) AS s ON \(isState) "
        + "WHERE w.differing = 0 AND s.until = \(Editions.never)")
    report.edited = try total("SELECT count(*) FROM \(placed) WHERE differing > 0")
    if report.edited == 0 { return }
    for slot in compared { try addEdits(slot) }
  }

  private var isState: String { "s.identity = w.identity AND s.edition = w.edition" }

  private func addEdits(_ slot: Int) throws {
    let edited = """
      FROM \(placed) AS w JOIN \(states) AS s ON \(isState)
        JOIN \(mine) AS m ON m.\(dialect.fileRow) = w.mine
      WHERE w.differing > 0 AND NOT (\(agrees(slot)) OR \(hasLostParent(slot)))
      """
    let count = try total("SELECT count(*) \(edited)")
    if count == 0 { return }
    report.columns.append(.init(name: columns[slot].name, rows: count))
    let key = keys.map { "m.v\($0)" }.listed
    for row in try connection.rows(
      "SELECT \(key), s.v\(slot), m.v\(slot) \(edited) ORDER BY \(key) LIMIT 100")
    {
      report.edits.append(
        .init(
          key: Migrator.Row(target.key.names, Array(row.prefix(keys.count))),
          column: columns[slot].name, base: row[keys.count], mine: row[keys.count + 1]))
    }
  }

  /// Counts what became of the rows, once all is merged.
  func countResult(_ play: Play) throws {
    let now = "s.until = \(Editions.never)"
    let key = zip(keys, target.key).map { slot, column in
      "t.\(column.name.quoted) = \(value(slot, of: "s", .after, play))"
    }.allTrue
    let there = "EXISTS (SELECT 1 FROM \(target.sql) AS t WHERE \(key)"
    let own = keys.map { "m.v\($0) = \(value($0, of: "s", .after, play))" }.allTrue
    let isPlaced = "EXISTS (SELECT 1 FROM \(placed) AS w WHERE w.identity = s.identity)"
    let changed = columns.enumerated().map {
      dialect.differExactly("t.\($1.name.quoted)", "m.v\($0)")
    }
    report.refreshed = try total(
      """
      SELECT count(*) FROM \(placed) AS w JOIN \(mine) AS m ON m.\(dialect.fileRow) = w.mine
        JOIN \(states) AS s ON s.identity = w.identity AND \(now)
      WHERE \(there) AND (\(changed.anyTrue)))
      """)
    report.inserted = try total(
      """
      SELECT count(*) FROM \(states) AS s WHERE \(now) AND NOT \(isPlaced) AND \(there))
        AND NOT EXISTS (SELECT 1 FROM \(mine) AS m WHERE \(own))
      """)
    report.retired = try total(
      """
      SELECT count(*) FROM \(states) AS s WHERE \(isPlaced) AND NOT (\(there)))
        AND s.until < \(Editions.never) AND NOT EXISTS (SELECT 1 FROM \(states) AS z
          WHERE z.identity = s.identity AND z.edition >= s.until)
      """)
  }

  func total(_ query: String) throws -> Int { Int(try connection.number(query) ?? 0) }
}
