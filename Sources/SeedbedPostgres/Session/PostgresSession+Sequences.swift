package import Seedbed

/// Sequences, from which SERIAL and IDENTITY columns take their ids.
extension PostgresSession {
  /// The highest id in the table, or the last one that its sequence gave.
  package func highestID(of table: TableSchema, _ id: ColumnSchema) throws -> Int64? {
    let name = dialect.table(table.name)
    let highest = try value("SELECT max(\(id.name.quoted))::bigint FROM \(name)")?.integer
    let given = try value(
      """
      SELECT pg_sequence_last_value(pg_get_serial_sequence(?, ?)::regclass)
      """, [.text(name), .text(id.name)])?.integer
    return [highest, given].compactMap { $0 }.max()
  }

  package func raiseSequence(of table: String, to last: Int64) throws {
    for (sequence, _) in try sequences(of: table) { try raise(sequence, to: last) }
  }

  package func raiseSequence(of table: TableSchema) throws {
    let name = dialect.table(table.name)
    for (sequence, column) in try sequences(of: table.name) {
      let highest = try value("SELECT max(\(column.quoted))::bigint FROM \(name)")?.integer
      if let highest { try raise(sequence, to: highest) }
    }
  }

  /// Raises a sequence, but not beyond its end: there the next id is an error in the application. A
  /// sequence that counts down is left alone. ROLLBACK does not lower it again.
  private func raise(_ sequence: Int64, to last: Int64) throws {
    try execute(
      """
      SELECT setval(seqrelid::regclass, least(?::bigint, seqmax)) FROM pg_sequence
      WHERE seqrelid = ? AND seqincrement > 0 AND ?1::bigint >= seqmin
        AND ?1::bigint > coalesce(pg_sequence_last_value(seqrelid::regclass), seqmin - 1)
      """, [.integer(last), .integer(sequence)])
  }

  /// The sequences that columns of the table own, by their oids.
  private func sequences(of table: String) throws -> [(oid: Int64, column: String)] {
    try rows(
      """
      SELECT d.objid, a.attname FROM pg_depend AS d
      JOIN pg_sequence AS s ON s.seqrelid = d.objid
      JOIN pg_attribute AS a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
      WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
        AND d.deptype IN ('a', 'i') AND d.refobjid = to_regclass(?)
      ORDER BY a.attnum
      """, [.text(dialect.table(table))]
    ).compactMap { row in
      guard let oid = row[0].integer, let column = row[1].text else { return nil }
      return (oid, column)
    }
  }
}
