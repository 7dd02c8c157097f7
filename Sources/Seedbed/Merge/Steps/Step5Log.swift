/// Step 5: conflicts, keys left to the user, and counts. All of it is in the plan. Nothing was
/// written yet, so the table still has the user's values.
final class PlanLog {
  let plan: TablePlan
  let plans: PlanSet
  var context: MergeContext { plans.context }
  var connection: any DatabaseSession { context.connection }
  var target: TableTarget { plan.target }
  private var slotsOfFiles: [ObjectIdentifier: (keys: [Int], changes: [Int])] = [:]

  init(plan: TablePlan, plans: PlanSet) { (self.plan, self.plans) = (plan, plans) }

  typealias Fate = TablePlan.Fate
  typealias Why = TablePlan.Why
  typealias Conflict = Migrator.Conflict

  func write() throws {
    try plan.findOutcomes()
    assert(!connection.isOutsideTransaction, "The log is written with the rows.")
    try renameLeftKeys()
    try log()
    try leaveKeys()
    count()
    try noteKeys()
  }

  /// Whether the row or one of its columns has one of these signs.
  func has(_ signs: String...) -> String {
    "(\(signs.map { "p.outcome LIKE '%\($0)%'" }.anyTrue))"
  }

  // MARK: conflicts

  private func log() throws {
    // It is unknown whether the user changed a value that came from the clock or from chance.
    let logsAll =
      try context.mode.hasUser
      && plan.deletes.contains { try UserColumns.sayNothing($0, on: connection) }
    if context.mode.hasUser, !logsAll, !plan.outcomes.contains(where: \.isDisputed) { return }
    let agreed = [Fate.apply, .same, .left, .absent].map { "'\($0)'" }.listed
    // For an author: rows that already have the file's values.
    let isDone = plan.decided.filter(\.hasBase).map { column in
      let isSame = plan.same("p.b\(column.slot)", "p.n\(column.slot)", column.schema)
      return "p.why\(column.slot) = '\(Why.same)' AND NOT (\(isSame))"
    }
    let done =
      context.mode.hasUser
      ? "false"
      : "p.kind = 'delete' AND p.fate = 'absent' OR p.kind = 'update' AND p.fate = 'apply' "
        + "AND NOT \(has("+", "!")) AND (\(isDone.anyTrue))"
    let rows = [
      done, "p.fate NOT IN (\(agreed))",
      "p.fate = 'apply' AND \(has("-", "!")) AND p.kind <> 'replace'",
      "\(!context.mode.ownsRowsInTheWay) AND p.kind = 'replace'",
      "\(logsAll) AND p.kind = 'delete' AND p.fate = 'apply'",
    ]
    let next = try self.rows(where: rows.map { "(\($0))" }.anyTrue)
    while let row = try next() {
      switch row.kind {
      case .update: try logUpdate(row)
      case .delete: try logDelete(row)
      default: try logInsert(row)
      }
    }
  }

  private func logUpdate(_ row: Row) throws {
    let (allKeys, changes) = try slots(of: row.file)
    if row.fate == .deletedByUser {
      return try add(.deletedByUser, .keptUser, row, changes, hasMine: false)
    }
    // A row that keeps all its values is shown by its key.
    let slots = allKeys.filter { row.why($0) != .kept } + changes
    let kept: Conflict.Resolution = slots.contains(where: row.takes) ? .merged : .keptUser
    let onEdited = plan.onEdited.rawValue
    let whys = slots.map(row.why)
    let with = { (reasons: [Why]) in
      slots.indices.filter { index in whys[index].map(reasons.contains) == true }.map { slots[$0] }
    }
    let agreed = with([.same, .ours])
    // A row that keeps its key, for whatever reason, is not the row of the new one.
    let keepsKey = allKeys.contains { slot in
      !agreed.contains(slot) && (row.fate == .refused || !row.takes(slot))
    }
    if keepsKey { try leaveToUser(RowJSON.collatedKey(target.key, newKey(row)), .keyTaken) }
    if row.fate == .refused {
      if whys.contains(.keyTaken) { try logKeyTaken(row, .keptUser) }
      let others = changes.filter { !agreed.contains($0) }
      return try add(.edited, .keptUser, row, policy: onEdited, others)
    }
    for (why, outcome) in [([.edited, .kept], kept), ([.overruled], .tookSeed)] as [([Why], _)] {
      for edited in with(why).grouped(by: { policy(of: $0) }) {
        try add(.edited, outcome, row, policy: policy(of: edited[0]), edited)
      }
    }
    for why in Why.allCases where whys.contains(why) {
      let disputed = with([why])
      switch why {
      case .same, .ours, .take, .overruled, .edited, .kept: continue
      case .referenced: try add(.referenced, kept, row, policy: onEdited, disputed)
      case .parentDeleted: try add(.parentDeleted, .skipped, row, disputed)
      case .parentTaken: try add(.parentTaken, .skipped, row, disputed)
      case .uniqueTaken: try add(.uniqueTaken, kept, row, policy: plan.onTaken.rawValue, disputed)
      case .keyTaken: try logKeyTaken(row, kept)
      }
    }
    // On a scratch database: the row already has the file's values.
    if agreed == slots, !context.mode.hasUser { try add(.edited, .keptUser, row) }
  }

  /// Of the keys and the other columns that a file changes.
  private func slots(of file: RowFile) throws -> (keys: [Int], changes: [Int]) {
    if let known = slotsOfFiles[ObjectIdentifier(file)] { return known }
    let found = try (
      plan.slots(of: file.keyChanges.names), plan.slots(of: file.changes.map(\.column.name))
    )
    slotsOfFiles[ObjectIdentifier(file)] = found
    return found
  }

  private func policy(of slot: Int) -> String {
    plan.onEdited(target.schema.columns[slot]).rawValue
  }

  /// The row keeps its key, since another row has the new one.
  private func logKeyTaken(_ row: Row, _ resolution: Conflict.Resolution) throws {
    let (new, names) = (newKey(row), target.key.names)
    let holder = try connection.rows(select(names.equalsParameters().allTrue), new)
    try add(
      .keyTaken, resolution, row, policy: plan.onTaken.rawValue, base: keyText(row),
      mine: wholeText(holder.first), seed: RowJSON.object(names, new))
  }

  private func newKey(_ row: Row) -> [Value] {
    plan.key.map { row.seed($0) ?? row.key($0) ?? .null }
  }

  private func logDelete(_ row: Row) throws {
    // Only on a scratch database.
    if row.fate == .absent { return try add(.deletedByUser, .keptUser, row) }
    let goes = row.fate == .apply
    try add(
      row.fate?.reason?.kind ?? .editedRetired, goes ? .tookSeed : .keptUser, row,
      policy: goes || row.fate == .editedRetired ? row["policy"]?.text : plan.onEdited.rawValue,
      base: json(row, row.file.ownIndexes, of: .base), mine: wholeText(row.mine))
  }

  private func logInsert(_ row: Row) throws {
    let seed = try json(row, row.file.ownIndexes, of: .seed)
    let onTaken = plan.onTaken.rawValue
    switch row.fate {
    case .not(.refused):
      let slots = plan.decided.map(\.slot).filter { row.why($0) == .overruled }
      try add(.edited, .keptUser, row, slots)
    // A rule of the app's refuses this owner's copy.
    case .not(.deletedByUser): try add(.deletedByUser, .keptUser, row, seed: seed)
    case .not(.parentTaken): try add(.parentTaken, .skipped, row, seed: seed)
    case .not(.parentDeleted): try add(.parentDeleted, .skipped, row, seed: seed)
    case .not(.uniqueTaken):
      try add(
        .uniqueTaken, .keptUser, row, policy: onTaken,
        mine: try wholeText(row.mine ?? holder(of: row.number)), seed: seed)
    // It comes without a parent that the user deleted.
    case .apply where row.kind == .insert && row.moved == .null:
      try add(.parentDeleted, .merged, row, seed: seed)
    case .apply, .not(.keyTaken):
      let goes = row.fate == .apply
      let moves = goes && row.moved != .null
      try add(
        .keyTaken, moves ? .moved : goes ? .tookSeed : .keptUser, row, policy: onTaken,
        movedTo: moves ? RowJSON.object(target.key.names, [row.moved]) : nil,
        mine: wholeText(row.mine), seed: seed)
    // Of rows to change or to retire, or not logged.
    case .left, .same, .not(.edited), .not(.absent), .not(.editedRetired),
      .not(.referenced), .not(.pinned), nil:
      break
    }
  }

  /// The row with a UNIQUE value that a new row needs. If it moves, it is found by its new id.
  private func holder(of number: Int64) throws -> [Value]? {
    var columns = target.schema.columns.map { "h.\($0.name.quoted)" }
    if plan.movesUsers { columns[plan.key[0]] = plan.nextID("h") }
    for set in plan.uniqueSets {
      let rows = try connection.rows(
        """
        SELECT \(columns.listed)
        FROM \(plan.sql) AS p \(plan.dialect.orderedJoin) \(target.sql) AS h
          ON \(plan.holds(set, "h", "p"))
        WHERE p.row = ? AND NOT \(plan.vacates("h", set.slots))
        """, [.integer(number)])
      if let row = rows.first { return row }
    }
    return nil
  }

  // MARK: what an entry says

  /// Logs the values of both sides in some columns.
  private func add(
    _ kind: Conflict.Kind, _ resolution: Conflict.Resolution, _ row: Row, policy: String? = nil,
    _ slots: [Int], hasMine: Bool = true
  ) throws {
    let names = slots.map { target.schema.columns[$0].name }
    let bases = names.compactMap(row.file.baseIndex)
    let mine = hasMine ? row.mine.map { mine in slots.map { mine[$0] } } : nil
    try add(
      kind, resolution, row, policy: policy,
      base: bases.count == names.count ? json(row, bases, of: .base) : nil,
      mine: mine.map { RowJSON.object(names, $0) },
      seed: json(row, names.compactMap(row.file.index), of: .seed))
  }

  private func add(
    _ kind: Conflict.Kind, _ resolution: Conflict.Resolution, _ row: Row, policy: String? = nil,
    movedTo: String? = nil, base: String? = nil, mine: String? = nil, seed: String? = nil
  ) throws {
    try context.log(
      Ledger.Entry(
        kind: kind, resolution: resolution, table: target.name, key: keyText(row),
        policy: policy, movedTo: movedTo, base: base, mine: mine, seed: seed),
      at: plan.origin(of: row.number))
  }

  func keyText(_ row: Row) throws -> String { try json(row, row.file.oldKeyIndexes, of: .key) }

  private func wholeText(_ values: [Value]?) -> String? {
    values.map { RowJSON.object(target.schema.columns.names, $0) }
  }

  /// The row, or some of its columns, as in its file.
  private func json(_ row: Row, _ indexes: [Int], of side: Side) throws -> String {
    let file = row.file
    func own(_ index: Int) throws -> Value {
      let slot = try plan.slot(of: file.fields[index].column.name)
      // A key that changes has two values.
      return row.value(slot, of: side) ?? row.key(slot) ?? .null
    }
    // A number that no row got means nothing.
    let numbered = try file.naturals.filter {
      try plans.isUnresolvedNumber($0, own($0.receivers[0]))
    }.flatMap(\.receivers)
    let values = try indexes.map { index -> Value in
      try numbered.contains(index) ? .blob(Array(Unresolved.mark.utf8)) : own(index)
    }
    return try plan.json(row.number, indexes, values)
  }
}
