/// Steps 7 to 9: writes what was decided, and finds the rows that a rule refuses.
struct PlanTrial {
  let plans: PlanSet
  private var refused: [Refusal] = []
  private var connection: Connection { plans.context.connection }

  /// A row that the table does not take.
  private struct Refusal {
    let plan: TablePlan
    let row: Int64
    let failure: SQLiteFailure
  }

  init(plans: PlanSet) { self.plans = plans }

  /// False if a rule refuses rows: then all that was written has to be taken back.
  mutating func write() throws -> Bool {
    do {
      // A trigger that ends the transaction leaves nobody to ask which row it was.
      if !plans.plans.contains(where: \.target.endsTransactions) {
        if try plans.context.attempt({ try writeAll() }) { return true }
      }
    } catch let error where plans.context.isBrokenRow(error) {
      // Row by row, those that fail are found.
    }
    try findRefusedRows()
    // A statement may break a rule that its rows, written one by one, do not.
    return refused.isEmpty
  }

  // MARK: 7, write

  private func writeAll() throws -> Bool {
    try stepAside()
    for plan in plans.plans { try update(plan) }
    for plan in plans.plans.reversed() { try delete(plan) }
    for plan in plans.plans { try insert(plan) }
    return true
  }

  private func stepAside() throws {
    for plan in plans.plans {
      for set in plan.uniqueSets {
        guard let aside = plan.stepAside(set) else { continue }
        try connection.withoutChecks { try connection.execute(aside.sql) }
        if connection.changes > 0 { plan.aside.insert(aside.column) }
      }
    }
  }

  private func update(_ plan: TablePlan) throws {
    for row in try connection.rows(plan.patterns) {
      try connection.execute(plan.update(row[0].text ?? ""))
      try prove(plan, row[1].integer ?? 0, .update)
    }
  }

  private func delete(_ plan: TablePlan) throws {
    if plan.deletes.isEmpty { return }
    for child in plan.children {
      guard let sql = try plan.danglingReference(child, plans) else { continue }
      if let row = try connection.value(sql) {
        throw SeedbedError(
          .constraint, "A row of '\(child.table)' refers to this row, which was about to go.",
          at: try plan.place(of: row.integer ?? 0, on: connection))
      }
    }
    try connection.execute(plan.delete)
    try plan.refuseLeftOver(on: connection)
  }

  private func insert(_ plan: TablePlan) throws {
    let first = plan.files.count - plan.inserts.count
    for (index, file) in plan.inserts.enumerated() {
      let expected = try connection.value(plan.countComing(first + index))?.integer ?? 0
      try connection.execute(plan.insert(file, number: first + index))
      try prove(plan, expected, .insert)
    }
  }

  /// A trigger may have kept rows from being written (RAISE(IGNORE)).
  private func prove(_ plan: TablePlan, _ expected: Int64, _ kind: TablePlan.Kind) throws {
    if connection.changes != expected { throw try plan.swallowed(kind, on: connection) }
  }

  // MARK: 8, trial

  private mutating func findRefusedRows() throws {
    try stepAside()
    for plan in plans.plans {
      for row in try connection.rows(plan.patterns) {
        try findRefused(
          plan, .update, plan.update(row[0].text ?? "") + " AND p.row = ?",
          rows: plan.rowsToUpdate(row[0].text ?? ""))
      }
    }
    for plan in plans.plans.reversed() where !plan.deletes.isEmpty {
      try findRefused(
        plan, .delete, plan.delete.dropLast() + " AND p.row = ?)", rows: plan.rowsToDelete)
      try plan.refuseLeftOver(on: connection)
    }
    for plan in plans.plans {
      let first = plan.files.count - plan.inserts.count
      for (index, file) in plan.inserts.enumerated() {
        try findRefused(
          plan, .insert, plan.insert(file, number: first + index) + " AND p.row = ?",
          rows: plan.rowsToInsert(first + index))
      }
    }
  }

  private mutating func findRefused(
    _ plan: TablePlan, _ kind: TablePlan.Kind, _ sql: String, rows: String
  ) throws {
    let statement = try connection.prepare(sql)
    for row in try connection.rows(rows).compactMap({ $0[0].integer }) {
      try connection.execute("SAVEPOINT seedbed_row")
      let place = try plan.place(of: row, on: connection)
      do {
        try statement.run([.integer(row)])
        // A row may have gone with its parent in the same table.
        if kind != .delete { try prove(plan, 1, kind) }
      } catch let failure as SQLiteFailure where plans.context.isBrokenRow(failure) {
        try connection.execute("ROLLBACK TO seedbed_row")
        refused.append(Refusal(plan: plan, row: row, failure: failure))
      } catch let failure as SQLiteFailure
        where failure.isConstraint && !connection.isInTransaction
      {
        // A trigger ended the transaction, and the plan with it.
        throw SeedbedError.rowRefused(
          table: plan.target.name, reason: failure.message, place)
      }
      try connection.execute("RELEASE seedbed_row")
    }
  }

  /// What was refused stays as it was; a row with nothing of the user's is the author's error.
  func demoteRefusedRows() throws {
    for refusal in refused {
      try refusal.plan.demote(refusal.row, refusal.failure, on: connection)
    }
  }
}
