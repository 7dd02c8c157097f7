/// Decides which staged rows have no parent to belong to.
struct StagedParents {
  let context: MergeContext
  let stages: [Stage]
  private var connection: Connection { context.connection }

  /// A skipped row is no parent either, so this goes on until nothing changes.
  func settle() throws {
    var isChanged = true
    while isChanged {
      isChanged = false
      for stage in stages {
        for parent in stage.file.parents where try settle(stage, parent) {
          isChanged = true
        }
      }
    }
  }

  /// True where a row was decided.
  private func settle(_ stage: Stage, _ parent: ParentKey) throws -> Bool {
    let reference = stage.file.natural(of: parent)
    let left = try context.parentsLeftToUser(parent.parent, named: reference?.naturalColumns)
    let missing = try missingRows(stage, parent)
    let schema = try connection.schema(of: parent.parent)
    for row in missing {
      var columns = parent.parentColumns.compactMap { schema.column($0) }
      var values = row.parentValues
      let lookup = reference.map(stage.lookup)
      let unresolved = try lookup?.unresolvedKey(of: row.number)
      if let unresolved, let reference {
        (columns, values) = (reference.naturalColumns, unresolved)
      }
      let isTaken =
        unresolved.flatMap { reference?.collated($0, like: context.keyColumns(of: schema)) }
        .map(left.contains) ?? left.contains(RowJSON.collatedKey(columns, values))
      if !isTaken, try context.isSeedsFault(parent.parent, columns.map(\.name), values) {
        let isAmbiguous = try unresolved != nil && lookup?.isAmbiguous(values) == true
        throw SeedbedError.parentNotFound(
          isAmbiguous: isAmbiguous, table: stage.file.target.name, parent: parent.parent,
          key: RowJSON.object(columns.map(\.name), values), try stage.place(of: row.number))
      }
      try skip(stage, row.number, isTaken ? .parentTaken : .parentDeleted)
    }
    if left.isEmpty { return !missing.isEmpty }
    let taken = try rowsUnderTakenParents(stage, parent, left)
    for row in taken { try skip(stage, row, .parentTaken) }
    return !missing.isEmpty || !taken.isEmpty
  }

  private struct Missing {
    var number: Value
    var parentValues: [Value]
  }

  /// Rows about to be written whose parent is neither in the database nor about to be.
  private func missingRows(_ stage: Stage, _ parent: ParentKey) throws -> [Missing] {
    let values = MergeSQL.childValues(parent, stage.file) { stage.field($0) }
    let notNull = values.map { "\($0) IS NOT NULL" }
    let stays = replacements(of: parent, for: stage).map { " AND NOT \($0)" }.joined()
    var conditions = notNull + ["NOT " + MergeSQL.parentExists(parent, values, stays)]
    if let staged = stagedParent(parent, values) { conditions.append("NOT " + staged) }
    let statement = try connection.prepare(
      """
      SELECT s.row, \(values.joined(separator: ", ")) FROM \(stage.sql) AS s
      WHERE s.verdict IN (0, 3) AND \(conditions.allTrue)
        AND (s.verdict = 3 OR NOT \(MergeSQL.keyExists(stage.file)))
      """)
    var rows: [Missing] = []
    while try statement.step() {
      rows.append(Missing(number: statement[0], parentValues: statement.values(from: 1)))
    }
    return rows
  }

  /// Whether the parent `p` is a user's row that another of the seed's is about to take over with
  /// other values. One that would take away its own parent is the writer's to judge.
  private func replacements(of parent: ParentKey, for child: Stage) -> [String] {
    stages.filter { $0.file.target.name == parent.parent }.compactMap { stage in
      let written = Set(stage.file.comparedIndexes)
      let changes = parent.parentColumns.compactMap { name in
        stage.file.index(of: name).flatMap { index in
          written.contains(index) ? "p.\(name.quoted) IS NOT \(stage.field(index, of: "q"))" : nil
        }
      }
      if changes.isEmpty { return nil }
      let isReplaced = MergeSQL.sameKey(stage.file, table: "p", stage: "q")
      let isOther = stage === child ? "q.row <> s.row" : "true"
      return "EXISTS (SELECT 1 FROM \(stage.sql) AS q WHERE q.verdict = 3 AND \(isReplaced)"
        + " AND \(isOther) AND (\(changes.anyTrue)))"
    }
  }

  /// Whether the parent is among the rows that will be inserted with this group.
  private func stagedParent(_ parent: ParentKey, _ values: [String]) -> String? {
    let conditions = stages.compactMap { stage -> String? in
      let indexes = parent.parentColumns.compactMap { stage.file.index(of: $0) }
      guard stage.file.target.name == parent.parent, indexes.count == values.count else {
        return nil
      }
      let matches = zip(indexes, values).map { "\(stage.field($0, of: "q")) = \($1)" }.allTrue
      return "EXISTS (SELECT 1 FROM \(stage.sql) AS q WHERE q.verdict IN (0, 3) AND \(matches))"
    }
    return conditions.isEmpty ? nil : "(\(conditions.anyTrue))"
  }

  /// Rows whose parent is there, but is the user's: a seed row never silently becomes its child.
  private func rowsUnderTakenParents(
    _ stage: Stage, _ parent: ParentKey, _ left: Set<String>
  ) throws -> [Value] {
    let schema = try connection.schema(of: parent.parent)
    let keyColumns = context.keyColumns(of: schema)
    let names = keyColumns.map(\.name)
    let values = MergeSQL.childValues(parent, stage.file) { stage.field($0) }
    let matches = zip(parent.parentColumns, values).map { "p.\($0.quoted) = \($1)" }
    let statement = try connection.prepare(
      """
      SELECT s.row, \(names.map { "p.\($0.quoted)" }.joined(separator: ", "))
      FROM \(stage.sql) AS s JOIN main.\(parent.parent.quoted) AS p
        ON \(matches.allTrue)
      WHERE s.verdict IN (0, 3) AND (s.verdict = 3 OR NOT \(MergeSQL.keyExists(stage.file)))
      """)
    var rows: [Value] = []
    while try statement.step() {
      if left.contains(RowJSON.collatedKey(keyColumns, statement.values(from: 1))) {
        rows.append(statement[0])
      }
    }
    return rows
  }

  private func skip(_ stage: Stage, _ row: Value, _ verdict: Stage.Verdict) throws {
    try stage.decide(verdict, row: row)
    let number = try context.log(
      verdict == .parentTaken ? .parentTaken : .parentDeleted, .skipped,
      table: stage.file.target.name, key: try stage.keyText(row: row),
      seed: try stage.rowText(row: row))
    stage.noteLogged(number, row: row)
  }
}
