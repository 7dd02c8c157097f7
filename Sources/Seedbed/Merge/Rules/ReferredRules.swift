/// Step 3: a row stays while others refer to it, and so does a value.
extension TablePlan {
  /// A row stays while one that stays refers to it. Values that others refer to change with them.
  func referredRules(_ child: Reference, _ plans: PlanSet) throws -> [String] {
    let rules = try emptiedRules(child, plans) + keepReferredUser(child, plans)
    guard let rows = try referringRows(child, plans) else { return rules }
    let plan = plans.plan(of: child.table)
    let refers = plan?.parents.contains { $0.isSame(as: child.key) } == true
    let more = try refers ? plan.map { try " UNION ALL " + comingToRefer(child, $0) } ?? "" : ""
    return rules + [
      "UPDATE \(sql) SET fate = '\(Fate.referenced)' WHERE row IN (\(rows)\(more))"
    ]
  }

  /// Rows to retire that rows of the release will refer to, because the user changed a part of the
  /// reference, which the release cannot know:
  ///     the user changed 'country' to 'fr', and the release changes 'city' to 'Paris'
  ///     → the row refers to the place ('fr', 'Paris'), which therefore stays
  private func comingToRefer(_ child: Reference, _ plan: TablePlan) throws -> String {
    let own = try plan.slots(of: child.key.childColumns)
    let refers = try isReferred("d", by: child) { try plan.next(plan.slot(of: $0), "q") }
    return """
      SELECT d.row FROM \(plan.sql) AS q \(dialect.orderedJoin) \(sql) AS d ON \(refers)
      WHERE \(leaving("d")) AND (\(plan.coming("q")) OR \(plan.moving("q", own)))
      """
  }

  /// Rows to retire that staying rows of the child refer to.
  func referringRows(_ child: Reference, _ plans: PlanSet) throws -> String? {
    if deletes.isEmpty { return nil }
    let refers = try isReferred("d", by: child) { "c.\($0.quoted)" }
    // With an index on the child, SQLite begins with the few rows to retire.
    let schema = try connection.schema(of: child.table)
    let isIndexed = schema.hasIndex(on: child.key.childColumns)
    let tables = ["\(sql) AS d", "\(schema.sql) AS c"]
    let order = isIndexed ? tables : tables.reversed()
    return try """
    SELECT d.row FROM \(order.joined(separator: " \(dialect.orderedJoin) ")) ON \(refers)
    WHERE \(([leaving("d")] + plans.staysAsChild("c", child)).allTrue)
    """
  }

  /// Keeps a user's row in place if rows of the seed refer to its key: a row that is as the release
  /// ships it must not become a child of a user's row, nor follow one.
  func keepReferredUser(_ child: Reference, _ plans: PlanSet) throws -> [String] {
    guard movesUsers, let plan = plans.plan(of: child.table), !plan.inserts.isEmpty else {
      return []
    }
    let refers = try isReferred("p", by: child) { try plan.now(plan.slot(of: $0), "q") }
    return [
      """
      UPDATE \(sql) AS p SET fate = '\(Fate.keyTaken)'
      WHERE \(movingUser("p")) AND \(plan.exists("q", ["q.fate = '\(Fate.same)'", refers]))
      """
    ]
  }

  /// References cannot follow a value that becomes NULL, so it stays while a staying row refers to
  /// it. Under `replaceUser`, a user's row is not replaced if that would change a value that a row
  /// refers to.
  func emptiedRules(_ child: Reference, _ plans: PlanSet) throws -> [String] {
    let slots = try slots(of: child.key.parentColumns)
    let changing = decided(slots).filter { !key.contains($0) }
    if changing.isEmpty { return [] }
    let refers = try isReferred("p", by: child) { "c.\($0.quoted)" }
    let rows = try connection.schema(of: child.table).sql
    let condition = try """
    \(moving("p", slots)) AND EXISTS (SELECT 1 FROM \(rows) AS c
      WHERE \(([refers] + plans.staysAsChild("c", child)).allTrue))
    """
    let isEmptied = "(\(changing.map { "p.x\($0) IS NULL" }.anyTrue))"
    return keep(changing, "'\(Why.referenced)'", where: "\(isEmptied) AND \(condition)")
      + skip([.replace], "'\(Fate.keyTaken)'", where: condition)
  }
}
