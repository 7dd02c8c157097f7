package import Seedbed

/// What the merge needs of an engine.
extension PostgresSession {
  package func noteIDs(of tables: [TableSchema]) throws {
    for table in tables { try raiseSequence(of: table) }
  }

  /// Rolling back to a savepoint does not reset a sequence, so `noteIDs` does this.
  package func noteMovedIDs(of table: TableSchema) {}

  package var locksTables: Bool { true }

  package func leaveToApp(_ column: String, of table: String) throws {
    let keys = try rows(
      """
      SELECT conrelid::regclass::text, conname FROM pg_constraint
      JOIN pg_attribute ON attrelid = conrelid AND conkey = ARRAY[attnum]
      WHERE contype = 'f' AND conparentid = 0
        AND conrelid = to_regclass(?) AND lower(attname) = lower(?)
      """, [.text(table.quoted), .text(column)])
    for key in keys {
      try execute("ALTER TABLE \(key.text(0)) DROP CONSTRAINT \(key.text(1).quoted)")
    }
  }

  /// As with SQLite, readers go on and writers wait: no other connection writes between our reading
  /// and our writing.
  package func holdOffWriters(of tables: [String]) throws {
    for table in tables {
      try execute("LOCK TABLE \(schema(of: table).sql) IN SHARE ROW EXCLUSIVE MODE")
    }
  }
}
