/// Users' rows that make way for the seed's, under `moveUser`: each gets a fresh id, and all that
/// refers to it follows.
///
/// Before anything else is written, so that what the migration points to such an id means the row
/// of the seed.
struct MovedUsers {
  let context: MergeContext
  private var connection: Connection { context.connection }

  func run(inserts: [RowFile], updates: [Stage], deletes: [Stage]) throws {
    for group in LoadOrder.groups(of: inserts + updates.map(\.file)) {
      let targets = group.files.grouped(by: \.target.name).map { $0[0].target }
      var hasMoved = true
      while hasMoved {
        hasMoved = false
        for target in targets where isMovable(target) {
          let way = Way(
            context: context, target: target,
            inserts: inserts.filter { $0.target.name == target.name },
            updates: updates.filter { $0.file.target.name == target.name },
            deletes: deletes.filter { $0.file.target.name == target.name })
          if try way.make() { hasMoved = true }
        }
        // A row that was the same as the seed's may have followed, and so be the user's as well.
        if !group.isCyclic { break }
      }
    }
  }

  /// Notes the rows in whose place nothing came: they moved in vain.
  func noteVain() throws {
    for (table, ids) in context.moved {
      let rowid = try connection.schema(of: table).identity[0].quoted
      let find = try connection.prepare(
        "SELECT 1 FROM main.\(table.quoted) WHERE \(rowid) = ?")
      for id in ids {
        find.bind([.integer(id)])
        if try !find.step() { context.movedInVain[table, default: []].insert(id) }
      }
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

  /// True where rows moved.
  func make() throws -> Bool {
    guard try connection.value("SELECT 1 FROM \(target.sql) LIMIT 1") != nil else { return false }
    try connection.execute(
      """
      CREATE TABLE \(moves) (
        row INTEGER PRIMARY KEY, old INTEGER NOT NULL UNIQUE, mine TEXT, seed TEXT)
      """)
    var highest = try highestInUse()
    for file in inserts { try collect(file, &highest) }
    for stage in updates where stage.file.hasKeyChanges { try collect(stage) }
    let count = try connection.value("SELECT count(*) FROM \(moves)")?.integer ?? 0
    var hasMoved = false
    if count > 0, highest < Int64.max - count {
      try refer(&highest)
      if highest < Int64.max - count { hasMoved = try move(above: highest) }
    }
    try connection.execute("DROP TABLE \(moves)")
    return hasMoved
  }

  // MARK: which rows

  private func collect(_ file: RowFile, _ highest: inout Int64) throws {
    // What is named by natural keys has to be looked up first.
    guard file.naturals.isEmpty, !file.isWide, !isWide else {
      let stage = try Stage(file, number: Stage.lookedAt, on: connection) { _, _ in }
      try collect(file, from: stage.joinedSQL, stage.joined, &highest)
      return try stage.drop()
    }
    let reader = try RowTable(file.open(), types: file.streamedTypes, on: connection)
    do {
      try collect(file, from: RowTable.name.quoted + " AS s", MergeSQL.staged, &highest)
    } catch {
      throw reader.failure ?? error
    }
  }

  /// Whether both sides are more than one statement can read, which is all that a stream allows.
  private var isWide: Bool { 5 * target.schema.columns.count > RowTable.mostColumns }

  private func collect(
    _ file: RowFile, from source: String, _ value: (Int) -> String, _ highest: inout Int64
  ) throws {
    let left = Set(try context.ledger.keysLeftToUser(table: target.name, on: connection))
    let rows = try query(file, from: source, value)
    let compared = file.comparedIndexes.count
    while try rows.step() {
      highest = max(highest, rows.integer(0))
      if rows.isNull(1) { continue }
      let differs = !(0..<compared).allSatisfy { rows.isSame(3 + $0, 3 + compared + $0) }
      let key = RowJSON.collatedKey(target.key, [rows[0]])
      if !differs || rows.integer(2) == 1 || left.contains(key) { continue }
      let seed = 3 + 2 * compared
      let fields = shippedFields(file)
      let shipped = Dictionary(
        uniqueKeysWithValues: zip(fields, rows.values(from: seed, count: fields.count)))
      try note(
        old: rows[0],
        mine: rows.values(from: seed + fields.count, count: target.schema.columns.count),
        seed: file.json(file.valueIndexes) { shipped[$0] ?? .null })
    }
  }

  /// The id, the user's id, whether the row is spoken for, what is compared on both sides, the
  /// seed's row and the user's.
  private func query(
    _ file: RowFile, from source: String, _ value: (Int) -> String
  ) throws -> RowReading {
    let compared = file.comparedIndexes
    var columns = ["s.c\(file.keyIndexes[0])", "m.\(id)", isSpokenFor(file)]
    columns += compared.map { "m.\(file.fields[$0].column.name.quoted)" }
    columns += (compared + shippedFields(file)).map(value)
    columns += target.schema.columns.map { "m.\($0.name.quoted)" }
    return try RowReading(
      columns, from: "\(source) LEFT JOIN \(target.sql) AS m ON \(MergeSQL.sameKey(file))", "",
      on: connection)
  }

  /// The columns of the seed's row, and the natural keys that fill some.
  private func shippedFields(_ file: RowFile) -> [Int] {
    file.valueIndexes + file.naturals.flatMap(\.fields)
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
    return conditions.isEmpty ? "0" : "(\(conditions.anyTrue))"
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
      SELECT \(columns) FROM \(stage.sql) AS s JOIN \(target.sql) AS h ON h.\(id) = \(new)
      WHERE s.verdict = 0 AND \(new) <> \(old)
        AND EXISTS (SELECT 1 FROM \(target.sql) AS m WHERE m.\(id) = \(old))
        \(going.joined())\(moving.joined())
      ORDER BY s.row
      """)
    let place = target.schema.index(of: target.key[0].name) ?? 0
    for row in rows where !left.contains(RowJSON.collatedKey(target.key, [row[place]])) {
      try note(
        old: row[place], mine: row, seed: RowJSON.object(target.key.map(\.name), [row[place]]))
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
    for stage in updates + deletes {
      for index in Set(stage.file.keyIndexes + stage.file.oldKeyIndexes) {
        ids.append(try connection.value("SELECT max(c\(index)) FROM \(stage.sql)")?.integer)
      }
    }
    return ids.compactMap { $0 }.max() ?? 0
  }

  /// Nor an id that rows refer to already, though nothing is there: they are not the user's row's.
  private func refer(_ highest: inout Int64) throws {
    for child in try context.children(of: target.name) {
      let schema = try connection.schema(of: child.table)
      guard let place = child.key.parentColumns.firstIndex(of: target.key[0].name),
        let column = schema.column(child.key.childColumns[place])
      else { continue }
      highest = max(highest, try highestReference(column, in: schema) ?? 0)
    }
  }

  private func highestReference(
    _ column: ColumnSchema, in schema: TableSchema
  ) throws -> Int64? {
    let (name, table) = (column.name.quoted, "main." + schema.name.quoted)
    switch Affinity(of: column, isStrict: schema.isStrict) {
    case .integer, .numeric:
      // As it stands, so that an index gives the answer.
      let sql = "SELECT max(\(name)) FROM \(table) WHERE typeof(\(name)) = 'integer'"
      return try connection.value(sql)?.integer
    case .text, .blob, .real:
      return try connection.value("SELECT max(CAST(\(name) AS INTEGER)) FROM \(table)")?.integer
    }
  }

  // MARK: the rows move

  private func move(above highest: Int64) throws -> Bool {
    let rows = try connection.rows("SELECT row, old, mine, seed FROM \(moves) ORDER BY row")
    let moves = rows.map {
      RowMoves.Move(old: $0[1].integer ?? 0, new: highest + ($0[0].integer ?? 0))
    }
    let refused = try RowMoves(context: context, target: target).run(moves)
    for (row, move) in zip(rows, moves) where !refused.contains(move.old) {
      try report(row, move)
    }
    return refused.count < moves.count
  }

  private func report(_ row: [Value], _ move: RowMoves.Move) throws {
    let names = target.key.map(\.name)
    let new = RowJSON.object(names, [.integer(move.new)])
    try context.log(
      .keyTaken, .moved, table: target.name, key: RowJSON.object(names, [row[1]]),
      policy: OnTaken.moveUser.rawValue, mine: row[2].text, seed: row[3].text, movedTo: new)
    context.noteChanged(target.name, key: new)
    context.moved[target.name, default: []].insert(move.old)
  }
}
