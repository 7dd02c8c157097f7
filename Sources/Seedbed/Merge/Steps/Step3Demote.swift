/// Step 3: rules that only turn something off. Each is one statement over the plan. It looks at the
/// table without the rows that go, and with those that come. `Rules` has them.
extension MigrationMerge {
  func demote(_ plans: PlanSet) throws {
    let rules = try plans.plans.flatMap { plan in
      try plan.parents.flatMap { try plan.parentRules($0, plans) }
        + plan.uniqueSets.flatMap { plan.uniqueRules($0, plans) }
        + plan.children.flatMap { try plan.referredRules($0, plans) }
    }
    let ties = plans.plans.flatMap { plan in plan.uniqueSets.flatMap(plan.uniqueTies) }
    let insertTies = plans.plans.flatMap { plan in plan.uniqueSets.flatMap(plan.insertTies) }
    _ = try plans.disposal.recompute(plans)
    repeat {
      // Whether a row of a disposable table goes depends on which other rows go.
      while try changes(rules, plans) > 0 || plans.disposal.recompute(plans) {}
    } while try changes(ties, plans) > 0 || changes(insertTies, plans) > 0
  }

  /// Runs rules, and returns the number of rows that they changed. Rules only turn something off.
  private func changes(_ rules: [String], _ plans: PlanSet) throws -> Int64 {
    let claim = try PlanSet.Claim(plans)
    let count = try changes(rules)
    let isOff = try claim.onlyTurnedOff()
    assert(isOff, "A rule turned something on.")
    return count
  }

  /// Runs statements, and returns the number of rows that they changed.
  func changes(_ statements: [String]) throws -> Int64 {
    try statements.reduce(0) { count, sql in
      try connection.execute(sql)
      return count + connection.changes
    }
  }
}

/// What a demotion is.
extension TablePlan {
  /// Rows to change keep their present values in these columns.
  func keep(_ own: [Int], _ why: String, where condition: String) -> [String] {
    let slots = withWholeReferences(own)
    // The columns of a key change together.
    let isWhole = rekeyed.isDisjoint(with: slots)
    let set = decided(isWhole ? slots : Set(slots).union(rekeyed).ordered())
    if set.isEmpty || updates.isEmpty { return [] }
    assert(set.allSatisfy { columns[$0]?.hasWhy == true }, "A column has no reason to change.")
    return [
      """
      UPDATE \(sql) AS p SET \(keeping(set, why))
      WHERE \(applies("p", [.update])) AND (\(set.map { takes($0, "p") }.anyTrue))
        AND \(condition)
      """
    ]
  }

  /// These columns, and the others of references of several columns, each of which is one value.
  /// The owner of a row never changes, and ties none together.
  private func withWholeReferences(_ slots: [Int]) -> [Int] {
    let owner = target.owner.flatMap { target.schema.index(of: $0.name) }
    var all = slots.filter { $0 != owner }
    var open = parents.map { parent in
      parent.childColumns.compactMap(target.schema.index).filter { $0 != owner }
    }
    while let next = open.firstIndex(where: { $0.count > 1 && !Set($0).isDisjoint(with: all) }) {
      all += open.remove(at: next).filter { !all.contains($0) }
    }
    return all
  }

  /// Sets the columns' `why` so that they keep their present values.
  func keeping(_ slots: [Int], _ why: String) -> String {
    slots.map { "why\($0) = CASE WHEN \(takes($0, "p")) THEN \(why) ELSE p.why\($0) END" }.listed
  }

  /// Rows to insert are skipped, and users' rows do not take a seed's values. A user's row with the
  /// same key then keeps it, whatever the reason. In `reseed` the row is the seed's own.
  func skip(_ kinds: [Kind], _ fate: String, where condition: String) -> [String] {
    let kinds = kinds.filter { $0 == .replace ? replaces : !inserts.isEmpty }
    if kinds.isEmpty { return [] }
    let isUsers = context.mode.ownsRowsInTheWay ? "false" : "p.kind = '\(Kind.replace)'"
    let isTaken = movesUsers ? "p.moved IS NOT NULL" : isUsers
    return [
      """
      UPDATE \(sql) AS p SET fate = CASE WHEN \(isTaken) THEN '\(Fate.keyTaken)' ELSE \(fate) END
      WHERE \(applies("p", kinds)) AND \(condition)
      """
    ]
  }
}
