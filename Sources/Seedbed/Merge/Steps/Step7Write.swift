/// Step 7 is a list of these, made once from the decisions. Each step is taken for all of its rows
/// at once. A step that a rule refuses is taken row by row, to find the rows in question
/// (`PlanTrial`).
enum WriteStep {
  case write(RowWrite)
  /// Deletes rows of a disposable table that go with others.
  case dispose(String)
  /// Checks a condition of step 9.
  case prove(Proof, TablePlan)
  case execute(String)

  enum Proof {
    /// No staying row refers to one to retire.
    case isUnreferred
    /// No row to retire still exists.
    case isGone
  }
}

extension WriteStep {
  /// Its place in the list above `writeSteps`; nil if it writes no rows. Keys of 5 have the role of
  /// those of 4.
  fileprivate func number(insertsFirst: Bool) -> Double? {
    switch self {
    case .dispose: 4
    case .prove, .execute: nil
    case .write(let write):
      switch write.role {
      case .moveUser: 1
      case .aside: 2
      case .update: 3
      case .delete, .keyAside, .newKey: 4
      case .insert: insertsFirst ? 2.5 : 6
      }
    }
  }
}

/// What is written to the rows of one plan.
struct RowWrite {
  enum Role {
    case moveUser, aside, update, delete, keyAside, newKey, insert

    /// The role of the files whose rows are written.
    var ofFiles: RowFile.Role? {
      switch self {
      case .update: .update
      case .delete: .delete
      case .insert: .insert
      case .moveUser, .aside, .keyAside, .newKey: nil
      }
    }

    /// A row that cannot get a new key can still take all other values.
    var isOfKeys: Bool { self == .moveUser || self == .keyAside || self == .newKey }
  }

  enum Action {
    case statements([TablePlan.Statement])
    /// Deletes rows that refer to each other, with the rows that go along. The statements delete
    /// them one by one.
    case deleteTogether([TablePlan.Statement])
    /// Gives the rows of a query new values in these columns, and others follow.
    case rekey(Rekey, [String], to: String)
    case takeOut(Reinsertion)
    case putBack(Reinsertion)
  }

  let plan: TablePlan
  let role: Role
  let action: Action
  /// The rows of the plan, unless statements contain them.
  var rows = ""
  /// The number of rows to write; nil if it is not known.
  var expected: Int?

  /// Whether one statement is tried first that deletes all its rows, with those that go along.
  var isTogether: Bool {
    if case .deleteTogether = action { return true }
    return false
  }

  /// Whether the step is left out after a row was refused.
  var waitsForAll: Bool {
    switch action {
    case .takeOut, .putBack: true
    case .statements, .deleteTogether, .rekey: false
    }
  }

  var statements: [TablePlan.Statement] {
    switch action {
    case .statements(let all), .deleteTogether(let all): all
    case .rekey, .takeOut, .putBack: []
    }
  }
}

extension PlanSet {
  /// The steps in order. A test compares these lines with the pages that repeat them:
  ///
  ///     1 users' rows that make room get their new ids
  ///     2 rows that give up a UNIQUE value that another row gets step aside
  ///     3 rows change
  ///     4 table by table, children first: keys that refer to the table change, then its rows go
  ///     5 other keys change
  ///     6 rows come, parents first; before rows change if a foreign key cannot wait
  ///
  /// What refers to a row follows its new key at once. Names were looked up before anything was
  /// decided: each means a row that comes, or else one that is there.
  func writeSteps() throws -> [WriteStep] {
    let order = try disposal.order(plans)
    var steps = plans.filter(\.movesUsers).map(moveUsers)
    let insertsFirst = try insertsFirst()
    var aside: [Int: Set<Int>] = [:]
    for plan in plans {
      for set in plan.uniqueSets {
        guard let found = try plan.stepAside(set, forNew: insertsFirst) else { continue }
        aside[plan.number, default: []].insert(found.slot)
        steps.append(write(plan, .aside, found.statements))
      }
    }
    let inserts = try plans.map { write($0, .insert, try $0.inserting(), expected: $0.insertCount) }
    if insertsFirst { steps += inserts }
    steps += try plans.map { plan in
      let (statements, count) = try plan.updating(and: aside[plan.number] ?? [])
      return write(plan, .update, statements, expected: count)
    }
    var waiting = try plans.flatMap { plan in try plan.followed().map { (plan, $0) } }
    for table in order {
      // Keys that refer to the table change before its rows go, or ON DELETE acts on them. Rows
      // to retire that would follow, or have a new key, are gone by then: children go first.
      let loses = plan(of: table)?.deletes.isEmpty == false || disposal.removes(table, "t") != nil
      while let index = waiting.firstIndex(where: { loses && $0.refers(to: table, by: $1) }) {
        steps += try follow(waiting.remove(at: index), before: waiting)
      }
      steps += deletes(from: table)
    }
    while !waiting.isEmpty { steps += try follow(waiting.removeFirst(), before: waiting) }
    if !insertsFirst { steps += inserts }
    let numbers = steps.compactMap { $0.number(insertsFirst: insertsFirst) }
    assert(numbers == numbers.sorted(), "The steps are not in the order of the list above.")
    return steps
  }

  private func write(
    _ plan: TablePlan, _ role: RowWrite.Role, _ statements: [TablePlan.Statement],
    expected: Int? = nil
  ) -> WriteStep {
    .write(RowWrite(plan: plan, role: role, action: .statements(statements), expected: expected))
  }

  private func moveUsers(_ plan: TablePlan) -> WriteStep {
    let rekey = Rekey(context: context, onFound: disposal.follow)
    let action = RowWrite.Action.rekey(rekey, plan.target.key.names, to: plan.userMoves)
    return .write(
      RowWrite(plan: plan, role: .moveUser, action: action, rows: plan.rowsThatMoveUsers))
  }

  private func deletes(from table: String) -> [WriteStep] {
    guard let plan = plan(of: table), !plan.deletes.isEmpty else { return [.dispose(table)] }
    // Rows that refer to each other are deleted in one statement if the engine checks after each.
    let isTogether = plan.target.schema.foreignKeys.contains {
      $0.isImmediateOnDelete && $0.parent.isSameText(as: table)
    }
    let action: RowWrite.Action =
      isTogether ? .deleteTogether(plan.deleting) : .statements(plan.deleting)
    let delete = WriteStep.write(RowWrite(plan: plan, role: .delete, action: action))
    // The rows that go along refer to retired rows, perhaps of their own table.
    let along = isTogether ? [] : [WriteStep.dispose(table)]
    return [.prove(.isUnreferred, plan)] + along + [delete, .prove(.isGone, plan)]
  }

  /// New keys, or values that others refer to. Rows that pass keys on get unused ones first.
  private func follow(
    _ next: (plan: TablePlan, slots: [Int]), before later: [(plan: TablePlan, slots: [Int])]
  ) throws -> [WriteStep] {
    let (plan, slots) = next
    let rows = plan.rowsToFollow(slots)
    guard try context.connection.finds(rows + " LIMIT 1") else { return [] }
    func keys(_ action: RowWrite.Action, _ role: RowWrite.Role = .newKey) -> WriteStep {
      .write(RowWrite(plan: plan, role: role, action: action, rows: rows))
    }
    let isKey = slots == plan.key
    if isKey, !context.mode.hasUser { try plan.noteNewKeys() }
    let isAside = try isKey && keysInTheWay(of: plan).contains { try context.connection.finds($0) }
    let marked = try isAside ? plan.asideSlots() : []
    if try isAside && (marked == nil || plan.changesPartitions()) {
      if let file = plan.updates.first, marked == nil, !plan.children.isEmpty {
        throw SeedbedError.noRoomAside(plan.target.name, plan.target.key.names, file.firstLine)
      }
      let reinsertion = Reinsertion(plan: plan)
      return [
        .execute(reinsertion.creation), keys(.takeOut(reinsertion)), keys(.putBack(reinsertion)),
        .execute(reinsertion.removal),
      ]
    }
    let movesLater = { (child: RekeyTable, key: RekeyTable.Follower, parent: String) in
      ([next] + later).filter { $0.plan.target.name.isSameText(as: parent) }
        .compactMap { $0.plan.movesAlike(child, key, $0.slots) }
    }
    let rekey = Rekey(
      context: context, movesLater: movesLater, isSeeds: isKey,
      stays: { try self.saysLetters("k", $0) },
      onFound: disposal.follow)
    let aside = marked ?? []
    let columns = plan.written(slots, from: aside).map { plan.target.schema.columns[$0].name }
    let isImmediate = plan.target.schema.foreignKeys.contains { key in
      key.isImmediate
        && aside.contains { key.childColumns.contains(name: plan.target.schema.columns[$0].name) }
    }
    if isImmediate, let file = plan.updates.first {
      throw SeedbedError.keyCannotWait(plan.target.name, file.firstLine)
    }
    let new = keys(.rekey(rekey, columns, to: plan.newValues(slots, from: aside)))
    if !isKey { return [write(plan, .newKey, plan.emptying(slots)), new] }
    if !isAside { return [new] }
    let step = Rekey(
      context: context, keepsParents: false, isSeeds: true, onFound: disposal.follow)
    let names = aside.map { plan.target.schema.columns[$0].name }
    return [keys(.rekey(step, names, to: plan.keysAside(aside)), .keyAside), new]
  }
}
