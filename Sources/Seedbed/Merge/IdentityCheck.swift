/// Finds the rows under a seed's key that are not the seed's any more: the user deleted it, and
/// SQLite gave its id to another row. They are taken for deleted, and the key is the user's.
struct IdentityCheck {
  let context: MergeContext
  private var connection: Connection { context.connection }

  /// Decides them before anything else is, and so that every later step passes them over.
  func settle(_ stage: Stage) throws {
    let columns = stage.file.identity
    if columns.isEmpty { return }
    let left = Set(
      try context.ledger.keysLeftToUser(table: stage.file.target.name, on: connection))
    for (row, values) in try strangers(stage, columns) {
      let key = RowJSON.collatedKey(stage.file.target.key, values)
      // That is known already, and no conflict again.
      if left.contains(key) { continue }
      try pass(over: row, stage)
      try context.ledger.leaveToUser(
        table: stage.file.target.name, key: key, version: context.version, on: connection)
    }
  }

  /// Their numbers in the stage, and the keys under which they are.
  private func strangers(
    _ stage: Stage, _ columns: [RowFile.Change]
  ) throws -> [(row: Value, key: [Value])] {
    let file = stage.file
    let keys = file.oldKeyIndexes.map { "s.c\($0)" }
    let same = zip(file.target.key, keys).map { "m.\($0.name.quoted) = \($1)" }
    let mine = columns.map { "m.\($0.column.name.quoted)" }
    let base = columns.map { stage.joined($0.base ?? $0.seed) }
    let seed = columns.map { stage.joined($0.seed) }
    let statement = try RowReading(
      ["s.row"] + mine + base + seed + keys,
      from: "\(stage.joinedSQL) JOIN \(file.target.sql) AS m ON \(same.allTrue)",
      "WHERE s.verdict = 0 ORDER BY s.row", on: connection)
    var rows: [(row: Value, key: [Value])] = []
    while try statement.step() {
      let isOurs = columns.indices.allSatisfy { index in
        let (mine, base) = (1 + index, 1 + columns.count + index)
        return statement.isSame(mine, base) || statement.isSame(mine, base + columns.count)
      }
      if !isOurs {
        rows.append(
          (statement[0], statement.values(from: 1 + 3 * columns.count, count: keys.count)))
      }
    }
    return rows
  }

  private func pass(over row: Value, _ stage: Stage) throws {
    let file = stage.file
    let key = try stage.keyText(row: row)
    guard file.role == .update else {
      try stage.decide(.absent, row: row)
      return try context.ledger.noteAlreadyThere(
        version: context.version, table: file.target.name, key: key, columns: [], on: connection)
    }
    let changes = file.changes
    let hasBase = changes.allSatisfy { $0.base != nil }
    try stage.decide(.leftToUser, row: row)
    let number = try context.log(
      .deletedByUser, .keptUser, table: file.target.name, key: key,
      base: hasBase ? try object(changes.compactMap(\.base), row, stage) : nil,
      seed: try object(changes.map(\.seed), row, stage))
    if !changes.isEmpty { stage.noteLogged(number, row: row, changes.map(\.seed)) }
    // The other kinds count their verdicts.
    context.count(file.target.name) { $0.kept += 1 }
  }

  private func object(_ indexes: [Int], _ row: Value, _ stage: Stage) throws -> String {
    // An update may do nothing but give a new key.
    indexes.isEmpty ? "{}" : try stage.json(indexes, row: row)
  }
}

extension RowFile {
  /// The columns that must be as the seed knows them, where the file says how; an insert has none.
  var identity: [Change] {
    guard role != .insert else { return [] }
    return target.identity.compactMap { column in
      let base = baseIndex(of: column.name)
      guard let seed = index(of: column.name) ?? base else { return nil }
      return Change(column: column, seed: seed, base: base, isIgnored: false)
    }
  }
}
