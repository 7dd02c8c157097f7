/// Step 9: each statement did what the plan says.
extension PlanTrial {
  func swallowed(_ write: RowWrite) throws -> SeedbedError {
    try write.plan.swallowed(write.role == .insert ? .insert : .update)
  }

  func prove(_ proof: WriteStep.Proof, of plan: TablePlan) throws {
    switch proof {
    case .isGone: try plan.refuseLeftOver()
    case .isUnreferred:
      for child in plan.children {
        guard let rows = try plan.referringRows(child, plans),
          let row = try connection.number(rows + " LIMIT 1")
        else { continue }
        throw SeedbedError(
          .constraint,
          "A row of '\(child.table)' refers to this row, which was about to be deleted.",
          at: try plan.origin(of: row))
      }
    }
  }
}

extension TablePlan {
  /// The error for a row that a trigger kept from being written.
  func swallowed(_ role: RowFile.Role) throws -> SeedbedError {
    // Columns that others follow are written later.
    let followed = Set(try followed().joined())
    let isOther = decided.filter { !followed.contains($0.slot) }.map {
      let differs = dialect.differExactly("t.\($0.schema.name.quoted)", "p.n\($0.slot)")
      return "\(takes($0.slot, "p")) AND \(differs)"
    }
    let isMissing =
      role == .insert
      ? isAbsent : "\(applies("p", [.update, .replace])) AND (\(isOther.anyTrue))"
    let event = role == .insert ? TriggerSchema.Event.insert : .update
    if let row = try firstRow(where: isMissing) { return try swallowed(row, by: event) }
    let slot = (role == .insert ? inserts : files).first.map { SeedbedError.Place($0.place) }
    return .writtenAnyway(table: target.name, triggers: target.triggers, dialect, slot)
  }

  /// Throws if a trigger wrote a new row under another key.
  func refuseOtherKey(_ condition: String) throws {
    guard target.mayChangeKeys, let row = try firstRow(where: "\(condition) AND \(isAbsent)")
    else { return }
    let triggers = target.triggers.filter(\.mayChangeNewRows)
    throw SeedbedError.keyChanged(
      table: target.name, triggers: triggers, dialect, try origin(of: row))
  }

  /// A condition for new rows whose key is not in the table.
  private var isAbsent: String { "\(coming("p")) AND t.\(column(key[0])) IS NULL" }

  /// The first row `p` of the plan for which a condition holds, beside the row `t` of its key.
  private func firstRow(where condition: String) throws -> Int64? {
    try connection.number(
      """
      SELECT p.row FROM \(sql) AS p LEFT JOIN \(target.sql) AS t ON \(isSameRow("p", "t"))
      WHERE \(condition) ORDER BY p.row LIMIT 1
      """)
  }

  /// Throws if a row to retire still exists. It may have gone with its parent in the same table.
  func refuseLeftOver() throws {
    let row = try connection.number(
      """
      SELECT p.row
      FROM \(sql) AS p \(dialect.orderedJoin) \(target.sql) AS t ON \(isSameRow("p", "t"))
      WHERE \(leaving("p")) LIMIT 1
      """)
    if let row { throw try swallowed(row, by: .delete) }
  }

  private func swallowed(_ row: Int64, by event: TriggerSchema.Event) throws -> SeedbedError {
    let triggers = target.triggers.filter { $0.mayIgnore(event) }
    return .swallowed(table: target.name, triggers: triggers, dialect, try origin(of: row))
  }
}
