package import Seedbed

/// PostgreSQL as one of the engines.
extension PostgresSession: DatabaseSession {
  package var dialect: any Dialect { PostgresDialect.shared }
  package var isLent: Bool { false }

  package func asSeedbed<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
  package func comparing<Result>(_ body: () throws -> Result) throws -> Result { try body() }
  /// PostgreSQL always checks them.
  package func withoutChecks<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  package func protect(_ tables: Set<Name>) { protectedTables = tables }

  /// The disk is the server's own.
  package func storage() throws -> Storage { Storage() }
  package func stateNumber() throws -> Int64? { nil }
  package func stopSyncing() throws {}

  package func look(_ query: String) throws -> Value? {
    guard isInTransaction else { return try inReadTransaction { try look(query) } }
    try execute("SAVEPOINT seedbed_look")
    defer {
      // Afterwards the transaction is as before. If the connection is lost, that error was thrown.
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

  /// Whether a statement returns rows. COMMIT does not.
  private func isQuery(_ sql: String) throws -> Bool {
    try sendPrepare("", sql, [])
    _ = try result(sql)
    return try describe(sql).columnCount > 0
  }

  // MARK: what is written

  package func forgetWritten() {
    // If this fails, more tables than necessary count as written, which does no harm.
    writtenBefore = (try? tableStates()) ?? [:]
  }

  /// The merge's own tables are among them. The caller adds those anyway.
  package func writtenTables(besides seeded: Set<ExactText>) throws -> Set<ExactText> {
    let written = try tableStates().filter { oid, state in
      let before = writtenBefore[oid]
      return state.rows != before?.rows ?? 0 || state.files != before?.files ?? state.files
    }
    return written.values.map(\.name).asTexts
  }

  /// What foreign keys delete is counted, too.
  package func watchTriggers(
    of seeded: Set<ExactText>
  ) throws -> () throws -> [ExactText: Int64] {
    let before = try tableStates()
    return { [self] in
      try tableStates().reduce(into: [:]) { lost, state in
        lost[state.value.name] = state.value.deleted - (before[state.key]?.deleted ?? 0)
      }
    }
  }

  /// The changes that the transaction made to a table.
  struct TableState {
    var name: String
    /// The number of rows inserted, updated and deleted.
    var rows: Int64
    var deleted: Int64
    /// The files of the table and its partitions. TRUNCATE, which is not counted, creates new ones.
    var files: String
  }

  /// The ordinary tables by their oids. A partition counts as its table.
  private func tableStates() throws -> [Int64: TableState] {
    guard isInTransaction else { return [:] }
    let found = try rows(
      """
      SELECT c.oid, \(Self.spelled),
        sum(pg_stat_get_xact_tuples_inserted(f.oid) + pg_stat_get_xact_tuples_updated(f.oid)
          + pg_stat_get_xact_tuples_deleted(f.oid))::bigint,
        sum(pg_stat_get_xact_tuples_deleted(f.oid))::bigint,
        string_agg(f.relfilenode::text, ' ' ORDER BY f.oid)
      FROM pg_class AS f JOIN pg_class AS c ON c.oid = coalesce(pg_partition_root(f.oid), f.oid)
      JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE f.relkind IN ('r', 'p') AND f.relpersistence <> 't' AND \(Self.isOurs) AND \(isHere)
      GROUP BY c.oid, c.relname, n.nspname
      """)
    return try found.reduce(into: [:]) { states, row in
      states[try row.integer(0)] = try TableState(
        name: row.text(1), rows: row.integer(2), deleted: row.integer(3), files: row.text(4))
    }
  }
}

extension SeedbedError {
  static func wouldWrite(_ query: String) -> SeedbedError {
    SeedbedError(
      .usage, "'\(query.shortened(to: 80))' would write. This only looks at the database.")
  }
}
