package import Seedbed

/// PostgreSQL as one of the engines.
extension PostgresSession: DatabaseSession {
  package var dialect: any Dialect { PostgresDialect() }
  package var isLent: Bool { false }

  package func asSeedbed<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
  package func comparing<Result>(_ body: () throws -> Result) throws -> Result { try body() }
  /// PostgreSQL checks always.
  package func withoutChecks<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  package func protect(_ tables: Set<String>) { protectedTables = tables }

  /// The disk is the server's own.
  package func storage() throws -> Storage { Storage() }
  package func stateNumber() throws -> Int64? { nil }
  package func hurry() throws {}

  package func look(_ query: String) throws -> Value? {
    guard isInTransaction else { return try inReadTransaction { try look(query) } }
    try execute("SAVEPOINT seedbed_look")
    defer {
      // After these the transaction is as it was; if the connection is lost, that was thrown.
      try? execute("ROLLBACK TO seedbed_look")
      try? execute("RELEASE seedbed_look")
    }
    try execute("SET LOCAL transaction_read_only = on")
    guard try isQuery(query) else { throw SeedbedError.wouldWrite(query) }
    do {
      return try value(query)
    } catch let failure as PostgresFailure where failure.sqlState == "25006" {
      throw SeedbedError.wouldWrite(query)
    }
  }

  /// Whether a statement answers with rows: COMMIT does not.
  private func isQuery(_ sql: String) throws -> Bool {
    try sendPrepare("", sql, [])
    _ = try result(sql)
    return try describe(sql).columnCount > 0
  }

  // MARK: what is written

  package func forgetWritten() {
    // Without it too many tables would count as written, which is harmless.
    writtenBefore = (try? writtenRows().mapValues(\.rows)) ?? [:]
  }

  /// The merge's own tables are among them; whoever asks adds those anyway.
  package func writtenTables(besides seeded: Set<String>) throws -> Set<String> {
    Set(try writtenRows().filter { writtenBefore[$0.key] != $0.value.rows }.map(\.value.name))
  }

  /// The rows that the transaction wrote to each table, by the tables' oids.
  private func writtenRows() throws -> [Int64: (name: String, rows: Int64)] {
    guard isInTransaction else { return [:] }
    let found = try rows(
      """
      SELECT s.relid,
        CASE WHEN pg_table_is_visible(s.relid) THEN '' ELSE s.schemaname || '.' END || s.relname,
        s.n_tup_ins + s.n_tup_upd + s.n_tup_del
      FROM pg_stat_xact_user_tables AS s JOIN pg_class AS c ON c.oid = s.relid
      WHERE c.relpersistence <> 't' AND s.n_tup_ins + s.n_tup_upd + s.n_tup_del > 0
      """)
    return found.reduce(into: [:]) { tables, row in
      guard let oid = row[0].integer, let name = row[1].text else { return }
      tables[oid] = (name, row[2].integer ?? 0)
    }
  }
}

extension SeedbedError {
  static func wouldWrite(_ query: String) -> SeedbedError {
    SeedbedError(
      .usage, "'\(query.shortened(to: 80))' would write. This only looks at the database.")
  }
}
