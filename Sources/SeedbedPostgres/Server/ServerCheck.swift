import CSeedbedPostgres
import Seedbed

/// Tries one by one what a run needs from a server. Each trial is a transaction of its own, and is
/// rolled back.
struct ServerCheck {
  let session: PostgresSession
  /// Opens a second connection to the same database.
  let openOther: () throws -> PostgresSession

  func needs(ledger: String, tables: [String]) throws -> [EngineNeed] {
    var needs = [try server()]
    for trial in [pooler, writes] {
      needs.append(try trial())
      // Without these, the other trials would only fail too.
      if !needs[needs.count - 1].isMet { return needs }
    }
    let names = try names()
    needs += try [settings()] + turns() + [savepoints(), temporaryTables(names)]
    if needs[needs.count - 1].isMet { needs += try [copy(), onConflict(), deferring()] }
    return try needs + privileges(names, ledger: ledger, tables: tables)
  }

  /// Runs a trial. If it fails, the server's answer is the result.
  func trial(
    _ name: String, else remedy: String = "Connect to a PostgreSQL server, which has this.",
    _ body: () throws -> EngineNeed?
  ) throws -> EngineNeed {
    defer { session.rollBack() }
    do {
      let schema = session.schema.map { "; " + PostgresSession.enter($0) } ?? ""
      try session.executeAll("BEGIN" + schema)
      return try body() ?? EngineNeed(name, found: "works")
    } catch let failure as PostgresFailure {
      return EngineNeed(name, found: failure.message, remedy: remedy)
    }
  }

  // MARK: the server

  private func server() throws -> EngineNeed {
    let words = try session.value("SELECT version()")?.text ?? ""
    let version = words.split(separator: " ").prefix(2).joined(separator: " ")
    let isOld = PQserverVersion(session.handle) < PostgresSession.oldestServer
    let oldest = PostgresSession.oldestServer / 10_000
    return EngineNeed(
      "PostgreSQL \(oldest) or later", found: version, remedy: isOld ? "Upgrade the server." : nil)
  }

  /// A pooler may close the connection at BEGIN, or send the next statement to another process.
  private func pooler() throws -> EngineNeed {
    let name = "one connection for a transaction"
    let remedy =
      "Set the pooler's pool mode to transaction or session, or connect to the server itself."
    return try trial(name, else: remedy) {
      let process = { try session.value("SELECT pg_backend_pid()") }
      guard try process() == process(), session.isInTransaction else {
        return EngineNeed(name, found: "a pooler does not keep it", remedy: remedy)
      }
      return nil
    }
  }

  private func writes() throws -> EngineNeed {
    let name = "writes"
    return try trial(name) {
      let row = try session.rows(
        "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'")[0]
      if row[0] == 1 {
        return EngineNeed(
          name, found: "a standby takes none",
          remedy: "Connect to the primary, or name all hosts and add "
            + "target_session_attrs=read-write.")
      }
      if row[1] == 1 {
        return EngineNeed(
          name, found: "transactions are read-only", remedy: "Connect as a user who may write.")
      }
      return nil
    }
  }

  private func settings() throws -> EngineNeed {
    let name = "settings of a run"
    do {
      try session.trySettings()
      return EngineNeed(name, found: "works")
    } catch let failure as PostgresFailure {
      return EngineNeed(
        name, found: failure.message, remedy: "Connect to a PostgreSQL server, which has this.")
    }
  }

  private func savepoints() throws -> EngineNeed {
    try trial("savepoints") {
      try session.executeAll("SAVEPOINT seedbed_check; ROLLBACK TO seedbed_check")
      try session.execute("RELEASE seedbed_check")
      return nil
    }
  }

  // MARK: what the merge writes with

  private static let table = """
    CREATE TEMPORARY TABLE seedbed_check (id bigint PRIMARY KEY, t text) ON COMMIT DROP
    """

  private func temporaryTables(_ names: Names) throws -> EngineNeed {
    let remedy =
      "Grant it: GRANT TEMPORARY ON DATABASE \(names.database.quoted) TO \(names.user.quoted)."
    return try trial("temporary tables", else: remedy) {
      try session.execute(Self.table)
      return nil
    }
  }

  private func copy() throws -> EngineNeed {
    try trial("COPY into a temporary table") {
      try session.execute(Self.table)
      try session.copyIn("COPY seedbed_check FROM STDIN", "1\tone\n")
      return nil
    }
  }

  private func onConflict() throws -> EngineNeed {
    try trial("ON CONFLICT") {
      try session.executeAll(Self.table)
      for _ in 1...2 {
        try session.execute("INSERT INTO seedbed_check VALUES (1, '') ON CONFLICT DO NOTHING")
      }
      return nil
    }
  }

  private func deferring() throws -> EngineNeed {
    try trial("DEFERRABLE foreign keys") {
      try session.executeAll(
        """
        \(Self.table);
        CREATE TEMPORARY TABLE seedbed_check_child (
          id bigint REFERENCES seedbed_check DEFERRABLE) ON COMMIT DROP;
        SET CONSTRAINTS ALL DEFERRED;
        INSERT INTO seedbed_check_child VALUES (1);
        """)
      return nil
    }
  }
}

extension PostgresSession {
  fileprivate func copyIn(_ sql: String, _ rows: String) throws {
    try send(sql)
    guard let answer = try next() else { throw failure(nil, sql) }
    guard answer.status == PGRES_COPY_IN else { throw failure(answer, sql) }
    let bytes = rows.utf8.map { CChar(bitPattern: $0) }
    PQputCopyData(handle, bytes, Int32(bytes.count))
    PQputCopyEnd(handle, nil)
    try flush(sql)
    _ = try results(sql)
  }
}
