/// Users' rows that make way for the seed's, under `moveUser`: each gets a fresh id, and all that
/// refers to it follows.
///
/// Before anything else is written, so that what the migration points to such an id means the row
/// of the seed.
struct MovedUsers {
  let context: MergeContext
  private var connection: Connection { context.connection }

  func run(inserts: [RowFile], updates: [Stage], deletes: [Stage]) throws {
    var seen: Set<String> = []
    let files = inserts + updates.map(\.file)
    for file in files where seen.insert(file.target.name).inserted && isMovable(file.target) {
      let table = file.target.name
      let way = Way(
        context: context, target: file.target,
        inserts: inserts.filter { $0.target.name == table },
        updates: updates.filter { $0.file.target.name == table },
        deletes: deletes.filter { $0.file.target.name == table })
      try way.make()
    }
  }

  /// Only an id that SQLite chose itself can be another as well.
  private func isMovable(_ target: TableTarget) -> Bool {
    context.onTaken(target) == .moveUser && target.schema.rowidAlias != nil
      && target.key.map(\.name) == [target.schema.rowidAlias?.name]
  }
}

/// The users' rows of one table that stand where the seed's are to be.
private struct Way {
  let context: MergeContext
  let target: TableTarget
  let inserts: [RowFile]
  let updates: [Stage]
  let deletes: [Stage]
  private let moves = "temp." + "seedbed:moved".quoted
  private var connection: Connection { context.connection }
  private var id: String { target.key[0].name.quoted }

  init(
    context: MergeContext, target: TableTarget, inserts: [RowFile], updates: [Stage],
    deletes: [Stage]
  ) {
    self.context = context
    self.target = target
    self.inserts = inserts
    self.updates = updates
    self.deletes = deletes
  }

  func make() throws {
    guard try connection.value("SELECT 1 FROM \(target.sql) LIMIT 1") != nil else { return }
    try connection.execute(
      """
      CREATE TABLE \(moves) (
        row INTEGER PRIMARY KEY, old INTEGER NOT NULL UNIQUE, mine TEXT, seed TEXT)
      """)
    var highest = try highestInUse()
    for file in inserts { try collect(file, &highest) }
    for stage in updates where stage.file.hasKeyChanges { try collect(stage) }
    let count = try connection.value("SELECT count(*) FROM \(moves)")?.integer ?? 0
    if count > 0, highest < Int64.max - count {
      try refer(&highest)
      if highest < Int64.max - count { try move(above: highest) }
    }
    try connection.execute("DROP TABLE \(moves)")
  }

  // MARK: which rows

  private func collect(_ file: RowFile, _ highest: inout Int64) throws {
    // What is named by natural keys has to be looked up first.
    guard file.naturals.isEmpty else {
      let stage = try Stage(file, number: Self.stageNumber, on: connection) { _, _ in }
      try collect(file, from: stage.sql, &highest)
      return try stage.drop()
    }
    let reader = try RowTable(file.open(), types: file.streamedTypes, on: connection)
    do {
      try collect(file, from: RowTable.name.quoted, &highest)
    } catch {
      throw reader.failure ?? error
    }
  }

  /// No other stage has it.
  private static let stageNumber = 4000

  private func collect(_ file: RowFile, from source: String, _ highest: inout Int64) throws {
    let left = Set(try context.ledger.keysLeftToUser(table: target.name, on: connection))
    let rows = try connection.prepare(query(file, from: source))
    let compared = file.comparedIndexes.count
    while try rows.step() {
      highest = max(highest, rows.integer(0))
      if rows.isNull(1) { continue }
      let differs = !(0..<compared).allSatisfy { rows.isSame(3 + $0, 3 + compared + $0) }
      let key = RowJSON.collatedKey(target.key, [rows[0]])
      if !differs || rows.integer(2) == 1 || left.contains(key) { continue }
      let seed = 3 + 2 * compared
      let shipped = rows.values(from: seed, count: file.valueIndexes.count)
      try note(
        old: rows[0], mine: rows.values(from: seed + file.valueIndexes.count),
        seed: RowJSON.object(file.valueIndexes.map { file.fields[$0].column.name }, shipped))
    }
  }

  /// The id, the user's id, whether the row is spoken for, what is compared on both sides, the
  /// seed's row and the user's.
  private func query(_ file: RowFile, from source: String) -> String {
    let compared = file.comparedIndexes
    var columns = ["s.c\(file.keyIndexes[0])", "m.\(id)", isSpokenFor(file)]
    columns += compared.map { "m.\(file.fields[$0].column.name.quoted)" }
    columns += (compared + file.valueIndexes).map { "s.c\($0)" }
    columns += target.schema.columns.map { "m.\($0.name.quoted)" }
    return """
      SELECT \(columns.joined(separator: ", "))
      FROM \(source) AS s LEFT JOIN \(target.sql) AS m ON \(MergeSQL.sameKey(file))
      """
  }

  /// True where the row under the id is one that this migration retires or gives another key.
  private func isSpokenFor(_ file: RowFile) -> String {
    var conditions = deletes.map { stage in
      "EXISTS (SELECT 1 FROM \(stage.sql) AS d "
        + "WHERE d.verdict = 0 AND d.c\(stage.file.keyIndexes[0]) = m.\(id))"
    }
    conditions += updates.filter(\.file.hasKeyChanges).map { stage in
      "EXISTS (SELECT 1 FROM \(stage.sql) AS u WHERE u.c\(stage.file.oldKeyIndexes[0]) = m.\(id))"
    }
    return conditions.isEmpty ? "0" : "(\(conditions.joined(separator: " OR ")))"
  }

  /// The users' rows under the new keys of rows that are there.
  private func collect(_ stage: Stage) throws {
    let columns = target.schema.columns.map { "h.\($0.name.quoted)" }.joined(separator: ", ")
    let (new, old) = ("s.c\(stage.file.keyIndexes[0])", "s.c\(stage.file.oldKeyIndexes[0])")
    let going = deletes.map { stage in
      " AND NOT EXISTS (SELECT 1 FROM \(stage.sql) AS d "
        + "WHERE d.verdict = 0 AND d.c\(stage.file.keyIndexes[0]) = h.\(id))"
    }
    let moving = updates.filter(\.file.hasKeyChanges).map { stage in
      " AND NOT EXISTS (SELECT 1 FROM \(stage.sql) AS u "
        + "WHERE u.c\(stage.file.oldKeyIndexes[0]) = h.\(id))"
    }
    let left = Set(try context.ledger.keysLeftToUser(table: target.name, on: connection))
    let rows = try connection.rows(
      """
      SELECT h.\(id), \(columns) FROM \(stage.sql) AS s JOIN \(target.sql) AS h ON h.\(id) = \(new)
      WHERE s.verdict = 0 AND \(new) <> \(old)
        AND EXISTS (SELECT 1 FROM \(target.sql) AS m WHERE m.\(id) = \(old))
        \(going.joined())\(moving.joined())
      """)
    for row in rows where !left.contains(RowJSON.collatedKey(target.key, [row[0]])) {
      try note(
        old: row[0], mine: Array(row.dropFirst()),
        seed: RowJSON.object(target.key.map(\.name), [row[0]]))
    }
  }

  private func note(old: Value, mine: [Value], seed: String) throws {
    if context.movedInVain[target.name]?.contains(old.integer ?? 0) == true { return }
    try connection.execute(
      "INSERT INTO \(moves) (old, mine, seed) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      [
        old, .text(RowJSON.object(target.schema.columns.map(\.name), mine)), .text(seed),
      ])
  }

  // MARK: fresh ids

  /// The highest id in the table, among those it ever had, in the reserve and among new keys.
  private func highestInUse() throws -> Int64 {
    var ids = [try connection.value("SELECT max(\(id)) FROM \(target.sql)")?.integer]
    if target.schema.columns.contains(where: \.isAutoincrement) {
      ids.append(
        try connection.value(
          "SELECT max(seq) FROM main.sqlite_sequence WHERE name = ?", [.text(target.name)]
        )?.integer)
    }
    ids += context.keyOptions.reserves.filter { $0.table.name == target.name }.map(\.last.value)
    for stage in updates {
      let index = stage.file.keyIndexes[0]
      ids.append(try connection.value("SELECT max(c\(index)) FROM \(stage.sql)")?.integer)
    }
    return ids.compactMap { $0 }.max() ?? 0
  }

  /// Nor an id that rows refer to already, though nothing is there: they are not the user's row's.
  private func refer(_ highest: inout Int64) throws {
    for child in try context.children(of: target.name) {
      guard let place = child.key.parentColumns.firstIndex(of: target.key[0].name) else { continue }
      let column = child.key.childColumns[place].quoted
      let found = try connection.value(
        """
        SELECT max(\(column)) FROM main.\(child.table.quoted)
        WHERE typeof(\(column)) = 'integer'
        """)?.integer
      highest = max(highest, found ?? 0)
    }
  }

  // MARK: the rows move

  private func move(above highest: Int64) throws {
    let isDone = try context.attempt {
      do {
        try rekey(above: highest, where: "true")
        return true
      } catch let error where context.isBrokenRow(error) {
        return false
      }
    }
    // One by one, else: those that no id suits stay.
    for row in try rows() where try isDone || attemptToMove(row, above: highest) {
      try report(row, highest)
    }
  }

  private func rows() throws -> [[Value]] {
    try connection.rows("SELECT row, old, mine, seed FROM \(moves) ORDER BY row")
  }

  private func attemptToMove(_ row: [Value], above highest: Int64) throws -> Bool {
    do {
      return try context.attempt {
        try rekey(above: highest, where: "v.row = \(row[0].integer ?? 0)")
        return true
      }
    } catch let error where context.isBrokenRow(error) {
      return false
    }
  }

  private func rekey(above highest: Int64, where condition: String) throws {
    let rowid = target.schema.identity.map { "m.\($0.quoted)" }.joined(separator: ", ")
    try Rekey(context: context).run(
      target.schema, set: [target.key[0].name],
      to: """
        SELECT \(rowid), v.row + \(highest) FROM \(moves) AS v
        JOIN \(target.sql) AS m ON m.\(id) = v.old WHERE \(condition)
        """)
  }

  private func report(_ row: [Value], _ highest: Int64) throws {
    let names = target.key.map(\.name)
    let new = Value.integer(highest + (row[0].integer ?? 0))
    try context.log(
      .keyTaken, .moved, table: target.name, key: RowJSON.object(names, [row[1]]),
      policy: OnTaken.moveUser.rawValue, mine: row[2].text, seed: row[3].text,
      movedTo: RowJSON.object(names, [new]))
    context.noteFollowed(target.name)
    context.moved[target.name, default: [:]][highest + (row[0].integer ?? 0)] = row[1].integer ?? 0
  }
}
