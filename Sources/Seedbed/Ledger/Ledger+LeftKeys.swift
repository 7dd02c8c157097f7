/// Keys left to the user. One may have several reasons, and each lasts until what it is about ends.
extension Ledger {
  /// Adds a reason why a key is the user's. It has those that it had, too: a pin is one of them.
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

  /// Gives the row under a key back to the seed. Only `unpin` ends a pin.
  func takeBack(table name: String, key: String, on connection: any DatabaseSession) throws {
    try connection.execute(
      "DELETE FROM \(table("left_to_user")) WHERE table_name = ? AND key = ? AND kind <> ?",
      [.text(name), .text(key), .text(Reason.pinned.word)])
  }

  /// Gives the keys that a migration left to the user back to the seed. A row that a user deleted
  /// stays deleted.
  func giveBackKeys(of version: Version, on connection: any DatabaseSession) throws {
    try connection.execute(
      "DELETE FROM \(table("left_to_user")) WHERE version = ? AND kind <> ?",
      [.integer(version), .text(Reason.deletedByUser.word)])
  }

  /// Changes keys left to the user after their rows got other keys. All change at once, since rows
  /// may exchange their keys. Two that get the same key both leave it to the user.
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
    // Of the same reason twice, the one that `down` ends last.
    for entry in entries.ordered(by: { $0[2].integer ?? 0 }) {
      let (key, reason) = try (entry.text(0), Reason(logged: entry.text(1)))
      let version = try entry.integer(2)
      try connection.execute(
        """
        DELETE FROM \(table("left_to_user"))
        WHERE table_name = ? AND key = ? AND kind = ? AND version > ?
        """, [.text(name), .text(key), .text(reason.word), .integer(version)])
      try leaveToUser(table: name, key: key, reason, version: version, on: connection)
    }
  }

  /// The keys of a table that are left to the user, as `RowJSON.collatedKey`.
  func keysLeftToUser(table name: String, on connection: any DatabaseSession) throws -> [String] {
    try connection.rows(
      "SELECT key FROM \(table("left_to_user")) WHERE table_name = ?", [.text(name)]
    ).map { try $0.text(0) }
  }

  /// Whether a key, given as `RowJSON.collatedKey`, is left to the user.
  func leavesToUser(
    table name: String, key: String, on connection: any DatabaseSession
  ) throws -> Bool {
    try connection.finds(
      "SELECT 1 FROM \(table("left_to_user")) WHERE table_name = ? AND key = ?",
      [.text(name), .text(key)])
  }

  /// All rows left to the user, in one table or in all.
  func leftToUser(
    table name: String? = nil, on connection: any DatabaseSession
  ) throws -> [Migrator.UserOwnedKey] {
    let ofTable = name == nil ? "" : "WHERE table_name = ?"
    return try connection.rows(
      """
      SELECT table_name, key, kind, version FROM \(table("left_to_user")) \(ofTable)
      ORDER BY table_name, key, kind
      """, [name].compactMap { $0.map { .text($0) } }
    ).map { row in
      let version = try row.integer(3)
      return try Migrator.UserOwnedKey(
        table: row.text(0), key: Migrator.Row(logged: row.text(1), "entry of left_to_user"),
        reason: row.text(2), version: version == 0 ? nil : version)
    }
  }
}
