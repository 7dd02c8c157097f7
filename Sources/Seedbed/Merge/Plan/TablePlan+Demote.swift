/// Step 3: rules that only ever turn something off. Each is one statement over the plan, judged
/// against the table without what goes and with what comes.
extension TablePlan {
  // MARK: what a demotion is

  /// Rows to change keep what they have in these columns.
  func keep(_ places: [Int], _ why: String, where condition: String) -> String? {
    let set = decided(whole(places))
    if set.isEmpty || updates.isEmpty { return nil }
    return """
      UPDATE \(sql) AS p SET \(keeping(set, why))
      WHERE p.kind = '\(Kind.update)' AND p.fate = '\(Fate.apply)'
        AND (\(set.map { takes($0, "p") }.anyTrue)) AND \(condition)
      """
  }

  /// What sets these columns so that they keep what they have.
  func keeping(_ places: [Int], _ why: String) -> String {
    places.map { "why\($0) = CASE WHEN \(takes($0, "p")) THEN \(why) ELSE p.why\($0) END" }
      .joined(separator: ", ")
  }

  /// The columns of a key change together.
  private func whole(_ places: [Int]) -> [Int] {
    rekeyed.isDisjoint(with: places) ? places : Set(places).union(rekeyed).sorted()
  }

  /// Rows to insert do not come, and users' rows do not take a seed's values. A user's row under
  /// the same key then keeps it, whatever the reason; in `reseed` it is the seed's own.
  func skip(_ kinds: [Kind], _ fate: String, where condition: String) -> String {
    let isUsers = context.isReseeding ? "false" : "p.kind = '\(Kind.replace)'"
    let isTaken = movesUsers ? "p.moved IS NOT NULL" : isUsers
    return """
      UPDATE \(sql) AS p SET fate = CASE WHEN \(isTaken) THEN '\(Fate.keyTaken)' ELSE \(fate) END
      WHERE p.kind IN (\(kinds.map { "'\($0)'" }.joined(separator: ", ")))
        AND p.fate = '\(Fate.apply)' AND \(condition)
      """
  }

  // MARK: parents

  /// A row may not come to refer to a row that is gone, or to one that is the user's.
  func parentRules(_ key: ParentKey, _ plans: PlanSet) -> [String] {
    let found = parent(key, of: next(key.childColumns, "p"), plans)
    let rows =
      inserts.isEmpty ? [] : [skip([.insert, .replace], found.why, where: found.isMissing)]
    // A key may change in other columns than those that refer to the parent.
    let own = places(of: key.childColumns)
    let comes = decided(own).map { takes($0, "p") }.anyTrue
    return [keep(own, found.why, where: "(\(comes)) AND \(found.isMissing)")].compactMap { $0 }
      + rows
  }

  // MARK: UNIQUE

  /// No value that is held by what stays.
  func uniqueRules(_ set: UniqueSet, _ plans: PlanSet) -> [String] {
    let isOther = "(\(isSameRow("p", "h"))) IS NOT TRUE"
    // A user's row that moves keeps its other values.
    let other = movesUsers ? "(\(isOther) OR \(movingUser("p")))" : isOther
    let held = """
      EXISTS (SELECT 1 FROM \(target.sql) AS h
        WHERE \(holds(set, "h", "p")) AND \(other) AND NOT \(vacates("h", set.places)))
      """
    let moves = moving("p", set.places)
    var rules = [keep(set.places, taken(set), where: "\(moves) AND \(held)")]
    if isKey(set), let leftSQL {
      let isLeft = key.map { "l.k\($0) = \(next($0, "p"))" }.allTrue
      // Such a key is free if the file renames it, too.
      let isRenamed = key.map { "v.k\($0) = l.k\($0)" }.allTrue
      let left = """
        EXISTS (SELECT 1 FROM \(leftSQL) AS l WHERE \(isLeft)
          AND NOT EXISTS (SELECT 1 FROM \(sql) AS v WHERE \(isRenamed)))
        """
      rules.append(keep(set.places, taken(set), where: "\(moves) AND \(left)"))
    }
    if inserts.isEmpty { return rules.compactMap(\.self) }
    // Rows that go with others are gone before new ones come.
    let isDisposed = plans.disposal.removes(target.name, "h")
    let stays = isDisposed.map { "\(held.dropLast()) AND NOT \($0))" } ?? held
    rules.append(skip([.insert], "'\(Fate.uniqueTaken)'", where: stays))
    if replaces {
      rules.append(skip([.replace], "'\(Fate.uniqueTaken)'", where: "\(moves) AND \(held)"))
    }
    return rules.compactMap(\.self)
  }

  func isKey(_ set: UniqueSet) -> Bool { Set(set.places) == Set(key) }

  private func taken(_ set: UniqueSet) -> String {
    "'\(isKey(set) ? Why.keyTaken : .uniqueTaken)'"
  }

  /// When nothing else changes: of two rows that come to one value, the one with the lower key has
  /// it.
  func uniqueTies(_ set: UniqueSet) -> [String] {
    let lower =
      "(\(key.map { "q.k\($0)" }.joined(separator: ", "))) < "
      + "(\(key.map { "p.k\($0)" }.joined(separator: ", ")))"
    let loses = "\(moving("p", set.places)) AND \(isMet(set, and: lower))"
    let skipped = replaces ? skip([.replace], "'\(Fate.uniqueTaken)'", where: loses) : nil
    return [keep(set.places, taken(set), where: loses), skipped].compactMap(\.self)
  }

  /// An insert never keeps a row that is there from a value.
  func insertTies(_ set: UniqueSet) -> [String] {
    inserts.isEmpty ? [] : [skip([.insert], "'\(Fate.uniqueTaken)'", where: isMet(set))]
  }

  /// Whether a row `q` comes to what `p` will have.
  private func isMet(_ set: UniqueSet, and condition: String = "true") -> String {
    let meets = zip(set.places, set.collations).map { place, collation in
      "\(dialect.collated(next(place, "q"), collation)) = \(next(place, "p"))"
    }
    return """
      EXISTS (SELECT 1 FROM \(sql) AS q
        WHERE \((meets + [moving("q", set.places), condition]).allTrue))
      """
  }

  // MARK: references

  /// A row does not go as long as one that stays refers to it.
  func referredRule(_ child: Reference, _ plans: PlanSet) throws -> String? {
    guard let rows = try referringRows(child, plans) else { return nil }
    let plan = plans.plan(of: child.table).flatMap { plan in
      plan.parents.contains { $0.isSame(as: child.key) } ? plan : nil
    }
    let more = plan.map { " UNION ALL " + comingToRefer(child, $0) } ?? ""
    return "UPDATE \(sql) SET fate = '\(Fate.referenced)' WHERE row IN (\(rows)\(more))"
  }

  /// The rows to go to which rows of the release come to refer: with a part of a key that the user
  /// changed, since the release itself may not say so.
  private func comingToRefer(_ child: Reference, _ plan: TablePlan) -> String {
    let own = plan.places(of: child.key.childColumns)
    let refers = zip(own, places(of: child.key.parentColumns))
      .map { "\(now($1, "d")) = \(plan.next($0, "q"))" }
    return """
      SELECT d.row FROM \(plan.sql) AS q \(dialect.orderedJoin) \(sql) AS d ON \(refers.allTrue)
      WHERE \(leaving("d")) AND (\(plan.coming("q")) OR \(plan.moving("q", own)))
      """
  }

  /// The rows to go to which rows of the child refer that stay.
  func referringRows(_ child: Reference, _ plans: PlanSet) throws -> String? {
    if deletes.isEmpty { return nil }
    let parents = places(of: child.key.parentColumns)
    let refers = zip(child.key.childColumns, parents)
      .map { "\(now($1, "d")) = c.\($0.quoted)" }
    // SQLite begins at the few rows to go if it finds the child's by an index, else at the child.
    let table = "\(dialect.table(child.table)) AS c"
    let isIndexed = try plans.context.connection.schema(of: child.table).hasIndex(
      on: child.key.childColumns)
    let from = (isIndexed ? ["\(sql) AS d", table] : [table, "\(sql) AS d"])
      .joined(separator: " \(dialect.orderedJoin) ")
    return """
      SELECT d.row FROM \(from) ON \(refers.allTrue)
      WHERE \(([leaving("d")] + plans.staysAsChild("c", child)).allTrue)
      """
  }

  // MARK: step 4

  /// If a parent's reason holds beside a UNIQUE value's, the parent's is named.
  func explanations(_ key: ParentKey, _ plans: PlanSet) -> [String] {
    let wished = places(of: key.childColumns).map { place in
      columns[place]?.hasWhy == true
        ? "CASE WHEN p.why\(place) = '\(Why.uniqueTaken)' THEN p.n\(place) "
          + "ELSE \(next(place, "p")) END"
        : next(place, "p")
    }
    let found = parent(key, of: wished, plans)
    var rules = decided(places(of: key.childColumns)).map { place in
      """
      UPDATE \(sql) AS p SET why\(place) = \(found.why)
      WHERE p.kind = '\(Kind.update)' AND p.fate = '\(Fate.apply)'
        AND p.why\(place) = '\(Why.uniqueTaken)' AND \(found.isMissing)
      """
    }
    if inserts.isEmpty { return rules }
    let isItself =
      key.parent == target.name
      ? zip(next(key.parentColumns, "p"), wished).map { "\($0) = \($1)" }.allTrue : "false"
    rules.append(
      """
      UPDATE \(sql) AS p SET fate = \(found.why)
      WHERE p.kind = '\(Kind.insert)'
        AND p.fate = '\(Fate.uniqueTaken)' AND \(found.isMissing)
        AND (\(isItself)) IS NOT TRUE
      """)
    return rules
  }
}
