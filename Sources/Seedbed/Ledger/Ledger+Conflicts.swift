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

  /// Says a row of the seed's anew.
  func mend(_ number: Int64, key: String?, seed: String, on connection: Connection) throws {
    try connection.execute(
      "UPDATE \(table("conflicts")) SET key = coalesce(?, key), seed = ? WHERE id = ?",
      [Value(key), .text(seed), .integer(number)])
  }

  /// In the order of their numbers; `after` is the number behind which to begin.
  func conflicts(
    on connection: Connection, version: Version? = nil, after number: Int64 = 0,
    limit: Int? = nil
  ) throws -> [Conflict] {
    let statement = try connection.prepare(
      """
      SELECT id, version, table_name, key, kind, policy, resolution, moved_to, base, mine, seed,
             at, undone_at
      FROM \(table("conflicts")) WHERE id > ?3 AND (?1 IS NULL OR version = ?1)
      ORDER BY id LIMIT ?2
      """)
    statement.bind([Value(version), Value(limit ?? -1), .integer(number)])
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

  /// The users' rows for whose UNIQUE values a seed's row stayed out, with the conflict's number
  /// and the seed's row.
  func holders(
    table name: String, on connection: Connection
  ) throws -> [(number: Int64, row: String, seed: String)] {
    try connection.rows(
      """
      SELECT id, mine, seed FROM \(table("conflicts"))
      WHERE table_name = ? AND kind = 'uniqueTaken' AND resolution = 'keptUser'
        AND mine IS NOT NULL AND base IS NULL AND undone_at IS NULL
      """, [.text(name)]
    ).compactMap { row in
      row[1].text.map { (row[0].integer ?? 0, $0, row[2].text ?? "{}") }
    }
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
  ///
  /// The migrations that had some are marked: without its log none of them can be taken back.
  func pruneConflicts(on connection: Connection) throws -> Int {
    let versions = try connection.rows(
      "SELECT DISTINCT version FROM \(table("conflicts")) WHERE undone_at IS NULL")
    for row in versions {
      try mark(.prunedConflicts, version: row[0].integer ?? 0, on: connection)
    }
    try connection.execute("DELETE FROM \(table("conflicts"))")
    return Int(connection.changes)
  }

  /// Gives back the keys that a migration left to the user.
  func giveBackKeys(of version: Version, on connection: Connection) throws {
    try connection.execute(
      "DELETE FROM \(table("left_to_user")) WHERE version = ?", [.integer(version)])
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

  /// The row under a key is the seed's again.
  func takeBack(table name: String, key: String, on connection: Connection) throws {
    try connection.execute(
      "DELETE FROM \(table("left_to_user")) WHERE table_name = ? AND key = ?",
      [.text(name), .text(key)])
  }

  /// Where the rows under keys left to the user get other ones; all at once, since they may
  /// exchange them.
  func renameKeysLeftToUser(
    table name: String, _ keys: [(old: String, new: String)], on connection: Connection
  ) throws {
    let left = table("left_to_user")
    var versions: [Value] = []
    for key in keys {
      let values: [Value] = [.text(name), .text(key.old)]
      versions.append(
        try connection.value(
          "SELECT version FROM \(left) WHERE table_name = ? AND key = ?", values) ?? .null)
      try connection.execute("DELETE FROM \(left) WHERE table_name = ? AND key = ?", values)
    }
    for (key, version) in zip(keys, versions) {
      try leaveToUser(
        table: name, key: key.new, version: version.integer ?? 0, on: connection)
    }
  }

  /// The keys of a table that were left to the user, as `RowJSON.collatedKey`.
  func keysLeftToUser(table name: String, on connection: Connection) throws -> [String] {
    try connection.rows(
      "SELECT key FROM \(table("left_to_user")) WHERE table_name = ?", [.text(name)]
    ).compactMap { $0[0].text }
  }
}

extension Ledger {
  func conflictCount(of version: Version, after number: Int64, on connection: Connection) throws
    -> Int
  {
    let found = try connection.value(
      "SELECT count(*) FROM \(table("conflicts")) WHERE version = ? AND id > ?",
      [.integer(version), .integer(number)])
    return Int(found?.integer ?? 0)
  }

  func movedRows(of version: Version, after number: Int64, on connection: Connection) throws
    -> [MovedRow]
  {
    try connection.rows(
      """
      SELECT table_name, key, moved_to FROM \(table("conflicts"))
      WHERE version = ? AND id > ? AND resolution = 'moved' ORDER BY id
      """, [.integer(version), .integer(number)]
    ).map { MovedRow(table: $0[0].text ?? "", from: $0[1].text ?? "", to: $0[2].text ?? "") }
  }

  /// The number of the last conflict that was logged; 0 before the first.
  func lastConflict(on connection: Connection) throws -> Int64 {
    try connection.value("SELECT max(id) FROM \(table("conflicts"))")?.integer ?? 0
  }
}

extension Ledger {
  /// Notes that a change was made already, so that `down` leaves it; no columns for a whole row.
  func noteAlreadyThere(
    version: Version, table name: String, key: String, columns: [String],
    on connection: Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO \(table("already_there")) (version, table_name, key, columns)
      VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
      """,
      [.integer(version), .text(name), .text(key), .text(RowJSON.array(columns))])
  }

  /// What was noted so, by table and key; no columns for a whole row.
  func alreadyThere(
    version: Version, on connection: Connection
  ) throws -> [(table: String, key: String, columns: [String])] {
    try connection.rows(
      "SELECT table_name, key, columns FROM \(table("already_there")) WHERE version = ?",
      [.integer(version)]
    ).compactMap { row in
      guard let table = row[0].text, !table.isEmpty, let key = row[1].text else { return nil }
      let json = try JSONParser.parse(Array((row[2].text ?? "[]").utf8), file: "the ledger")
      guard case .array(let names) = json.value else { return nil }
      let columns = names.compactMap { name -> String? in
        if case .string(let text) = name.value { text } else { nil }
      }
      return (table, key, columns)
    }
  }

  /// Why a migration can never be taken back, as a row of `already_there` without a table.
  enum Mark: String {
    case unchangedInserts = "unchanged inserts"
    case prunedConflicts = "pruned conflicts"
  }

  func mark(_ mark: Mark, version: Version, on connection: Connection) throws {
    try noteAlreadyThere(
      version: version, table: "", key: mark.rawValue, columns: [], on: connection)
  }

  func marks(of version: Version, on connection: Connection) throws -> Set<Mark> {
    let rows = try connection.rows(
      "SELECT key FROM \(table("already_there")) WHERE version = ? AND table_name = ''",
      [.integer(version)])
    return Set(rows.compactMap { $0[0].text.flatMap(Mark.init(rawValue:)) })
  }
}
