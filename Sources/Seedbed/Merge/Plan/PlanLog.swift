/// Step 5: conflicts, keys that are left to the user, and counts. All of it is in the plan, and
/// nothing was written yet, so the table still has what was the user's.
struct PlanLog {
  let plan: TablePlan
  let plans: PlanSet
  private var context: MergeContext { plans.context }
  private var connection: Connection { context.connection }
  private var target: TableTarget { plan.target }

  private typealias Fate = TablePlan.Fate
  private typealias Why = TablePlan.Why

  func write() throws {
    try log()
    try leaveKeys()
    try count()
    try noteKeys()
  }

  // MARK: conflicts

  /// One row of the plan beside the user's.
  private struct Row {
    var number: Int64
    var kind: String
    var fate: String
    var isEdited: Bool
    var key: [Value]
    /// By the columns' places.
    var seed: [Int: Value]
    var base: [Int: Value]
    var why: [Int: String]
    /// Whole rows; nil if there is none.
    var mine: [Value]?
  }

  private func log() throws {
    let disagrees = [Why.edited, .overruled, .uniqueTaken, .parentTaken, .parentDeleted]
    let names = disagrees.map { "'\($0)'" }.joined(separator: ", ")
    let set = plan.ordered.filter(\.isSet)
    let columns = set.map { "p.why\($0.place) IN (\(names))" }
    // Nobody can tell whether the user changed what the clock or chance made.
    let logsAll =
      try context.hasUser
      && plan.deletes.contains { try UserColumns.sayNothing($0, on: connection) }
    let agreed = [Fate.go, .same, .left, .absent].map { "'\($0)'" }.joined(separator: ", ")
    let rows = [
      "p.fate NOT IN (\(agreed))",
      "p.kind = 'delete' AND p.fate = 'go' AND (p.edited OR \(logsAll))",
      "p.kind = 'replace'", "p.kind = 'update' AND p.fate = 'go' AND (\(columns.anyTrue))",
    ]
    try each(where: rows.map { "(\($0))" }.anyTrue) { row in
      switch row.kind {
      case "update": try logUpdate(row)
      case "delete": try logDelete(row)
      default: try logInsert(row)
      }
    }
  }

  private func each(where condition: String, _ body: (Row) throws -> Void) throws {
    let columns = plan.ordered
    let seeds = columns.filter(\.isSet).map(\.place)
    let bases = columns.filter(\.hasBase).map(\.place)
    let key = plan.key.map { "p.k\($0)" }
    let whole = target.schema.columns.map { "t.\($0.name.quoted)" }
    let asked =
      ["p.row", "p.kind", "p.fate", "p.edited"] + key + seeds.map { "p.n\($0)" }
      + seeds.map { "p.why\($0)" } + bases.map { "p.b\($0)" } + whole
    let statement = try connection.prepare(
      """
      SELECT \(asked.joined(separator: ", "))
      FROM \(plan.sql) AS p LEFT JOIN \(target.sql) AS t ON \(plan.isSameRow("p", "t"))
      WHERE \(condition) ORDER BY p.row
      """)
    let first = 4 + key.count
    let keyPlace = target.schema.index(of: target.key[0].name) ?? 0
    while try statement.step() {
      let values = statement.values(from: 4)
      let value = { (start: Int, index: Int) in values[start - 4 + index] }
      let start = (why: first + seeds.count, base: first + 2 * seeds.count)
      let mineStart = start.base + bases.count - 4
      let mine = Array(values[mineStart...])
      try body(
        Row(
          number: statement.integer(0), kind: statement.text(1) ?? "",
          fate: statement.text(2) ?? "", isEdited: statement.integer(3) != 0,
          key: Array(values[..<key.count]),
          seed: Dictionary(uniqueKeysWithValues: seeds.enumerated().map { ($1, value(first, $0)) }),
          base: Dictionary(
            uniqueKeysWithValues: bases.enumerated().map { ($1, value(start.base, $0)) }),
          why: Dictionary(
            uniqueKeysWithValues: seeds.enumerated().map {
              ($1, value(start.why, $0).text ?? "")
            }),
          mine: mine[keyPlace] == .null ? nil : mine))
    }
  }

  private func logUpdate(_ row: Row) throws {
    let file = file(of: row)
    let changes = file.changes.map { (place: plan.place(of: $0.column.name), base: $0.base) }
    if row.fate == "\(Fate.deletedByUser)" {
      return try insert(
        .deletedByUser, .keptUser, row, policy: nil, changes.map(\.place), file, hasMine: false)
    }
    let wrote = changes.contains { isTaken(row.why[$0.place]) }
    if row.fate == "\(Fate.edited)" {
      let policy = plan.onEdited.rawValue
      return try insert(.edited, .keptUser, row, policy: policy, changes.map(\.place), file)
    }
    let with = { (reasons: [Why]) in
      changes.map(\.place).filter { place in reasons.contains { row.why[place] == "\($0)" } }
    }
    let edited = with([.edited, .overruled])
    if !edited.isEmpty {
      let gave = !with([.overruled]).isEmpty
      try insert(
        .edited, gave ? .tookSeed : wrote ? .merged : .keptUser, row,
        policy: plan.onEdited.rawValue, edited, file)
    }
    for (reason, kind) in [
      (Why.parentDeleted, Conflict.Kind.parentDeleted),
      (.parentTaken, .parentTaken),
    ] {
      let places = with([reason])
      if !places.isEmpty { try insert(kind, .skipped, row, policy: nil, places, file) }
    }
    let taken = with([.uniqueTaken])
    if !taken.isEmpty {
      try insert(
        .uniqueTaken, wrote ? .merged : .keptUser, row, policy: plan.onTaken.rawValue, taken, file)
    }
  }

  private func isTaken(_ why: String?) -> Bool { why == "\(Why.take)" || why == "\(Why.overruled)" }

  private func insert(
    _ kind: Conflict.Kind, _ resolution: Conflict.Resolution, _ row: Row, policy: String?,
    _ places: [Int], _ file: RowFile, hasMine: Bool = true
  ) throws {
    let names = places.map { target.schema.columns[$0].name }
    let hasBase = places.allSatisfy { file.baseIndex(of: target.schema.columns[$0].name) != nil }
    let object = { (values: [Int: Value]) in
      RowJSON.object(names, places.map { values[$0] ?? .null })
    }
    try context.log(
      kind, resolution, table: target.name, key: keyText(row), policy: policy,
      base: hasBase ? object(row.base) : nil,
      mine: hasMine ? row.mine.map { mine in RowJSON.object(names, places.map { mine[$0] }) } : nil,
      seed: object(row.seed), at: place(of: row))
  }

  private func logDelete(_ row: Row) throws {
    if row.fate == "\(Fate.absent)" { return }
    let kind: Conflict.Kind = row.fate == "\(Fate.referenced)" ? .referenced : .editedRetired
    let goes = row.fate == "\(Fate.go)"
    try context.log(
      kind, goes ? .tookSeed : .keptUser, table: target.name, key: keyText(row),
      policy: goes && !row.isEdited ? nil : plan.onEdited.rawValue,
      base: rowText(row, row.base), mine: wholeText(row.mine), at: place(of: row))
  }

  private func logInsert(_ row: Row) throws {
    let seed = rowText(row, row.seed)
    let key = keyText(row)
    switch Fate(rawValue: row.fate) {
    case .parentTaken, .parentDeleted:
      let kind: Conflict.Kind =
        row.fate == "\(Fate.parentTaken)" ? .parentTaken : .parentDeleted
      try context.log(kind, .skipped, table: target.name, key: key, seed: seed)
    case .uniqueTaken:
      try context.log(
        .uniqueTaken, .keptUser, table: target.name, key: key, policy: plan.onTaken.rawValue,
        mine: try wholeText(row.mine) ?? holder(of: row.number), seed: seed, at: place(of: row))
    default:
      try context.log(
        .keyTaken, row.fate == "\(Fate.go)" ? .tookSeed : .keptUser, table: target.name,
        key: key, policy: plan.onTaken.rawValue, mine: wholeText(row.mine), seed: seed,
        at: place(of: row))
    }
  }

  /// The row that holds a UNIQUE value which a row to insert needs.
  private func holder(of number: Int64) throws -> String? {
    for set in plan.uniqueSets {
      let rows = try connection.rows(
        """
        SELECT \(target.schema.columns.map { "h.\($0.name.quoted)" }.joined(separator: ", "))
        FROM \(plan.sql) AS p CROSS JOIN \(target.sql) AS h ON \(plan.holds(set, "h", "p"))
        WHERE p.row = ? AND NOT \(plan.vacates("h", set.places))
        """, [.integer(number)])
      if let row = rows.first { return wholeText(row) }
    }
    return nil
  }

  private func place(of row: Row) throws -> SeedbedError.Place {
    try plan.place(of: row.number, on: connection)
  }

  private func keyText(_ row: Row) -> String {
    RowJSON.object(target.key.map(\.name), row.key)
  }

  private func wholeText(_ values: [Value]?) -> String? {
    values.map { RowJSON.object(target.schema.columns.map(\.name), $0) }
  }

  /// The row as its file has it.
  private func rowText(_ row: Row, _ values: [Int: Value]) -> String {
    let file = file(of: row)
    let fields = file.ownIndexes.map { file.fields[$0].column }
    return RowJSON.object(
      fields.map(\.name),
      fields.map { field in
        if let index = target.key.firstIndex(where: { $0.name == field.name }) {
          return row.key[index]
        }
        return values[plan.place(of: field.name)] ?? .null
      })
  }

  private func file(of row: Row) -> RowFile { plan.file(of: row.number) }

  // MARK: keys, counts

  private func leaveKeys() throws {
    let keys = plan.key.map { "k\($0)" }.joined(separator: ", ")
    let statement = try connection.prepare(
      """
      SELECT \(keys) FROM \(plan.sql) WHERE
        kind IN ('insert', 'replace') AND fate IN ('keyTaken', 'uniqueTaken')
        OR kind = 'delete' AND fate IN ('editedRetired', 'referenced')
      """)
    while try statement.step() {
      try context.ledger.leaveToUser(
        table: target.name, key: RowJSON.collatedKey(target.key, statement.values(from: 0)),
        version: context.version, on: connection)
    }
  }

  private func count() throws {
    let set = plan.ordered.filter(\.isSet)
    let settled = ["\(Why.same)", "\(Why.ours)"].map(\.quotedLiteral).joined(separator: ", ")
    let agrees = set.map { "coalesce(why\($0.place) IN (\(settled)), true)" }
    let rows = try connection.rows(
      """
      SELECT kind, fate, takes LIKE '%1%', \(agrees.allTrue), count(*) FROM \(plan.sql)
      GROUP BY 1, 2, 3, 4
      """)
    for row in rows {
      let (kind, fate, count) = (row[0].text ?? "", row[1].text ?? "", Int(row[4].integer ?? 0))
      let (takes, agrees) = (row[2] == .integer(1), row[3] == .integer(1))
      context.count(target.name) { counts in
        switch (kind, fate) {
        case ("update", "go") where takes: counts.updated += count
        case ("update", "go") where agrees: counts.unchanged += count
        case ("replace", "go"): counts.updated += count
        case ("delete", "go"): counts.deleted += count
        case ("insert", "go"): counts.inserted += count
        case ("insert", "same"), ("delete", "absent"): counts.unchanged += count
        default: counts.kept += count
        }
      }
      if kind == "insert", fate == "same" { context.noteUnchangedInserts() }
    }
  }

  /// Only if the report is to name the rows that changed.
  private func noteKeys() throws {
    guard context.collectsKeys else { return }
    try each(where: "p.fate = 'go' AND (p.kind <> 'update' OR p.takes LIKE '%1%')") { row in
      context.noteChanged(target.name, key: keyText(row))
    }
  }
}
