/// The log of conflicts, and the keys that were left to the user.
extension Ledger {
  /// A conflict as it is logged, its rows as `RowJSON.object`.
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

  /// The statement that logs a conflict; there may be many.
  func conflictInsert(on connection: any DatabaseSession) throws -> any Cursor {
    try connection.cursor(
      """
      INSERT INTO \(table("conflicts"))
        (version, table_name, key, kind, policy, resolution, moved_to, base, mine, seed, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
  }

  func insert(_ entry: Entry, version: Version, by statement: any Cursor) throws {
    try statement.run([
      .integer(version), .text(entry.table), .text(entry.key), .text(entry.kind.rawValue),
      Value(entry.policy), .text(entry.resolution.rawValue), Value(entry.movedTo),
      Value(entry.base), Value(entry.mine), Value(entry.seed), .text(Clock.timestamp()),
    ])
  }

  /// In the order of their numbers; `after` is the number after which to begin.
  package func conflicts(
    on connection: any DatabaseSession, version: Version? = nil, after number: Int64 = 0,
    limit: Int? = nil
  ) throws -> [Migrator.Conflict] {
    let ofVersion = version.map { "AND version = \($0)" } ?? ""
    let statement = try connection.cursor(
      """
      SELECT id, version, table_name, key, kind, policy, resolution, moved_to, base, mine, seed,
             at, settled, settled_at
      FROM \(table("conflicts")) WHERE id > ? \(ofVersion)
      ORDER BY id LIMIT ?
      """)
    statement.bind([.integer(number), Value(limit ?? .max)])
    var conflicts: [Migrator.Conflict] = []
    while try statement.step() {
      let id = statement.integer(0)
      let row = { (column: Int) in
        try statement.text(column).map { try Migrator.Row(logged: $0, "conflict \(id)") }
      }
      conflicts.append(
        Migrator.Conflict(
          id: id, version: statement.integer(1), table: statement.text(2) ?? "",
          key: try row(3) ?? Migrator.Row([], []),
          kind: Migrator.Conflict.Kind(rawValue: statement.text(4) ?? "") ?? .edited,
          policy: statement.text(5),
          resolution: Migrator.Conflict.Resolution(rawValue: statement.text(6) ?? "") ?? .keptUser,
          movedTo: try row(7), base: try row(8), mine: try row(9), seed: try row(10),
          at: Migrator.Timestamp(text: statement.text(11) ?? ""),
          settled: statement.text(12).flatMap(Migrator.Conflict.Side.init),
          settledAt: statement.text(13).map { Migrator.Timestamp(text: $0) }))
    }
    return conflicts
  }

  /// The users' rows for whose UNIQUE values a seed's row stayed out, and the seed's row. One that
  /// moved since has its new key.
  func holders(
    table name: String, on connection: any DatabaseSession
  ) throws -> [(row: Migrator.Row, seed: Migrator.Row)] {
    let moves = try connection.rows(
      """
      SELECT id, key, moved_to FROM \(table("conflicts"))
      WHERE table_name = ? AND resolution = 'moved' ORDER BY id
      """, [.text(name)]
    ).map { row in
      let number = row[0].integer ?? 0
      return try (number, from: logged(row[1], number), to: logged(row[2], number))
    }
    return try connection.rows(
      """
      SELECT id, mine, seed FROM \(table("conflicts"))
      WHERE table_name = ? AND kind = 'uniqueTaken' AND resolution = 'keptUser'
        AND mine IS NOT NULL AND base IS NULL
      """, [.text(name)]
    ).map { entry in
      let number = entry[0].integer ?? 0
      var row = try logged(entry[1], number)
      for move in moves where move.0 > number && row.has(move.from) { row.take(move.to) }
      return try (row, logged(entry[2], number))
    }
  }

  private func logged(_ text: Value, _ number: Int64) throws -> Migrator.Row {
    try Migrator.Row(logged: text.text ?? "{}", "conflict \(number)")
  }

  /// Whether a row of the table was passed over; nil: any row.
  func hasSkipped(table name: String, key: String?, on connection: any DatabaseSession) throws
    -> Bool
  {
    try connection.value(
      """
      SELECT 1 FROM \(table("conflicts"))
      WHERE table_name = ? AND resolution = 'skipped' \(key == nil ? "" : "AND key = ?") LIMIT 1
      """, [.text(name)] + (key.map { [.text($0)] } ?? [])) != nil
  }

  /// Forgets all conflicts. The keys left to the user stay theirs.
  func pruneConflicts(on connection: any DatabaseSession) throws -> Int {
    try connection.execute("DELETE FROM \(table("conflicts"))")
    return Int(connection.changes)
  }

  /// Gives back the keys that a migration left to the user. What a user deleted stays deleted.
  func giveBackKeys(of version: Version, on connection: any DatabaseSession) throws {
    try connection.execute(
      "DELETE FROM \(table("left_to_user")) WHERE version = ? AND kind <> 'deletedByUser'",
      [.integer(version)])
  }

  /// Notes the side that a person chose, the row that gave way to it, and what was written.
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

  /// The reason in `left_to_user` of a row that a person pinned. No release ends it.
  static let pinned = "pinned"

  /// `key` is `RowJSON.collatedKey`, so that other spellings of the same key are found again.
  func leaveToUser(
    table name: String, key: String, _ kind: Migrator.Conflict.Kind, version: Version,
    on connection: any DatabaseSession
  ) throws {
    try leaveToUser(table: name, key: key, kind.rawValue, version: version, on: connection)
  }

  /// The same, for a reason by its name.
  func leaveToUser(
    table name: String, key: String, _ reason: String, version: Version,
    on connection: any DatabaseSession
  ) throws {
    try connection.execute(
      """
      INSERT INTO \(table("left_to_user")) (table_name, key, version, kind) VALUES (?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """, [.text(name), .text(key), .integer(version), .text(reason)])
  }

  /// Ends what a person asked for.
  func unpin(_ row: Migrator.LeftRow, on connection: any DatabaseSession) throws {
    try connection.execute(
      "DELETE FROM \(table("left_to_user")) WHERE table_name = ? AND key = ? AND kind = ?",
      [.text(row.table), .text(row.key.json), .text(Self.pinned)])
  }

  /// The row under a key is the seed's again.
  func takeBack(table name: String, key: String, on connection: any DatabaseSession) throws {
    try connection.execute(
      "DELETE FROM \(table("left_to_user")) WHERE table_name = ? AND key = ?",
      [.text(name), .text(key)])
  }

  /// Where the rows under keys left to the user get other ones; all at once, since they may
  /// exchange them.
  func renameKeysLeftToUser(
    table name: String, _ keys: [(old: String, new: String)], on connection: any DatabaseSession
  ) throws {
    let left = table("left_to_user")
    var entries: [[Value]] = []
    for key in keys {
      entries += try connection.rows(
        "DELETE FROM \(left) WHERE table_name = ? AND key = ? RETURNING ?, version, kind",
        [.text(name), .text(key.old), .text(key.new)])
    }
    for entry in entries {
      try connection.execute(
        "INSERT INTO \(left) (table_name, key, version, kind) VALUES (?, ?, ?, ?) "
          + "ON CONFLICT DO NOTHING",
        [.text(name)] + entry)
    }
  }

  /// Why a key, as `RowJSON.collatedKey`, is left to the user; nil if it is not.
  func reason(table name: String, key: String, on connection: any DatabaseSession) throws -> String?
  {
    try connection.value(
      "SELECT kind FROM \(table("left_to_user")) WHERE table_name = ? AND key = ?",
      [.text(name), .text(key)])?.text
  }

  /// The keys of a table that were left to the user, as `RowJSON.collatedKey`.
  func keysLeftToUser(table name: String, on connection: any DatabaseSession) throws -> [String] {
    try leftToUser(table: name, on: connection).map(\.key)
  }

  /// The same keys, each with its reason and the release that left it.
  func leftToUser(
    table name: String, on connection: any DatabaseSession
  ) throws -> [(key: String, kind: String, version: Version)] {
    try connection.rows(
      "SELECT key, kind, version FROM \(table("left_to_user")) WHERE table_name = ?",
      [.text(name)]
    ).map { ($0[0].text ?? "", $0[1].text ?? "", $0[2].integer ?? 0) }
  }
}

extension Ledger {
  /// All rows that are left to the user.
  func leftToUser(on connection: any DatabaseSession) throws -> [Migrator.LeftRow] {
    try connection.rows(
      """
      SELECT table_name, key, kind, version FROM \(table("left_to_user"))
      ORDER BY table_name, key
      """
    ).map { row in
      let reason = row[2].text ?? ""
      return Migrator.LeftRow(
        table: row[0].text ?? "",
        key: try Migrator.Row(logged: row[1].text ?? "{}", "entry of left_to_user"),
        reason: reason, version: reason == Self.pinned ? nil : row[3].integer)
    }
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
    try connection.rows(
      """
      SELECT table_name, key, moved_to, id FROM \(table("conflicts"))
      WHERE version = ? AND id > ? AND resolution = 'moved' ORDER BY id
      """, [.integer(version), .integer(number)]
    ).map { row in
      let number = row[3].integer ?? 0
      return try Migrator.MovedRow(
        table: row[0].text ?? "", from: logged(row[1], number), to: logged(row[2], number))
    }
  }

  /// The number of the last conflict that was logged; 0 before the first.
  func lastConflict(on connection: any DatabaseSession) throws -> Int64 {
    try connection.value("SELECT max(id) FROM \(table("conflicts"))")?.integer ?? 0
  }
}
