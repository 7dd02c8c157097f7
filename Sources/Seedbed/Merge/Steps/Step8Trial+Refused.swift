/// Step 8: decides about a row that its table refuses.
extension TablePlan {
  /// Keeps the old key if the table refuses a new one, or a value that others follow, or if a
  /// user's row cannot move.
  func keepKey() throws -> String {
    let kept = keeping(decided(try Set(followed().joined()).ordered()), "'\(Why.referenced)'")
    return """
      UPDATE \(sql) AS p SET \(kept.isEmpty ? "" : kept + ", ")
        fate = CASE kind WHEN '\(Kind.update)' THEN fate ELSE '\(Fate.keyTaken)' END
      WHERE row = ?
      """
  }

  /// Decides about a row that the table refuses.
  ///
  /// - Parameter isOwners: whether it takes the same row of other owners.
  func demote(_ row: Int64, _ failure: any EngineFailure, isOwners: Bool) throws {
    let kind = try connection.value("SELECT kind FROM \(sql) WHERE row = ?", [.integer(row)])?
      .text.flatMap(Kind.init)
    let refused = "UPDATE \(sql) SET fate = '\(Fate.refused)' WHERE row = ?"
    let (table, reason, slot) = (target.name, failure.message, try origin(of: row))
    if failure.isForeignKey, kind == .delete {
      throw SeedbedError.cannotGo(table: table, reason: reason, slot)
    }
    // Each row has its parent when all rows are written.
    if failure.isForeignKey, hasImmediateKeys {
      throw SeedbedError.cannotWait(table: table, reason: reason, slot)
    }
    let demotion: [String]
    switch kind {
    case .update where failure.isUniqueness:
      let kept = keeping(decided.map(\.slot), "'\(Why.uniqueTaken)'")
      demotion = ["UPDATE \(sql) AS p SET \(kept) WHERE row = ?"]
    case .update where try isMixed(row): demotion = [refused]
    case .replace where context.mode.ownsRowsInTheWay && !failure.isUniqueness:
      // The row is the seed's, and stays so.
      context.ruleBroken = context.ruleBroken ?? reason
      demotion = [refused]
    case .replace,
      .insert where failure.isUniqueness:
      demotion = skip([.insert, .replace], "'\(Fate.uniqueTaken)'", where: "row = ?")
    case .update where isOwners:
      context.noteRefusal(table, reason)
      demotion = [refused]
    case .insert where isOwners:
      context.noteRefusal(table, reason)
      demotion = skip([.insert], "'\(Fate.deletedByUser)'", where: "row = ?")
    case .update, .insert, .delete, nil:
      throw SeedbedError.rowRefused(failure, of: file(of: row), slot)
    }
    for sql in demotion { try connection.execute(sql, [.integer(row)]) }
  }

  /// Whether a row to change keeps any value of the user's.
  private func isMixed(_ row: Int64) throws -> Bool {
    let keeps = decided.map { column in
      let why = "p.why\(column.slot)"
      let isOther = dialect.differ("t.\(column.schema.name.quoted)", "p.n\(column.slot)")
      return """
        (\(why) NOT IN ('\(Why.take)', '\(Why.overruled)', '\(Why.same)', '\(Why.ours)')
          OR \(why) = '\(Why.ours)' AND \(isOther))
        """
    }
    let user = "NOT \(try UserColumns.atDefault(file(of: row), table: "t", on: connection))"
    return try connection.finds(
      """
      SELECT 1 FROM \(sql) AS p JOIN \(target.sql) AS t ON \(isSameRow("p", "t"))
      WHERE p.row = ? AND (\((keeps + [user]).anyTrue))
      """, [.integer(row)])
  }
}
