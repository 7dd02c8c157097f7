/// The log of conflicts, and the keys that were left to the user.
extension Ledger {
  /// Logs a conflict and returns its number.
  @discardableResult
  func insert(_ conflict: Conflict, on connection: Connection) throws -> Int64 {
    try connection.value(
      """
      INSERT INTO \(table("conflicts"))
        (version, table_name, key, kind, policy, resolution, moved_to, base, mine, seed, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """,
      [
        .integer(conflict.version), .text(conflict.table), .text(conflict.key),
        .text(conflict.kind.rawValue), Value(conflict.policy),
        .text(conflict.resolution.rawValue), Value(conflict.movedTo), Value(conflict.base),
        Value(conflict.mine), Value(conflict.seed), .text(conflict.at),
      ])?.integer ?? 0
  }

  func conflicts(
    on connection: Connection, version: Version? = nil, limit: Int? = nil
  ) throws -> [Conflict] {
    let statement = try connection.prepare(
      """
      SELECT id, version, table_name, key, kind, policy, resolution, moved_to, base, mine, seed,
             at, undone_at
      FROM \(table("conflicts")) WHERE ?1 IS NULL OR version = ?1 ORDER BY id LIMIT ?2
      """)
    statement.bind([Value(version), Value(limit ?? -1)])
    var conflicts: [Conflict] = []
    while try statement.step() {
      conflicts.append(
        Conflict(
          id: statement.integer(0), version: statement.integer(1), table: statement.text(2) ?? "",
          key: statement.text(3) ?? "",
          kind: Conflict.Kind(rawValue: statement.text(4) ?? "") ?? .edited,
          policy: statement.text(5),
          resolution: Conflict.Resolution(rawValue: statement.text(6) ?? "") ?? .keptUser,
          movedTo: statement.text(7), base: statement.text(8), mine: statement.text(9),
          seed: statement.text(10), at: statement.text(11) ?? "", undoneAt: statement.text(12)))
    }
    return conflicts
  }

  /// Whether a row of the table was passed over; nil: any row.
  func hasSkipped(table name: String, key: String?, on connection: Connection) throws -> Bool {
    try connection.value(
      """
      SELECT 1 FROM \(table("conflicts"))
      WHERE table_name = ?1 AND resolution = 'skipped' AND (?2 IS NULL OR key = ?2) LIMIT 1
      """, [.text(name), Value(key)]) != nil
  }

  /// Forgets all conflicts. The keys left to the user stay theirs.
  func pruneConflicts(on connection: Connection) throws -> Int {
    try connection.execute("DELETE FROM \(table("conflicts"))")
    return Int(connection.changes)
  }

  /// `key` is `RowJSON.collatedKey`, so that other spellings of the same key are found again.
  func leaveToUser(
    table name: String, key: String, version: Version, on connection: Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO \(table("left_to_user")) (table_name, key, version) VALUES (?, ?, ?)
      ON CONFLICT DO NOTHING
      """, [.text(name), .text(key), .integer(version)])
  }

  /// The keys of a table that were left to the user, as `RowJSON.collatedKey`.
  func keysLeftToUser(table name: String, on connection: Connection) throws -> [String] {
    try connection.rows(
      "SELECT key FROM \(table("left_to_user")) WHERE table_name = ?", [.text(name)]
    ).compactMap { $0[0].text }
  }
}

extension Ledger {
  func conflictCount(of version: Version, on connection: Connection) throws -> Int {
    let found = try connection.value(
      "SELECT count(*) FROM \(table("conflicts")) WHERE version = ?", [.integer(version)])
    return Int(found?.integer ?? 0)
  }
}
