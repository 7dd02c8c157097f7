/// Keys that are left to the user, counts, and the keys of rows that changed.
extension PlanLog {
  /// An entry ends if the release brings the row and it comes, or is there just so; another begins
  /// with what the release leaves. Those that `down` ends go with the release's row in the ledger.
  func leaveKeys() throws {
    if context.isTakingBack { return }
    if let left = plan.leftSQL {
      let matches = plan.key.map { "l.k\($0) = p.k\($0)" }.allTrue
      let isEnded =
        "kind = 'insert' AND fate IN ('\(Fate.apply)', '\(Fate.same)') "
        + "AND EXISTS (SELECT 1 FROM \(left) AS l "
        + "WHERE \(matches))"
      for (_, key) in try keys(where: isEnded) {
        try context.ledger.takeBack(table: target.name, key: key, on: connection)
      }
    }
    let kinds = [
      Fate.keyTaken, .uniqueTaken, .editedRetired, .referenced, .deletedByUser, .absent,
    ].map { "'\($0)'" }.joined(separator: ", ")
    // A name that means nobody is no key.
    let unresolved =
      plan.files.contains { file in file.naturals.contains(where: file.isKey) }
      ? plan.key.map { "NOT (\(NaturalReference.isUnresolved("k\($0)")))" } : []
    for (fate, key) in try keys(where: (["fate IN (\(kinds))"] + unresolved).allTrue) {
      // A row to retire that is absent was deleted by the user, too.
      try context.ledger.leaveToUser(
        table: target.name, key: key, Conflict.Kind(rawValue: fate) ?? .deletedByUser,
        version: context.version, on: connection)
    }
  }

  /// The fates of rows, and their keys as the ledger has them.
  private func keys(where condition: String) throws -> [(fate: String, key: String)] {
    let keys = plan.key.map { "k\($0)" }.joined(separator: ", ")
    return try connection.rows(
      "SELECT fate, \(keys) FROM \(plan.sql) AS p WHERE \(condition)"
    ).map { ($0[0].text ?? "", RowJSON.collatedKey(target.key, Array($0[1...]))) }
  }

  func count() throws {
    let settled = ["\(Why.same)", "\(Why.ours)"].map(\.quotedLiteral).joined(separator: ", ")
    let agrees = plan.decided.map { "coalesce(why\($0.place) IN (\(settled)), true)" }
    let rows = try connection.rows(
      """
      SELECT kind, fate, takes LIKE '%1%', \(agrees.allTrue), count(*) FROM \(plan.sql)
      GROUP BY 1, 2, 3, 4
      """)
    for row in rows {
      let (kind, fate, count) = (row[0].text ?? "", row[1].text ?? "", Int(row[4].integer ?? 0))
      let (takes, agrees) = (row[2] == .integer(1), row[3] == .integer(1))
      context.count(target.name) { counts in
        switch (kind, fate) {
        case ("update", "apply") where takes: counts.updated += count
        case ("update", "apply") where agrees: counts.unchanged += count
        case ("replace", "apply"): counts.updated += count
        case ("delete", "apply"): counts.deleted += count
        case ("insert", "apply"): counts.inserted += count
        case ("insert", "same"), ("delete", "absent"): counts.unchanged += count
        default: counts.kept += count
        }
      }
    }
  }

  /// Only if the report is to name the rows that changed.
  func noteKeys() throws {
    guard context.collectsKeys else { return }
    let names = target.key.map(\.name)
    try each(where: "p.fate = 'apply' AND (p.kind <> 'update' OR p.takes LIKE '%1%')") { row in
      let key = plan.key.map { place in
        isTaken(row.why[place]) ? row.seed[place] ?? .null : row.base[place] ?? .null
      }
      let text = plan.rekeyed.isEmpty ? try keyText(row) : RowJSON.object(names, key)
      context.noteChanged(target.name, key: text)
      if row.moved != .null {
        context.noteChanged(target.name, key: RowJSON.object(names, [row.moved]))
      }
    }
  }
}
