package import Seedbed

/// What the merge asks of an engine.
extension PostgresSession {
  package func noteIDs(of tables: [TableSchema]) throws {
    for table in tables { try raiseSequence(of: table) }
  }

  /// A sequence goes on where it is when a savepoint is rolled back, so `noteIDs` does it.
  package func noteMovedIDs(of table: TableSchema) {}

  /// Readers go on, and writers wait, as with SQLite: nobody writes between our look and our write.
  package func holdOffWriters(of tables: [String]) throws {
    for table in tables {
      try execute("LOCK TABLE \(schema(of: table).sql) IN SHARE ROW EXCLUSIVE MODE")
    }
  }
}
