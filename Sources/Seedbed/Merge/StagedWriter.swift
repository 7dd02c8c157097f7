/// Writes the rows of a stage that were decided to go in.
struct StagedWriter {
  /// A row that could not go in after all, since a user's row holds what it needs.
  struct Taken {
    var row: Value
    var kind: Conflict.Kind
    /// The user's row as JSON.
    var mine: String?

    var verdict: Stage.Verdict { kind == .keyTaken ? .keyTaken : .uniqueTaken }
  }

  let context: MergeContext
  let stage: Stage
  /// All that are written together, this one too.
  private let group: [Stage]
  var connection: Connection { context.connection }
  var file: RowFile { stage.file }
  var rows: String { stage.joinedSQL }
  var policy: OnTaken { context.onTaken(file.target) }

  init(context: MergeContext, stage: Stage, group: [Stage]) {
    self.context = context
    self.stage = stage
    self.group = group
  }

  private var ofTable: [Stage] { group.filter { $0.file.target.name == file.target.name } }

  /// Inserts what can be inserted and returns what could not.
  func insertRows(unchanged: Int) throws -> [Taken] {
    let expected = try stage.count(.insert) - unchanged
    if expected == 0 { return [] }
    if file.target.endsTransactions { return try insertEach() }
    do {
      if try context.attempt({ try insertAll() == expected }) { return [] }
    } catch let error where context.isBrokenRow(error) {
      // Row by row, the one that fails is found.
    }
    return try insertEach()
  }

  private func insertAll() throws -> Int {
    // Rows that are there already are left out, or the app's BEFORE INSERT triggers would see them.
    let isFree = "NOT " + MergeSQL.keyExists(file)
    try connection.execute(
      MergeSQL.insertAll(file, from: rows, value: stage.joined, where: ["s.verdict = 0", isFree]))
    return Int(connection.changes)
  }

  // MARK: one by one

  private func insertEach() throws -> [Taken] {
    let insert = try connection.prepare(
      MergeSQL.insertAll(file, from: rows, value: stage.joined, where: ["s.row = ?"]))
    var taken: [Taken] = []
    let rows = try waitingRows()
    for (number, row) in rows.enumerated() {
      if number % 256 == 0 {
        try context.noteSettled(file, stage.rowCount - rows.count + number, of: stage.rowCount)
      }
      do {
        if try stage.writing(row, { try attemptToInsert(row, insert) }) { continue }
      } catch let failure as SQLiteFailure where connection.isInTransaction {
        throw InsertMerge.located(failure, file, line: try stage.line(of: row))
      }
      taken.append(Taken(row: row, kind: .uniqueTaken, mine: try holder(of: row)))
    }
    return taken
  }

  /// Where the row does not go in, what the app's triggers did for it is taken back.
  private func attemptToInsert(_ row: Value, _ insert: borrowing Statement) throws -> Bool {
    if file.target.triggers.isEmpty {
      try insert.run(row)
      return connection.changes == 1
    }
    try connection.execute("SAVEPOINT seedbed_row")
    try insert.run(row)
    let isIn = connection.changes == 1
    if !isIn { try connection.execute("ROLLBACK TO seedbed_row") }
    try connection.execute("RELEASE seedbed_row")
    return isIn
  }

  /// The rows to be inserted whose key is free, in the order of the file.
  private func waitingRows() throws -> [Value] {
    try connection.rows(
      """
      SELECT row FROM \(stage.sql) AS s
      WHERE verdict = 0 AND NOT \(MergeSQL.keyExists(file)) ORDER BY row
      """
    ).map { $0[0] }
  }

  /// The row, as JSON, that holds a UNIQUE value which a staged row needs.
  ///
  /// An upsert that changes nothing meets the holder under any unique index, also one over an
  /// expression or a part of the table, and names it. All it did is taken back.
  private func holder(of row: Value) throws -> String {
    let key = file.target.key.map(\.name)
    // A user's row may have no key of ours: it is found again by what tells it apart in SQLite.
    let identity = file.target.schema.identity
    var found: [Value]?
    let ask = {
      let same = "\(key[0].quoted) = main_row.\(key[0].quoted)"
      let sql =
        MergeSQL.insertAll(file, from: rows, value: stage.joined, where: ["s.row = ?"])
        .replacingEnd("DO NOTHING", with: "DO UPDATE SET \(same)")
        .replacingStart(
          "INSERT OR ABORT INTO \(file.target.sql)",
          with: "INSERT OR ABORT INTO \(file.target.sql) AS main_row")
      found = try connection.rows("\(sql) RETURNING \((key + identity).quotedList)", [row]).first
      return false
    }
    _ = try context.attempt { try connection.withoutTriggers(ask) }
    // Without triggers it went in: nothing else holds its values.
    let own = try stage.collatedKey(row: row)
    guard let found, RowJSON.collatedKey(file.target.key, Array(found[..<key.count])) != own else {
      throw try stage.swallowed(row, by: .insert)
    }
    try refuseDuplicate(row, Array(found[..<key.count]))
    let columns = file.target.schema.columns.map(\.name)
    let matches = identity.map { "\($0.quoted) = ?" }.allTrue
    // RETURNING gives a REAL that is a whole number as an INTEGER (seen in 3.40), so read it.
    let values = try connection.rows(
      "SELECT \(columns.quotedList) FROM \(file.target.sql) WHERE \(matches)",
      Array(found[key.count...]))
    return RowJSON.object(columns, values.first ?? [])
  }

  /// Where the holder is a row of this migration, its files have the UNIQUE value twice.
  private func refuseDuplicate(_ row: Value, _ keyValues: [Value]) throws {
    for other in ofTable {
      let matches = other.file.keyIndexes.map { "c\($0) = ?" }.allTrue
      let twin = try connection.value(
        "SELECT row FROM \(other.sql) WHERE verdict IN (0, 3) AND \(matches)", keyValues)
      guard let twin, other !== stage || twin != row else { continue }
      throw SeedbedError.duplicate(
        "UNIQUE value of the row", try stage.keyText(row: row), first: try other.place(of: twin),
        try stage.place(of: row))
    }
  }

  /// Leaves a key to the user, with the conflict that tells why.
  func leave(_ taken: Taken) throws {
    try stage.decide(taken.verdict, row: taken.row)
    let key = try stage.keyText(row: taken.row)
    let table = file.target.name
    let number = try context.log(
      taken.kind, .keptUser, table: table, key: key, policy: policy.rawValue, mine: taken.mine,
      seed: try stage.rowText(row: taken.row), at: try stage.place(of: taken.row))
    stage.noteLogged(number, row: taken.row)
    try context.ledger.leaveToUser(
      table: table, key: try stage.collatedKey(row: taken.row), version: context.version,
      on: connection)
  }
}

extension String {
  fileprivate func replacingEnd(_ end: String, with other: String) -> String {
    hasSuffix(end) ? String(dropLast(end.count)) + other : self
  }

  fileprivate func replacingStart(_ start: String, with other: String) -> String {
    hasPrefix(start) ? other + dropFirst(start.count) : self
  }
}
