/// The user's rows that take the seed's values, under `replaceUser`.
extension StagedWriter {
  func rowsToReplace() throws -> [Value] {
    try connection.rows("SELECT row FROM \(stage.sql) WHERE verdict = 3 ORDER BY row")
      .map { $0[0] }
  }

  /// The user's rows under these keys take the seed's values, by UPDATE and never by REPLACE.
  /// Returns those that could not.
  func replaceUserRows(_ replacing: [Value]) throws -> [Taken] {
    if replacing.isEmpty { return [] }
    let written = file.comparedIndexes
    let columns = written.map { file.fields[$0].column.name }.quotedList
    let values = written.map(stage.joined).joined(separator: ", ")
    let matches = zip(file.target.key, file.keyIndexes)
      .map { "\($0.name.quoted) = (SELECT c\($1) FROM \(stage.sql) WHERE row = ?1)" }
    let update = try connection.prepare(
      """
      UPDATE OR ABORT \(file.target.sql)
      SET (\(columns)) = (SELECT \(values) FROM \(rows) WHERE s.row = ?1)
      WHERE \(matches.allTrue)
      """)
    var taken: [Taken] = []
    for row in replacing {
      let mine = try stage.mine(row: row)
      // The merged row breaks a constraint, or gives up what others refer to.
      var kind = Conflict.Kind.keyTaken
      var isDone = false
      do {
        let references = try references(to: row)
        isDone = try context.attempt {
          try update.run(row)
          guard connection.changes == 1 else { throw try stage.swallowed(row, by: .update) }
          return try references.allSatisfy { try $0.key.isThere($0.values, on: connection) }
        }
      } catch let failure as SQLiteFailure where context.isBrokenRow(failure) {
        if failure.isUniqueness { kind = .uniqueTaken }
      }
      guard isDone else {
        taken.append(Taken(row: row, kind: kind, mine: mine))
        continue
      }
      let number = try context.log(
        .keyTaken, .tookSeed, table: file.target.name, key: try stage.keyText(row: row),
        policy: policy.rawValue, mine: mine, seed: try stage.rowText(row: row))
      stage.noteLogged(number, row: row)
    }
    return taken
  }

  /// What refers to the user's row by columns that the seed sets: the row gives those values up,
  /// and somebody may miss them. So may the seed's row, if it is to refer to what it replaces.
  private func references(to row: Value) throws -> [(key: ParentKey, values: [Value])] {
    let written = Set(file.comparedIndexes.map { file.fields[$0].column.name })
    let mine = "\(rows) JOIN \(file.target.sql) AS m ON \(MergeSQL.sameKey(file))"
    var references: [(ParentKey, [Value])] = []
    for child in try context.children(of: file.target.name) {
      let key = child.key
      if written.isDisjoint(with: key.parentColumns) { continue }
      let values = key.childColumns.map { "k.\($0.quoted)" }
      let found = try connection.rows(
        """
        SELECT DISTINCT \(values.joined(separator: ", "))
        FROM \(mine) JOIN main.\(child.table.quoted) AS k ON \(matches(key, values))
        WHERE s.row = ?
        """, [row])
      references += found.map { (key, $0) }
      guard child.table == file.target.name else { continue }
      let own = MergeSQL.childValues(key, file) { stage.field($0) }
      let itself = try connection.rows(
        """
        SELECT \(own.joined(separator: ", ")) FROM \(mine)
        WHERE s.row = ? AND \(matches(key, own))
        """, [row])
      references += itself.map { (key, $0) }
    }
    return references
  }

  private func matches(_ key: ParentKey, _ values: [String]) -> String {
    zip(key.parentColumns, values).map { "m.\($0.quoted) = \($1)" }.allTrue
  }
}
