/// Retires the rows of delete files: those that the user left as they were, and that nothing
/// refers to.
final class DeleteMerge {
  let context: MergeContext
  /// One for each file, parents first.
  let stages: [Stage]
  /// Rows that the user edited and that go all the same, unless something refers to them; by the
  /// names of their stages.
  private var givingWay: [String: Set<Int64>] = [:]
  private let disposal: Disposal
  private let comingBack: GiveBack?
  private var connection: Connection { context.connection }

  init(context: MergeContext, stages: [Stage], updates: [Stage]) throws {
    self.context = context
    self.stages = stages
    disposal = try Disposal(context: context, stages: stages, updates: updates)
    comingBack =
      context.isTakingBack
      ? try GiveBack(context: context, targets: stages.map(\.file.target)) : nil
  }

  // MARK: edits, judged against the data as up.sql left it

  func judgeEdits() throws {
    for stage in stages { try judgeEdits(stage) }
  }

  private func judgeEdits(_ stage: Stage) throws {
    let file = stage.file
    let left = Set(
      try context.ledger.keysLeftToUser(table: file.target.name, on: connection))
    let policy = context.onEdited(file.target)
    let keys = file.keyIndexes
    let compared = file.comparedIndexes
    let rows = try query(stage, keys, compared)
    while try rows.step() {
      // What was decided beforehand stays.
      if rows.integer(1) != 0 { continue }
      let row = rows[0]
      let values = rows.values(from: 4, count: keys.count)
      if left.contains(RowJSON.collatedKey(file.target.key, values)) {
        try stage.decide(.leftToUser, row: row)
        continue
      }
      if rows.isNull(2) {
        try stage.decide(.absent, row: row)
        try context.ledger.noteAlreadyThere(
          version: context.version, table: file.target.name, key: try stage.keyText(row: row),
          columns: [], on: connection)
        continue
      }
      let start = 4 + keys.count
      var isSame = rows.integer(3) == 1
      for index in compared.indices where isSame {
        isSame = rows.isSame(start + index, start + compared.count + index)
      }
      if isSame { continue }
      switch policy {
      case .preferSeed, .overwriteRow:
        givingWay[stage.sql, default: []].insert(row.integer ?? 0)
      case .keepEdits, .keepRow, .fail:
        try log(.keptUser, stage, row, policy)
        try keep(stage, row, .editedRetired)
      }
    }
  }

  /// Rows, what was decided, whether the user's row is there, whether the user's columns are
  /// untouched, keys, bases and what is there.
  private func query(
    _ stage: Stage, _ keys: [Int], _ compared: [Int]
  ) throws -> RowReading {
    let file = stage.file
    var columns = ["s.row", "s.verdict", "m.\(file.target.key[0].name.quoted)"]
    columns.append(try UserColumns.atDefault(file, table: "m", on: connection))
    columns += (keys + compared).map(stage.joined)
    columns += compared.map { "m.\(file.fields[$0].column.name.quoted)" }
    return try RowReading(
      columns,
      from: "\(stage.joinedSQL) LEFT JOIN \(file.target.sql) AS m ON \(MergeSQL.sameKey(file))",
      "ORDER BY s.row", on: connection)
  }

  private func log(
    _ resolution: Conflict.Resolution, _ stage: Stage, _ row: Value, _ policy: OnEdited?
  ) throws {
    try context.log(
      .editedRetired, resolution, table: stage.file.target.name, key: try stage.keyText(row: row),
      policy: policy?.rawValue, base: try stage.rowText(row: row),
      mine: try stage.mine(row: row), at: try stage.place(of: row))
  }

  private func keep(_ stage: Stage, _ row: Value, _ verdict: Stage.Verdict) throws {
    try stage.decide(verdict, row: row)
    try context.ledger.leaveToUser(
      table: stage.file.target.name, key: try stage.collatedKey(row: row),
      version: context.version, on: connection)
  }

  // MARK: references, judged after the updates

  /// After the updates; rows that are still referred to only wait, since an update that waits for
  /// a UNIQUE value may yet point their children elsewhere.
  func writeWhatNobodyNeeds() throws {
    try giveBackReplaced()
    try writeUnreferred()
  }

  func giveBackReferences() throws { try comingBack?.giveBackReferences() }

  func giveBackReplaced() throws { try comingBack?.giveBack() }

  private func writeUnreferred() throws {
    try judgeReferences { stage, row in try stage.decide(.postponed, row: row) }
    try writeAll()
    for stage in stages { try stage.move(from: .insert, to: .done) }
    for stage in stages { try stage.move(from: .postponed, to: .insert) }
  }

  /// The last word on the rows that waited.
  func writeRest() throws {
    try comingBack?.giveBackAll(writeUnreferred)
    try judgeReferences { stage, row in
      let target = stage.file.target
      try context.log(
        .referenced, .keptUser, table: target.name, key: try stage.keyText(row: row),
        policy: context.onEdited(target).rawValue, base: try stage.rowText(row: row),
        mine: try stage.mine(row: row), at: try stage.place(of: row))
      try keep(stage, row, .referenced)
    }
    try writeAll()
    for stage in stages { try count(stage) }
    try disposal.drop()
  }

  /// A parent whose child stays stays too, so this goes on until nothing changes.
  private func judgeReferences(_ onReferred: (Stage, Value) throws -> Void) throws {
    try disposal.begin()
    var isChanged = true
    while isChanged {
      isChanged = false
      try disposal.settle()
      for stage in stages {
        for child in try context.children(of: stage.file.target.name) {
          for row in try referredRows(stage, child) {
            isChanged = true
            try onReferred(stage, row)
          }
        }
      }
    }
  }

  /// Rows about to go that a row of `child` refers to which stays.
  private func referredRows(_ stage: Stage, _ child: MergeContext.Child) throws -> [Value] {
    let file = stage.file
    let matches = zip(child.key.childColumns, child.key.parentColumns)
      .map { "p.\($1.quoted) = k.\($0.quoted)" }
    let conditions =
      ["s.verdict = 0", MergeSQL.sameKey(file, table: "p")] + matches
      + disposal.stays(child.table, "k")
    // A plain join: SQLite begins at the child or at the few rows to go, whichever has an index.
    return try connection.rows(
      """
      SELECT DISTINCT s.row
      FROM main.\(child.table.quoted) AS k, \(file.target.sql) AS p, \(stage.sql) AS s
      WHERE \(conditions.allTrue) ORDER BY s.row
      """
    ).map { $0[0] }
  }

  // MARK: the rows go

  private func writeAll() throws {
    // Before any row goes: where rows refer to each other, one takes another along.
    for stage in stages { try logWhatGoes(stage) }
    // Children before parents, so that no cascade has anything to do.
    for table in try disposal.order() {
      try disposal.write(table)
      for stage in stages where stage.file.target.name == table { try write(stage) }
    }
  }

  /// Rows that the user edited; and all rows of which nobody can tell, for the values in columns
  /// whose DEFAULT says nothing.
  private func logWhatGoes(_ stage: Stage) throws {
    let edited = givingWay[stage.sql] ?? []
    let logsAll = try context.hasUser && UserColumns.sayNothing(stage.file, on: connection)
    guard logsAll || !edited.isEmpty else { return }
    let rows = try connection.prepare(
      "SELECT row FROM \(stage.sql) WHERE verdict = 0 ORDER BY row")
    while try rows.step() {
      if edited.contains(rows.integer(0)) {
        try log(.tookSeed, stage, rows[0], context.onEdited(stage.file.target))
      } else if logsAll {
        try log(.tookSeed, stage, rows[0], nil)
      }
    }
  }

  private func write(_ stage: Stage) throws {
    let file = stage.file
    let key = file.keyIndexes.map { "c\($0)" }
    let matches = file.target.key.map { "\($0.name.quoted) = ?" }.allTrue
    let delete = try connection.prepare("DELETE FROM \(file.target.sql) WHERE \(matches)")
    let rows = try connection.prepare(
      "SELECT row, \(key.joined(separator: ", ")) FROM \(stage.sql) WHERE verdict = 0 ORDER BY row")
    var settled = 0
    while try rows.step() {
      settled += 1
      if settled % 256 == 0 { try context.noteSettled(file, settled, of: stage.rowCount) }
      for index in key.indices { delete.bind(column: index + 1, of: rows, at: Int32(index + 1)) }
      do {
        _ = try stage.writing(rows[0]) { try delete.step() }
      } catch let failure as SQLiteFailure where context.isBrokenRow(failure) {
        throw SeedbedError.rowRefused(
          table: file.target.name, reason: failure.message, try stage.place(of: rows[0]))
      }
      delete.reset()
      try context.noteChanged(file.target.name, key: try stage.keyText(row: rows[0]))
    }
    try context.noteSettled(file, stage.rowCount, of: stage.rowCount)
    try refuseSwallowed(stage)
  }

  /// A row may have gone with its parent in the same table; none may still be there.
  private func refuseSwallowed(_ stage: Stage) throws {
    let left = try connection.value(
      """
      SELECT s.row FROM \(stage.sql) AS s JOIN \(stage.file.target.sql) AS m
        ON \(MergeSQL.sameKey(stage.file)) WHERE s.verdict = 0 LIMIT 1
      """)
    if let left { throw try stage.swallowed(left, by: .delete) }
  }

  private func count(_ stage: Stage) throws {
    let deleted = try stage.count(.insert) + stage.count(.done)
    let absent = try stage.count(.absent)
    var kept = 0
    for verdict in [Stage.Verdict.leftToUser, .editedRetired, .referenced] {
      kept += try stage.count(verdict)
    }
    context.count(stage.file.target.name) {
      $0.deleted += deleted
      $0.unchanged += absent
      $0.kept += kept
    }
  }
}
