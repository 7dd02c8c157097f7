/// Gives rows of a table with an INTEGER PRIMARY KEY other ids, and has all that refers to them
/// follow.
struct RowMoves {
  let context: MergeContext
  let target: TableTarget
  private var connection: Connection { context.connection }

  struct Move {
    var old: Int64
    var new: Int64
  }

  /// Returns the old ids of rows that a constraint or a trigger keeps where they are.
  func run(_ moves: [Move]) throws -> Set<Int64> {
    Set(try moveOrSplit(moves[...]).map(\.old))
  }

  /// The rows that are there, and whose new ids are free.
  func possible(_ moves: [Move]) throws -> [Move] {
    let sql = "SELECT 1 FROM \(target.sql) WHERE \(rowid) = ?"
    return try moves.filter { move in
      try connection.value(sql, [.integer(move.old)]) != nil
        && connection.value(sql, [.integer(move.new)]) == nil
    }
  }

  private var rowid: String { target.schema.identity[0].quoted }

  /// All at once; where one cannot move, it is found by halves.
  private func moveOrSplit(_ moves: ArraySlice<Move>) throws -> ArraySlice<Move> {
    if moves.isEmpty { return [] }
    do {
      _ = try context.attempt {
        try write(moves)
        return true
      }
      return []
    } catch let error where context.isRefusedMove(error) {
      if moves.count == 1 { return moves }
    }
    let middle = moves.startIndex + moves.count / 2
    return try moveOrSplit(moves[..<middle]) + moveOrSplit(moves[middle...])
  }

  private func write(_ moves: ArraySlice<Move>) throws {
    let sql = "temp." + "seedbed:row moves".quoted
    try connection.execute(
      "CREATE TABLE \(sql) (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)")
    try fill(sql, moves)
    try Rekey(context: context).run(
      target.schema, set: [target.key[0].name],
      to: """
        SELECT m.\(rowid), v.new FROM \(sql) AS v
        CROSS JOIN \(target.sql) AS m ON m.\(rowid) = v.old
        """)
    try connection.execute("DROP TABLE \(sql)")
  }

  private func fill(_ sql: String, _ moves: ArraySlice<Move>) throws {
    let insert = try connection.prepare("INSERT INTO \(sql) VALUES (?, ?)")
    for move in moves { try insert.run(.integer(move.old), .integer(move.new)) }
  }
}
