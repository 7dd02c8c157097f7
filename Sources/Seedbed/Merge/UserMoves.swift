/// Moves rows of users that sit where seed rows should go, with all that refers to them.
///
/// Only an INTEGER PRIMARY KEY can be moved: of any other key nobody knows what a fresh one is.
struct UserMoves {
  let context: MergeContext
  let target: TableTarget
  private let key: ColumnSchema
  private var connection: Connection { context.connection }

  /// nil where no key of the table can be moved.
  init?(context: MergeContext, target: TableTarget) {
    guard target.key.count == 1, let id = target.schema.rowidAlias, target.key[0].name == id.name
    else { return nil }
    self.context = context
    self.target = target
    key = id
  }

  /// A user's row by its key, and the seed row that needs it, as JSON.
  struct Taken {
    var id: Int64
    var seed: String?
  }

  /// Gives the rows the next keys above one that is not to be reached, and logs it; returns those
  /// that a constraint or a trigger keeps where they are.
  func move(_ rows: [Taken], above highest: Int64) throws -> [Taken] {
    // Near the end of all ids there is no room.
    guard Int64(rows.count) <= Int64.max - highest else { return rows }
    let moves = zip(rows, 1...).map { Move(old: $0.id, new: highest + $1, seed: $0.seed) }
    let mine = try moves.map { try json(of: $0.old) }
    let refused = try moveOrSplit(moves[...])
    let kept = Set(refused.map(\.old))
    for (move, mine) in zip(moves, mine) where !kept.contains(move.old) {
      try context.log(
        .keyTaken, .moved, table: target.name, key: text(move.old),
        policy: OnTaken.moveUser.rawValue, movedTo: text(move.new), mine: mine, seed: move.seed)
      note(move)
    }
    try raiseSequence(to: moves.last?.new ?? highest)
    return refused.map { Taken(id: $0.old, seed: $0.seed) }
  }

  /// Gives rows their old keys back where those are free, and the rows there still; for `down`.
  func moveBack(_ rows: [(from: Int64, to: Int64)]) throws {
    let moves = try rows.filter { try exists($0.from) && !exists($0.to) }
      .map { Move(old: $0.from, new: $0.to) }
    let kept = Set(try moveOrSplit(moves[...]).map(\.old))
    for move in moves where !kept.contains(move.old) { note(move) }
  }

  // MARK: fresh keys

  /// The largest key that a row has, had, or is about to get, and that rows refer to.
  func highestKey(_ stages: [Stage]) throws -> Int64 {
    var highest = [try connection.value("SELECT max(\(key.name.quoted)) FROM \(target.sql)")]
    if key.isAutoincrement {
      // What the option `reserve` keeps is in there too.
      highest.append(
        try connection.value(
          "SELECT max(seq) FROM main.sqlite_sequence WHERE name = ? AND typeof(seq) = 'integer'",
          [.text(target.name)]))
    }
    for stage in stages where stage.file.target.name == target.name {
      let places = stage.file.keyIndexes.map { "c\($0)" }
      highest.append(try connection.value("SELECT max(\(places[0])) FROM \(stage.sql)"))
    }
    for child in try context.children(of: target.name) {
      highest.append(try highestReference(child))
    }
    return highest.compactMap { $0?.integer }.reduce(0, max)
  }

  /// A row that refers to nothing must not become the child of one that moves.
  private func highestReference(_ child: MergeContext.Child) throws -> Value? {
    let schema = try connection.schema(of: child.table)
    let pair = zip(child.key.childColumns, child.key.parentColumns).first { $1 == key.name }
    guard let name = pair?.0, let column = schema.column(name) else { return nil }
    let table = "main." + child.table.quoted
    switch Affinity(of: column, isStrict: schema.isStrict) {
    case .integer, .numeric:
      // As it stands, so that an index gives the answer.
      return try connection.value(
        """
        SELECT max(\(name.quoted)) FROM \(table) WHERE typeof(\(name.quoted)) = 'integer'
        """)
    case .text, .blob, .real:
      return try connection.value("SELECT max(CAST(\(name.quoted) AS INTEGER)) FROM \(table)")
    }
  }

  /// > The AUTOINCREMENT algorithm: the rowid chosen is one larger than the largest rowid that has
  /// > ever before existed in that table. (Autoincrement)
  /// An INSERT keeps that number, an UPDATE of the rowid does not.
  private func raiseSequence(to highest: Int64) throws {
    if !key.isAutoincrement { return }
    let values: [Value] = [.integer(highest), .text(target.name)]
    try connection.execute(
      """
      UPDATE main.sqlite_sequence SET seq = ?1
      WHERE name = ?2 AND (typeof(seq) <> 'integer' OR seq < ?1)
      """, values)
    try connection.execute(
      """
      INSERT INTO main.sqlite_sequence (seq, name)
      SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM main.sqlite_sequence WHERE name = ?2)
      """, values)
  }

  // MARK: moving

  private struct Move {
    var old: Int64
    var new: Int64
    var seed: String?
  }

  /// All at once; where one cannot move, it is found by halves.
  private func moveOrSplit(_ moves: ArraySlice<Move>) throws -> [Move] {
    if moves.isEmpty { return [] }
    do {
      let isDone = try context.trial {
        try write(moves)
        return true
      }
      if isDone { return [] }
    } catch let error where isRefusal(error) {
      if moves.count == 1 { return Array(moves) }
    }
    let middle = moves.startIndex + moves.count / 2
    return try moveOrSplit(moves[..<middle]) + moveOrSplit(moves[middle...])
  }

  private func isRefusal(_ error: any Error) -> Bool {
    let isIgnored = (error as? SeedbedError)?.code == .constraint && connection.isInTransaction
    return isIgnored || context.isBrokenRow(error)
  }

  private func write(_ moves: ArraySlice<Move>) throws {
    let sql = "temp." + "seedbed:user moves".quoted
    try connection.execute(
      "CREATE TABLE \(sql) (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)")
    try fill(sql, moves)
    let (name, rowid) = (key.name, target.schema.identity[0].quoted)
    let count = try Rekey(context: context).run(
      target.schema, set: [name],
      to: """
        SELECT m.\(rowid), v.new FROM \(sql) AS v
        CROSS JOIN \(target.sql) AS m ON m.\(rowid) = v.old
        """)
    guard count == moves.count else { throw SeedbedError.keyStays(table: target.name) }
    try connection.execute("DROP TABLE \(sql)")
  }

  private func fill(_ sql: String, _ moves: ArraySlice<Move>) throws {
    let insert = try connection.prepare("INSERT INTO \(sql) VALUES (?, ?)")
    for move in moves { try insert.run(.integer(move.old), .integer(move.new)) }
  }

  private func note(_ move: Move) {
    context.noteMoved(target.name, from: text(move.old), to: text(move.new))
    context.noteChanged(target.name, key: text(move.new))
  }

  // MARK: rows

  private func text(_ id: Int64) -> String { RowJSON.object([key.name], [.integer(id)]) }

  private func exists(_ id: Int64) throws -> Bool {
    try connection.value(
      "SELECT 1 FROM \(target.sql) WHERE \(key.name.quoted) = ?", [.integer(id)]) != nil
  }

  private func json(of id: Int64) throws -> String? {
    let columns = target.schema.columns.map(\.name)
    return try connection.rows(
      "SELECT \(columns.quotedList) FROM \(target.sql) WHERE \(key.name.quoted) = ?",
      [.integer(id)]
    ).first.map { RowJSON.object(columns, $0) }
  }
}
