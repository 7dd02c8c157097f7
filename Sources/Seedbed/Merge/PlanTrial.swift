/// Steps 7 to 9: writes what was decided, and finds the rows that a rule refuses.
final class PlanTrial {
  let plans: PlanSet
  /// Whether each row is written by itself, and those that fail are noted.
  private var isOneByOne = false
  private var refused: [Refusal] = []
  private var context: MergeContext { plans.context }
  private var connection: any DatabaseSession { plans.context.connection }

  /// A row that the table does not take.
  private struct Refusal {
    let plan: TablePlan
    let row: Int64
    /// nil if it can have all but its new key, or cannot make a user's row move.
    let failure: (any EngineFailure)?
  }

  init(plans: PlanSet) { self.plans = plans }

  /// False if a rule refuses rows: then everything that was written has to be rolled back.
  func write() throws -> Bool {
    context.host.reached(.rowsDecided)
    // A trigger that ends the transaction leaves nobody to ask which row it was.
    if !plans.plans.contains(where: \.target.endsTransactions) {
      do {
        return try context.attempt(writeAll)
      } catch let error where error is KeyStays || context.isBrokenRow(error) {
        // Row by row, those that fail are found.
      }
    }
    isOneByOne = true
    // A statement may break a rule that its rows, written one by one, do not.
    return try writeAll()
  }

  // MARK: 7, write

  private func writeAll() throws -> Bool {
    let order = try plans.disposal.order(plans.plans)
    let movesUsers = plans.plans.filter(\.movesUsers)
    if !movesUsers.isEmpty {
      // They are noted by key, and the key may be that of a user's row, which is about to change.
      for table in order { try plans.disposal.delete(table) }
    }
    for plan in movesUsers {
      try allOrEach(plan, plan.rowsThatMoveUsers) { condition in
        try rekey(plan, plan.key, to: plan.userMoves + condition, by: Rekey(context: context))
      }
    }
    let insertsFirst = try plans.insertsFirst()
    try stepAside(forNew: insertsFirst)
    if insertsFirst { try insert() }
    for plan in plans.plans { try write(plan, .update) }
    for table in order { try delete(from: table) }
    for plan in plans.plans {
      for places in plan.followed { try follow(plan, places) }
    }
    if !insertsFirst { try insert() }
    if isOneByOne {
      if !refused.isEmpty { try connection.execute("ROLLBACK TO seedbed_inserts") }
      try connection.execute("RELEASE seedbed_inserts")
    }
    return refused.isEmpty
  }

  private func delete(from table: String) throws {
    guard let plan = plans.plan(of: table), !plan.deletes.isEmpty else {
      return try plans.disposal.delete(table)
    }
    // One by one, a row that was not written may still refer to it.
    if !isOneByOne { try refuseReferred(plan) }
    if try !deleteAtOnce(plan) {
      // They refer to rows that are retired, maybe of their own table.
      try plans.disposal.delete(table)
      try write(plan, .delete)
    }
    if refused.isEmpty { try plan.refuseLeftOver() }
  }

  /// Rows that refer to each other go in one statement if the engine asks after each. False if they
  /// are to go one after the other.
  private func deleteAtOnce(_ plan: TablePlan) throws -> Bool {
    let refers = plan.target.schema.foreignKeys.contains {
      $0.isImmediateOnDelete && $0.parent == plan.target.name
    }
    if !refers { return false }
    do {
      _ = try context.attempt {
        try plans.disposal.delete(with: plan)
        return true
      }
    } catch let error where isOneByOne && context.isBrokenRow(error) {
      return false
    }
    for file in plan.deletes { context.onAdvance(file, .settled(1, of: 1)) }
    return true
  }

  private func insert() throws {
    if isOneByOne { try connection.execute("SAVEPOINT seedbed_inserts") }
    for plan in plans.plans { try write(plan, .insert) }
  }

  /// A trigger keeps a row, or one that has to follow it, as it is.
  private struct KeyStays: Error {}

  private func rekey(
    _ plan: TablePlan, _ places: [Int], to query: String, by rekey: Rekey
  ) throws {
    let names = places.map { plan.target.schema.columns[$0].name }
    do {
      try rekey.run(plan.target.schema, set: names, to: query)
    } catch let error as SeedbedError where error.code == .constraint && connection.isInTransaction
    {
      throw KeyStays()
    }
  }

  /// New keys, or new values to which others refer. Rows that exchange keys, or pass them on, first
  /// get keys that nobody has.
  private func follow(_ plan: TablePlan, _ places: [Int]) throws {
    let (rows, decided) = (plan.rowsToFollow(places), plan.decided(places))
    let isKey = places == plan.key
    let isAside = try isKey && plan.keysInTheWay.contains { try connection.finds($0) }
    if isAside, plan.changesPartitions { return try reinsert(plan, rows) }
    if isAside {
      try connection.withoutChecks {
        try allOrEach(plan, rows) { condition in
          let rekey = Rekey(context: context, isSeeds: true)
          try self.rekey(plan, decided, to: plan.keysAside + condition, by: rekey)
        }
      }
    }
    try allOrEach(plan, rows) { condition in
      if !isKey { try connection.execute(plan.emptyValues(places) + condition) }
      let rekey = Rekey(context: context, isSeeds: isKey) { [plans] in plans.saysLetters("k", $0) }
      let values = plan.newValues(places, from: isAside)
      try self.rekey(plan, decided, to: values + condition, by: rekey)
    }
  }

  private func reinsert(_ plan: TablePlan, _ rows: String) throws {
    let reinsertion = Reinsertion(plan: plan)
    // A row that comes to refer to one meanwhile could go with it.
    try connection.holdOffWriters(of: plan.children.map(\.table))
    try connection.execute(reinsertion.creation)
    // If a row stays, those that wait for its key are no reason of their own.
    for step in [reinsertion.delete, reinsertion.insert] where refused.isEmpty {
      try allOrEach(plan, rows) { if try !step($0) { throw KeyStays() } }
    }
    try connection.execute(reinsertion.removal)
  }

  private func stepAside(forNew isForNew: Bool) throws {
    for plan in plans.plans {
      for set in plan.uniqueSets {
        guard let aside = try plan.stepAside(set, forNew: isForNew) else { continue }
        var moved: Int64 = 0
        try connection.withoutChecks {
          try allOrEach(plan, aside.rows, isKey: false) { condition in
            try connection.execute(aside.sql + condition)
            moved += connection.changes
          }
        }
        if moved > 0 { plan.aside.insert(aside.place) }
      }
    }
  }

  private func refuseReferred(_ plan: TablePlan) throws {
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

  private func write(_ plan: TablePlan, _ role: RowFile.Role) throws {
    // So many rows at a time: SQLite keeps what UPDATE … FROM is about to write. A new row may
    // refer to any other of its file.
    let batch: Int64 = plan.hasImmediateKeys ? 1 << 36 : 4096
    var written: Int64 = 0
    for (number, file) in plan.files.enumerated() where plan.isWritten(file, as: role) {
      let writes = plan.writes(role, file: number)
      let statements = try writes.map { try connection.cursor($0.sql) }
      if isOneByOne {
        for (write, statement) in zip(writes, statements) {
          try each(plan, plan.rows(write, ofFile: number), isKey: false) { row in
            try statement.run([.integer(row), .integer(row)])
            if role != .delete, connection.changes != 1 { throw try plan.swallowed(role) }
          }
        }
        continue
      }
      let first = TablePlan.firstRow(of: number)
      let last = try plan.lastRow(ofFile: number) ?? first
      for start in stride(from: first, through: last, by: Int(batch)) {
        let end = min(start + batch - 1, last)
        for statement in statements {
          try statement.run([.integer(start), .integer(end)])
          written += connection.changes
        }
        if role != file.role { continue }
        context.onAdvance(file, .settled(Int(end - first), of: Int(last - first)))
      }
    }
    if !isOneByOne, let count = plan.count(role), written != count {
      throw try plan.swallowed(role)
    }
  }

  // MARK: 8, trial

  /// Calls `write` once for all of the rows, or with a condition for each.
  private func allOrEach(
    _ plan: TablePlan, _ rows: String, isKey: Bool = true, _ write: (String) throws -> Void
  ) throws {
    if !isOneByOne { return try write("") }
    try each(plan, rows, isKey: isKey) { row in try write(" AND p.row = \(row)") }
  }

  /// Writes the rows that a query finds one by one, and notes those that fail.
  private func each(
    _ plan: TablePlan, _ rows: String, isKey: Bool, _ write: (Int64) throws -> Void
  ) throws {
    for row in try connection.numbers(rows) {
      let place = try plan.origin(of: row)
      do {
        _ = try context.attempt {
          try write(row)
          return true
        }
      } catch let error where error is KeyStays || context.isBrokenRow(error) {
        let failure = isKey ? nil : error as? any EngineFailure
        refused.append(Refusal(plan: plan, row: row, failure: failure))
      } catch let failure as any EngineFailure where failure.isConstraint {
        // A trigger ended the transaction, and the plan with it.
        throw SeedbedError.rowRefused(failure, of: plan.file(of: row), place)
      }
    }
  }

  /// What was refused stays as it was; a row with nothing of the user's is the author's error. The
  /// first reason counts: others may only follow from it. A broken foreign key may follow from any
  /// other refusal, so it counts only if there is none.
  func demoteRefusedRows() throws {
    let others = refused.filter { $0.failure?.isForeignKey != true }
    var seen: Set<[Int64]> = []
    for refusal in others.isEmpty ? refused : others
    where seen.insert([Int64(refusal.plan.number), refusal.row]).inserted {
      if let failure = refusal.failure {
        try refusal.plan.demote(refusal.row, failure)
      } else {
        try connection.execute(refusal.plan.keepKey, [.integer(refusal.row)])
      }
    }
  }
}
