/// Settles the inserts of tables where something stands in the way, or that refer to each other.
struct StagedInsert {
  let context: MergeContext
  let prepare: ((Stage) throws -> Void)?
  private var connection: Connection { context.connection }
  private var ledger: Ledger { context.ledger }

  func run(_ files: [RowFile]) throws {
    let assigning = StagedNaturals.assigning(files)
    let stages = try stage(assigning ?? files, settlesKeys: assigning == nil)
    let naturals =
      assigning == nil ? nil : StagedNaturals(context: context, stages: stages)
    try naturals?.settleKeys()
    if let prepare { try stages.forEach(prepare) }
    try naturals?.noteOpen()
    // A key that is named may turn out to be a user's, too.
    try naturals?.settle()
    try StagedKeys.refuseDuplicates(among: stages, on: connection)
    var unchanged: [Int] = []
    for stage in stages {
      try settleLeftToUser(stage)
      unchanged.append(try settleKeys(stage))
    }
    let there = try stages.map(rowsThere)
    try settleParentsAndWrite(stages, naturals, unchanged)
    try naturals?.finish()
    for (index, stage) in stages.enumerated() {
      try report(stage, unchanged: unchanged[index])
      try noteKeys(stage, unchanged: there[index])
      try context.noteSettled(stage.file, stage.rowCount, of: stage.rowCount)
      try stage.drop()
    }
  }

  private func stage(_ files: [RowFile], settlesKeys: Bool) throws -> [Stage] {
    try files.enumerated().map { number, file in
      let stage = try Stage(
        file, number: -1 - number, on: connection, settlesKeys: settlesKeys
      ) { bytes, rows in
        try context.noteRead(file, bytes, rows: rows, isStaged: true)
      }
      context.note(digest: stage.digest, of: file.migrationFile.name)
      return stage
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

  private func settleParentsAndWrite(
    _ stages: [Stage], _ naturals: StagedNaturals?, _ unchanged: [Int]
  ) throws {
    let isCyclic = stages.contains { stage in
      stage.file.parents.contains { parent in
        stages.contains { $0.file.target.name == parent.parent }
      }
    }
    // A row whose place turns out to be taken is no parent any more, so its children are judged
    // again. Each turn decides at least one row more, so this ends.
    while true {
      try naturals?.settle()
      try StagedParents(context: context, stages: stages).settle()
      var taken: [(StagedWriter, StagedWriter.Taken)] = []
      let isDone = try context.attempt {
        let writers = stages.map { StagedWriter(context: context, stage: $0, group: stages) }
        taken = try replaceUserRows(writers)
        for (writer, same) in zip(writers, unchanged) {
          taken += try writer.insertRows(unchanged: same).map { (writer, $0) }
        }
        return taken.isEmpty || !isCyclic
      }
      for (writer, row) in taken { try writer.leave(row) }
      if isDone { return }
    }
  }

  /// A user's row that takes the seed's values frees its own, also for rows of other files: those
  /// that could not take theirs have another turn while any could.
  private func replaceUserRows(
    _ writers: [StagedWriter]
  ) throws -> [(StagedWriter, StagedWriter.Taken)] {
    var waiting = try writers.map { try $0.rowsToReplace() }
    var taken: [(StagedWriter, StagedWriter.Taken)] = []
    var isProgress = true
    while isProgress {
      let count = waiting.joined().count
      taken = []
      for (index, writer) in writers.enumerated() {
        let left = try writer.replaceUserRows(waiting[index])
        waiting[index] = left.map(\.row)
        taken += left.map { (writer, $0) }
      }
      isProgress = !taken.isEmpty && taken.count < count
    }
    // At once, since the values of these rows are the user's: none that the files have twice.
    for (writer, row) in taken { try writer.stage.decide(row.verdict, row: row.row) }
    return taken
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
    let mine = compared.map { "m.\(file.fields[$0].column.name.quoted)" }
    let seed = compared.map(stage.joined)
    let statement = try RowReading(
      ["s.row"] + mine + seed,
      from: "\(stage.joinedSQL) CROSS JOIN \(file.target.sql) AS m ON \(MergeSQL.sameKey(file))",
      "WHERE s.verdict = 0", on: connection)
    let policy = context.onTaken(file.target)
    var unchanged = 0
    while try statement.step() {
      let isSame = (1..<(1 + compared.count)).allSatisfy {
        statement.isSame($0, $0 + compared.count)
      }
      if isSame {
        unchanged += 1
        continue
      }
      let row = statement[0]
      switch policy {
      case .replaceUser: try stage.decide(.replace, row: row)
      case .keepUser, .moveUser, .fail: try keep(.keyTaken, stage, row, policy)
      }
    }
    return unchanged
  }

  private func keep(
    _ verdict: Stage.Verdict, _ stage: Stage, _ row: Value, _ policy: OnTaken
  ) throws {
    try stage.decide(verdict, row: row)
    let key = try stage.keyText(row: row)
    let table = stage.file.target.name
    let number = try context.log(
      .keyTaken, .keptUser, table: table, key: key, policy: policy.rawValue,
      mine: try stage.mine(row: row), seed: try stage.rowText(row: row),
      at: try stage.place(of: row))
    stage.noteLogged(number, row: row)
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
