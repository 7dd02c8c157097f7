package import Seedbed

extension PostgresSession {
  package func run(
    _ script: Script, _ rules: ScriptRules,
    onRow: ([(name: String, value: Value)], Script.Piece) throws -> Void
  ) throws {
    let parsed = try PostgresScript(script, ledgerTables: protectedTables)
    if parsed.statements.isEmpty { return }
    switch rules {
    case .change:
      let before = try surroundings()
      for statement in parsed.statements { try parsed.run(statement, on: self, onRow) }
      try restore(before, script)
    case .readOnly:
      try readOnly {
        for statement in parsed.statements { try parsed.run(statement, on: self, onRow) }
      }
    }
  }

  /// The server refuses statements that write. The savepoint undoes the file's settings.
  private func readOnly(_ body: () throws -> Void) throws {
    try executeAll("SAVEPOINT seedbed_verify; SET LOCAL transaction_read_only = on")
    // A failed rollback adds nothing: the transaction was lost before.
    defer { try? executeAll("ROLLBACK TO seedbed_verify; RELEASE seedbed_verify") }
    try body()
  }

  // MARK: what a file must leave as it was

  /// The settings that the merge relies on, and the writes to the ledger so far.
  private struct Surroundings {
    var settings: [[Value]]
    var ledgerRows: Value
  }

  private func surroundings() throws -> Surroundings {
    let tables = protectedTables.map { PostgresName($0.text).table.quotedLiteral }
    let rows = try rows(
      """
      SELECT name, current_setting(name) FROM unnest(ARRAY[
        'session_authorization', 'role', 'search_path', 'lock_timeout', 'statement_timeout',
        'idle_in_transaction_session_timeout', 'row_security', 'session_replication_role',
        'standard_conforming_strings', 'datestyle', 'intervalstyle', 'timezone', 'xmloption',
        'extra_float_digits', 'bytea_output', 'cursor_tuple_fraction']) AS name
      UNION ALL
      SELECT '', coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text
      FROM pg_stat_xact_user_tables WHERE relname IN (\((tables + ["''"]).joined(separator: ", ")))
      """)
    return Surroundings(settings: rows.filter { $0[0] != "" }, ledgerRows: rows.last?[1] ?? .null)
  }

  /// SET LOCAL lasts to the end of the transaction, but is meant for the file.
  ///
  /// - Throws: if a function, a trigger or a rule that the file called wrote to the ledger, which
  ///   its words did not show.
  private func restore(_ before: Surroundings, _ script: Script) throws {
    let after = try surroundings()
    if after.ledgerRows != before.ledgerRows {
      throw SeedbedError(
        .sql,
        "A function or trigger that this file runs writes to the ledger, which belongs to Seedbed. "
          + "SQL files may only read it.", at: SeedbedError.Place(script.name))
    }
    for (old, new) in zip(before.settings, after.settings) where old != new {
      try execute("SELECT set_config(?, ?, true)", old)
    }
  }
}

extension PostgresScript {
  func run(
    _ statement: Statement, on session: PostgresSession,
    _ onRow: ([(name: String, value: Value)], Script.Piece) throws -> Void
  ) throws {
    let piece = statement.piece
    try session.refuseShared(code(of: statement), at: script.place(piece))
    let hasRun = try script.onStatement?(
      Script.UpcomingStatement(
        place: script.place(piece), sql: piece.sql,
        effects: PostgresEffects(code(of: statement)).effects))
    let result: PostgresResult
    do {
      result = try session.run(piece.sql)
    } catch let failure as PostgresFailure {
      throw error(failure, statement)
    }
    for row in 0..<result.rowCount {
      let values = result.values(row).enumerated().map { column, value in
        (name: result.columnName(column), value: value)
      }
      try onRow(values, piece)
    }
    try hasRun?()
  }

  // MARK: errors

  private func error(_ failure: PostgresFailure, _ statement: Statement) -> SeedbedError {
    let place = place(of: failure, in: statement)
    switch failure.sqlState {
    case "25006": return SeedbedError(.sql, "verify.sql may only read.", at: place)
    case "2D000":
      return SeedbedError(
        .sql,
        "A migration is already one transaction: remove COMMIT and ROLLBACK from what this calls.",
        at: place)
    default: break
    }
    // The place shows which statement it was.
    let error = failure.with { $0.sql = nil }.seedbedError
    guard error.code == .sql, let hint = failure.hint else { return error.located(at: place) }
    return error.with { $0.message += " " + hint }.located(at: place)
  }

  /// The place in the file at which the server stopped: a character of the statement, or a line of
  /// a DO block.
  private func place(
    of failure: PostgresFailure, in statement: Statement
  ) -> SeedbedError.Place {
    if let position = failure.position, position > 0 {
      let before = statement.piece.sql.unicodeScalars.prefix(position - 1)
      let offset = before.reduce(0) { $0 + UTF8.width($1) }
      return script.place(script.piece(at: statement.range.lowerBound + offset))
    }
    if let line = failure.lineOfBlock,
      let body = code(of: statement).first(where: \.isString)
    {
      let start = script.piece(at: body.range.lowerBound).line
      return SeedbedError.Place(script.name, line: start + line - 1)
    }
    return script.place(statement.piece)
  }
}

extension PostgresFailure {
  /// The line in `PL/pgSQL function inline_code_block line 3 at SQL statement`, counted from the
  /// line on which the block's text begins.
  fileprivate var lineOfBlock: Int? {
    let mark = "function inline_code_block line "
    for line in (context ?? "").split(separator: "\n") {
      guard let found = line.firstRange(of: mark) else { continue }
      return Int(line[found.upperBound...].prefix { $0.isASCII && $0.isNumber })
    }
    return nil
  }
}
