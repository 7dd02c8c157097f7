/// Step 3, `moveUser`: the fresh id of each user's row that makes way.
extension MigrationMerge {
  /// False if users' rows have to keep their ids because no free ones are left.
  func giveIDs(_ plans: PlanSet) throws -> Bool {
    for plan in plans.plans where plan.movesUsers {
      let count = try connection.count("SELECT count(*) FROM (\(plan.userMoves)) AS moves")
      if count == 0 { continue }
      let last = try plan.lastID(before: count)
      try connection.execute(last.map(plan.giveIDs) ?? plan.keepUsersInPlace)
      if last == nil { return false }
    }
    return true
  }
}

extension TablePlan {
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
      guard let slot = child.key.parentColumns.firstIndex(where: target.key[0].name.isSameName),
        let column = schema.column(child.key.childColumns[slot])
      else { continue }
      ids.append(try connection.highestReference(column, of: schema))
    }
    let last = ids.compactMap(\.self).max() ?? 0
    return last < dialect.greatestID(target.key[0]) - count ? last : nil
  }
}
