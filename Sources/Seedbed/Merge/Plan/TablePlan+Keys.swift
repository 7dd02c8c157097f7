/// Keys that change, and UNIQUE values to which others refer. What refers to them follows: `Rekey`.
extension TablePlan {
  // MARK: users' rows make way

  /// The rows of users that move, and their new ids.
  var userMoves: String {
    "SELECT p.k\(key[0]), p.moved FROM \(sql) AS p WHERE \(coming("p")) AND p.moved IS NOT NULL"
  }

  /// The id that the row `t` will have.
  func nextID(_ t: String) -> String {
    "coalesce((SELECT v.moved FROM \(sql) AS v WHERE \(isSameRow("v", t)) "
      + "AND \(movingUser("v"))), \(t).\(target.key[0].name.quoted))"
  }

  /// Gives fresh ids, in the order of the old ones.
  func giveIDs(after last: Int64) -> String {
    """
    UPDATE \(sql) AS p SET moved = \(last) + f.nth
    FROM (SELECT row, row_number() OVER (ORDER BY k\(key[0])) AS nth
      FROM \(sql) AS p WHERE \(coming("p")) AND moved IS NOT NULL) AS f
    WHERE f.row = p.row
    """
  }

  /// What is as the release ships it is the seed's, and the seed's rows do not become children of
  /// users' rows, nor follow them: then the user's row stays.
  func keepReferredUser(_ child: Reference, _ plans: PlanSet) -> String? {
    guard movesUsers, let plan = plans.plan(of: child.table), !plan.inserts.isEmpty else {
      return nil
    }
    let refers = zip(plan.places(of: child.key.childColumns), places(of: child.key.parentColumns))
      .map { "\(now($1, "p")) = \(plan.now($0, "q"))" }
    return """
      UPDATE \(sql) AS p SET fate = '\(Fate.keyTaken)'
      WHERE \(coming("p")) AND p.moved IS NOT NULL AND EXISTS (
        SELECT 1 FROM \(plan.sql) AS q WHERE q.fate = '\(Fate.same)' AND \(refers.allTrue))
      """
  }

  /// There are no ids left.
  var keepUsersInPlace: String {
    "UPDATE \(sql) SET fate = '\(Fate.keyTaken)', moved = NULL WHERE moved IS NOT NULL"
  }

  /// Whether the engine checks what rows of this table refer to after each statement.
  var hasImmediateKeys: Bool { target.schema.foreignKeys.contains(where: \.isImmediate) }

  // MARK: what others follow

  /// Sets of columns to which rows of others refer, and of which rows of this table get new values.
  var followed: [[Int]] {
    var sets: [[Int]] = rekeyed.isEmpty ? [] : [key]
    for child in children {
      let places = places(of: child.key.parentColumns).sorted()
      if sets.contains(places) || places.allSatisfy(key.contains) { continue }
      if places.contains(where: { columns[$0]?.hasWhy == true }) { sets.append(places) }
    }
    return sets
  }

  /// The rows that get new values in these columns, none of them NULL, and the values.
  func newValues(_ places: [Int], from aside: Bool = false) -> String {
    let decided = decided(places)
    let identity = target.schema.identity.map { "t.\($0.quoted)" }
    let values = decided.map { "p.x\($0)" }
    let found = key.map { place in
      let isAside = aside && decided.contains(place)
      let column = target.schema.columns[place]
      return "t.\(column.name.quoted) = " + (isAside ? mark(of: column) : "p.k\(place)")
    }
    let notNull = decided.map { "p.x\($0) IS NOT NULL" }
    return """
      SELECT \((identity + values).joined(separator: ", "))
      FROM \(sql) AS p \(dialect.orderedJoin) \(target.sql) AS t ON \(found.allTrue)
      WHERE \(([changing("p", places)] + notNull).allTrue)
      """
  }

  /// Nothing refers to what becomes NULL.
  func emptyValues(_ places: [Int]) -> String {
    let decided = decided(places)
    let sets = decided.map { "\(target.schema.columns[$0].name.quoted) = p.x\($0)" }
    return """
      \(dialect.update) \(target.sql) AS t SET \(sets.joined(separator: ", "))
      FROM \(sql) AS p
      WHERE \(isSameRow(dialect.notSearched + "p", "t")) AND \(changing("p", places))
        AND (\(decided.map { "p.x\($0) IS NULL" }.anyTrue))
      """
  }

  func decided(_ places: [Int]) -> [Int] { places.filter { columns[$0]?.hasWhy == true } }

  /// Whether a row has another's new key yet.
  var hasKeyInTheWay: String {
    let holds = key.map { "h.\(target.schema.columns[$0].name.quoted) = \(next($0, "p"))" }.allTrue
    return "SELECT 1 FROM \(sql) AS p \(dialect.orderedJoin) \(target.sql) AS h ON \(holds) "
      + "WHERE \(moving("p", key)) LIMIT 1"
  }

  /// The rows that get new keys, and keys that nobody has.
  var keysAside: String {
    let identity = target.schema.identity.map { "t.\($0.quoted)" }
    let marks = decided(key).map { mark(of: target.schema.columns[$0]) }
    return """
      SELECT \((identity + marks).joined(separator: ", "))
      FROM \(sql) AS p \(dialect.orderedJoin) \(target.sql) AS t ON \(isSameRow("p", "t"))
      WHERE \(changing("p", key))
      """
  }

  /// Nothing can follow to NULL: a value stays as long as a row refers to it that stays. Under
  /// `replaceUser`, a user's row is not replaced if a value to which one refers would change.
  func emptiedRules(_ child: Reference, _ plans: PlanSet) -> [String] {
    let places = places(of: child.key.parentColumns)
    let changing = places.filter { !key.contains($0) && columns[$0]?.hasWhy == true }
    if changing.isEmpty { return [] }
    // The parent's collation decides.
    let refers = zip(child.key.childColumns, places).map { "\(now($1, "p")) = c.\($0.quoted)" }
    let condition = """
      \(moving("p", places)) AND EXISTS (SELECT 1 FROM \(dialect.table(child.table)) AS c
        WHERE \(([refers.allTrue] + plans.staysAsChild("c", child)).allTrue))
      """
    let isEmptied = "(\(changing.map { "p.x\($0) IS NULL" }.anyTrue))"
    var rules = [keep(changing, "'\(Why.referenced)'", where: "\(isEmptied) AND \(condition)")]
    if replaces {
      rules.append(skip([.replace], "'\(Fate.keyTaken)'", where: condition))
    }
    return rules.compactMap { $0 }
  }
}

extension TablePlan {
  /// The last id in use, in the plan or referred to: no row ever had a higher one. nil if so many
  /// are not left.
  func lastID(before count: Int64) throws -> Int64? {
    var ids = [
      try connection.highestID(of: target.schema, target.key[0]),
      try connection.value("SELECT max(k\(key[0])) FROM \(sql)")?.integer,
    ]
    ids += context.keyOptions.reserves.filter { $0.table.name == target.name }.map(\.last.value)
    // Rows may refer to an id where nothing is: they are not the user's row's.
    for child in children {
      guard let place = child.key.parentColumns.firstIndex(of: target.key[0].name) else { continue }
      ids.append(try highestReference(child.key.childColumns[place], in: child.table))
    }
    let last = ids.compactMap(\.self).max() ?? 0
    return last < Int64.max - count ? last : nil
  }

  private func highestReference(_ column: String, in table: String) throws -> Int64? {
    let schema = try connection.schema(of: table)
    guard let found = schema.column(column) else { return nil }
    return try connection.highestReference(found, of: schema)
  }
}
