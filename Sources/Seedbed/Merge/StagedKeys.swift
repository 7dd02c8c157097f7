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

extension StagedKeys {
  /// A row cannot get the key of one that the same migration inserts. Those are read once more for
  /// it, and not where others name them by natural keys, which are not known yet.
  static func refuseNewKeys(
    of stage: Stage, among file: RowFile, on connection: Connection
  ) throws {
    let keys = Set(file.keyIndexes)
    if file.naturals.contains(where: { !keys.isDisjoint(with: $0.receivers) }) { return }
    if file.isWide {
      let other = try Stage(file, number: Stage.lookedAt, on: connection) { _, _ in }
      try refuseNewKeys(of: stage, among: file, from: other.sql, on: connection)
      return try other.drop()
    }
    let reader = try RowTable(file.open(), types: file.streamedTypes, on: connection)
    do {
      try refuseNewKeys(of: stage, among: file, from: RowTable.name.quoted, on: connection)
    } catch {
      throw reader.failure ?? error
    }
  }

  private static func refuseNewKeys(
    of stage: Stage, among file: RowFile, from source: String, on connection: Connection
  ) throws {
    let matches = zip(stage.file.keyIndexes, file.keyIndexes).map { "u.c\($0) = s.c\($1)" }
    let isSame = zip(stage.file.keyIndexes, stage.file.oldKeyIndexes).map { "u.c\($0) = u.c\($1)" }
    let rows = try connection.rows(
      """
      SELECT u.row, s.line FROM \(source) AS s CROSS JOIN \(stage.sql) AS u
        ON \(matches.allTrue) AND NOT (\(isSame.allTrue)) LIMIT 1
      """)
    guard let row = rows.first else { return }
    let key = try stage.json(stage.file.keyIndexes, row: row[0])
    throw SeedbedError.duplicate(
      "key", key, first: try stage.place(of: row[0]),
      SeedbedError.Place(file.place, line: Int(row[1].integer ?? 0)))
  }
}
