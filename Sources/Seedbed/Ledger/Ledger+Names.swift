/// Renames tables and columns in the ledger's records of rows.
extension Ledger {
  struct Renamed: Equatable {
    /// The table's name before and now, which may be the same.
    var old: String
    var new: String
    /// The new names of columns, by their old names.
    var columns: [Name: String]
  }

  /// Renames all at once, since tables may exchange their names.
  func follow(_ tables: [Renamed], on connection: any DatabaseSession) throws {
    try followKeys(tables, on: connection)
    try followConflicts(tables, on: connection)
  }

  private func followKeys(_ tables: [Renamed], on connection: any DatabaseSession) throws {
    let entries = try tables.map { table in
      try connection.rows(
        """
        DELETE FROM \(self.table("left_to_user")) WHERE table_name = ? RETURNING key, kind, version
        """, [.text(table.old)])
    }
    for (table, entries) in zip(tables, entries) {
      for entry in entries {
        let reason = try Reason(logged: entry.text(1))
        try leaveToUser(
          table: table.new, key: table.renaming(entry.text(0)), reason,
          version: entry.integer(2), on: connection)
      }
    }
  }

  private func followConflicts(_ tables: [Renamed], on connection: any DatabaseSession) throws {
    let conflicts = table("conflicts")
    let rows = try tables.map { table in
      try connection.rows(
        """
        SELECT id, key, moved_to, base, mine, seed FROM \(conflicts) WHERE table_name = ?
        """, [.text(table.old)])
    }
    let update = try connection.cursor(
      """
      UPDATE \(conflicts) SET table_name = ?, key = ?, moved_to = ?, base = ?, mine = ?, seed = ?
      WHERE id = ?
      """)
    for (table, rows) in zip(tables, rows) {
      for row in rows {
        let texts = row[1...].map { Value($0.text.map(table.renaming)) }
        try update.run([.text(table.new)] + texts + [row[0]])
      }
    }
  }
}

extension Ledger.Renamed {
  /// A logged row with the new names. A text that cannot be read stays: anyone can write there.
  fileprivate func renaming(_ text: String) -> String {
    if columns.isEmpty { return text }
    guard let row = try? Migrator.Row(logged: text, "row") else { return text }
    return Migrator.Row(row.columns.map { columns[$0] ?? $0 }, row.values).json
  }
}
