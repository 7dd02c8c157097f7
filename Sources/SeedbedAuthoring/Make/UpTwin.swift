import Seedbed

/// The down.sql for an up.sql that adds tables and columns, or renames a column.
enum UpTwin {
  /// Whether its whole effect shows in the columns of tables: it creates tables and columns, and
  /// renames columns.
  static func isWhole(_ sql: String) -> Bool {
    Script(name: "", bytes: Array(sql.utf8)).statements().allSatisfy { statement in
      switch AlterStatement.actions(of: SQLTokens.code(of: statement)).first {
      case .add?, .renameColumn?: true
      case .rename?, .drop?: false
      case nil: SQLTokens.firstWords(2, of: statement) == ["CREATE", "TABLE"]
      }
    }
  }

  /// nil if it does none of this, or something else as well, which only its author can undo.
  ///
  /// - Parameter parents: the tables to which each table refers. They are dropped after it.
  static func sql(
    from old: [ExactText: [String]], to new: [ExactText: [String]],
    parents: [ExactText: Set<ExactText>] = [:]
  ) -> String? {
    // A missing column may have been renamed. Dropping the new one would delete its values.
    if !Set(old.keys).isSubset(of: new.keys) { return nil }
    var lines: [String] = []
    for table in LoadOrder.groups(new.keys.texts, parents: parents).joined() {
      let columns = new[table] ?? []
      guard let before = old[table] else {
        lines.append("DROP TABLE \(table.quoted);")
        continue
      }
      let gone = before.filter { !columns.contains(text: $0) }
      let added = columns.filter { !before.contains(text: $0) }
      if gone.isEmpty {
        lines += added.map { "ALTER TABLE \(table.quoted) DROP COLUMN \($0.quoted);" }
      } else if gone.count == 1, added.count == 1 {
        lines.append(
          "ALTER TABLE \(table.quoted) RENAME COLUMN \(added[0].quoted) TO \(gone[0].quoted);")
      } else {
        return nil
      }
    }
    return lines.isEmpty ? nil : lines.reversed().joined(separator: "\n")
  }
}
