import CSeedbedSQLite

/// Checks SQL files that run on a handle of the app's. No authorizer can be installed there, since
/// the app's own could not be restored. So each statement is first prepared on a database in memory
/// with the same schema, no rows, and our authorizer.
///
/// A statement that cannot be prepared there, because it needs the app's functions, collations or
/// modules, is judged by its words.
final class Vetting {
  private let connection: Connection
  private let copy: Connection
  private var authorizer: Authorizer { connection.authorizer }

  init(_ connection: Connection) throws {
    self.connection = connection
    copy = try Connection(
      "", .memory, setup: connection.setup, authorizer: connection.authorizer)
    authorizer.install(on: copy.handle)
    for pragma in ["foreign_keys", "legacy_alter_table"] {
      let value = try connection.value("PRAGMA \(pragma)")?.integer ?? 0
      try copy.execute("PRAGMA \(pragma)=\(value)")
    }
    for (schema, create) in [("main", "CREATE"), ("temp", "CREATE TEMP")] {
      // Virtual tables first. They create tables of their own, which also occur in the list.
      let statements = try connection.texts(
        """
        SELECT '\(create)' || substr(sql, 7) FROM \(schema).sqlite_schema WHERE sql NOT NULL
        ORDER BY type = 'trigger', type = 'index', type = 'view', rootpage > 0, rowid
        """)
      for sql in statements { repeatOnCopy(sql) }
    }
  }

  /// Makes the same change to the copy's schema. A statement that needs something of the app's
  /// fails there, and later statements that use it are judged by their words.
  private func repeatOnCopy(_ sql: String) {
    authorizer.withoutNoting { try? copy.execute(sql) }
  }

  enum Verdict { case allowed, refused, unknown }

  /// A statement that was looked at. It is prepared on the handle only after that, since preparing
  /// alone makes some pragmas take effect.
  struct Vetted {
    fileprivate let vetting: Vetting
    let verdict: Verdict

    /// Whether the words of the statement allow it.
    func allowsWords(of sql: String) throws -> Bool { try vetting.allowsWords(of: sql) }

    /// Makes the change that the statement has made.
    func follow(_ sql: String) {
      let first = SQLTokens.firstWords(1, of: sql)
      if ["CREATE", "ALTER", "DROP"].contains(first.first) { vetting.repeatOnCopy(sql) }
    }
  }

  /// - Throws: the error, if the statement's first word is not one of those that may use the app's
  ///   parts.
  func vet(_ start: UnsafePointer<CChar>, _ sql: String) throws -> Vetted {
    Vetted(vetting: self, verdict: try verdict(start, sql))
  }

  private func verdict(_ start: UnsafePointer<CChar>, _ sql: String) throws -> Verdict {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v2(copy.handle, start, -1, &prepared, nil)
    sqlite3_finalize(prepared)
    if code == SQLITE_OK { return .allowed }
    if authorizer.refusal != nil { return .refused }
    let kinds = [
      "SELECT", "WITH", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE", "CREATE", "ALTER",
      "DROP",
    ]
    if let kind = SQLTokens.firstWords(1, of: sql).first, kinds.contains(kind) {
      return .unknown
    }
    throw copy.failure(nil)
  }

  /// Whether the words of a statement allow it. Any of them may be the name of a table that it
  /// writes.
  private func allowsWords(of sql: String) throws -> Bool {
    let words = SQLTokens.words(of: sql).asNames
    let kind = SQLTokens.firstWords(2, of: sql)
    if kind.first == "SELECT" || kind.first == "VALUES" { return true }
    if try !words.isDisjoint(with: namesElsewhere()) {
      throw SeedbedError(
        .sql,
        "This writes to a database other than the migration's. Remove it: one migration, one file.")
    }
    if kind == ["DROP", "TABLE"] {
      return words.allSatisfy { authorizer.asked(SQLITE_DROP_TABLE, $0.text) }
    }
    if kind == ["CREATE", "TABLE"] {
      // `CREATE TABLE IF NOT EXISTS main.words`
      let table = SQLTokens.words(of: sql).dropFirst(2).first {
        !["IF", "NOT", "EXISTS", "MAIN"].contains($0.uppercased())
      }
      if let table, !authorizer.asked(SQLITE_CREATE_TABLE, table) { return false }
    }
    return try tables().allSatisfy { table in
      !words.contains(table) || authorizer.asked(SQLITE_UPDATE, table)
    }
  }

  private func tables() throws -> [String] {
    try connection.texts("SELECT name FROM main.sqlite_schema WHERE type = 'table'")
  }

  /// The schemas that the app has attached, and their tables that no table of the migration's
  /// database hides.
  private func namesElsewhere() throws -> Set<Name> {
    try connection.texts(
      """
      SELECT lower(name) FROM pragma_database_list WHERE name NOT IN ('main', 'temp') UNION
      SELECT lower(name) FROM pragma_table_list WHERE schema NOT IN ('main', 'temp')
      EXCEPT SELECT lower(name) FROM pragma_table_list WHERE schema = 'main'
      """
    ).asNames
  }

  // MARK: triggers

  /// Records the tables that triggers write when the rows of a table change.
  ///
  /// - Throws: if a trigger writes to the ledger.
  func noteTriggers(of table: String) throws {
    // A change that fails uses a part of the app's, or a view does not accept it.
    for change in try copy.changes(ofRowsIn: table) where try !copy.allowsTriggers(of: change) {
      try noteWords(ofTriggersOf: table)
    }
  }

  private func noteWords(ofTriggersOf table: String) throws {
    for trigger in try connection.triggers(of: table) {
      let words = SQLTokens.words(of: trigger.sql).asNames
      for name in try tables() where !name.isSameName(as: table) {
        if words.contains(name),
          !authorizer.asked(SQLITE_UPDATE, name, trigger: trigger.name)
        {
          throw SeedbedError(.sql, (authorizer.refusal ?? "Not allowed") + ".")
        }
      }
    }
  }
}

extension Connection {
  /// The kinds of change to a table's rows.
  func changes(ofRowsIn table: String) throws -> [String] {
    let columns = try rows("PRAGMA main.table_xinfo(\(table.quoted))")
      .filter { $0[6] == 0 }.compactMap { $0[1].text?.quoted }
    return [
      "INSERT INTO main.\(table.quoted) DEFAULT VALUES",
      "DELETE FROM main.\(table.quoted)",
      "UPDATE main.\(table.quoted) SET \(columns.map { "\($0) = \($0)" }.joined(separator: ", "))",
    ]
  }

  /// Prepares a change, so that SQLite checks its triggers. False if it cannot be prepared.
  ///
  /// - Throws: if a trigger writes to the ledger.
  func allowsTriggers(of change: String) throws -> Bool {
    do {
      _ = try prepare(change)
      return true
    } catch let failure as SQLiteFailure where failure.refusal == nil {
      return false
    }
  }
}
