import CSeedbedSQLite

/// Vets the SQL files on a handle of the app's, where no authorizer can be installed, since the
/// app's own could not be put back: each statement is prepared first on a database in memory that
/// has the same schema, no rows, and our authorizer.
///
/// What cannot be prepared there, for want of the app's functions, collations or modules, is judged
/// by its words.
final class Vetting {
  private let connection: Connection
  private let copy: Connection
  private var authorizer: Authorizer { connection.authorizer }

  init(_ connection: Connection) throws {
    self.connection = connection
    copy = try Connection("", .memory, authorizer: connection.authorizer)
    authorizer.install(on: copy.handle)
    for pragma in ["foreign_keys", "legacy_alter_table"] {
      let value = try connection.value("PRAGMA \(pragma)")?.integer ?? 0
      try copy.execute("PRAGMA \(pragma)=\(value)")
    }
    for (schema, create) in [("main", "CREATE"), ("temp", "CREATE TEMP")] {
      // Virtual tables first: they make tables of their own, which are in the list again.
      let statements = try connection.rows(
        """
        SELECT '\(create)' || substr(sql, 7) FROM \(schema).sqlite_schema WHERE sql NOT NULL
        ORDER BY type = 'trigger', type = 'index', type = 'view', rootpage > 0, rowid
        """)
      for sql in statements.compactMap({ $0[0].text }) { repeatOnCopy(sql) }
    }
  }

  /// Makes the same change to the copy's schema. What needs something of the app's fails there, and
  /// what uses it is judged by its words.
  private func repeatOnCopy(_ sql: String) {
    authorizer.withoutNoting { try? copy.execute(sql) }
  }

  /// After a statement has run.
  func follow(_ sql: String) {
    let first = StatementWords.first(1, of: sql)
    if ["CREATE", "ALTER", "DROP"].contains(first.first) { repeatOnCopy(sql) }
  }

  enum Verdict { case allowed, refused, unknown }

  /// Before a statement is prepared on the handle, since that alone makes some pragmas take effect.
  ///
  /// - Throws: what is wrong with a statement whose first word is not among those that may use what
  ///   is the app's.
  func verdict(_ start: UnsafePointer<CChar>, _ sql: String) throws -> Verdict {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v2(copy.handle, start, -1, &prepared, nil)
    sqlite3_finalize(prepared)
    if code == SQLITE_OK { return .allowed }
    if authorizer.refusal != nil { return .refused }
    let kinds = [
      "SELECT", "WITH", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE", "CREATE", "ALTER",
      "DROP",
    ]
    if let kind = StatementWords.first(1, of: sql).first, kinds.contains(kind) { return .unknown }
    throw copy.failure(nil)
  }

  /// Whether the words of a statement allow it: any of them may be the name of what it writes.
  func allowsWords(of sql: String) throws -> Bool {
    let words = Set(StatementWords.all(of: sql).map { $0.asciiLowercased() })
    let kind = StatementWords.first(2, of: sql)
    if kind.first == "SELECT" || kind.first == "VALUES" { return true }
    if try !words.isDisjoint(with: namesElsewhere()) {
      throw SeedbedError(
        .sql,
        "This writes to a database other than the migration's. Remove it: one migration, one file.")
    }
    if kind == ["DROP", "TABLE"] {
      return words.allSatisfy { authorizer.asked(SQLITE_DROP_TABLE, $0) }
    }
    if kind == ["CREATE", "TABLE"], let table = Self.createdTable(sql),
      !authorizer.asked(SQLITE_CREATE_TABLE, table)
    {
      return false
    }
    return try tables().allSatisfy { table in
      !words.contains(table.asciiLowercased()) || authorizer.asked(SQLITE_UPDATE, table)
    }
  }

  /// `CREATE TABLE IF NOT EXISTS main.words`
  private static func createdTable(_ sql: String) -> String? {
    StatementWords.all(of: sql).dropFirst(2).first {
      !["IF", "NOT", "EXISTS", "MAIN"].contains($0.uppercased())
    }
  }

  private func tables() throws -> [String] {
    try connection.rows("SELECT name FROM main.sqlite_schema WHERE type = 'table'")
      .compactMap { $0[0].text }
  }

  /// What the app has attached, and the tables in it that no table of the migration's hides.
  private func namesElsewhere() throws -> Set<String> {
    let names = try connection.rows(
      """
      SELECT lower(name) FROM pragma_database_list WHERE name NOT IN ('main', 'temp') UNION
      SELECT lower(name) FROM pragma_table_list WHERE schema NOT IN ('main', 'temp')
      EXCEPT SELECT lower(name) FROM pragma_table_list WHERE schema = 'main'
      """)
    return Set(names.compactMap { $0[0].text })
  }

  // MARK: triggers

  /// Notes the tables that triggers write when a table's rows change.
  ///
  /// - Throws: if one writes the ledger.
  func noteTriggers(of table: String) throws {
    for change in try copy.changes(of: table) {
      do {
        _ = try copy.prepare(change)
      } catch let failure as SQLiteFailure where failure.refusal == nil {
        // It uses what is the app's, or a view takes no such change.
        try noteWords(ofTriggersOf: table)
      }
    }
  }

  private func noteWords(ofTriggersOf table: String) throws {
    let triggers = try connection.rows(
      """
      SELECT name, sql FROM main.sqlite_schema
      WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE
      """, [.text(table)])
    for trigger in triggers {
      let words = Set(StatementWords.all(of: trigger[1].text ?? "").map { $0.asciiLowercased() })
      for name in try tables() where name.asciiLowercased() != table.asciiLowercased() {
        guard words.contains(name.asciiLowercased()) else { continue }
        if !authorizer.asked(SQLITE_UPDATE, name, trigger: trigger[0].text) {
          throw SeedbedError(.sql, (authorizer.refusal ?? "Not allowed") + ".")
        }
      }
    }
  }
}

extension Connection {
  /// The table of the trigger that was made last.
  func tableOfNewestTrigger() throws -> String? {
    try value(
      "SELECT tbl_name FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY rowid DESC LIMIT 1")?
      .text
  }

  /// Prepares each kind of change to a table's rows, which makes SQLite look into its triggers.
  ///
  /// - Throws: if one writes the ledger.
  func lookIntoTriggers(of table: String) throws {
    for change in try changes(of: table) {
      do {
        _ = try prepare(change)
      } catch let failure as SQLiteFailure where failure.refusal == nil {
        // A view takes no such change, or the trigger names what is not there: nothing fires it.
      }
    }
  }

  /// One statement of each kind that changes a table's rows, to be prepared and never run.
  fileprivate func changes(of table: String) throws -> [String] {
    let columns = try rows("PRAGMA main.table_xinfo(\(table.quoted))")
      .filter { $0[6] == 0 }.compactMap { $0[1].text?.quoted }
    return [
      "INSERT INTO main.\(table.quoted) DEFAULT VALUES",
      "DELETE FROM main.\(table.quoted)",
      "UPDATE main.\(table.quoted) SET \(columns.map { "\($0) = \($0)" }.joined(separator: ", "))",
    ]
  }
}
