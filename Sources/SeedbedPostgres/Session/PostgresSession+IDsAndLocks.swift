package import Seedbed

/// What the merge needs of an engine.
extension PostgresSession {
  package func noteIDs(of tables: [TableSchema]) throws {
    for table in tables { try raiseSequence(of: table) }
  }

  /// Rolling back to a savepoint does not reset a sequence, so `noteIDs` does this.
  package func noteMovedIDs(of table: TableSchema) {}

  package var locksTables: Bool { true }

  /// As with SQLite, readers go on and writers wait: no other connection writes between our reading
  /// and our writing.
  package func holdOffWriters(of tables: [String]) throws {
    for table in tables {
      try execute("LOCK TABLE \(schema(of: table).sql) IN SHARE ROW EXCLUSIVE MODE")
    }
  }
}
