/// The log of conflicts.
extension Ledger {
  /// A conflict to log, with its rows as `RowJSON.object`.
  struct Entry {
    var kind: Migrator.Conflict.Kind
    var resolution: Migrator.Conflict.Resolution
    var table: String
    var key: String
    var policy: String?
    var movedTo: String?
    var base: String?
    var mine: String?
    var seed: String?
  }

  /// The prepared statement that logs a conflict, since there may be many.
  func conflictInsert(on connection: any DatabaseSession) throws -> any Cursor {
    try connection.cursor(
      """
      INSERT INTO \(table("conflicts"))
        (version, table_name, key, kind, policy, resolution, moved_to, base, mine, seed, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
  }

  func insert(_ entry: Entry, version: Version, by statement: any Cursor) throws {
    assert(entry.resolution != .moved || entry.movedTo != nil, "A row moved to no key.")
    assert(Reason.ofConflicts.contains(Reason(entry.kind)), "The ledger has no such kind.")
    try statement.run([
      .integer(version), .text(entry.table), .text(entry.key), .text(entry.kind.rawValue),
      Value(entry.policy), .text(entry.resolution.rawValue), Value(entry.movedTo),
      Value(entry.base), Value(entry.mine), Value(entry.seed), .text(Clock.timestamp()),
    ])
  }

  /// The conflicts in the order of their numbers, beginning after the number `after`.
  @inline(never) package func conflicts(
    on connection: any DatabaseSession, version: Version? = nil, isOpen: Bool = false,
    after number: Int64 = 0, limit: Int? = nil
  ) throws -> [Migrator.Conflict] {
    let ofVersion = version.map { " AND version = \($0)" } ?? ""
    return try conflicts(
      where: "id > ?" + ofVersion + Self.open(isOpen), [.integer(number)], limit, on: connection)
  }

  private static func open(_ isOpen: Bool) -> String { isOpen ? " AND settled IS NULL" : "" }

  /// The conflicts of one page of the log. It may be long, and is never read at once.
  static let page = 1000

  /// Calls `body` with each conflict in the order of their numbers.
  func eachConflict(
    on connection: any DatabaseSession, _ body: (Migrator.Conflict) throws -> Void
  ) throws {
    var last: Int64 = 0
    while case let some = try conflicts(on: connection, after: last, limit: Self.page),
      let end = some.last
    {
      for conflict in some { try body(conflict) }
      last = end.id
    }
  }

  private func conflicts(
    where condition: String, _ values: [Value], _ limit: Int? = nil,
    on connection: any DatabaseSession
  ) throws -> [Migrator.Conflict] {
    let statement = try connection.cursor(
      """
      SELECT id, version, table_name, key, kind, policy, resolution, moved_to, base, mine, seed,
             at, settled, settled_at
      FROM \(table("conflicts")) WHERE \(condition) ORDER BY id LIMIT ?
      """)
    statement.bind(values + [Value(limit ?? .max)])
    var conflicts: [Migrator.Conflict] = []
    while try statement.step() {
      let row = statement.values(from: 0)
      let logged = { (column: Int) in
        try row[column].text.map { try Migrator.Row(logged: $0, "conflict \(row.integer(0))") }
      }
      conflicts.append(
        try Migrator.Conflict(
          id: row.integer(0), version: row.integer(1), table: row.text(2),
          key: Migrator.Row(logged: row.text(3), "conflict \(row.integer(0))"),
          kind: Migrator.Conflict.Kind(logged: row.text(4)), policy: row[5].text,
          resolution: Migrator.Conflict.Resolution(logged: row.text(6)),
          movedTo: logged(7), base: logged(8), mine: logged(9), seed: logged(10),
          at: Migrator.Timestamp(text: row.text(11)),
          settled: row[12].text.map(Migrator.Conflict.Side.init(logged:)),
          settledAt: row.time(13)))
    }
    return conflicts
  }

  /// The rows of users whose UNIQUE values kept a seed's row out, and the seed's row. A user's row
  /// that moved since has its new key.
  func holders(
    table name: String, on connection: any DatabaseSession
  ) throws -> [(row: Migrator.Row, seed: Migrator.Row)] {
    let found = try conflicts(
      where: """
        table_name = ? AND (resolution = 'moved' OR kind = '\(Reason.uniqueTaken.word)'
          AND resolution = 'keptUser' AND mine IS NOT NULL AND base IS NULL)
        """, [.text(name)], on: connection)
    let moves = found.filter { $0.resolution == .moved }
    return found.compactMap { entry in
      guard entry.resolution != .moved, var row = entry.mine else { return nil }
      for move in moves where move.id > entry.id && row.has(move.key) {
        if let key = move.movedTo { row.take(key) }
      }
      return (row, entry.seed ?? Migrator.Row([], []))
    }
  }

  /// The number of the last logged conflict; 0 if there is none.
  func lastConflict(isOpen: Bool = false, on connection: any DatabaseSession) throws -> Int64 {
    try connection.value(
      "SELECT max(id) FROM \(table("conflicts")) WHERE true" + Self.open(isOpen))?.integer ?? 0
  }

  func conflictCount(
    of version: Version? = nil, after number: Int64, on connection: any DatabaseSession
  ) throws -> Int {
    let ofVersion = version.map { " AND version = \($0)" } ?? ""
    let found = try connection.value(
      "SELECT count(*) FROM \(table("conflicts")) WHERE id > ?" + ofVersion, [.integer(number)])
    return Int(found?.integer ?? 0)
  }

  func movedRows(
    of version: Version, after number: Int64, on connection: any DatabaseSession
  ) throws -> [Migrator.MovedRow] {
    try conflicts(
      where: "version = ? AND id > ? AND resolution = 'moved'",
      [.integer(version), .integer(number)], on: connection
    ).map {
      Migrator.MovedRow(table: $0.table, from: $0.key, to: $0.movedTo ?? Migrator.Row([], []))
    }
  }

  /// Why a row of the table was skipped last, if it was; a nil key means any row.
  func skipped(table name: String, key: String?, on connection: any DatabaseSession) throws
    -> Reason?
  {
    try connection.value(
      """
      SELECT kind FROM \(table("conflicts")) WHERE table_name = ? AND resolution = 'skipped'
        AND key = coalesce(?, key) ORDER BY id DESC LIMIT 1
      """, [.text(name), Value(key)]
    )?.text.map { try Reason(logged: $0) }
  }

  /// The keys of the table's rows that a migration skipped because of their parents.
  func skippedKeys(
    table name: String, by version: Version, on connection: any DatabaseSession
  ) throws -> [Migrator.Row] {
    try connection.rows(
      """
      SELECT key FROM \(table("conflicts"))
      WHERE table_name = ? AND version = ? AND resolution = 'skipped' AND base IS NULL
      """, [.text(name), .integer(version)]
    ).map { try Migrator.Row(logged: $0.text(0), "a skipped row") }
  }

  /// Removes all conflicts. The keys left to the user stay theirs.
  func pruneConflicts(on connection: any DatabaseSession) throws -> Int {
    try connection.execute("DELETE FROM \(table("conflicts"))")
    return Int(connection.changes)
  }

  /// Settles conflicts that no person has to decide any more: a release gives the seed the value
  /// that it had before the user's edit, as `revert` does, so the edit is like any other.
  ///
  /// - Parameter number: the last conflict before that release.
  /// - Returns: the number of conflicts that are settled by it.
  func settleReturned(
    after number: Int64, at time: String, on connection: any DatabaseSession
  ) throws -> Int {
    let conflicts = table("conflicts")
    func isKept(_ name: String) -> String {
      "\(name).kind = '\(Reason.edited.word)' AND \(name).resolution = 'keptUser'"
    }
    var count = 0
    for (one, condition) in [("o", "o.settled IS NULL"), ("n", "o.settled = 'mine'")] {
      try connection.execute(
        """
        UPDATE \(conflicts) SET settled = 'mine', settled_at = ? WHERE id IN (
          SELECT \(one).id FROM \(conflicts) AS n JOIN \(conflicts) AS o
            ON o.table_name = n.table_name AND o.key = n.key AND o.base = n.seed
          WHERE n.id > ? AND o.id <= ? AND \(isKept("o")) AND \(isKept("n")) AND \(condition))
        """, [.text(time), .integer(number), .integer(number)])
      count += Int(connection.changes)
    }
    return count
  }
}
