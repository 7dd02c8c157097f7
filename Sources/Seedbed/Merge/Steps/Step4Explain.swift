/// Step 4: a missing parent is named as the reason before a UNIQUE value.
extension MigrationMerge {
  /// Changes only the reasons.
  func explain(_ plans: PlanSet) throws {
    let claim = try PlanSet.Claim(plans)
    for plan in plans.plans {
      for key in plan.parents { _ = try changes(plan.explanations(key, plans)) }
    }
    let isUnchanged = try claim.isUnchanged()
    assert(isUnchanged, "An explanation changed a fate.")
    for plan in plans.plans { try plan.refuseMissingParents(plans) }
  }
}

extension TablePlan {
  /// If a missing parent is a reason as well as a UNIQUE value, the parent is named.
  func explanations(_ key: ParentKey, _ plans: PlanSet) throws -> [String] {
    let own = try slots(of: key.childColumns)
    let decided = decided(sources(own))
    let wished = own.map { slot in
      let isTaken = "WHEN p.why\(slot) = '\(Why.uniqueTaken)' THEN p.n\(slot)"
      let next = next(slot, "p")
      return decided.contains(slot) ? "CASE \(isTaken) ELSE \(next) END" : next
    }
    let found = try plans.parent(key, of: wished, in: self)
    let rules = decided.map { slot in
      """
      UPDATE \(sql) AS p SET why\(slot) = \(found.why)
      WHERE \(applies("p", [.update]))
        AND p.why\(slot) = '\(Why.uniqueTaken)' AND \(found.isMissing)
      """
    }
    if inserts.isEmpty { return rules }
    let isItself =
      try key.parent.isSameText(as: target.name)
      ? zip(next(key.parentColumns, "p"), wished).map { "\($0) = \($1)" }.allTrue : "false"
    return rules + [
      """
      UPDATE \(sql) AS p SET fate = \(found.why)
      WHERE p.kind = '\(Kind.insert)' AND p.fate = '\(Fate.uniqueTaken)' AND \(found.isMissing)
        AND (\(isItself)) IS NOT TRUE
      """
    ]
  }

  /// Throws if a parent is missing that no user can have deleted, since this run created its table.
  func refuseMissingParents(_ plans: PlanSet) throws {
    for key in parents where context.isCreatedByRun(key.parent) {
      let slots = try slots(of: key.childColumns)
      let decided = decided(sources(slots))
      let wished = slots.map { slot in
        let next = next(slot, "p")
        let isKept = "p.kind = 'update' AND p.why\(slot) <> '\(Why.parentDeleted)'"
        return decided.contains(slot)
          ? "CASE WHEN \(isKept) THEN \(next) ELSE p.n\(slot) END" : next
      }
      let skipped = decided.map { "why\($0) = '\(Why.parentDeleted)'" }
      let rows = try connection.rows(
        """
        SELECT row, \(wished.listed) FROM \(sql) AS p
        WHERE kind IN ('insert', 'replace') AND fate = '\(Fate.parentDeleted)'
          OR kind IN ('update', 'insert') AND (\(skipped.anyTrue)) ORDER BY row
        """)
      for row in rows {
        var (columns, values, isAmbiguous) = (key.parentColumns, Array(row[1...]), false)
        let number = try row.integer(0)
        if values.contains(.null) { continue }
        if let (natural, name) = try unresolved(key, values, of: number) {
          (columns, values) = (natural.matches.map(\.column.name), name)
          isAmbiguous = try plans.isAmbiguous(natural, name)
        } else if try plans.isKnown(key, values) {
          continue
        }
        guard try context.noUserCanHaveRemoved(key.parent, columns, values) else { continue }
        throw SeedbedError.parentNotFound(
          isAmbiguous: isAmbiguous, table: target.name, parent: key.parent,
          key: RowJSON.object(columns, values), try origin(of: number))
      }
    }
  }
}
