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
        for parent in stage.file.target.parents where try settle(stage, parent) {
          isChanged = true
        }
      }
    }
  }

  /// True where a row was decided.
  private func settle(_ stage: Stage, _ parent: ParentKey) throws -> Bool {
    let left = try context.parentsLeftToUser(parent.parent)
    let missing = try missingRows(stage, parent)
    let schema = try connection.schema(of: parent.parent)
    let columns = parent.parentColumns.compactMap { schema.column($0) }
    for row in missing {
      let key = RowJSON.object(parent.parentColumns, row.parentValues)
      let isTaken = left.contains(RowJSON.collatedKey(columns, row.parentValues))
      if !isTaken, try context.isSeedsFault(parent, key) {
        throw SeedbedError.parentMissing(
          table: stage.file.target.name, parent: parent.parent, key: key,
          try stage.place(of: row.number))
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
    let values = MergeSQL.childValues(parent, stage.file)
    let notNull = values.map { "\($0) IS NOT NULL" }
    var conditions = notNull + ["NOT " + MergeSQL.parentExists(parent, values)]
    if let staged = stagedParent(parent, values) { conditions.append("NOT " + staged) }
    let statement = try connection.prepare(
      """
      SELECT s.row, \(values.joined(separator: ", ")) FROM \(stage.sql) AS s
      WHERE s.verdict IN (0, 3, 12) AND \(conditions.joined(separator: " AND "))
        AND (s.verdict <> 0 OR NOT \(MergeSQL.keyExists(stage.file)))
      """)
    var rows: [Missing] = []
    while try statement.step() {
      rows.append(Missing(number: statement[0], parentValues: statement.values(from: 1)))
    }
    return rows
  }

  /// Whether the parent is among the rows that will be inserted with this group.
  private func stagedParent(_ parent: ParentKey, _ values: [String]) -> String? {
    guard let stage = stages.first(where: { $0.file.target.name == parent.parent }) else {
      return nil
    }
    let indexes = parent.parentColumns.map { stage.file.index(of: $0) }
    guard !indexes.contains(nil) else { return nil }
    let matches = zip(indexes.compactMap { $0 }, values).map { "q.c\($0) = \($1)" }
    return "EXISTS (SELECT 1 FROM \(stage.sql) AS q WHERE q.verdict IN (0, 3, 12) AND "
      + matches.joined(separator: " AND ") + ")"
  }

  /// Rows whose parent is there, but is the user's: a seed row never silently becomes its child.
  private func rowsUnderTakenParents(
    _ stage: Stage, _ parent: ParentKey, _ left: Set<String>
  ) throws -> [Value] {
    let schema = try connection.schema(of: parent.parent)
    let keyColumns = context.keyColumns(of: schema)
    let names = keyColumns.map(\.name)
    let values = MergeSQL.childValues(parent, stage.file)
    let matches = zip(parent.parentColumns, values).map { "p.\($0.quoted) = \($1)" }
    let statement = try connection.prepare(
      """
      SELECT s.row, \(names.map { "p.\($0.quoted)" }.joined(separator: ", "))
      FROM \(stage.sql) AS s JOIN main.\(parent.parent.quoted) AS p
        ON \(matches.joined(separator: " AND "))
      WHERE s.verdict IN (0, 3, 12) AND (s.verdict <> 0 OR NOT \(MergeSQL.keyExists(stage.file)))
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
    try context.log(
      verdict == .parentTaken ? .parentTaken : .parentDeleted, .skipped,
      table: stage.file.target.name, key: try stage.keyText(row: row),
      seed: try stage.rowText(row: row))
  }
}
