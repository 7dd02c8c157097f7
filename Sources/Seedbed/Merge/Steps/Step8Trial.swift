/// Steps 7 to 9: writes what was decided, and finds the rows that a rule refuses.
final class PlanTrial {
  let plans: PlanSet
  private var refused: [Refusal] = []
  private var context: MergeContext { plans.context }
  var connection: any DatabaseSession { plans.context.connection }

  /// A row that the table refuses.
  private struct Refusal {
    let plan: TablePlan
    let row: Int64
    /// nil if it can take everything but its new key, or cannot make a user's row move.
    let failure: (any EngineFailure)?
  }

  init(plans: PlanSet) { self.plans = plans }

  /// False if a rule refuses rows. Then everything that was written has to be rolled back.
  func write() throws -> Bool {
    context.host.reached(.rowsDecided)
    for step in try plans.writeSteps() {
      switch step {
      case .write(let write): try take(write)
      case .dispose(let table): try plans.disposal.delete(table)
      // A refused row may still exist, or refer to one that was retired.
      case .prove(let proof, let plan): if refused.isEmpty { try prove(proof, of: plan) }
      case .execute(let sql): try connection.execute(sql)
      }
    }
    return refused.isEmpty
  }

  // MARK: 7, write

  /// Writes all rows at once. If a rule refuses that, it writes row by row, and records the failing
  /// ones. A statement may break a rule that its rows, written one by one, do not.
  private func take(_ write: RowWrite) throws {
    // Most tables have no rows for some of the steps.
    if write.rows.isEmpty, write.statements.isEmpty { return }
    // If a row stays, the rows that wait for its key are not reasons of their own.
    if write.waitsForAll, !refused.isEmpty { return }
    // If a trigger ends the transaction, the row cannot be found afterwards.
    if write.isTogether || !plans.plans.contains(where: \.target.endsTransactions) {
      do {
        _ = try context.attempt {
          try checked(write) { try writeAll(write) }
          return true
        }
        return
      } catch let error where refuses(error, write) {
        // The rows in question are found below.
      }
    }
    if write.isTogether { try plans.disposal.delete(write.plan.target.name) }
    for statement in write.statements {
      let cursor = try connection.cursor(statement.sql)
      try each(write, write.plan.rows(statement)) { row in
        try cursor.run([.integer(row), .integer(row)])
        if write.expected != nil, connection.changes != 1 { throw try swallowed(write) }
        if write.role == .insert { try write.plan.refuseOtherKey("p.row = \(row)") }
      }
    }
    if write.rows.isEmpty { return }
    try change(write) { change in
      try each(write, write.rows) { row in try change(" AND p.row = \(row)") }
    }
  }

  private func writeAll(_ write: RowWrite) throws {
    switch write.action {
    case .statements(let statements):
      let written = try run(statements, of: write)
      if let expected = write.expected, written != expected { throw try swallowed(write) }
      if write.role == .insert, written > 0 { try write.plan.refuseOtherKey("true") }
    case .deleteTogether:
      try plans.disposal.delete(with: write.plan)
      for file in write.plan.deletes { context.onAdvance(file, .handled(1, of: 1)) }
    case .rekey, .takeOut, .putBack: try change(write) { try $0("") }
    }
  }

  /// Returns the number of rows that they wrote.
  private func run(_ statements: [TablePlan.Statement], of write: RowWrite) throws -> Int64 {
    let plan = write.plan
    // This many rows at a time, since SQLite stores the rows that UPDATE … FROM is about to write.
    // A new row may refer to any other of its file.
    let batch: Int64 = plan.hasImmediateKeys ? 1 << 36 : 4096
    var written: Int64 = 0
    for (number, file) in plan.files.enumerated() {
      let cursors = try statements.filter { $0.file == number }.map {
        try connection.cursor($0.sql)
      }
      if cursors.isEmpty { continue }
      let first = TablePlan.firstRow(of: number)
      let last = try plan.lastRow(ofFile: number) ?? first
      for start in stride(from: first, through: last, by: Int(clamping: batch)) {
        let end = min(start + batch - 1, last)
        for cursor in cursors {
          try cursor.run([.integer(start), .integer(end)])
          written += connection.changes
        }
        if write.role.ofFiles != file.role { continue }
        context.onAdvance(file, .handled(Int(end - first), of: Int(last - first)))
      }
    }
    return written
  }

  /// Changes keys, or values that others follow, of the rows `p` for which the conditions of `body`
  /// hold.
  private func change(
    _ write: RowWrite, _ body: (_ change: (_ condition: String) throws -> Void) throws -> Void
  ) throws {
    switch write.action {
    case .statements, .deleteTogether: break
    case .takeOut(let reinsertion): try body(reinsertion.takeOut)
    case .putBack(let reinsertion): try body(reinsertion.putBack)
    case .rekey(let rekey, let columns, let query):
      try rekey.run(write.plan.target.schema, set: columns, to: query) { change in
        try body { try change.run($0) }
      }
    }
  }

  /// A mark may break a CHECK that a real value does not.
  private func checked(_ write: RowWrite, _ body: () throws -> Void) throws {
    try write.role == .aside || write.role == .keyAside ? connection.withoutChecks(body) : body()
  }

  // MARK: 8, trial

  /// Whether a table refuses rows. A trigger that keeps a row's key unchanged, or one of a row that
  /// has to follow it, refuses that row.
  private func refuses(_ error: any Error, _ write: RowWrite) -> Bool {
    let keepsKey = write.role.isOfKeys && (error as? SeedbedError)?.code == .constraint
    return context.isBrokenRow(error) || keepsKey && connection.isInTransaction
  }

  /// Writes the rows that a query finds one by one, and records those that fail.
  private func each(_ write: RowWrite, _ rows: String, _ body: (Int64) throws -> Void) throws {
    for row in try connection.numbers(rows) {
      let slot = try write.plan.origin(of: row)
      do {
        _ = try context.attempt {
          try checked(write) { try body(row) }
          return true
        }
      } catch let error where refuses(error, write) {
        let failure = write.role.isOfKeys ? nil : error as? any EngineFailure
        refused.append(Refusal(plan: write.plan, row: row, failure: failure))
      } catch let failure as any EngineFailure where failure.isConstraint {
        // A trigger ended the transaction, and the plan with it.
        throw SeedbedError.rowRefused(failure, of: write.plan.file(of: row), slot)
      }
    }
  }

  /// A refused row stays as it was. A refused row without any of the user's values is the author's
  /// error. The first reason counts, since others may follow from it. A broken foreign key may
  /// follow from any other refusal, so it counts only if there is no other.
  func demoteRefusedRows() throws {
    let others = refused.filter { $0.failure?.isForeignKey != true }
    let reasons = try withoutWaiting(others.isEmpty ? refused : others)
    let ofOwners = try rowsOfOwners(reasons)
    var seen: Set<[Int64]> = []
    for refusal in reasons
    where seen.insert([Int64(refusal.plan.number), refusal.row]).inserted {
      if let failure = refusal.failure {
        let isOwners = ofOwners.contains([Int64(refusal.plan.number), refusal.row])
        try refusal.plan.demote(refusal.row, failure, isOwners: isOwners)
      } else {
        try connection.execute(refusal.plan.keepKey(), [.integer(refusal.row)])
      }
    }
  }

  /// The rows of some owners, where others can have the same row of a file: it is not the author's
  /// error. A new owner gets all rows or none.
  private func rowsOfOwners(_ refused: [Refusal]) throws -> Set<[Int64]> {
    if context.mode == .filling { return [] }
    let copies = refused.filter { $0.plan.file(of: $0.row).isPerOwner }
    if copies.isEmpty { return [] }
    let count = try Int64(Owners.count(on: connection))
    let row = { (refusal: Refusal) in [Int64(refusal.plan.number), refusal.row] }
    let line = { (refusal: Refusal) -> [Int64] in
      let first = TablePlan.firstRow(of: Int(refusal.row >> 36))
      return [Int64(refusal.plan.number), first + (refusal.row - first - 1) / count]
    }
    let lines = Dictionary(grouping: copies, by: line).mapValues { Set($0.map(row)) }
    return lines.values.filter { $0.count < count }.reduce(into: []) { $0.formUnion($1) }
  }

  /// Those that do not only wait for the key of another one: that it is taken, step 3 says. In a
  /// ring each waits, and all are reasons.
  private func withoutWaiting(_ refused: [Refusal]) throws -> [Refusal] {
    var waiting: Set<[Int64]> = []
    for plan in plans.plans {
      let rows = Set(refused.filter { $0.plan === plan && $0.failure == nil }.map(\.row))
      if rows.isEmpty { continue }
      for row in try connection.rows(plan.rowsThatWait) {
        let (own, other) = (try row.integer(0), try row.integer(1))
        if rows.contains(own), rows.contains(other) { waiting.insert([Int64(plan.number), own]) }
      }
    }
    let reasons = refused.filter { !waiting.contains([Int64($0.plan.number), $0.row]) }
    return reasons.isEmpty ? refused : reasons
  }
}
