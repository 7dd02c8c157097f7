/// Step 3: rules that only turn something off. Each is one statement over the plan. It looks at the
/// table without the rows that go, and with those that come.
extension TablePlan {
  // MARK: what a demotion is

  /// Rows to change keep their present values in these columns.
  func keep(_ places: [Int], _ why: String, where condition: String) -> [String] {
    // The columns of a key change together.
    let isWhole = rekeyed.isDisjoint(with: places)
    let set = decided(isWhole ? places : Set(places).union(rekeyed).ordered())
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

  /// Sets the columns' `why` so that they keep their present values.
  func keeping(_ places: [Int], _ why: String) -> String {
    places.map { "why\($0) = CASE WHEN \(takes($0, "p")) THEN \(why) ELSE p.why\($0) END" }.listed
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

  // MARK: parents

  /// A row must not refer to a row that is gone, or that is the user's.
  func parentRules(_ key: ParentKey, _ plans: PlanSet) throws -> [String] {
    let found = try plans.parent(key, of: next(key.childColumns, "p"), in: self)
    // A key may change in columns other than those that refer to the parent.
    let own = try places(of: key.childColumns)
    let comes = decided(own).map { takes($0, "p") }.anyTrue
    return keep(own, found.why, where: "(\(comes)) AND \(found.isMissing)")
      + skip([.insert, .replace], found.why, where: found.isMissing)
  }

  // MARK: UNIQUE

  /// A row cannot take a value that a staying row holds:
  ///     the release gives row 5 the symbol 'Nh'; row 900 of the user has 'Nh', and stays
  ///     → a row 5 to change keeps its symbol; a row 5 to insert is skipped
  func uniqueRules(_ set: UniqueSet, _ plans: PlanSet) -> [String] {
    let isOther = "(\(isSameRow("p", "h"))) IS NOT TRUE"
    // A user's row that moves keeps its other values.
    let other = movesUsers ? "(\(isOther) OR \(movingUser("p")))" : isOther
    let stays = [holds(set, "h", "p"), other, "NOT \(vacates("h", set.places))"]
    let isHeld = { (conditions: [String]) in
      "EXISTS (SELECT 1 FROM \(self.target.sql) AS h WHERE \(conditions.allTrue))"
    }
    // Rows that go with others are gone before new ones are inserted.
    let remains = plans.disposal.removes(target.name, "h").map { ["NOT \($0)"] } ?? []
    let moves = moving("p", set.places)
    return keep(set.columns, taken(set), where: "\(moves) AND \(isHeld(stays))")
      + leftRules(set)
      + skip([.insert], "'\(Fate.uniqueTaken)'", where: isHeld(stays + remains))
      + skip([.replace], "'\(Fate.uniqueTaken)'", where: "\(moves) AND \(isHeld(stays))")
  }

  /// A row cannot take a key that was left to the user.
  private func leftRules(_ set: UniqueSet) -> [String] {
    guard isKey(set), let leftSQL else { return [] }
    // Such a key is free if the file also renames it.
    let isRenamed = exists("v", key.map { "v.k\($0) = l.k\($0)" })
    let left = """
      EXISTS (SELECT 1 FROM \(leftSQL) AS l
        WHERE \(key.map { "l.k\($0) = \(next($0, "p"))" }.allTrue) AND NOT \(isRenamed))
      """
    return keep(set.columns, taken(set), where: "\(moving("p", set.places)) AND \(left)")
  }

  func isKey(_ set: UniqueSet) -> Bool { Set(set.places) == Set(key) }

  private func taken(_ set: UniqueSet) -> String {
    "'\(isKey(set) ? Why.keyTaken : .uniqueTaken)'"
  }

  /// Applies when nothing else changes. If two rows would take the same value, the one with the
  /// lower key gets it:
  ///     row 1: 'A' → 'C', row 2: 'B' → 'C'. Row 1 gets 'C', and row 2 keeps 'B'
  func uniqueTies(_ set: UniqueSet) -> [String] {
    let isLower = "(\(key.map { "q.k\($0)" }.listed)) < (\(key.map { "p.k\($0)" }.listed))"
    let loses = "\(moving("p", set.places)) AND \(isMet(set, and: isLower))"
    return keep(set.columns, taken(set), where: loses)
      + skip([.replace], "'\(Fate.uniqueTaken)'", where: loses)
  }

  /// A row to insert never keeps an existing row from taking a value.
  func insertTies(_ set: UniqueSet) -> [String] {
    skip([.insert], "'\(Fate.uniqueTaken)'", where: isMet(set))
  }

  /// Whether a row `q` takes the value that `p` will have.
  private func isMet(_ set: UniqueSet, and condition: String = "true") -> String {
    let meets = agree(set, { next($0, "q") }, { next($0, "p") })
    return exists("q", [meets, moving("q", set.places), condition])
  }

  // MARK: references

  /// A row is not retired while a staying row refers to it, and values that others refer to do not
  /// change without them.
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
    let own = try plan.places(of: child.key.childColumns)
    let refers = try isReferred("d", by: child) { try plan.next(plan.place(of: $0), "q") }
    return """
      SELECT d.row FROM \(plan.sql) AS q \(dialect.orderedJoin) \(sql) AS d ON \(refers)
      WHERE \(leaving("d")) AND (\(plan.coming("q")) OR \(plan.moving("q", own)))
      """
  }

  /// Rows to retire that staying rows of the child refer to.
  func referringRows(_ child: Reference, _ plans: PlanSet) throws -> String? {
    if deletes.isEmpty { return nil }
    let refers = try isReferred("d", by: child) { "c.\($0.quoted)" }
    // With an index on the child, SQLite begins with the few rows to retire, otherwise with the
    // child.
    let schema = try connection.schema(of: child.table)
    let isIndexed = schema.hasIndex(on: child.key.childColumns)
    let tables = ["\(sql) AS d", "\(schema.sql) AS c"]
    let order = isIndexed ? tables : tables.reversed()
    return try """
    SELECT d.row FROM \(order.joined(separator: " \(dialect.orderedJoin) ")) ON \(refers)
    WHERE \(([leaving("d")] + plans.staysAsChild("c", child)).allTrue)
    """
  }

  // MARK: step 4

  /// If a missing parent is a reason as well as a UNIQUE value, the parent is named.
  func explanations(_ key: ParentKey, _ plans: PlanSet) throws -> [String] {
    let own = try places(of: key.childColumns)
    let decided = decided(own)
    let wished = own.map { place in
      let isTaken = "WHEN p.why\(place) = '\(Why.uniqueTaken)' THEN p.n\(place)"
      let next = next(place, "p")
      return decided.contains(place) ? "CASE \(isTaken) ELSE \(next) END" : next
    }
    let found = try plans.parent(key, of: wished, in: self)
    let rules = decided.map { place in
      """
      UPDATE \(sql) AS p SET why\(place) = \(found.why)
      WHERE \(applies("p", [.update]))
        AND p.why\(place) = '\(Why.uniqueTaken)' AND \(found.isMissing)
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
}
