import Seedbed

extension PostgresSession {
  /// Refuses a statement that would change a table of another schema under a name that the file
  /// writes without a schema: that of the tenant is missing, and the search path goes on to what
  /// tenants share. As far as the words of the statement show it.
  func refuseShared(_ code: [SQLToken], at place: SeedbedError.Place) throws {
    guard let schema else { return }
    for table in Self.changedTables(code) where PostgresName(table).schema == nil {
      let other = try value(
        """
        SELECT n.nspname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.oid = to_regclass(?) AND NOT (\(isOwn)) AND n.nspname !~ '^pg_'
        """, [.text(dialect.table(table))])
      guard let other = other?.text else { continue }
      throw SeedbedError(
        .sql,
        "The schema '\(schema.shortened(to: 80))' has no table '\(table.shortened(to: 80))', and "
          + "this would change that of '\(other.shortened(to: 80))'. If this is meant, write the "
          + "name of the schema before that of the table.", at: place)
    }
  }

  private static func changedTables(_ code: [SQLToken]) -> [String] {
    PostgresEffects(code).effects.compactMap { effect in
      if case .create = effect { nil } else { effect.table }
    }
  }
}
