/// Finds keys that several files of one kind hold for one table: an error of the files, whatever
/// the database holds.
struct StagedKeys {
  private let connection: Connection
  /// The keys of the stages so far.
  private let sql = "temp." + "seedbed:keys".quoted

  static func refuseDuplicates(among stages: [Stage], on connection: Connection) throws {
    for ofTable in stages.grouped(by: \.file.target.name) where ofTable.count > 1 {
      let keys = StagedKeys(connection: connection)
      try keys.refuseDuplicates(among: ofTable, \.keyIndexes)
      if ofTable.contains(where: \.file.hasKeyChanges) {
        try keys.refuseDuplicates(among: ofTable, \.oldKeyIndexes)
      }
    }
  }

  private func refuseDuplicates(
    among stages: [Stage], _ indexes: (RowFile) -> [Int]
  ) throws {
    let key = stages[0].file.target.key.indices.map { "k\($0)" }
    let columns = zip(key, indexes(stages[0].file)).map { name, index in
      "\(name) \(stages[0].type(of: index))"
    }
    try connection.execute(
      """
      CREATE TABLE \(sql) (stage INTEGER, row INTEGER, \(columns.joined(separator: ", ")),
        UNIQUE (\(key.joined(separator: ", "))))
      """)
    for (number, stage) in stages.enumerated() {
      let values = indexes(stage.file).map { "s.c\($0)" }
      try connection.execute(
        """
        INSERT INTO \(sql) SELECT \(number), s.row, \(values.joined(separator: ", "))
        FROM \(stage.sql) AS s WHERE true ON CONFLICT DO NOTHING
        """)
      if connection.changes == stage.rowCount { continue }
      let matches = zip(key, values).map { "k.\($0) = \($1)" }.allTrue
      let twins = try connection.rows(
        """
        SELECT s.row, k.stage, k.row FROM \(stage.sql) AS s JOIN \(sql) AS k ON \(matches)
        WHERE k.stage <> \(number) ORDER BY s.row LIMIT 1
        """)
      guard let twin = twins.first, let other = twin[1].integer.map(Int.init) else { continue }
      throw SeedbedError.duplicate(
        "key", try stage.keyText(row: twin[0]), first: try stages[other].place(of: twin[2]),
        try stage.place(of: twin[0]))
    }
    try connection.execute("DROP TABLE \(sql)")
  }
}
