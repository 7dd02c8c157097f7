/// Step 5: conflicts, keys that are left to the user, and counts. All of it is in the plan, and
/// nothing was written yet, so the table still has what was the user's.
struct PlanLog {
  let plan: TablePlan
  let plans: PlanSet
  var context: MergeContext { plans.context }
  var connection: any DatabaseSession { context.connection }
  var target: TableTarget { plan.target }

  typealias Fate = TablePlan.Fate
  typealias Why = TablePlan.Why
  typealias Conflict = Migrator.Conflict

  func write() throws {
    try plan.findOutcomes()
    try renameLeftKeys()
    try log()
    try leaveKeys()
    count()
    try noteKeys()
  }

  // MARK: conflicts

  /// One row of the plan beside the user's.
  struct Row {
    var number: Int64
    var file: RowFile
    var kind: TablePlan.Kind?
    var fate: Fate?
    var differs: Bool
    /// The id that a user's row gets which makes way.
    var moved: Value
    var key: [Value]
    /// By the columns' places.
    var seed: [Int: Value]
    var base: [Int: Value]
    var why: [Int: Why]
    /// Whole rows; nil if there is none.
    var mine: [Value]?
  }

  private func log() throws {
    // Nobody can tell whether the user changed what the clock or chance made.
    let logsAll =
      try context.hasUser
      && plan.deletes.contains { try UserColumns.sayNothing($0, on: connection) }
    if context.hasUser, !logsAll, !plan.outcomes.contains(where: \.isDisputed) { return }
    let agreed = [Fate.apply, .same, .left, .absent].map { "'\($0)'" }.joined(separator: ", ")
    // For an author: rows that are already what the file makes of them.
    let isDone = plan.decided.filter(\.hasBase).map { column in
      let isSame = plan.same("p.b\(column.place)", "p.n\(column.place)", column.schema)
      return "p.why\(column.place) = '\(Why.same)' AND NOT (\(isSame))"
    }
    let done =
      context.hasUser
      ? "false"
      : "p.kind = 'delete' AND p.fate = 'absent' OR p.kind = 'update' AND p.fate = 'apply' "
        + "AND NOT \(has("+", "!")) AND (\(isDone.anyTrue))"
    let rows = [
      done, "p.fate NOT IN (\(agreed))",
      "p.fate = 'apply' AND \(has("-", "!")) AND p.kind <> 'replace'",
      "\(!context.isReseeding) AND p.kind = 'replace'",
      "\(logsAll) AND p.kind = 'delete' AND p.fate = 'apply'",
    ]
    try each(where: rows.map { "(\($0))" }.anyTrue) { row in
      switch row.kind {
      case .update: try logUpdate(row)
      case .delete: try logDelete(row)
      default: try logInsert(row)
      }
    }
  }

  /// Whether the row or one of its columns has one of these signs.
  func has(_ signs: String...) -> String {
    "(\(signs.map { "p.outcome LIKE '%\($0)%'" }.anyTrue))"
  }

  private var moved: String { plan.movesUsers ? "p.moved" : "NULL" }

  func each(where condition: String, _ body: (Row) throws -> Void) throws {
    let seeds = plan.ordered.filter(\.isSet).map(\.place)
    let whys = plan.decided.map(\.place)
    let bases = plan.ordered.filter(\.hasBase).map(\.place)
    let asked =
      ["p.row", "p.kind", "p.fate", "p.differs", moved] + plan.key.map { "p.k\($0)" }
      + seeds.map { "p.n\($0)" } + whys.map { "p.why\($0)" } + bases.map { "p.b\($0)" }
    let statement = try connection.cursor(
      """
      SELECT \(asked.joined(separator: ", ")) FROM \(plan.sql) AS p
      WHERE \(condition) ORDER BY p.row
      """)
    // Both sides may be more than one statement can read.
    let matches = target.key.map { "\($0.name.quoted) = ?" }.allTrue
    let mine = try connection.cursor(
      "SELECT \(target.schema.columns.map(\.name).quotedList) FROM \(target.sql) WHERE \(matches)")
    while try statement.step() {
      var rest = statement.values(from: 5)[...]
      let take = { (count: Int) in
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
      }
      let key = take(plan.key.count)
      let seed = Dictionary(uniqueKeysWithValues: zip(seeds, take(seeds.count)))
      var why: [Int: Why] = [:]
      for (place, word) in zip(whys, take(whys.count)) { why[place] = word.text.flatMap(Why.init) }
      var base = Dictionary(uniqueKeysWithValues: zip(bases, take(bases.count)))
      for (place, value) in zip(plan.key, key) { base[place] = value }
      mine.bind(key)
      try body(
        Row(
          number: statement.integer(0), file: plan.file(of: statement.integer(0)),
          kind: statement.text(1).flatMap(TablePlan.Kind.init),
          fate: statement.text(2).flatMap(Fate.init),
          differs: statement.integer(3) != 0, moved: statement[4], key: key, seed: seed,
          base: base, why: why, mine: try mine.step() ? mine.values(from: 0) : nil))
    }
  }

  private func logUpdate(_ row: Row) throws {
    let file = row.file
    let changes = file.changes.map { plan.place(of: $0.column.name) }
    if row.fate == .deletedByUser {
      return try insert(
        .deletedByUser, .keptUser, row, policy: nil, changes, hasMine: false)
    }
    // A row that keeps all it has is known by its key.
    let keys = plan.places(of: file.keyChanges.map(\.name)).filter { row.why[$0] != .kept }
    let places = keys + changes
    let wrote = places.contains { isTaken(row.why[$0]) }
    let onEdited = plan.onEdited.rawValue
    let with = { (reasons: [Why]) in
      places.filter { place in reasons.contains { row.why[place] == $0 } }
    }
    if row.fate == .refused {
      let agreed = Set(with([.same, .ours]))
      return try insert(
        .edited, .keptUser, row, policy: onEdited, changes.filter { !agreed.contains($0) })
    }
    let kinds: [(Conflict.Kind, [Why], policy: String?)] = [
      (.edited, [.edited, .kept, .overruled], onEdited), (.referenced, [.referenced], onEdited),
      (.parentDeleted, [.parentDeleted], nil), (.parentTaken, [.parentTaken], nil),
      (.uniqueTaken, [.uniqueTaken], plan.onTaken.rawValue),
    ]
    for (kind, reasons, policy) in kinds {
      let disputed = with(reasons)
      if disputed.isEmpty { continue }
      let gave = kind == .edited && !with([.overruled]).isEmpty
      let kept: Conflict.Resolution = policy == nil ? .skipped : wrote ? .merged : .keptUser
      try insert(kind, gave ? .tookSeed : kept, row, policy: policy, disputed)
    }
    if !with([.keyTaken]).isEmpty { try logKeyTaken(row, wrote ? .merged : .keptUser) }
    if with([.same, .ours]) == places { try logDone(row, .edited) }
  }

  /// On a scratch database: the row is already what the file makes of it.
  private func logDone(_ row: Row, _ kind: Conflict.Kind) throws {
    if context.hasUser { return }
    try add(kind, .keptUser, row)
  }

  /// The row keeps its key, since another row has the new one.
  private func logKeyTaken(_ row: Row, _ resolution: Conflict.Resolution) throws {
    let new = plan.key.map { row.seed[$0] ?? row.base[$0] ?? .null }
    let names = target.key.map(\.name)
    let matches = names.map { "\($0.quoted) = ?" }.allTrue
    let columns = target.schema.columns.map(\.name)
    let holder = try connection.rows(
      "SELECT \(columns.quotedList) FROM \(target.sql) WHERE \(matches)", new)
    try add(
      .keyTaken, resolution, row, policy: plan.onTaken.rawValue, base: keyText(row),
      mine: wholeText(holder.first), seed: RowJSON.object(names, new))
    if context.isTakingBack { return }
    try context.ledger.leaveToUser(
      table: target.name, key: RowJSON.collatedKey(target.key, new),
      Conflict.Kind.keyTaken.rawValue, version: context.version, on: connection)
  }

  func isTaken(_ why: Why?) -> Bool { why == .take || why == .overruled }

  private func insert(
    _ kind: Conflict.Kind, _ resolution: Conflict.Resolution, _ row: Row, policy: String?,
    _ places: [Int], hasMine: Bool = true
  ) throws {
    let names = places.map { target.schema.columns[$0].name }
    // The key that a row has is the base of its new one.
    let bases = names.compactMap(row.file.baseIndex)
    try add(
      kind, resolution, row, policy: policy,
      base: bases.count == names.count ? json(row, bases, row.base) : nil,
      mine: hasMine ? row.mine.map { mine in RowJSON.object(names, places.map { mine[$0] }) } : nil,
      seed: json(row, names.compactMap(row.file.index), row.seed))
  }

  private func add(
    _ kind: Conflict.Kind, _ resolution: Conflict.Resolution, _ row: Row, policy: String? = nil,
    movedTo: String? = nil, base: String? = nil, mine: String? = nil, seed: String? = nil
  ) throws {
    try context.log(
      Ledger.Entry(
        kind: kind, resolution: resolution, table: target.name, key: keyText(row),
        policy: policy, movedTo: movedTo, base: base, mine: mine, seed: seed),
      at: plan.place(of: row.number))
  }

  private func logDelete(_ row: Row) throws {
    if row.fate == .absent { return try logDone(row, .deletedByUser) }
    let kind: Conflict.Kind = row.fate == .referenced ? .referenced : .editedRetired
    let goes = row.fate == .apply
    try add(
      kind, goes ? .tookSeed : .keptUser, row,
      policy: goes && !row.differs ? nil : plan.onEdited.rawValue,
      base: json(row, row.file.ownIndexes, row.base), mine: wholeText(row.mine))
  }

  private func logInsert(_ row: Row) throws {
    let seed = try json(row, row.file.ownIndexes, row.seed)
    switch row.fate {
    case .refused:
      let places = plan.decided.map(\.place).filter { row.why[$0] == .overruled }
      try insert(.edited, .keptUser, row, policy: nil, places)
    case .parentTaken: try add(.parentTaken, .skipped, row, seed: seed)
    case .parentDeleted: try add(.parentDeleted, .skipped, row, seed: seed)
    case .uniqueTaken:
      try add(
        .uniqueTaken, .keptUser, row, policy: plan.onTaken.rawValue,
        mine: try wholeText(row.mine) ?? holder(of: row.number), seed: seed)
    default:
      let goes = row.fate == .apply
      let moves = goes && row.moved != .null
      try add(
        .keyTaken, moves ? .moved : goes ? .tookSeed : .keptUser, row,
        policy: plan.onTaken.rawValue,
        movedTo: moves ? RowJSON.object(target.key.map(\.name), [row.moved]) : nil,
        mine: wholeText(row.mine), seed: seed)
    }
  }

  /// The row that holds a UNIQUE value which a row to insert needs. If it makes way for another, it
  /// is found by its new id.
  private func holder(of number: Int64) throws -> String? {
    var columns = target.schema.columns.map { "h.\($0.name.quoted)" }
    if plan.movesUsers { columns[plan.key[0]] = plan.nextID("h") }
    for set in plan.uniqueSets {
      let rows = try connection.rows(
        """
        SELECT \(columns.joined(separator: ", "))
        FROM \(plan.sql) AS p \(plan.dialect.orderedJoin) \(target.sql) AS h
          ON \(plan.holds(set, "h", "p"))
        WHERE p.row = ? AND NOT \(plan.vacates("h", set.places))
        """, [.integer(number)])
      if let row = rows.first { return wholeText(row) }
    }
    return nil
  }

  func keyText(_ row: Row) throws -> String {
    try json(row, row.file.oldKeyIndexes, [:])
  }

  private func wholeText(_ values: [Value]?) -> String? {
    values.map { RowJSON.object(target.schema.columns.map(\.name), $0) }
  }

  /// The row, or some columns of it, as its file has it.
  private func json(_ row: Row, _ indexes: [Int], _ values: [Int: Value]) throws -> String {
    let file = row.file
    let value = { (index: Int) -> Value in
      let name = file.fields[index].column.name
      // A key that changes has two values.
      if let value = values[plan.place(of: name)] { return value }
      return target.key.firstIndex { $0.name == name }.map { row.key[$0] } ?? .null
    }
    // A number that no row came to have says nothing.
    let numbered = try file.naturals.filter {
      try plans.isNumberOfNobody($0, value($0.receivers[0]))
    }.flatMap(\.receivers)
    return try plan.json(row.number, of: file, indexes) { index in
      numbered.contains(index) ? .blob(Array(Nobody.mark.utf8)) : value(index)
    }
  }
}
