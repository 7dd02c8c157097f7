/// Step 7: keys and UNIQUE values that others refer to. `Rekey` changes the references.
extension TablePlan {
  /// Whether rows may move to another partition.
  func changesPartitions() throws -> Bool {
    try !Set(decided(key)).isDisjoint(with: slots(of: target.schema.partitionKey))
  }

  /// Sets of columns that other rows refer to, and in which rows of this table get new values.
  func followed() throws -> [[Int]] {
    var sets: [[Int]] = rekeyed.isEmpty ? [] : [key]
    for child in children {
      let slots = try slots(of: child.key.parentColumns).ordered()
      if sets.contains(slots) || slots.allSatisfy(key.contains) { continue }
      if !decided(slots).isEmpty { sets.append(slots) }
    }
    return sets
  }

  /// Another row may get the same key later: only here it is known which is which.
  func noteNewKeys() throws {
    let moving = moving("p", key, exactly: true)
    let values = key.map { now($0, "p") } + key.map { next($0, "p") }
    context.noteNewKeys(
      target.name, key.map { target.schema.columns[$0].name },
      try connection.rows("SELECT \(values.listed) FROM \(sql) AS p WHERE \(moving)"))
  }

  /// Whether some of these columns refer to rows of a table.
  func refers(to table: String, by slots: [Int]) -> Bool {
    let names = slots.map { target.schema.columns[$0].name }
    return parents.contains {
      $0.parent.isSameText(as: table) && $0.childColumns.contains(where: names.contains(name:))
    }
  }

  /// Whether the row to which `t` of a child refers gets the same new values later; nil if the plan
  /// does not give it any. A row whose key another one gets has a mark by then: what refers to its
  /// old key refers to the other one.
  func movesAlike(_ child: RekeyTable, _ key: RekeyTable.Follower, _ slots: [Int]) -> String? {
    let parents = key.pairs.map(\.parent)
    guard tracks(parents), !Set(parents).isDisjoint(with: slots) else { return nil }
    let isAlike = key.pairs.flatMap { pair in
      let (own, next) = (child.column("t", pair.child), next(pair.parent, "q"))
      let new =
        child.changing.contains(pair.child)
        ? "(\(next) = r.n\(pair.child) OR r.n\(pair.child) IS NULL AND \(next) = \(own))"
        : "\(next) = \(own)"
      return ["\(now(pair.parent, "q")) = \(own)", new]
    }
    return exists("q", isAlike + [moving("q", slots), "NOT \(isInTheWay("q", of: "z"))"])
  }

  /// The columns of the key with marks while rows pass keys on; nil if their types have no room for
  /// them. One is enough: if possible, one that no two references share, as what follows would
  /// refer to the mark by both; else any other of the key.
  func asideSlots() throws -> [Int]? {
    let (sets, most, decided) = (keySets, try mostRows(), decided(key))
    let fixed = try Set(decided + slots(of: target.schema.partitionKey))
    func enough(_ slots: [Int]) -> [Int] {
      let shared = slots.filter { slot in sets.allSatisfy { $0.columns.contains(slot) } }
      return shared.filter { hasMarks($0, for: most, sure: true) }
    }
    for slots in [enough(decided), enough(key.filter { !fixed.contains($0) })] {
      // A reference to the row's own parent waits for the end; one that follows may not.
      let once = try slots.filter(isFollowedOnce)
      let free = once.first { !target.childColumns.contains(name: target.schema.columns[$0].name) }
      if let slot = free ?? once.first ?? slots.first { return [slot] }
    }
    // A rule of the column may refuse its marks. Without children, no row has to wait at all.
    return decided.allSatisfy { hasMarks($0, for: most, sure: children.isEmpty) } ? decided : nil
  }

  /// Whether no row of a child refers to a column of the key by two references.
  private func isFollowedOnce(_ slot: Int) throws -> Bool {
    try children.allSatisfy { child in
      let own = zip(child.key.childColumns, try slots(of: child.key.parentColumns))
        .first { $0.1 == slot }?.0
      let schema = try connection.schema(of: child.table)
      let keys = try connection.parentKeys(of: schema, and: context.keyOptions).map(\.childColumns)
      return own.map { own in keys.filter { $0.contains(name: own) }.count < 2 } ?? true
    }
  }

  /// The rows that get new values in these columns, none of them NULL, with these values.
  func newValues(_ slots: [Int], from aside: [Int] = []) -> String {
    let decided = decided(slots)
    let found = key.map { slot in
      let marked = "CASE WHEN \(isInTheWay("p", of: "q")) THEN \(markSQL(slot)) ELSE p.k\(slot) END"
      return "t.\(column(slot)) = " + (aside.contains(slot) ? marked : "p.k\(slot)")
    }
    let isChanged = [moving("p", slots, exactly: true)] + decided.map { "p.x\($0) IS NOT NULL" }
    let values = written(slots, from: aside).map { next($0, "p") }
    return rows(with: values, on: found.allTrue, where: isChanged.allTrue)
  }

  /// The columns that get new values, or get theirs back.
  func written(_ slots: [Int], from aside: [Int]) -> [Int] {
    decided(slots) + aside.filter { !decided(slots).contains($0) }
  }

  /// The rows that get new keys and whose own another one gets, with marks in these columns.
  func keysAside(_ slots: [Int]) -> String {
    rows(
      with: slots.map(markSQL), on: isSameRow("p", "t"),
      where: "\(moving("p", key, exactly: true)) AND \(isInTheWay("p", of: "q"))")
  }

  /// The key, and UNIQUE values that are a part of it.
  fileprivate var keySets: [UniqueSet] {
    uniqueSets.filter { Set($0.columns).isSubset(of: key) }
  }

  /// The rows that wait for the key of another, with that one.
  var rowsThatWait: String {
    let meets = keySets.map { agree($0, { next($0, "p") }, { now($0, "q") }) }
    return """
      SELECT p.row, q.row FROM \(sql) AS p JOIN \(sql) AS q ON (\(meets.anyTrue))
      WHERE \(moving("p", key)) AND \(moving("q", key)) AND p.row <> q.row
      """
  }

  /// Whether another row of the plan gets the key of `p`.
  private func isInTheWay(_ p: String, of other: String) -> String {
    let meets = keySets.map { set in
      let isMet = agree(set, { next($0, other) }, { now($0, p) })
      return exists(other, [isMet, moving(other, set.slots), "\(other).row <> \(p).row"])
    }
    return "(\(meets.anyTrue))"
  }

  /// The identities of rows, with values.
  private func rows(with values: [String], on found: String, where condition: String) -> String {
    """
    SELECT \((target.schema.identity.map { "t.\($0.quoted)" } + values).listed)
    FROM \(sql) AS p \(dialect.orderedJoin) \(target.sql) AS t ON \(found)
    WHERE \(condition)
    """
  }
}

extension PlanSet {
  /// Queries for a row that still has the new key of another, or an equal value in an index. None
  /// of them goes: a file that changes keys is the only one of its table (`MigrationLimits`), and a
  /// key that a row to dispose of has is not taken (`uniqueRules`).
  func keysInTheWay(of plan: TablePlan) -> [String] {
    plan.keySets.map { set in
      """
      SELECT 1 FROM \(plan.sql) AS p \(plan.dialect.orderedJoin) \(plan.target.sql) AS h
        ON \(plan.holds(set, "h", "p"))
      WHERE \(plan.moving("p", set.slots)) LIMIT 1
      """
    }
  }
}
