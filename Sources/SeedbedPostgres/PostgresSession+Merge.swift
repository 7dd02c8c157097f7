package import Seedbed

/// What the merge asks of an engine.
extension PostgresSession {
  package func tables(beginningWith prefix: String) throws -> Set<String> {
    let found = try rows(
      """
      SELECT lower(relname) FROM pg_class
      WHERE relkind IN ('r', 'p') AND pg_table_is_visible(oid) AND starts_with(lower(relname), ?)
      """, [.text(prefix)])
    return Set(found.compactMap { $0[0].text })
  }

  package func highestReference(
    _ column: ColumnSchema, of table: TableSchema
  ) throws -> Int64? {
    guard ["smallint", "integer", "bigint"].contains(column.declaredType) else { return nil }
    return try value("SELECT max(\(column.name.quoted)) FROM \(dialect.table(table.name))")?.integer
  }

  package func noteIDs(of tables: [TableSchema]) throws {
    for table in tables { try raiseSequence(of: table) }
  }

  /// To drop an index, readers would have to wait.
  package func setAside(_ indexes: [String]) throws -> () throws -> Void { {} }

  /// PostgreSQL names the row in its own error.
  package func danglingRow() -> (child: String, parent: String)? { nil }

  /// Checked by tools of the server's, such as amcheck.
  package func damage() throws -> [String] { [] }

  /// Readers go on, and writers wait, as with SQLite: nobody writes between our look and our write.
  package func holdOffWriters(of tables: [String]) throws {
    for table in tables {
      try execute("LOCK TABLE \(dialect.table(table)) IN SHARE ROW EXCLUSIVE MODE")
    }
  }
}
