/// Settles the inserts of tables where something stands in the way, or that refer to each other.
struct StagedInsert {
  let context: MergeContext
  let prepare: ((Stage) throws -> Void)?
  private var connection: Connection { context.connection }
  private var ledger: Ledger { context.ledger }

  func run(_ files: [RowFile]) throws {
    var stages: [Stage] = []
    for (number, file) in files.enumerated() {
      stages.append(
        try Stage(file, number: number, on: connection) { bytes, rows in
          try context.onChunk(file.target.name, file.place, bytes, rows)
        })
      context.note(digest: stages[number].digest, of: file.migrationFile.name)
      try prepare?(stages[number])
    }
    var unchanged: [Int] = []
    for stage in stages {
      try settleLeftToUser(stage)
      unchanged.append(try settleKeys(stage))
    }
    try settleFollowers(stages, &unchanged)
    let there = try stages.map(rowsThere)
    try settleParentsAndWrite(stages, unchanged)
    for (index, stage) in stages.enumerated() {
      try report(stage, unchanged: unchanged[index])
      try noteKeys(stage, unchanged: there[index])
      try stage.drop()
    }
  }

  /// The rows that are there already with the same values; asked only where keys are reported.
  private func rowsThere(_ stage: Stage) throws -> Set<Int64> {
    if !context.collectsKeys { return [] }
    let rows = try connection.rows(
      "SELECT row FROM \(stage.sql) AS s WHERE verdict = 0 AND \(MergeSQL.keyExists(stage.file))")
    return Set(rows.compactMap { $0[0].integer })
  }

  private func noteKeys(_ stage: Stage, unchanged: Set<Int64>) throws {
    if !context.collectsKeys { return }
    let rows = try connection.rows(
      "SELECT row FROM \(stage.sql) WHERE verdict IN (0, 3) ORDER BY row")
    for row in rows.map({ $0[0] }) where !unchanged.contains(row.integer ?? 0) {
      try context.noteChanged(stage.file.target.name, key: stage.keyText(row: row))
    }
  }

  private func settleParentsAndWrite(_ stages: [Stage], _ unchanged: [Int]) throws {
    let isCyclic = stages.contains { stage in
      stage.file.target.parents.contains { parent in
        stages.contains { $0.file.target.name == parent.parent }
      }
    }
    // A row whose place turns out to be taken is no parent any more, so its children are judged
    // again. Each turn decides at least one row more, so this ends.
    while true {
      try StagedParents(context: context, stages: stages).settle()
      var taken: [(StagedWriter, StagedWriter.Taken)] = []
      let moves = try stages.contains { try $0.count(.move) > 0 }
      let isDone = try context.trial {
        // A row that is moved takes along all that refers to its key, so rows of ours come later.
        for stage in stages {
          let writer = StagedWriter(context: context, stage: stage)
          taken += try writer.moveUserRows(stages).map { (writer, $0) }
        }
        if !taken.isEmpty { return false }
        for (stage, same) in zip(stages, unchanged) {
          let writer = StagedWriter(context: context, stage: stage)
          taken += try writer.write(unchanged: same).map { (writer, $0) }
        }
        return taken.isEmpty || !isCyclic && !moves
      }
      for (writer, row) in taken { try writer.leave(row) }
      if isDone { return }
    }
  }

  /// Keys that an earlier migration left to the user are kept, without another conflict.
  private func settleLeftToUser(_ stage: Stage) throws {
    let left = Set(try ledger.keysLeftToUser(table: stage.file.target.name, on: connection))
    if left.isEmpty { return }
    let columns = stage.file.keyIndexes.map { "c\($0)" }.joined(separator: ", ")
    let statement = try connection.prepare("SELECT row, \(columns) FROM \(stage.sql)")
    while try statement.step() {
      if left.contains(RowJSON.collatedKey(stage.file.target.key, statement.values(from: 1))) {
        try stage.decide(.leftToUser, row: statement[0])
      }
    }
  }

  /// Compares the rows whose key is there already; returns how many of them are the same.
  private func settleKeys(_ stage: Stage) throws -> Int {
    let file = stage.file
    let compared = file.comparedIndexes
    let mine = compared.map { "m.\(file.columns[$0].name.quoted)" }
    let seed = compared.map { "s.c\($0)" }
    let statement = try connection.prepare(
      """
      SELECT \((["s.row"] + mine + seed).joined(separator: ", "))
      FROM \(stage.sql) AS s CROSS JOIN \(file.target.sql) AS m ON \(MergeSQL.sameKey(file))
      WHERE s.verdict = 0
      """)
    let policy = context.onTaken(file.target)
    var unchanged = 0
    var refused = Refused()
    while try statement.step() {
      let isSame = (1..<(1 + compared.count)).allSatisfy {
        statement.isSame($0, $0 + compared.count)
      }
      if isSame {
        unchanged += 1
        continue
      }
      try settle(statement[0], stage, policy, &refused)
    }
    try refused.check("keyTaken", policy: "onTaken", stage)
    return unchanged
  }

  private func settle(
    _ row: Value, _ stage: Stage, _ policy: OnTaken, _ refused: inout Refused
  ) throws {
    switch policy {
    case .fail: refused.add(row, try stage.keyText(row: row))
    case .replaceUser: try stage.decide(.replace, row: row)
    case .moveUser where UserMoves(context: context, target: stage.file.target) != nil:
      try stage.decide(.move, row: row)
    case .keepUser, .moveUser: try keep(.keyTaken, stage, row, policy)
    }
  }

  /// Rows that are there already, but refer to rows of the user's that are about to move: they go
  /// with those, so they are not the seed's.
  private func settleFollowers(_ stages: [Stage], _ unchanged: inout [Int]) throws {
    var isChanged = true
    while isChanged {
      isChanged = false
      for (index, stage) in stages.enumerated() {
        let rows = try followers(of: stages, in: stage)
        if rows.isEmpty { continue }
        var refused = Refused()
        let policy = context.onTaken(stage.file.target)
        for row in rows { try settle(row, stage, policy, &refused) }
        try refused.check("keyTaken", policy: "onTaken", stage)
        unchanged[index] -= rows.count
        isChanged = true
      }
    }
  }

  private func followers(of stages: [Stage], in stage: Stage) throws -> [Value] {
    var rows: Set<Int64> = []
    for parent in stage.file.target.parents {
      for moving in stages where moving.file.target.name == parent.parent {
        let places = parent.parentColumns.compactMap { moving.file.index(of: $0) }
        guard try moving.count(.move) > 0, places.count == parent.parentColumns.count else {
          continue
        }
        let matches = zip(places, MergeSQL.childValues(parent, stage.file))
          .map { "q.c\($0) = \($1)" }.joined(separator: " AND ")
        let found = try connection.rows(
          """
          SELECT s.row FROM \(stage.sql) AS s JOIN \(moving.sql) AS q ON \(matches)
          WHERE s.verdict = 0 AND q.verdict = 12 AND \(MergeSQL.keyExists(stage.file))
          """)
        rows.formUnion(found.compactMap { $0[0].integer })
      }
    }
    return rows.sorted().map { .integer($0) }
  }

  private func keep(
    _ verdict: Stage.Verdict, _ stage: Stage, _ row: Value, _ policy: OnTaken
  ) throws {
    try stage.decide(verdict, row: row)
    let key = try stage.keyText(row: row)
    let table = stage.file.target.name
    try context.log(
      .keyTaken, .keptUser, table: table, key: key, policy: policy.rawValue,
      mine: try stage.mine(row: row), seed: try stage.rowText(row: row))
    try ledger.leaveToUser(
      table: table, key: try stage.collatedKey(row: row), version: context.version, on: connection)
  }

  private func report(_ stage: Stage, unchanged: Int) throws {
    let table = stage.file.target.name
    let replaced = try stage.count(.replace)
    var kept = 0
    for verdict in [
      Stage.Verdict.leftToUser, .keyTaken, .parentDeleted, .parentTaken, .uniqueTaken,
    ] {
      kept += try stage.count(verdict)
    }
    if unchanged > 0 { context.noteUnchangedInserts() }
    let inserted = stage.rowCount - unchanged - replaced - kept
    context.count(table) {
      $0.inserted += inserted
      $0.unchanged += unchanged
      $0.updated += replaced
      $0.kept += kept
    }
  }
}

/// The keys that a policy `fail` met: the first 20 and the count.
struct Refused {
  private var keys: [String] = []
  private var count = 0
  private var firstRow = Value.null

  mutating func add(_ row: Value, _ key: String) {
    if count == 0 { firstRow = row }
    if keys.count < 20 { keys.append(key) }
    count += 1
  }

  func check(_ kind: String, policy: String, _ stage: Stage) throws {
    if count == 0 { return }
    throw SeedbedError.conflictsRefused(
      kind, table: stage.file.target.name, keys: keys, count: count, policy: policy,
      try stage.place(of: firstRow))
  }
}
