/// Steps 7 to 9: writes what was decided, and finds the rows that a rule refuses.
final class PlanTrial {
  let plans: PlanSet
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
    do {
      // A trigger that ends the transaction leaves nobody to ask which row it was.
      if !plans.plans.contains(where: \.target.endsTransactions) {
        return try context.attempt {
          try writeAll(oneByOne: false)
          return true
        }
      }
    } catch let error where error is KeyStays || context.isBrokenRow(error) {
      // Row by row, those that fail are found.
    }
    try writeAll(oneByOne: true)
    // A statement may break a rule that its rows, written one by one, do not.
    return refused.isEmpty
  }

  // MARK: 7, write

  private func writeAll(oneByOne: Bool) throws {
    let order = try plans.disposal.order(plans.plans)
    if plans.plans.contains(where: \.movesUsers) {
      // They are noted by key, and the key may be that of a user's row, which is about to change.
      for table in order { try plans.disposal.delete(table) }
    }
    for plan in plans.plans where plan.movesUsers {
      try allOrEach(plan, plan.rowsThatMoveUsers, oneByOne) { condition in
        try rekey(plan, plan.key, to: plan.userMoves + condition, by: Rekey(context: context))
      }
    }
    let insertsFirst = try plans.insertsFirst()
    try stepAside(oneByOne, insertsFirst)
    if insertsFirst { try insert(oneByOne) }
    for plan in plans.plans { try write(plan, .update, oneByOne) }
    for table in order { try delete(from: table, oneByOne) }
    for plan in plans.plans {
      for places in plan.followed { try follow(plan, places, oneByOne) }
    }
    if !insertsFirst { try insert(oneByOne) }
    if !oneByOne { return }
    if !refused.isEmpty { try connection.execute("ROLLBACK TO seedbed_inserts") }
    try connection.execute("RELEASE seedbed_inserts")
    for refusal in refused { try refuseTwins(refusal) }
  }

  private func delete(from table: String, _ oneByOne: Bool) throws {
    guard let plan = plans.plan(of: table), !plan.deletes.isEmpty else {
      return try plans.disposal.delete(table)
    }
    // One by one, a row that was not written may still refer to it.
    if !oneByOne { try refuseReferred(plan) }
    if try !deleteAtOnce(plan, oneByOne) {
      // They refer to rows that are retired, maybe of their own table.
      try plans.disposal.delete(table)
      try write(plan, .delete, oneByOne)
    }
    if refused.isEmpty { try plan.refuseLeftOver() }
  }

  /// Rows that refer to each other go in one statement if the engine asks after each. False if they
  /// are to go one after the other.
  private func deleteAtOnce(_ plan: TablePlan, _ oneByOne: Bool) throws -> Bool {
    let refers = plan.target.schema.foreignKeys.contains {
      $0.isImmediateOnDelete && $0.parent == plan.target.name
    }
    if !refers { return false }
    do {
      _ = try context.attempt {
        try plans.disposal.delete(with: plan)
        return true
      }
    } catch let error where oneByOne && context.isBrokenRow(error) {
      return false
    }
    for file in plan.deletes { context.onAdvance(file, .settled(1, of: 1)) }
    return true
  }

  private func insert(_ oneByOne: Bool) throws {
    if oneByOne { try connection.execute("SAVEPOINT seedbed_inserts") }
    for plan in plans.plans { try write(plan, .insert, oneByOne) }
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

  /// Calls `write` with a condition for each of the rows, or once for all.
  private func allOrEach(
    _ plan: TablePlan, _ rows: String, isKey: Bool = true, _ oneByOne: Bool,
    _ write: (String) throws -> Void
  ) throws {
    if !oneByOne { return try write("") }
    try each(plan, rows, isKey: isKey) { row in try write(" AND p.row = \(row)") }
  }

  /// New keys, or new values to which others refer. Rows that exchange keys, or pass them on, first
  /// get keys that nobody has.
  private func follow(_ plan: TablePlan, _ places: [Int], _ oneByOne: Bool) throws {
    let isKey = places == plan.key
    let isAside = try isKey && connection.value(plan.hasKeyInTheWay) != nil
    if isAside {
      let rekey = Rekey(context: context, isSeeds: true)
      try connection.withoutChecks {
        try allOrEach(plan, plan.rowsToFollow(places), oneByOne) { condition in
          try self.rekey(
            plan, plan.decided(places), to: plan.keysAside + condition, by: rekey)
        }
      }
    }
    try allOrEach(plan, plan.rowsToFollow(places), oneByOne) { condition in
      if !isKey { try connection.execute(plan.emptyValues(places) + condition) }
      let rekey = Rekey(context: context, isSeeds: isKey) { [plans] in
        plans.saysLetters("k", $0)
      }
      try self.rekey(
        plan, plan.decided(places), to: plan.newValues(places, from: isAside) + condition,
        by: rekey)
    }
  }

  private func stepAside(_ oneByOne: Bool, _ insertsFirst: Bool) throws {
    for plan in plans.plans {
      for set in plan.uniqueSets + plan.partialSets {
        guard let aside = plan.stepAside(set, forNew: insertsFirst) else { continue }
        var moved: Int64 = 0
        try connection.withoutChecks {
          try allOrEach(plan, aside.rows, isKey: false, oneByOne) { condition in
            try connection.execute(aside.sql + condition)
            moved += connection.changes
          }
        }
        if moved > 0 { plan.aside.insert(aside.column) }
      }
    }
  }

  private func refuseReferred(_ plan: TablePlan) throws {
    for child in plan.children {
      guard let rows = try plan.referringRows(child, plans) else { continue }
      if let row = try connection.value(rows + " LIMIT 1") {
        throw SeedbedError(
          .constraint,
          "A row of '\(child.table)' refers to this row, which was about to be "
            + "deleted.",
          at: try plan.place(of: row.integer ?? 0))
      }
    }
  }

  /// The files of which rows are written so. A user's row that takes a seed's values is updated.
  private func files(_ plan: TablePlan, _ kind: TablePlan.Kind) -> [(number: Int, file: RowFile)] {
    plan.files.enumerated().filter { number, file in
      switch kind {
      case .update, .replace: file.role == .update || file.role == .insert && plan.replaces
      case .delete: file.role == .delete
      case .insert: file.role == .insert
      }
    }.map { (number: $0.offset, file: $0.element) }
  }

  /// So many rows at a time: SQLite keeps what UPDATE … FROM is about to write. A new row may refer
  /// to any other of its file.
  private func batch(_ plan: TablePlan) -> Int64 { plan.hasImmediateKeys ? 1 << 36 : 4096 }

  private func write(_ plan: TablePlan, _ kind: TablePlan.Kind, _ oneByOne: Bool) throws {
    if oneByOne { return try findRefused(plan, kind) }
    let batch = batch(plan)
    var written: Int64 = 0
    for (number, file) in files(plan, kind) {
      let first = TablePlan.firstRow(of: number)
      let last =
        try connection.value(
          "SELECT max(row) FROM \(plan.sql) AS p WHERE \(plan.isOf(number))")?.integer ?? first
      let statements = try plan.writes(kind, file: number).map {
        try connection.cursor($0.sql)
      }
      for start in stride(from: first, through: last, by: Int(batch)) {
        let end = min(start + batch - 1, last)
        for statement in statements {
          try statement.run([.integer(start), .integer(end)])
          written += connection.changes
        }
        if kind == .update, file.role == .insert { continue }
        context.onAdvance(file, .settled(Int(end - first), of: Int(last - first)))
      }
    }
    if let count = plan.count(kind), written != count { throw try plan.swallowed(kind) }
  }

  // MARK: 8, trial

  /// An index over an expression shows only now that two rows of a release have one value: then one
  /// that was refused goes in without the others.
  private func refuseTwins(_ refusal: Refusal) throws {
    let (plan, row) = (refusal.plan, refusal.row)
    let (file, number) = (plan.file(of: row), Int(row >> 36))
    guard file.role == .insert, refusal.failure?.isUniqueness == true else { return }
    _ = try context.attempt {
      for write in plan.writes(.insert, file: number) {
        let insert = try connection.cursor(write.sql)
        do {
          try insert.run([.integer(row), .integer(row)])
        } catch let failure as any EngineFailure where context.isBrokenRow(failure) {
          return false
        }
        for other in try connection.rows(plan.rows(write, ofFile: number))
        where other[0] != .integer(row) {
          do {
            try insert.run([other[0], other[0]])
          } catch let failure as any EngineFailure where failure.isUniqueness {
            throw try plan.twins("UNIQUE value of the row", other[0], .integer(row))
          }
        }
      }
      return false
    }
  }

  private func findRefused(_ plan: TablePlan, _ kind: TablePlan.Kind) throws {
    for (number, _) in files(plan, kind) {
      for write in plan.writes(kind, file: number) {
        let statement = try connection.cursor(write.sql)
        try each(plan, plan.rows(write, ofFile: number), isKey: false) { row in
          try statement.run([.integer(row), .integer(row)])
          if kind != .delete, connection.changes != 1 { throw try plan.swallowed(kind) }
        }
      }
    }
  }

  /// Writes the rows that a query finds one by one, and notes those that fail.
  private func each(
    _ plan: TablePlan, _ rows: String, isKey: Bool, _ write: (Int64) throws -> Void
  ) throws {
    for row in try connection.rows(rows).compactMap({ $0[0].integer }) {
      let place = try plan.place(of: row)
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
        throw SeedbedError.rowRefused(table: plan.target.name, reason: failure.message, place)
      }
    }
  }

  /// What was refused stays as it was; a row with nothing of the user's is the author's error. The
  /// first reason counts: others may only follow from it. A broken foreign key may follow from any
  /// other refusal, so it counts only if there is none.
  func demoteRefusedRows() throws {
    let others = refused.filter { $0.failure?.isForeignKey != true }
    var seen: [ObjectIdentifier: Set<Int64>] = [:]
    for refusal in others.isEmpty ? refused : others
    where seen[ObjectIdentifier(refusal.plan), default: []].insert(refusal.row).inserted {
      if let failure = refusal.failure {
        try refusal.plan.demote(refusal.row, failure)
      } else {
        try connection.execute(refusal.plan.keepKey, [.integer(refusal.row)])
      }
    }
  }
}
