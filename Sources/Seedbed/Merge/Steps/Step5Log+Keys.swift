/// Keys left to the user, counts, and the keys of rows that changed.
extension PlanLog {
  /// An entry ends if the release has the row and inserts it, or if the row exists with the same
  /// values. A new one begins for a row that the release leaves to the user.
  func leaveKeys() throws {
    let isKey = plan.key.map { "l.k\($0) = p.k\($0)" }
    let hasEntry = { [left = plan.leftSQL] (condition: String) in
      guard let left else { return "false" }
      return "EXISTS (SELECT 1 FROM \(left) AS l WHERE \(isKey.allTrue) AND \(condition))"
    }
    let others =
      context.isOfPack
      ? try keys(where: "kind = 'insert' AND fate = '\(Fate.same)' AND NOT \(hasEntry("true"))")
      : []
    if plan.leftSQL != nil {
      let isEnded = context.mode.invertsFiles ? isTakenBack(hasEntry) : isBroughtBack(hasEntry)
      for (_, key) in try keys(where: isEnded) {
        try context.ledger.takeBack(table: target.name, key: key, on: connection)
      }
    }
    // Such a row is another's: it stays when the pack goes, and rows of the pack may refer to it.
    for (_, key) in others { try leaveToUser(key, .referenced) }
    let fates = Set(plan.outcomes.compactMap(\.fate).filter(\.leavesKey))
    if fates.isEmpty { return }
    let isLeft = "fate IN (\(fates.map { "'\($0)'" }.listed))"
    // A name without a row is not a key.
    let isNamed = plan.files.contains { $0.naturals.contains(where: $0.isKey) }
    let unresolved = (isNamed ? plan.key : []).map {
      "NOT (\(plan.dialect.isUnresolved("k\($0)", target.schema.columns[$0])))"
    }
    // A row that `reseed` cannot put back as it was is still the seed's.
    let isNew = context.mode.ownsRowsInTheWay ? ["kind <> 'replace'"] : []
    // A row that `down` does not find was skipped by the release, or the user deleted it.
    let skipped = try context.mode.invertsFiles ? skippedKeys() : []
    for (fate, key) in try keys(where: ([isLeft] + isNew + unresolved).allTrue) {
      if fate == .absent, skipped.contains(ExactText(key)) { continue }
      guard let reason = fate?.reason?.asLeft else { continue }
      try leaveToUser(key, reason)
    }
  }

  /// The keys of the rows that the release skipped, as in the ledger.
  private func skippedKeys() throws -> Set<ExactText> {
    let names = target.key.names
    return try context.ledger.skippedKeys(
      table: target.name, by: context.version, on: connection
    ).filter { names.allSatisfy($0.columns.contains(name:)) }
      .map { RowJSON.collatedKey(target.key, $0.values(of: target.key)) }.asTexts
  }

  private func isBroughtBack(_ hasEntry: (String) -> String) -> String {
    "kind = 'insert' AND fate IN ('\(Fate.apply)', '\(Fate.same)') AND "
      + hasEntry("l.kind <> '\(Reason.pinned.word)'")
  }

  /// In `down`: the entries that the release began end with its row in the ledger. Here end those
  /// that another one replaces, and those about a row that the seed does not have before the
  /// release: a user's row under its key is in the way of none.
  private func isTakenBack(_ hasEntry: (String) -> String) -> String {
    let taken = Reason.ofLeftKeys.filter(\.isTaken).literals
    let isInTheWay = hasEntry("l.version = 0 AND l.kind IN (\(taken))")
    return "kind = 'insert' AND fate IN ('\(Fate.absent)', '\(Fate.same)')"
      + " OR kind = 'delete' AND fate = '\(Fate.left)' AND \(isInTheWay)"
  }

  func leaveToUser(_ key: String, _ reason: Reason) throws {
    try context.ledger.leaveToUser(
      table: target.name, key: key, reason,
      version: context.mode.versionOfLeftKeys(context.version), on: connection)
  }

  /// An entry is about the seed's row, whose key changes now. If the release that `down` undoes
  /// left that key to the user, its row never had it, and other entries of it are about others:
  ///     release 2 retired 5, which the user had deleted; release 3 could not give 5 to row 7
  ///     `down` of 3 → the deletion stays under 5, and `down` of 2 does not bring its row back
  func renameLeftKeys() throws {
    if plan.rekeyed.isEmpty { return }
    let keys = plan.key.map { "k\($0)" }
    let new = plan.key.map { plan.rekeyed.contains($0) ? "n\($0)" : "k\($0)" }
    var isRenamed = "fate = '\(Fate.left)'"
    if context.mode.invertsFiles, let left = plan.leftSQL {
      let isKey = plan.key.map { "l.k\($0) = p.k\($0)" }.allTrue
      isRenamed += """
         AND NOT EXISTS (SELECT 1 FROM \(left) AS l WHERE \(isKey)
          AND l.version = \(context.version) AND l.kind = '\(Reason.keyTaken.word)')
        """
    }
    try context.renameKeysLeftToUser(
      target.name, target.key,
      connection.rows("SELECT \((keys + new).listed) FROM \(plan.sql) AS p WHERE \(isRenamed)"))
  }

  /// The fates of rows, and their keys as in the ledger: for a row that is gone, the new key.
  private func keys(where condition: String) throws -> [(fate: Fate?, key: String)] {
    let keys = plan.key.map { slot in
      plan.rekeyed.contains(slot)
        ? "CASE fate WHEN '\(Fate.deletedByUser)' THEN n\(slot) ELSE k\(slot) END" : "k\(slot)"
    }
    return try connection.rows(
      "SELECT \((["fate"] + keys).listed) FROM \(plan.sql) AS p WHERE \(condition)"
    ).map { ($0[0].text.flatMap(Fate.init), RowJSON.collatedKey(target.key, Array($0[1...]))) }
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
        default:
          counts.kept += outcome.count
          if outcome.fate == .left { counts.left += outcome.count }
        }
      }
    }
  }

  /// Only if the report is to name the rows that changed.
  func noteKeys() throws {
    if !context.collectsKeys { return }
    let names = target.key.names
    let next = try rows(where: "p.fate = 'apply' AND (p.kind <> 'update' OR \(has("+", "!")))")
    while let row = try next() {
      let key = plan.key.map { (row.takes($0) ? row.seed($0) : row.key($0)) ?? .null }
      let text = try plan.rekeyed.isEmpty ? keyText(row) : RowJSON.object(names, key)
      context.noteChanged(target.name, key: text)
      if row.moved != .null {
        context.noteChanged(target.name, key: RowJSON.object(names, [row.moved]))
      }
    }
  }
}
