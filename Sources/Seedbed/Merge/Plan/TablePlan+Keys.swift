/// Keys that change, and UNIQUE values that others refer to. `Rekey` changes the references.
extension TablePlan {
  // MARK: users' rows make way

  /// The users' rows that move, and their new ids.
  var userMoves: String {
    assert(movesUsers && key.count == 1, "Only a row with one id moves.")
    return "SELECT p.k\(key[0]), p.moved FROM \(sql) AS p WHERE \(movingUser("p"))"
  }

  /// The id that the row `t` will have.
  func nextID(_ t: String) -> String {
    "coalesce((SELECT v.moved FROM \(sql) AS v WHERE \(isSameRow("v", t)) "
      + "AND \(movingUser("v"))), \(t).\(column(key[0])))"
  }

  /// Gives new ids in the order of the old ones.
  func giveIDs(after last: Int64) -> String {
    assert(movesUsers && key.count == 1, "Only a row with one id moves.")
    return """
      UPDATE \(sql) AS p SET moved = \(last) + f.nth
      FROM (SELECT row, row_number() OVER (ORDER BY k\(key[0])) AS nth
        FROM \(sql) AS p WHERE \(movingUser("p"))) AS f
      WHERE f.row = p.row
      """
  }

  /// Keeps users' rows in place, because there are no ids left.
  var keepUsersInPlace: String {
    "UPDATE \(sql) SET fate = '\(Fate.keyTaken)', moved = NULL WHERE moved IS NOT NULL"
  }

  /// Keeps a user's row in place if rows of the seed refer to its key: a row that is as the release
  /// ships it must not become a child of a user's row, nor follow one.
  func keepReferredUser(_ child: Reference, _ plans: PlanSet) throws -> [String] {
    guard movesUsers, let plan = plans.plan(of: child.table), !plan.inserts.isEmpty else {
      return []
    }
    let refers = try isReferred("p", by: child) { try plan.now(plan.place(of: $0), "q") }
    return [
      """
      UPDATE \(sql) AS p SET fate = '\(Fate.keyTaken)'
      WHERE \(movingUser("p")) AND \(plan.exists("q", ["q.fate = '\(Fate.same)'", refers]))
      """
    ]
  }

  /// The highest id that is used in the table, in the plan, or by a reference. nil if fewer than
  /// `count` ids are left after it.
  func lastID(before count: Int64) throws -> Int64? {
    assert(count > 0 && key.count == 1, "Some rows with one id move.")
    var ids = [
      try connection.highestID(of: target.schema, target.key[0]),
      try connection.number("SELECT max(k\(key[0])) FROM \(sql)"),
    ]
    ids += context.keyOptions.reserves.filter { $0.table.name.isSameText(as: target.name) }.map(
      \.last.value)
    // Rows may refer to an id without a row. They do not belong to a user's row.
    for child in children {
      let schema = try connection.schema(of: child.table)
      guard let place = child.key.parentColumns.firstIndex(where: target.key[0].name.isSameName),
        let column = schema.column(child.key.childColumns[place])
      else { continue }
      ids.append(try connection.highestReference(column, of: schema))
    }
    let last = ids.compactMap(\.self).max() ?? 0
    return last < Int64.max - count ? last : nil
  }

  // MARK: what others follow

  /// Whether rows may move to another partition.
  func changesPartitions() throws -> Bool {
    try !Set(decided(key)).isDisjoint(with: places(of: target.schema.partitionKey))
  }

  /// Sets of columns that other rows refer to, and in which rows of this table get new values.
  func followed() throws -> [[Int]] {
    var sets: [[Int]] = rekeyed.isEmpty ? [] : [key]
    for child in children {
      let places = try places(of: child.key.parentColumns).ordered()
      if sets.contains(places) || places.allSatisfy(key.contains) { continue }
      if !decided(places).isEmpty { sets.append(places) }
    }
    return sets
  }

  /// The rows that get new values in these columns, none of them NULL, with these values.
  func newValues(_ places: [Int], from aside: Bool = false) -> String {
    let decided = decided(places)
    let found = key.map { place in
      "t.\(column(place)) = " + (aside && decided.contains(place) ? mark(place) : "p.k\(place)")
    }
    let isChanged = [moving("p", places, exactly: true)] + decided.map { "p.x\($0) IS NOT NULL" }
    return rows(with: decided.map { "p.x\($0)" }, on: found.allTrue, where: isChanged.allTrue)
  }

  /// The rows that get new keys, with unused keys to wait under.
  var keysAside: String {
    rows(
      with: decided(key).map(mark), on: isSameRow("p", "t"),
      where: moving("p", key, exactly: true))
  }

  /// The identities of rows, with values.
  private func rows(with values: [String], on found: String, where condition: String) -> String {
    """
    SELECT \((target.schema.identity.map { "t.\($0.quoted)" } + values).listed)
    FROM \(sql) AS p \(dialect.orderedJoin) \(target.sql) AS t ON \(found)
    WHERE \(condition)
    """
  }

  /// References cannot follow a value that becomes NULL, so it stays while a staying row refers to
  /// it. Under `replaceUser`, a user's row is not replaced if that would change a value that a row
  /// refers to.
  func emptiedRules(_ child: Reference, _ plans: PlanSet) throws -> [String] {
    let places = try places(of: child.key.parentColumns)
    let changing = decided(places).filter { !key.contains($0) }
    if changing.isEmpty { return [] }
    let refers = try isReferred("p", by: child) { "c.\($0.quoted)" }
    let rows = try connection.schema(of: child.table).sql
    let condition = try """
    \(moving("p", places)) AND EXISTS (SELECT 1 FROM \(rows) AS c
      WHERE \(([refers] + plans.staysAsChild("c", child)).allTrue))
    """
    let isEmptied = "(\(changing.map { "p.x\($0) IS NULL" }.anyTrue))"
    return keep(changing, "'\(Why.referenced)'", where: "\(isEmptied) AND \(condition)")
      + skip([.replace], "'\(Fate.keyTaken)'", where: condition)
  }
}

extension PlanSet {
  /// Queries for a row that still has the new key of another, or an equal value in an index. None
  /// of them is a row to retire: a file that changes keys is the only one of its table
  /// (`MigrationLimits`).
  func keysInTheWay(of plan: TablePlan) -> [String] {
    let remains = disposal.removes(plan.target.name, "h").map { ["NOT \($0)"] } ?? []
    return plan.uniqueSets.filter { Set($0.columns).isSubset(of: plan.key) }.map { set in
      """
      SELECT 1 FROM \(plan.sql) AS p \(plan.dialect.orderedJoin) \(plan.target.sql) AS h
        ON \(plan.holds(set, "h", "p"))
      WHERE \(([plan.moving("p", set.places)] + remains).allTrue) LIMIT 1
      """
    }
  }
}
