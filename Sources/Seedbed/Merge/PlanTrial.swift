/// Steps 7 to 9: writes what was decided, and finds the rows that a rule refuses.
struct PlanTrial {
  let plans: PlanSet
  private var refused: [Refusal] = []
  private var connection: Connection { plans.context.connection }

  /// A row that the table does not take.
  private struct Refusal {
    let plan: TablePlan
    let row: Int64
    /// nil if it can have all but its new key, or cannot make a user's row move.
    let failure: SQLiteFailure?
  }

  init(plans: PlanSet) { self.plans = plans }

  /// False if a rule refuses rows: then all that was written has to be taken back.
  mutating func write() throws -> Bool {
    plans.context.host.reached(.rowsDecided)
    do {
      // A trigger that ends the transaction leaves nobody to ask which row it was.
      if !plans.plans.contains(where: \.target.endsTransactions) {
        if try plans.context.attempt({ try writeAll() }) { return true }
      }
    } catch let error where error is KeyStays || plans.context.isBrokenRow(error) {
      // Row by row, those that fail are found.
    }
    try findRefusedRows()
    // A statement may break a rule that its rows, written one by one, do not.
    return refused.isEmpty
  }

  // MARK: 7, write

  private func writeAll() throws -> Bool {
    for plan in plans.plans { try moveUsers(plan) }
    try stepAside()
    for plan in plans.plans { try write(plan, .update) }
    for table in try plans.disposal.order(plans.plans) {
      if let plan = plans.plan(of: table) { try delete(plan) }
      try plans.disposal.delete(table)
    }
    for plan in plans.plans { try follow(plan) }
    for plan in plans.plans { try write(plan, .insert) }
    return true
  }

  private func moveUsers(_ plan: TablePlan, and condition: String = "") throws {
    guard plan.movesUsers else { return }
    try rekey(plan, plan.key, to: plan.userMoves + condition, isSeeds: false)
  }

  /// A trigger keeps a row, or one that has to follow it, as it is.
  private struct KeyStays: Error {}

  private func rekey(
    _ plan: TablePlan, _ places: [Int], to query: String, isSeeds: Bool
  ) throws {
    let names = places.map { plan.target.schema.columns[$0].name }
    do {
      try Rekey(context: plans.context, isSeeds: isSeeds)
        .run(plan.target.schema, set: names, to: query)
    } catch let error as SeedbedError where error.code == .constraint && connection.isInTransaction
    {
      throw KeyStays()
    }
  }

  /// New keys, and new values to which others refer.
  private func follow(_ plan: TablePlan) throws {
    for places in plan.followed { try setFollowed(plan, places, from: keysStepAside(plan, places)) }
  }

  /// Rows that exchange keys, or pass them on, first get keys that nobody has. False if there is no
  /// need.
  private func keysStepAside(_ plan: TablePlan, _ places: [Int]) throws -> Bool {
    guard places == plan.key, try connection.value(plan.hasKeyInTheWay) != nil else { return false }
    try connection.withoutChecks {
      try rekey(plan, plan.decided(places), to: plan.keysAside, isSeeds: true)
    }
    return true
  }

  private func setFollowed(
    _ plan: TablePlan, _ places: [Int], from aside: Bool, and condition: String = ""
  ) throws {
    let isKey = places == plan.key
    if !isKey { try connection.execute(plan.emptyValues(places) + condition) }
    try rekey(
      plan, plan.decided(places), to: plan.newValues(places, from: aside) + condition,
      isSeeds: isKey)
  }

  private func stepAside() throws {
    for plan in plans.plans {
      for set in plan.uniqueSets + plan.partialSets {
        guard let aside = plan.stepAside(set) else { continue }
        try connection.withoutChecks { try connection.execute(aside.sql) }
        if connection.changes > 0 { plan.aside.insert(aside.column) }
      }
    }
  }

  private func delete(_ plan: TablePlan) throws {
    if plan.deletes.isEmpty { return }
    for child in plan.children {
      guard let rows = try plan.referringRows(child, plans) else { continue }
      if let row = try connection.value(rows + " LIMIT 1") {
        throw SeedbedError(
          .constraint, "A row of '\(child.table)' refers to this row, which was about to go.",
          at: try plan.place(of: row.integer ?? 0, on: connection))
      }
    }
    try write(plan, .delete)
    try plan.refuseLeftOver(on: connection)
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

  /// So many rows at a time: SQLite keeps what UPDATE … FROM is about to write.
  private static let batch: Int64 = 4096

  private func write(_ plan: TablePlan, _ kind: TablePlan.Kind) throws {
    var written: Int64 = 0
    for (number, file) in files(plan, kind) {
      let first = TablePlan.firstRow(of: number)
      let last =
        try connection.value(
          "SELECT max(row) FROM \(plan.sql) AS p WHERE \(plan.isOf(number))")?.integer ?? first
      let statements = try plan.writes(kind, file: number).map {
        Prepared(try connection.prepare($0.sql))
      }
      for start in stride(from: first, through: last, by: Int(Self.batch)) {
        let end = min(start + Self.batch - 1, last)
        for statement in statements {
          try statement.statement.run([.integer(start), .integer(end)])
          written += connection.changes
        }
        if kind == .update, file.role == .insert { continue }
        try plans.context.noteSettled(file, Int(end - first), of: Int(last - first))
      }
    }
    if let count = plan.count(kind), written != count {
      throw try plan.swallowed(kind, on: connection)
    }
  }

  // MARK: 8, trial

  private mutating func findRefusedRows() throws {
    for plan in plans.plans where plan.movesUsers {
      try findRefused(plan, rows: plan.rowsThatMoveUsers, isKey: true) { trial, row in
        try trial.moveUsers(plan, and: " AND p.row = \(row)")
      }
    }
    try stepAside()
    for plan in plans.plans { try findRefused(plan, .update) }
    for table in try plans.disposal.order(plans.plans) {
      if let plan = plans.plan(of: table), !plan.deletes.isEmpty {
        try findRefused(plan, .delete)
        try plan.refuseLeftOver(on: connection)
      }
      try plans.disposal.delete(table)
    }
    for plan in plans.plans {
      for places in plan.followed {
        let isAside = try keysStepAside(plan, places)
        try findRefused(plan, rows: plan.rowsToFollow(places), isKey: true) { trial, row in
          try trial.setFollowed(plan, places, from: isAside, and: " AND p.row = \(row)")
        }
      }
    }
    try connection.execute("SAVEPOINT seedbed_inserts")
    for plan in plans.plans { try findRefused(plan, .insert) }
    if !refused.isEmpty { try connection.execute("ROLLBACK TO seedbed_inserts") }
    try connection.execute("RELEASE seedbed_inserts")
    for refusal in refused { try refuseTwins(refusal) }
  }

  /// An index over an expression tells only now that two rows of a release have one value: then
  /// one that was refused goes in without the others.
  private func refuseTwins(_ refusal: Refusal) throws {
    let (plan, row) = (refusal.plan, refusal.row)
    let (file, number) = (plan.file(of: row), Int(row >> 36))
    guard file.role == .insert, refusal.failure?.isUniqueness == true else { return }
    _ = try plans.context.attempt {
      for write in plan.writes(.insert, file: number) {
        let insert = try connection.prepare(write.sql)
        do {
          try insert.run([.integer(row), .integer(row)])
        } catch let failure as SQLiteFailure where plans.context.isBrokenRow(failure) {
          return false
        }
        for other in try connection.rows(plan.rows(write, ofFile: number))
        where other[0] != .integer(row) {
          do {
            try insert.run([other[0], other[0]])
          } catch let failure as SQLiteFailure where failure.isUniqueness {
            throw try plan.twins("UNIQUE value of the row", other[0], .integer(row), on: connection)
          }
        }
      }
      return false
    }
  }

  private mutating func findRefused(_ plan: TablePlan, _ kind: TablePlan.Kind) throws {
    for (number, _) in files(plan, kind) {
      for write in plan.writes(kind, file: number) {
        let statement = Prepared(try connection.prepare(write.sql))
        let rows = plan.rows(write, ofFile: number)
        try findRefused(plan, rows: rows, isKey: false) { trial, row in
          try statement.statement.run([.integer(row), .integer(row)])
          if kind == .delete || trial.connection.changes == 1 { return }
          throw try plan.swallowed(kind, on: trial.connection)
        }
      }
    }
  }

  private mutating func findRefused(
    _ plan: TablePlan, rows: String, isKey: Bool, _ write: (PlanTrial, Int64) throws -> Void
  ) throws {
    for row in try connection.rows(rows).compactMap({ $0[0].integer }) {
      let place = try plan.place(of: row, on: connection)
      do {
        _ = try plans.context.attempt {
          try write(self, row)
          return true
        }
      } catch let error where isKey && (error is KeyStays || plans.context.isBrokenRow(error)) {
        refused.append(Refusal(plan: plan, row: row, failure: nil))
      } catch let failure as SQLiteFailure where plans.context.isBrokenRow(failure) {
        refused.append(Refusal(plan: plan, row: row, failure: failure))
      } catch let failure as SQLiteFailure
        where failure.isConstraint && !connection.isInTransaction
      {
        // A trigger ended the transaction, and the plan with it.
        throw SeedbedError.rowRefused(
          table: plan.target.name, reason: failure.message, place)
      }
    }
  }

  /// What was refused stays as it was; a row with nothing of the user's is the author's error. The
  /// first reason counts: others may only follow from it.
  func demoteRefusedRows() throws {
    var seen: [ObjectIdentifier: Set<Int64>] = [:]
    for refusal in refused
    where seen[ObjectIdentifier(refusal.plan), default: []].insert(refusal.row).inserted {
      if let failure = refusal.failure {
        try refusal.plan.demote(refusal.row, failure, on: connection)
      } else {
        try connection.execute(refusal.plan.keepKey, [.integer(refusal.row)])
      }
    }
  }
}
