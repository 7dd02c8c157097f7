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
        + "WHERE \(matches) AND l.kind <> 'pinned')"
      for (_, key) in try keys(where: isEnded) {
        try context.ledger.takeBack(table: target.name, key: key, on: connection)
      }
    }
    let leaves: Set<Fate> = [
      .keyTaken, .uniqueTaken, .editedRetired, .referenced, .deletedByUser, .absent,
    ]
    let fates = Set(plan.outcomes.compactMap(\.fate)).intersection(leaves)
    if fates.isEmpty { return }
    let isLeft = "fate IN (\(fates.map { "'\($0)'" }.joined(separator: ", ")))"
    // A name that means nobody is no key.
    let unresolved =
      plan.files.contains { file in file.naturals.contains(where: file.isKey) }
      ? plan.key.map {
        "NOT (\(plan.dialect.isNobody("k\($0)", target.schema.columns[$0])))"
      } : []
    // A row that `reseed` cannot put back as it was is the seed's all the same.
    let isNew = context.isReseeding ? ["kind <> 'replace'"] : []
    for (fate, key) in try keys(where: ([isLeft] + isNew + unresolved).allTrue) {
      // A row to retire that is absent was deleted by the user, too.
      let reason = Migrator.Conflict.Kind(rawValue: fate) ?? .deletedByUser
      try context.ledger.leaveToUser(
        table: target.name, key: key, reason.rawValue, version: context.version, on: connection)
    }
  }

  /// An entry is about the seed's row, which has another key from now on.
  func renameLeftKeys() throws {
    if plan.rekeyed.isEmpty { return }
    let new = plan.key.map { plan.rekeyed.contains($0) ? "n\($0)" : "k\($0)" }
    let rows = try connection.rows(
      """
      SELECT \((plan.key.map { "k\($0)" } + new).joined(separator: ", ")) FROM \(plan.sql)
      WHERE fate = '\(Fate.left)'
      """)
    try context.ledger.renameKeysLeftToUser(
      table: target.name,
      rows.map { row in
        (
          RowJSON.collatedKey(target.key, Array(row[..<new.count])),
          RowJSON.collatedKey(target.key, Array(row[new.count...]))
        )
      }, on: connection)
  }

  /// The fates of rows, and their keys as the ledger has them: of a row that is gone, the new one.
  private func keys(where condition: String) throws -> [(fate: String, key: String)] {
    let keys = plan.key.map { place in
      plan.rekeyed.contains(place)
        ? "CASE fate WHEN '\(Fate.deletedByUser)' THEN n\(place) ELSE k\(place) END" : "k\(place)"
    }.joined(separator: ", ")
    return try connection.rows(
      "SELECT fate, \(keys) FROM \(plan.sql) AS p WHERE \(condition)"
    ).map { ($0[0].text ?? "", RowJSON.collatedKey(target.key, Array($0[1...]))) }
  }

  func count() {
    for outcome in plan.outcomes {
      context.count(target.name) { counts in
        switch (outcome.kind, outcome.fate) {
        case (.update, .apply) where outcome.takesSeed: counts.updated += outcome.count
        case (.update, .apply) where outcome.agrees: counts.unchanged += outcome.count
        case (.replace, .apply): counts.updated += outcome.count
        case (.delete, .apply): counts.deleted += outcome.count
        case (.insert, .apply): counts.inserted += outcome.count
        case (.insert, .same), (.delete, .absent): counts.unchanged += outcome.count
        default: counts.kept += outcome.count
        }
      }
    }
  }

  /// Only if the report is to name the rows that changed.
  func noteKeys() throws {
    guard context.collectsKeys else { return }
    let names = target.key.map(\.name)
    try each(where: "p.fate = 'apply' AND (p.kind <> 'update' OR \(has("+", "!")))") { row in
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
