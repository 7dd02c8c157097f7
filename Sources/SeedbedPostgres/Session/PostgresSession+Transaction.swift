import CSeedbedPostgres
import Seedbed

extension PostgresSession {
  /// After an error the transaction is still open, but accepts only ROLLBACK.
  package var isInTransaction: Bool {
    let status = PQtransactionStatus(handle)
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE
  }

  /// False on a connection that was lost, which the next statement finds.
  package var isOutsideTransaction: Bool { PQtransactionStatus(handle) == PQTRANS_IDLE }

  /// Not REPEATABLE READ: the statement that waits for the lock must not fix what later ones see.
  /// It is named whatever the server, the database or the role has as the default.
  static let isolation = "READ COMMITTED"

  package func beginImmediate() throws {
    let results = try interruptible { try begin(Self.isolation, and: lockSQL) }
    guard let state = results.dropLast(3).last else { return }
    do {
      if state.integer(0, 0) == 1 { throw SeedbedError.standby() }
      if state.integer(0, 1) == 1 { throw SeedbedError.readOnlyServer() }
      try refuse(state, from: 3)
      try refuseScatteringPooler(state.integer(0, 2))
    } catch {
      rollBack()
      throw error
    }
  }

  /// A pooler reports its own number instead of the server's process. It must send the next
  /// statement to the same process, in the same transaction.
  private func refuseScatteringPooler(_ process: Int64) throws {
    guard process != Int64(PQbackendPID(handle)) else { return }
    let next = try value("SELECT pg_backend_pid()")?.integer
    guard next == process, isInTransaction else { throw SeedbedError.scatteringPooler() }
  }

  package func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    let results = try begin("REPEATABLE READ, READ ONLY", and: "SELECT \(schemaState)")
    defer { rollBack() }
    if let found = results.last { try refuse(found, from: 0) }
    return try body()
  }

  /// Throws if tables of the schema could not be found, or not be named: a dot in a name separates
  /// a schema from its table.
  private func refuse(_ found: PostgresResult, from column: Int) throws {
    if found.integer(0, column) == 1 { throw SeedbedError.noSchema(schema) }
    if case .text(let name) = found.value(0, column + 1), name.contains(".") {
      throw SeedbedError.dotInSchema(name, remedy: "Rename it")
    }
  }

  /// Tries the settings that a run makes for its transactions.
  func trySettings() throws {
    _ = try begin("REPEATABLE READ, READ ONLY", and: "")
    rollBack()
  }

  package func rollBack() {
    guard isInTransaction else { return }
    // A late interrupt may hit this statement instead of the one that it was meant for. Any other
    // failure here hides nothing: the cause was thrown before, and a lost connection rolls back
    // too.
    for _ in 0..<2 where isInTransaction {
      let before = isInterruptible
      isInterruptible = false
      defer { isInterruptible = before }
      try? sendAll("ROLLBACK")
      _ = try? results("ROLLBACK")
    }
    forgetStatements()
  }

  /// Begins a transaction in a single round trip. The settings end with the transaction, since with
  /// a pooler others use the connection afterwards.
  func begin(_ isolation: String, and last: String) throws -> [PostgresResult] {
    guard !isInTransaction else {
      throw PostgresFailure(
        sqlState: "25001", message: "there is already a transaction in progress")
    }
    forgetStatements()
    transactionCount += 1
    writtenBefore = [:]
    let settings = settings.map { "SET LOCAL \($0.0) = \($0.1)" }
    let sql =
      ["BEGIN ISOLATION LEVEL \(isolation)"] + settings + (schema.map { [Self.enter($0)] } ?? [])
      + (last.isEmpty ? [] : [last])
    do {
      return try runAll(sql.joined(separator: "; "))
    } catch let failure as PostgresFailure where failure.sqlState == "08P01" {
      // A pooler in statement mode refuses BEGIN, and closes the connection.
      throw SeedbedError.scatteringPooler()
    } catch {
      rollBack()
      throw error
    }
  }

  /// Puts the schema before those that the connection's search path has. Not for the connection: a
  /// pooler may give it to others afterwards.
  static func enter(_ schema: String) -> String {
    let path =
      "concat_ws(', ', \(schema.quoted.quotedLiteral), "
      + "nullif(current_setting('search_path'), ''))"
    return "SELECT set_config('search_path', \(path), true)"
  }

  /// Whether there is no schema for the tables, and its name. The server passes over a schema in
  /// the search path that does not exist, or that the role may not use.
  private var schemaState: String {
    let isNowhere =
      schema.map { "current_schema() IS DISTINCT FROM \($0.quotedLiteral)" }
      ?? "current_schema() IS NULL"
    return "\(isNowhere), current_schema()::text"
  }

  private var settings: [(String, String)] {
    let timeout = max(1, min(lockTimeoutSeconds * 1000, 2e9)).rounded()
    let newer = PQserverVersion(handle) < 170_000 ? [] : [("transaction_timeout", "0")]
    return newer + [
      ("lock_timeout", "\(Int(timeout))"),
      ("statement_timeout", "0"),
      ("idle_in_transaction_session_timeout", "0"),
      // > row_security: when set to off, queries which would otherwise apply at least one policy
      // > fail.
      ("row_security", "off"),
      ("standard_conforming_strings", "on"),
      // Values are written and read as text: one text for each value, whatever the role's settings
      // are.
      ("datestyle", "'ISO, YMD'"), ("intervalstyle", "postgres"), ("timezone", "'UTC'"),
      ("extra_float_digits", "1"), ("bytea_output", "hex"), ("xmloption", "content"),
      // Cursors are always read to the end.
      ("cursor_tuple_fraction", "1"),
      // Each statement runs once, so compiling it takes longer than it saves.
      ("jit", "off"),
    ]
  }

  /// Waits for its turn. First it asks what the server is, and makes COMMIT wait for the disk.
  /// While it waits, the ledger may be made in another schema, whose lock it then takes, too.
  private var lockSQL: String {
    """
    SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on',
      pg_backend_pid(), \(schemaState);
    SELECT set_config('synchronous_commit', 'on', true)
    WHERE current_setting('synchronous_commit') = 'off';
    SELECT pg_advisory_xact_lock(\(lockName));
    SELECT pg_advisory_xact_lock(\(lockName))
    """
  }

  /// The number of the ledger's lock, from its prefix and the oid of its schema: ledgers in two
  /// schemas do not wait for each other. A ledger that is not there yet will be made in the first
  /// schema of the search path.
  var lockName: String {
    let prefix = ledgerName.asciiLowercased()
    let here = "to_regnamespace(quote_ident(current_schema()))::oid"
    let found = """
      coalesce(
        (SELECT relnamespace FROM pg_class
          WHERE oid = to_regclass(\(dialect.table("\(prefix)_ledger").quotedLiteral))), \(here))
      """
    let schema = self.schema == nil ? found : here
    return "hashtextextended(\("seedbed:\(prefix):".quotedLiteral) || \(schema), 0)"
  }

  // MARK: foreign keys

  package func enforcesForeignKeys() throws -> Bool {
    try value("SELECT current_setting('session_replication_role') <> 'replica'") == 1
  }

  /// Only a superuser can switch them off.
  package func setForeignKeys(enforced: Bool) throws {}

  /// Defers the DEFERRABLE ones. All others are checked after each statement.
  package func deferForeignKeys() throws { try execute("SET CONSTRAINTS ALL DEFERRED") }

  package func checkDeferredKeys() throws {
    try execute("SET CONSTRAINTS ALL IMMEDIATE")
    try deferForeignKeys()
  }

  package func hasForeignKeyViolations() throws -> Bool {
    try execute("SAVEPOINT seedbed_check")
    var found: PostgresFailure?
    do {
      try execute("SET CONSTRAINTS ALL IMMEDIATE")
    } catch let failure as PostgresFailure where failure.isConstraint {
      found = failure
    }
    // This defers them again.
    try execute("ROLLBACK TO seedbed_check")
    try execute("RELEASE seedbed_check")
    if let found, !found.isForeignKey { throw found }
    return found != nil
  }
}
