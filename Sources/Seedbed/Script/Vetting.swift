import CSeedbedSQLite

/// Puts to our authorizer what SQLite would have asked it, told from a statement's words and its
/// bytecode: on a handle of the app's no authorizer can be installed, since the app's own could
/// not be put back.
struct Vetting {
  let connection: Connection
  private var authorizer: Authorizer { connection.authorizer }

  init(_ connection: Connection) { self.connection = connection }

  /// Before a statement is prepared, since that alone makes some pragmas take effect.
  func allowsBeginning(of sql: String) -> Bool {
    let words = StatementWords.first(6, of: sql)
    switch words.first {
    case "BEGIN", "COMMIT", "END": return authorizer.asked(SQLITE_TRANSACTION, words[0])
    case "ROLLBACK" where !words.contains("TO"):
      return authorizer.asked(SQLITE_TRANSACTION, words[0])
    case "SAVEPOINT", "RELEASE", "ROLLBACK": return authorizer.asked(SQLITE_SAVEPOINT, words[0])
    case "ATTACH": return authorizer.asked(SQLITE_ATTACH, "")
    case "DETACH": return authorizer.asked(SQLITE_DETACH, "")
    case "PRAGMA": return allowsPragma(sql)
    default: return true
    }
  }

  /// `PRAGMA main.table_info(words)` and `PRAGMA table_info(words)`.
  private func allowsPragma(_ sql: String) -> Bool {
    let words = Array(StatementWords(sql).prefix(3))
    let schemas = ["main", "temp"]
    let isQualified = words.count > 1 && schemas.contains(words[1].asciiLowercased())
    let index = isQualified ? 2 : 1
    let hasArgument = sql.utf8.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "(") }
    return authorizer.asked(
      SQLITE_PRAGMA, index < words.count ? words[index] : "", hasArgument ? "" : nil)
  }

  /// Before a prepared statement takes its first step.
  func allows(_ sql: String) throws -> Bool {
    let words = Array(StatementWords(sql))
    if words.first?.uppercased() == "EXPLAIN" { return true }
    let deeds = try deeds(of: sql)
    if deeds.writesElsewhere {
      throw SeedbedError(
        .sql,
        "This writes to another database than the migration's. Take it out: one migration, "
          + "one file.")
    }
    let kind = words.prefix(2).map { $0.uppercased() }
    if ["CREATE", "ALTER", "DROP"].contains(kind.first), kind.last != "VIEW" {
      // The schema's own pages are written, so any word may be the table's name.
      let isAllowed = words.allSatisfy { authorizer.asked(SQLITE_ALTER_TABLE, "main", $0) }
      if !isAllowed { return false }
    }
    if let table = Self.droppedTable(words), !authorizer.asked(SQLITE_DROP_TABLE, table) {
      return false
    }
    if let table = Self.createdTable(words), !authorizer.asked(SQLITE_CREATE_TABLE, table) {
      return false
    }
    let named = try Set(words.map { $0.asciiLowercased() }).intersection(virtualTables())
    return deeds.written.union(deeds.writesModules ? named : []).allSatisfy {
      authorizer.asked(SQLITE_UPDATE, $0)
    }
  }

  /// Notes the tables that the app's triggers write when a table's rows change.
  func noteTriggers(of table: String) throws {
    for change in try connection.changes(of: table) { try noteTriggers(of: table, change) }
  }

  private func noteTriggers(of table: String, _ change: String) throws {
    for written in try deeds(of: change).written
    where written.asciiLowercased() != table.asciiLowercased() {
      if authorizer.ledgerTables.contains(written.asciiLowercased()) {
        // The bytecode does not say which one it is.
        let refusal = Authorizer.ledgerRefusal("A trigger of '\(table)'", written)
        throw SeedbedError(.sql, refusal + ".")
      }
      _ = authorizer.asked(SQLITE_UPDATE, written, trigger: table)
    }
  }

  /// Refuses the trigger that was made last, if it writes the ledger.
  func refuseNewestTrigger() throws {
    let newest = try connection.value(
      "SELECT tbl_name FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY rowid DESC LIMIT 1")
    guard let table = newest?.text else { return }
    for change in try connection.changes(of: table) {
      do {
        if connection.isLent {
          try noteTriggers(of: table, change)
        } else {
          _ = try connection.prepare(change)
        }
      } catch let failure as SQLiteFailure where failure.refusal == nil {
        // A view takes no such change, or the trigger names what is not there: nothing fires it.
      }
    }
  }

  /// `DROP TABLE IF EXISTS main.words`
  private static func droppedTable(_ words: [String]) -> String? {
    guard words.prefix(2).map({ $0.uppercased() }) == ["DROP", "TABLE"] else { return nil }
    return words.last
  }

  /// `CREATE TABLE IF NOT EXISTS main.words`
  private static func createdTable(_ words: [String]) -> String? {
    guard words.prefix(2).map({ $0.uppercased() }) == ["CREATE", "TABLE"] else { return nil }
    return words.dropFirst(2).first {
      !["IF", "NOT", "EXISTS", "MAIN"].contains($0.uppercased())
    }
  }

  /// Looks whether this SQLite's bytecode says what we read out of it.
  func refuseUnknownBytecode(_ table: String) throws {
    for change in ["DELETE FROM", "INSERT INTO"] {
      let sql =
        "\(change) main.\(table.quoted)" + (change == "DELETE FROM" ? "" : " DEFAULT VALUES")
      guard try deeds(of: sql).written == [table] else {
        throw SeedbedError(
          .needsConnection,
          "The SQL of the migrations cannot be vetted on this handle: SQLite "
            + "\(String(cString: sqlite3_libversion())) explains its statements in another way. "
            + "Let Seedbed open the database itself, with .file(path).")
      }
    }
  }

  private struct Deeds {
    var written: Set<String> = []
    var writesModules = false
    var writesElsewhere = false
  }

  /// > OpenWrite P1 P2 P3: Open a read/write cursor named P1 on the table or index whose root page
  /// > is P2 in the database P3. Clear P1 P2: Delete all contents of the table whose root page is
  /// > P1 in the database P2. (The SQLite Bytecode Engine)
  private func deeds(of sql: String) throws -> Deeds {
    let roots = try tablesByRoot()
    var deeds = Deeds()
    for step in try connection.rows("EXPLAIN " + sql) {
      let root: Int64
      let database: Int64
      switch step[1].text {
      // A root page that is not known yet stands in a register: a table that the statement makes.
      case "OpenWrite" where (step[6].integer ?? 0) & 0x10 == 0:
        (root, database) = (step[3].integer ?? 0, step[4].integer ?? 0)
      case "Clear": (root, database) = (step[2].integer ?? 0, step[3].integer ?? 0)
      case "VUpdate":
        deeds.writesModules = true
        continue
      default: continue
      }
      if database > 1 { deeds.writesElsewhere = true }
      if database == 0, let table = roots[root] { deeds.written.insert(table) }
    }
    return deeds
  }

  private func tablesByRoot() throws -> [Int64: String] {
    let rows = try connection.rows(
      "SELECT rootpage, tbl_name FROM main.sqlite_schema WHERE rootpage > 0")
    return rows.reduce(into: [:]) { roots, row in
      if let root = row[0].integer, let name = row[1].text { roots[root] = name }
    }
  }

  private func virtualTables() throws -> Set<String> {
    let rows = try connection.rows(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage = 0")
    return Set(rows.compactMap { $0[0].text?.asciiLowercased() })
  }
}

extension Connection {
  /// One statement of each kind that changes a table's rows, to be prepared and never run.
  func changes(of table: String) throws -> [String] {
    let columns = try rows("PRAGMA main.table_xinfo(\(table.quoted))")
      .filter { $0[6] == 0 }.compactMap { $0[1].text?.quoted }
    return [
      "INSERT INTO main.\(table.quoted) DEFAULT VALUES",
      "DELETE FROM main.\(table.quoted)",
      "UPDATE main.\(table.quoted) SET \(columns.map { "\($0) = \($0)" }.joined(separator: ", "))",
    ]
  }
}
