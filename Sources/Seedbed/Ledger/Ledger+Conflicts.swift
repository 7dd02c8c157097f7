/// The log of conflicts, and the keys left to the user.
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
    on connection: any DatabaseSession, version: Version? = nil, after number: Int64 = 0,
    limit: Int? = nil
  ) throws -> [Migrator.Conflict] {
    let ofVersion = version.map { " AND version = \($0)" } ?? ""
    return try conflicts(where: "id > ?" + ofVersion, [.integer(number)], limit, on: connection)
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
  func lastConflict(on connection: any DatabaseSession) throws -> Int64 {
    try connection.value("SELECT max(id) FROM \(table("conflicts"))")?.integer ?? 0
  }

  func conflictCount(
    of version: Version, after number: Int64, on connection: any DatabaseSession
  ) throws -> Int {
    let found = try connection.value(
      "SELECT count(*) FROM \(table("conflicts")) WHERE version = ? AND id > ?",
      [.integer(version), .integer(number)])
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

  /// Whether a row of the table was skipped; a nil key means any row.
  func hasSkipped(table name: String, key: String?, on connection: any DatabaseSession) throws
    -> Bool
  {
    try connection.value(
      """
      SELECT 1 FROM \(table("conflicts"))
      WHERE table_name = ? AND resolution = 'skipped' AND key = coalesce(?, key) LIMIT 1
      """, [.text(name), Value(key)]) != nil
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

  /// Records the side that a person chose, the row that gave way to it, and the values written.
  func settle(
    _ conflict: Int64, _ side: Migrator.Conflict.Side, mine: Migrator.Row?, seed: Migrator.Row?,
    at time: String, on connection: any DatabaseSession
  ) throws {
    try connection.execute(
      """
      UPDATE \(table("conflicts")) SET settled = ?, settled_at = ?,
        mine = coalesce(?, mine), seed = coalesce(?, seed)
      WHERE id = ?
      """,
      [
        .text(side.rawValue), .text(time), Value(mine?.json), Value(seed?.json),
        .integer(conflict),
      ])
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

  // MARK: left to the user

  /// `key` is a `RowJSON.collatedKey`, so that other spellings of the same key find it.
  @inline(never) func leaveToUser(
    table name: String, key: String, _ reason: Reason, version: Version,
    on connection: any DatabaseSession
  ) throws {
    assert(Reason.ofLeftKeys.contains(reason), "The ledger does not take '\(reason.word)'.")
    assert(version >= 0, "No release has the version \(version).")
    try connection.execute(
      """
      INSERT INTO \(table("left_to_user")) (table_name, key, version, kind) VALUES (?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """, [.text(name), .text(key), .integer(version), .text(reason.word)])
  }

  /// Gives the row under a key back to the seed.
  func takeBack(table name: String, key: String, on connection: any DatabaseSession) throws {
    try connection.execute(
      "DELETE FROM \(table("left_to_user")) WHERE table_name = ? AND key = ?",
      [.text(name), .text(key)])
  }

  /// Gives a row that a person pinned back to the seed.
  func unpin(_ row: Migrator.UserOwnedKey, on connection: any DatabaseSession) throws {
    try connection.execute(
      "DELETE FROM \(table("left_to_user")) WHERE table_name = ? AND key = ? AND kind = ?",
      [.text(row.table), .text(row.key.json), .text(Reason.pinned.word)])
  }

  /// Gives the keys that a migration left to the user back to the seed. A row that a user deleted
  /// stays deleted.
  func giveBackKeys(of version: Version, on connection: any DatabaseSession) throws {
    try connection.execute(
      "DELETE FROM \(table("left_to_user")) WHERE version = ? AND kind <> ?",
      [.integer(version), .text(Reason.deletedByUser.word)])
  }

  /// Changes keys left to the user after their rows got other keys. All change at once, since rows
  /// may exchange their keys.
  func renameKeysLeftToUser(
    table name: String, _ keys: [(old: String, new: String)], on connection: any DatabaseSession
  ) throws {
    assert(keys.isEmpty || !connection.isOutsideTransaction, "Keys change with their rows.")
    let entries = try keys.flatMap { key in
      try connection.rows(
        """
        DELETE FROM \(table("left_to_user")) WHERE table_name = ? AND key = ?
        RETURNING ?, kind, version
        """, [.text(name), .text(key.old), .text(key.new)])
    }
    for entry in entries {
      let reason = try Reason(logged: entry.text(1))
      try leaveToUser(
        table: name, key: entry.text(0), reason, version: entry.integer(2), on: connection)
    }
  }

  /// Why a key, given as `RowJSON.collatedKey`, is left to the user; nil if it is not.
  func reason(table name: String, key: String, on connection: any DatabaseSession) throws -> Reason?
  {
    try connection.value(
      "SELECT kind FROM \(table("left_to_user")) WHERE table_name = ? AND key = ?",
      [.text(name), .text(key)])?.text.map(Reason.init(logged:))
  }

  /// The keys of a table that are left to the user, as `RowJSON.collatedKey`.
  func keysLeftToUser(table name: String, on connection: any DatabaseSession) throws -> [String] {
    try connection.rows(
      "SELECT key FROM \(table("left_to_user")) WHERE table_name = ?", [.text(name)]
    ).map { try $0.text(0) }
  }

  /// All rows left to the user, in one table or in all.
  func leftToUser(
    table name: String? = nil, on connection: any DatabaseSession
  ) throws -> [Migrator.UserOwnedKey] {
    let ofTable = name == nil ? "" : "WHERE table_name = ?"
    return try connection.rows(
      """
      SELECT table_name, key, kind, version FROM \(table("left_to_user")) \(ofTable)
      ORDER BY table_name, key
      """, [name].compactMap { $0.map { .text($0) } }
    ).map { row in
      let version = try row.integer(3)
      return try Migrator.UserOwnedKey(
        table: row.text(0), key: Migrator.Row(logged: row.text(1), "entry of left_to_user"),
        reason: row.text(2), version: version == 0 ? nil : version)
    }
  }
}
