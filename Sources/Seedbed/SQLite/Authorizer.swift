import CSeedbedSQLite

/// Decides what a statement may do while it is prepared, and records the tables that it writes.
///
/// > The authorizer callback is invoked as SQL statements are being compiled by
/// > sqlite3_prepare(). (sqlite3_set_authorizer)
package final class Authorizer {
  enum Rules: Equatable {
    /// Seedbed's own statements.
    case own
    /// `up.sql`, `after.sql` and their counterparts in `down`.
    case script(ledgerTables: Set<Name>, protectedTables: Set<Name>)
    /// `verify.sql`.
    case readOnly
  }

  var rules = Rules.own
  /// No trigger may write to them, whichever statement fires it.
  var ledgerTables: Set<Name> = []
  /// The tables of the main database that SQL files and triggers wrote to, spelled as in the
  /// schema.
  private(set) var written: Set<ExactText> = []
  /// The tables from which triggers delete rows, spelled as in the schema.
  var deletedByTriggers: Set<ExactText> = []
  /// The tables of the main database that SQL files created.
  private(set) var created: Set<ExactText> = []
  /// What the current statement of an SQL file itself does.
  private(set) var effects: [Script.Effect] = []
  /// The reason why the last statement was refused.
  private(set) var refusal: String?

  /// Runs `body` under other rules.
  func with<Result>(_ rules: Rules, _ body: () throws -> Result) rethrows -> Result {
    let before = self.rules
    self.rules = rules
    defer { self.rules = before }
    return try body()
  }

  /// Runs `body`, which only prepares statements: the tables that they would write are not
  /// recorded.
  func withoutNoting<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = written
    defer { written = before }
    return try with(.own, body)
  }

  /// Call before each statement of an SQL file.
  func forgetStatement() { (effects, refusal) = ([], nil) }

  func forgetWritten() { (written, created) = ([], []) }

  /// The connection owns the authorizer and outlives every call of it.
  func install(on handle: OpaquePointer) {
    sqlite3_set_authorizer(
      handle,
      { context, action, first, second, schema, trigger in
        // Most calls by far are about a column that a statement reads. These need no decision.
        if Authorizer.isHarmless(action) { return SQLITE_OK }
        let authorizer = Unmanaged<Authorizer>.fromOpaque(context!).takeUnretainedValue()
        func text(_ start: UnsafePointer<CChar>?) -> String? { start.map { String(cString: $0) } }
        return authorizer.asked(
          action, text(first) ?? "", text(second), isMain: text(schema) == "main",
          trigger: text(trigger)) ? SQLITE_OK : SQLITE_DENY
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// One call of SQLite's: records what the statement would do, and returns whether it may.
  @inline(never) func asked(
    _ action: Int32, _ name: String, _ detail: String? = nil, isMain: Bool = true,
    trigger: String? = nil
  ) -> Bool {
    // An ALTER TABLE names the database in place of a table, and no schema.
    let isMain = action == SQLITE_ALTER_TABLE ? name == "main" : isMain
    let isWrite = [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE].contains(action)
    if isMain, rules != .own {
      if action == SQLITE_CREATE_TABLE { created.insert(name) }
      if trigger == nil, let effect = Self.effect(action, name, detail) { effects.append(effect) }
    }
    if isMain, isWrite, rules != .readOnly, trigger != nil || rules != .own { written.insert(name) }
    if trigger != nil, isMain, action == SQLITE_DELETE { deletedByTriggers.insert(name) }
    if let trigger, isMain, isWrite, ledgerTables.contains(name) {
      refusal =
        "The trigger '\(trigger)' writes '\(name)', which belongs to Seedbed. Drop the trigger, or "
        + "change it so that it does not touch the ledger"
      return false
    }
    let reason: String? =
      switch rules {
      case .own: nil
      case .script(let ledger, let protected):
        Self.scriptRefusal(action, name, detail, ledger, protected)
      case .readOnly: Self.readerRefusal(action, name, detail)
      }
    if let reason { refusal = refusal ?? reason }
    return reason == nil
  }

  private static func effect(_ action: Int32, _ name: String, _ detail: String?) -> Script.Effect? {
    switch action {
    case SQLITE_CREATE_TABLE: .create(table: name)
    case SQLITE_DROP_TABLE: .drop(table: name)
    case SQLITE_INSERT: .insert(table: name)
    case SQLITE_DELETE: .delete(table: name)
    case SQLITE_UPDATE: .update(table: name, column: detail ?? "")
    // Here the table is the second argument.
    case SQLITE_ALTER_TABLE, SQLITE_CREATE_INDEX, SQLITE_DROP_INDEX, SQLITE_CREATE_TRIGGER,
      SQLITE_DROP_TRIGGER:
      .alter(table: detail ?? "")
    default: nil
    }
  }

  private static func isHarmless(_ action: Int32) -> Bool {
    switch action {
    case SQLITE_READ, SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE: true
    default: false
    }
  }

  private static let scriptPragmas: Set<String> = [
    "table_info", "index_list", "foreign_key_check", "legacy_alter_table", "optimize",
  ]

  private static func scriptRefusal(
    _ action: Int32, _ name: String, _ detail: String?, _ ledger: Set<Name>,
    _ protected: Set<Name>
  ) -> String? {
    switch action {
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      // > SQLITE_SAVEPOINT: Operation, Savepoint Name. SQLite calls the first one BEGIN.
      let verb = action == SQLITE_SAVEPOINT && name == "BEGIN" ? "SAVEPOINT" : name
      return "A migration is already one transaction: remove the \(verb) statement"
    case SQLITE_ATTACH: return "ATTACH is not allowed: one migration, one file"
    case SQLITE_DETACH: return "DETACH is not allowed: one migration, one file"
    case SQLITE_PRAGMA:
      let known = scriptPragmas
      if known.contains(name.asciiLowercased()) || isSQLitesOwn(name, detail) { return nil }
      return "PRAGMA \(name) is not allowed; only \(known.ordered().joined(separator: ", "))"
    case SQLITE_INSERT, SQLITE_DELETE, SQLITE_UPDATE, SQLITE_CREATE_TABLE, SQLITE_CREATE_VIEW,
      SQLITE_CREATE_VTABLE, SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_VIEW, SQLITE_DROP_TABLE:
      return writeRefusal(action, table: name, ledger, protected)
    // Here the table is the second argument.
    case SQLITE_CREATE_INDEX, SQLITE_DROP_INDEX, SQLITE_CREATE_TRIGGER, SQLITE_DROP_TRIGGER,
      SQLITE_CREATE_TEMP_TRIGGER, SQLITE_DROP_TEMP_TRIGGER, SQLITE_ALTER_TABLE:
      return writeRefusal(action, table: detail ?? "", ledger, protected)
    default: return nil
    }
  }

  /// Pragmas that only read, which SQLite's own modules use: FTS5 asks for the data version when it
  /// reads, FTS4 and R-tree ask for the page size when they are created, and ALTER TABLE asks for a
  /// quick check after it adds a column with a CHECK.
  private static func isSQLitesOwn(_ pragma: String, _ argument: String?) -> Bool {
    let name = pragma.asciiLowercased()
    // SQLite itself passes the name of a table. A number limits how many errors a person wants to
    // see.
    if name == "quick_check" { return argument.map { Int64($0) == nil } ?? false }
    return argument == nil && ["data_version", "page_size"].contains(name)
  }

  private static func writeRefusal(
    _ action: Int32, table: String, _ ledger: Set<Name>, _ protected: Set<Name>
  ) -> String? {
    if ledger.contains(table) {
      return "The ledger belongs to Seedbed; SQL files may only read it"
    }
    if action == SQLITE_DROP_TABLE, protected.contains(table) {
      return
        "DROP TABLE '\(table)' is refused while foreign keys are on: other tables refer to it, "
        + "and dropping it would delete or change their rows. Set \"foreignKeys\": \"off\" in "
        + "migration.json, or drop those tables first"
    }
    return nil
  }

  private static func readerRefusal(_ action: Int32, _ name: String, _ detail: String?) -> String? {
    let mayRun =
      switch action {
      case SQLITE_PRAGMA:
        readerPragmas.contains(name.asciiLowercased()) || isSQLitesOwn(name, detail)
      // FTS and RTree prepare their writes when a query first uses such a table. `Script` checks
      // the query itself with `sqlite3_stmt_readonly`.
      case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE: true
      default: false
      }
    return mayRun ? nil : "verify.sql may only read"
  }

  private static let readerPragmas: Set<String> = [
    "table_info", "index_list", "foreign_key_check", "table_xinfo", "index_info",
    "foreign_key_list",
  ]
}

extension Connection {
  /// Runs `body` between two statements of an SQL file, without the rules for such files.
  package func asSeedbed<Result>(_ body: () throws -> Result) rethrows -> Result {
    try authorizer.with(.own, body)
  }
}
