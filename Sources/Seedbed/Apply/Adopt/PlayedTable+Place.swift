/// Which rows of the database are the seed's, and of which edition.
extension PlayedTable {
  /// Finds the state from which each row differs least. Among equals it is the newest that the
  /// table has had, as some row shows, else the oldest; if none shows anything, the newest. Of two
  /// rows with one identity, as an app leaves them that inserts what is absent, the one that is
  /// exactly as an edition had it is the seed's, the newest of these, else the oldest.
  ///
  /// - Parameter unknown: references to rows that are not placed yet. They do not count.
  func place(besides unknown: Set<Int> = []) throws {
    let compared = compared.filter { !unknown.contains(reference(of: $0) ?? -1) }
    try connection.execute("DELETE FROM \(pairs)")
    let differing = compared.map {
      "CASE WHEN \(agrees($0)) OR \(hasLostParent($0)) THEN 0 ELSE 1 END"
    }
    let agreeing = compared.map { slot in
      "CASE WHEN m.v\(slot) IS NOT NULL AND s.v\(slot) IS NOT NULL AND \(agrees(slot)) "
        + "THEN 1 ELSE 0 END"
    }
    let speaking = compared.map {
      "CASE WHEN m.v\($0) IS NULL AND s.v\($0) IS NULL THEN 0 ELSE 1 END"
    }
    let isSeeds = target.identity.compactMap { column in
      slot(of: column.name).map { target.same("m.v\($0)", "s.v\($0)", columns[$0]) }
    }
    try connection.execute(
      """
      INSERT INTO \(pairs) (mine, identity, edition, differing, agreeing, speaking)
      SELECT m.\(dialect.fileRow), s.identity, s.edition, \(differing.sum), \(agreeing.sum),
        \(speaking.sum)
      FROM \(mine) AS m JOIN \(states) AS s ON \(([isKey] + isSeeds).allTrue)
      """)
    if mayHaveStrangers { try removeStrangers() }
    let newest =
      try connection.number(
        "SELECT max(first) FROM (SELECT min(edition) AS first FROM \(pairs) "
          + "WHERE differing = 0 GROUP BY mine) AS exact") ?? Int64(Editions.never)
    let nearest = """
      SELECT identity, edition, mine, differing, row_number() OVER (PARTITION BY identity
        ORDER BY CASE WHEN differing = 0 THEN 0 ELSE 1 END,
          CASE WHEN differing = 0 THEN -edition ELSE edition END, mine) AS turn
      FROM (
        SELECT mine, identity, edition, differing, row_number() OVER (PARTITION BY mine
          ORDER BY differing, CASE WHEN edition > \(newest) THEN edition ELSE -edition END,
            identity DESC) AS place
        FROM \(pairs)) AS each
      WHERE place = 1
      """
    for (table, condition) in [(placed, "turn = 1"), (doubles, "turn > 1 AND differing = 0")] {
      try connection.execute("DELETE FROM \(table)")
      try connection.execute(
        "INSERT INTO \(table) (identity, edition, mine, differing) SELECT identity, edition, mine, "
          + "differing FROM (\(nearest)) AS nearest WHERE \(condition)")
    }
  }

  /// Whether the user deleted the row that a state refers to, so that `m` cannot refer to it.
  func hasLostParent(_ slot: Int) -> String {
    guard let number = reference(of: slot) else { return "false" }
    let (reference, parent) = (references[number], references[number].parent)
    let refers = reference.pairs.map { "p.\($0.parent.quoted) = m.v\($0.slot)" }
    return """
      (m.x\(number) IS NULL AND s.x\(number) IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM \(parent.placed) AS w WHERE w.identity = s.x\(number))
        AND NOT EXISTS (SELECT 1 FROM \(parent.target.sql) AS p WHERE \(refers.allTrue)))
      """
  }

  /// Where users' rows share the ids, a row is the seed's if it has more than half of the values,
  /// or one by which the edition tells its rows apart.
  private func removeStrangers() throws {
    let isDoubtful = "differing > 0 AND agreeing * 2 <= speaking"
    for edition in try connection.numbers(
      "SELECT DISTINCT edition FROM \(pairs) WHERE \(isDoubtful) AND agreeing > 0 ORDER BY 1")
    {
      let telling = try compared.filter { try tellsApart($0, edition) }.map { slot in
        "m.v\(slot) IS NOT NULL AND \(agrees(slot))"
      }
      if telling.isEmpty { continue }
      try connection.execute(
        """
        UPDATE \(pairs) AS p SET agreeing = p.speaking
        WHERE p.edition = \(edition) AND EXISTS (
          SELECT 1 FROM \(mine) AS m JOIN \(states) AS s
            ON s.identity = p.identity AND s.edition = p.edition
          WHERE m.\(dialect.fileRow) = p.mine AND (\(telling.anyTrue)))
        """)
    }
    try connection.execute("DELETE FROM \(pairs) WHERE \(isDoubtful)")
  }

  /// Whether no two rows of an edition have the same value in a column. One alone tells nothing.
  private func tellsApart(_ slot: Int, _ edition: Int64) throws -> Bool {
    if reference(of: slot) != nil { return false }
    let counts = try connection.rows(
      "SELECT count(v\(slot)), count(DISTINCT v\(slot)) FROM \(states) "
        + "WHERE edition <= \(edition) AND until > \(edition)")[0]
    return counts[0] == counts[1] && counts[0] != .integer(1)
  }
}

extension [String] {
  /// The sum of terms, in parts: a chain of a thousand is too deep for SQLite.
  fileprivate var sum: String {
    if isEmpty { return "0" }
    return stride(from: 0, to: count, by: 64).map { first in
      "(\(self[first..<Swift.min(first + 64, count)].joined(separator: " + ")))"
    }.joined(separator: " + ")
  }
}
