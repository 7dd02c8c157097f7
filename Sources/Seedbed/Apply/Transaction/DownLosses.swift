/// The user's data that `down.sql` and `after.down.sql` would delete.
///
/// The seed's rows and values were removed before, so all remaining ones count as the user's. If a
/// statement deletes only some rows, their owner is unknown, and a note reports the deletion.
final class DownLosses {
  private let connection: any DatabaseSession
  private(set) var notes: [String] = []

  init(_ connection: any DatabaseSession) { self.connection = connection }

  /// - Returns: what notes the rows that the statement has deleted.
  /// - Throws: if a statement deletes the whole of something that holds data of the user's.
  func look(_ statement: Script.UpcomingStatement) throws -> (() -> Void)? {
    guard let table = try connection.asSeedbed({ try deletedFrom(statement) }) else { return nil }
    return { [self] in
      let count = connection.changes
      if count == 0 { return }
      let rows = count == 1 ? "1 row" : "\(count) rows"
      notes.append(
        "\(statement.place): deleted \(rows) of '\(table)'; users' rows may be among them.")
    }
  }

  /// The table of a DELETE with a condition.
  private func deletedFrom(_ statement: Script.UpcomingStatement) throws -> String? {
    let code = SQLTokens.code(of: statement.sql, connection.dialect.flavour)
    let actions = AlterStatement.actions(of: code)
    for case .drop(let table, let column) in actions {
      try refuseColumn(column, table, statement.place)
    }
    if !actions.isEmpty { return nil }
    for case .drop(let table) in statement.effects where try holdsRows(table) {
      throw takes("DROP TABLE", "rows with '\(table)'", statement.place)
    }
    if code.first?.isWord("TRUNCATE") == true {
      for table in statement.deletesFrom where try holdsRows(table) {
        throw takes("TRUNCATE", "rows with '\(table)'", statement.place)
      }
      return nil
    }
    guard code.hasOuter("DELETE"), let table = statement.deletesFrom.first else { return nil }
    if code.hasOuter("WHERE") { return table }
    if try holdsRows(table) { throw takes("DELETE", "rows with '\(table)'", statement.place) }
    return nil
  }

  private func holdsRows(_ table: String) throws -> Bool {
    guard try connection.object(named: table)?.kind == .table else { return false }
    return try connection.value("SELECT 1 FROM \(connection.dialect.table(table)) LIMIT 1") != nil
  }

  private func refuseColumn(
    _ name: String, _ table: String, _ place: SeedbedError.Place
  ) throws {
    // If it cannot be dropped, that is reported when the statement runs.
    guard let found = try connection.object(named: table), found.kind == .table else { return }
    let schema = try connection.schema(of: found.name)
    guard let column = schema.column(name), column.generated == .no else { return }
    guard
      let isAtDefault = try UserColumns.isAtDefault(column, of: schema, in: "t", on: connection)
    else {
      if try holdsRows(found.name) {
        notes.append(
          "\(place): users' values may be lost with the column '\(column.name)' of '\(found.name)'."
        )
      }
      return
    }
    let table = connection.dialect.table(found.name)
    let left = try connection.value(
      "SELECT 1 FROM \(table) AS t WHERE NOT (\(isAtDefault)) LIMIT 1")
    if left != nil {
      throw takes("DROP COLUMN", "values in '\(column.name)' of '\(found.name)'", place)
    }
  }

  private func takes(
    _ statement: String, _ what: String, _ place: SeedbedError.Place
  ) -> SeedbedError {
    SeedbedError(
      .conflict,
      "This \(statement) would delete users' \(what). The migration was not undone. Move them "
        + "first, or discard them.", at: place
    ).remedied(by: .discardUserRows)
  }
}

extension Script.UpcomingStatement {
  /// The table of a DELETE, followed by the tables that it deletes from by a foreign key; or the
  /// tables of a TRUNCATE.
  fileprivate var deletesFrom: [String] {
    effects.compactMap { effect in
      if case .delete(let table) = effect { return table }
      return nil
    }
  }
}
