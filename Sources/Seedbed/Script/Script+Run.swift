import CSeedbedSQLite

/// Runs statement by statement, so that an error names its line.
extension Script {
  /// Runs every statement, each under the rules that `rules` returns for it. `onRow` gets the rows
  /// that a statement returns (verify.sql).
  func run(
    on connection: Connection, rules: (Piece) throws -> Authorizer.Rules,
    onRow: (Statement, Piece) throws -> Void = { _, _ in }
  ) throws {
    try checkText()
    // Ends with a zero byte, and stays in one place while SQLite reads it.
    try (bytes + [0]).withUnsafeBufferPointer { buffer in
      try buffer.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else { return }
        try walk(start, on: connection, rules, onRow)
      }
    }
  }

  private func walk(
    _ start: UnsafePointer<CChar>, on connection: Connection,
    _ rules: (Piece) throws -> Authorizer.Rules, _ onRow: (Statement, Piece) throws -> Void
  ) throws {
    var position = skipBlanks(from: 0)
    var lines = Lines(in: self)
    let vetting = connection.isLent ? try Vetting(connection) : nil
    while position < bytes.count {
      try connection.cancellation?.check()
      lines.advance(to: position)
      let piece = piece(at: lines)
      if piece.sql.prefix(6).uppercased() == "VACUUM" {
        // SQLite does not ask the authorizer about this.
        throw SeedbedError(
          .sql, "VACUUM is not allowed: it cannot run in a transaction. Remove it.",
          at: place(piece))
      }
      let length = try connection.authorizer.with(try rules(piece)) {
        try runOne(piece, start + position, on: connection, vetting, onRow)
      }
      position = skipBlanks(from: position + max(length, 1))
    }
  }

  /// Runs the statement that begins at `start` and returns its length in bytes.
  private func runOne(
    _ piece: Piece, _ start: UnsafePointer<CChar>, on connection: Connection, _ vetting: Vetting?,
    _ onRow: (Statement, Piece) throws -> Void
  ) throws -> Int {
    var prepared: OpaquePointer?
    var tail: UnsafePointer<CChar>?
    connection.authorizer.forgetStatement()
    let vetted = try located(at: piece) { try vetting?.vet(start, piece.sql) }
    if vetted?.verdict == .refused { throw refusal(on: connection, piece) }
    guard sqlite3_prepare_v2(connection.handle, start, -1, &prepared, &tail) == SQLITE_OK else {
      throw failure(on: connection, piece)
    }
    if let prepared {
      let statement = Statement(prepared, of: connection)
      if let vetted, vetted.verdict == .unknown,
        try !located(at: piece, { try vetted.allowsWords(of: statement.sql) })
      {
        throw refusal(on: connection, piece)
      }
      // The authorizer cannot distinguish a query's own writes from those that a module prepares.
      if connection.authorizer.rules == .readOnly, !statement.isReadOnly {
        throw SeedbedError(.sql, "verify.sql may only read.", at: place(piece))
      }
      let effects = connection.authorizer.effects
      let hasRun = try onStatement?(
        UpcomingStatement(place: place(piece), sql: statement.sql, effects: effects))
      do {
        while try statement.step() { try onRow(statement, piece) }
      } catch is SQLiteFailure {
        throw failure(on: connection, piece)
      }
      try hasRun?()
      vetted?.follow(statement.sql)
      try refuseTriggerOnLedger(on: connection, vetting, piece)
    }
    return tail.map { $0 - start } ?? bytes.count
  }

  /// Prepares statements that would fire the trigger, because SQLite checks a trigger only then.
  private func refuseTriggerOnLedger(
    on connection: Connection, _ vetting: Vetting?, _ piece: Piece
  ) throws {
    let words = SQLTokens.firstWords(3, of: piece.sql)
    guard words.first == "CREATE", words.contains("TRIGGER"),
      let table = try connection.value(
        """
        SELECT tbl_name FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY rowid DESC LIMIT 1
        """)?.text
    else { return }
    try located(at: piece) {
      try connection.authorizer.withoutNoting {
        try connection.noteTriggers(of: [ExactText(table)], vetting)
      }
    }
  }

  private func located<Result>(at piece: Piece, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw SeedbedError.from(error).located(at: place(piece))
    }
  }

  /// Skips white space, semicolons, comments and a byte order mark between statements.
  package func skipBlanks(from start: Int) -> Int {
    let tokens = SQLTokens(bytes, max(start, textStart)..<bytes.count)
    let first = tokens.first { $0.kind != .comment && !$0.isSign(";") }
    return first?.range.lowerBound ?? bytes.count
  }

  /// The connection's failure, at the byte at which SQLite stopped.
  private func failure(on connection: Connection, _ piece: Piece) -> SeedbedError {
    let failure = connection.failure(nil)
    let offset = max(failure.offset ?? 0, 0)
    let place = place(offset > 0 ? self.piece(at: piece.offset + offset) : piece)
    if connection.authorizer.refusal != nil, failure.primaryCode == SQLITE_AUTH {
      return refusal(on: connection, piece)
    }
    if failure.primaryCode == SQLITE_ERROR, failure.seedbedError.code == .sql {
      return SeedbedError(.sql, "SQLite error 1: \(failure.message).", at: place)
    }
    return failure.seedbedError.located(at: place)
  }

  private func refusal(on connection: Connection, _ piece: Piece) -> SeedbedError {
    SeedbedError(.sql, (connection.authorizer.refusal ?? "Not allowed") + ".", at: place(piece))
  }
}
