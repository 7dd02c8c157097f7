/// What a person decides about a row, in the ledger.
extension Ledger {
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

  /// Ends a pin. A row that is the user's for another reason stays theirs.
  func unpin(_ row: Migrator.UserOwnedKey, on connection: any DatabaseSession) throws {
    try connection.execute(
      "DELETE FROM \(table("left_to_user")) WHERE table_name = ? AND key = ? AND kind = ?",
      [.text(row.table), .text(row.key.json), .text(Reason.pinned.word)])
  }

  /// Why a release or a person left a key, given as `RowJSON.collatedKey`, to the user; nil if none
  /// did. Whether the row is pinned is another question.
  func reason(table name: String, key: String, on connection: any DatabaseSession) throws -> Reason?
  {
    try reasons(table: name, key: key, on: connection).last { $0 != .pinned }
  }

  func isPinned(table name: String, key: String, on connection: any DatabaseSession) throws -> Bool
  {
    try reasons(table: name, key: key, on: connection).contains(.pinned)
  }

  private func reasons(
    table name: String, key: String, on connection: any DatabaseSession
  ) throws -> [Reason] {
    try connection.rows(
      """
      SELECT kind FROM \(table("left_to_user")) WHERE table_name = ? AND key = ? ORDER BY version
      """, [.text(name), .text(key)]
    ).map { try Reason(logged: $0.text(0)) }
  }
}
