import Seedbed

/// Checks the SQL of one migration statement by statement, before each one runs.
struct StatementLint {
  let migration: Migration
  /// nil if a server runs the SQL.
  let scratch: ScratchDatabase?
  let session: any DatabaseSession
  let findings: LintFindings
  /// The place at which each table was created.
  private(set) var makers: [Name: SeedbedError.Place]
  /// Tables that this migration created. No user has rows in them.
  private var fresh: Set<Name> = []
  /// Columns that this migration added, as `table.column`.
  private var added: Set<Name> = []
  /// Tables whose rows were all copied to another table.
  private var copied: Set<Name> = []
  /// The oldest SQLite that "sqlite" in catalog.json names.
  private let oldest: Int?
  /// Whether each file was tried with rows of users.
  private var tried: [MigrationFile] = []

  init(
    _ migration: Migration, _ scratch: ScratchDatabase, _ findings: LintFindings,
    makers: [Name: SeedbedError.Place]
  ) {
    (self.migration, self.findings, self.makers) = (migration, findings, makers)
    (self.scratch, session) = (scratch, scratch.connection)
    // An error in catalog.json was reported when it was read.
    oldest = (try? scratch.catalog.generalOptions())?.oldestSQLite
  }

  init(
    _ migration: Migration, on server: any DatabaseSession, _ findings: LintFindings,
    makers: [Name: SeedbedError.Place]
  ) {
    (self.migration, self.findings, self.makers) = (migration, findings, makers)
    (scratch, session, oldest) = (nil, server, nil)
  }

  mutating func look(_ kind: MigrationFile.Kind, _ statement: Script.UpcomingStatement) throws {
    try session.asSeedbed { try check(kind, statement) }
  }

  private mutating func check(
    _ kind: MigrationFile.Kind, _ statement: Script.UpcomingStatement
  ) throws {
    let text = SQLText(statement.sql)
    if let scratch, statement.sql.utf8.contains(UInt8(ascii: "\"")),
      let offset = try scratch.connection.doubleQuotedString(in: statement.sql)
    {
      add(.doubleQuoted, statement, line: text.line(at: offset) - 1, string(text, at: offset))
    }
    lookForNewerSQL(statement, text)
    switch kind {
    case .up, .after:
      lookForForeignTables(statement)
      try tryWithUserRows(kind)
      try lookForLosses(statement, text)
    case .verify:
      if let scratch, try scratch.catalog.options(of: migration).failsOnVerify {
        try UserRows(scratch: scratch, text: text).trips(statement.sql).map {
          add(.userRows, statement, "This query returns a row if \($0).")
        }
      }
    default: break
    }
    note(statement, text)
  }

  private func lookForForeignTables(_ statement: Script.UpcomingStatement) {
    guard let catalog = scratch?.catalog, let pack = catalog.pack else { return }
    let tables = statement.effects.map(\.table).filter {
      !catalog.mayMake($0) && !$0.asciiLowercased().hasPrefix("sqlite_")
    }
    for table in tables.asTexts.texts {
      add(
        .foreignTable, statement,
        "The SQL of the pack '\(pack.name)' is about '\(table)', which is not the pack's.")
    }
  }

  private func lookForNewerSQL(_ statement: Script.UpcomingStatement, _ text: SQLText) {
    guard scratch != nil, let oldest else { return }
    for use in NewerSQL.uses(in: text.code) where use.since > oldest {
      add(
        .newerSQLite, statement, line: text.line(at: use.offset) - 1,
        "\(use.name) came with SQLite 3.\(use.since - 3000), and \"sqlite\" in catalog.json names "
          + "3.\(oldest - 3000).")
    }
  }

  private func string(_ text: SQLText, at offset: Int) -> String {
    let token = text.tokens.last { $0.range.lowerBound <= offset && $0.kind == SQLToken.name }
    let name = token.map { "\"\($0.text.shortened(to: 40))\"" } ?? "The text in double quotes"
    return "\(name) is not a name in this statement, so SQLite treats it as a string."
  }

  private func add(
    _ code: LintCode, _ statement: Script.UpcomingStatement, line: Int = 0, _ message: String
  ) {
    var place = statement.place
    place.line = (place.line ?? 1) + line
    place.column = nil
    findings.add(code, place, message, migration)
  }

  // MARK: what users' rows may break

  /// A constraint that comes later also holds for the rows that users have by then.
  private mutating func tryWithUserRows(_ kind: MigrationFile.Kind) throws {
    guard let scratch, let file = migration.file(kind), !tried.contains(file) else { return }
    tried.append(file)
    let script = Script(
      name: migration.place(of: file),
      bytes: try scratch.catalog.bytes(of: file.name, in: migration.folder))
    let text = SQLText(script.bytes)
    let constraints = [["UNIQUE"], ["CHECK"], ["NOT", "NULL"], ["PRIMARY", "KEY"]]
    guard constraints.contains(where: text.code.has) else { return }
    try UserRows(scratch: scratch, text: text).breaks(script, besides: fresh) { place, message in
      findings.add(
        .userRows, SeedbedError.Place(place?.file ?? script.name, line: place?.line), message,
        migration)
    }
  }

  // MARK: what users may lose

  private mutating func lookForLosses(
    _ statement: Script.UpcomingStatement, _ text: SQLText
  ) throws {
    for effect in statement.effects {
      if case .drop(let table) = effect, try holdsUserRows(table) {
        return add(
          .destructive, statement,
          "This drops the table '\(table)' with everything that users have in it, and no statement "
            + "before copied its rows.")
      }
    }
    for case .drop(let table, let column) in AlterStatement.actions(of: text.code)
    where try holdsUserRows(table) && !added.contains(Self.name(table, column)) {
      return add(
        .destructive, statement,
        "This drops the column '\(column)' of '\(table)' with everything that users have in it.")
    }
    if text.code.contains(where: { $0.isWord("DROP") || $0.isWord("ALTER") }) { return }
    guard !text.code.hasOuter("WHERE") else { return }
    for effect in statement.effects {
      switch effect {
      case .delete(let table) where try text.code.hasOuter("DELETE") && holdsUserRows(table):
        return add(
          .destructive, statement,
          "This deletes all rows of '\(table)', including users' rows.")
      case .update(let table, let column)
      where try text.code.hasOuter("UPDATE") && !text.code.hasOuter("INSERT")
        && holdsUserRows(table)
        && !added.contains(Self.name(table, column)):
        return add(
          .destructive, statement,
          "This sets '\(column)' in all rows of '\(table)', including users' rows.")
      default: continue
      }
    }
  }

  private func holdsUserRows(_ table: String) throws -> Bool {
    if fresh.contains(table) || copied.contains(table) { return false }
    // A virtual table is usually an index of other tables.
    return try session.object(named: table)?.kind == .table
  }

  // MARK: what happened so far

  private mutating func note(_ statement: Script.UpcomingStatement, _ text: SQLText) {
    var written: Set<Name> = []
    for effect in statement.effects {
      switch effect {
      case .create(let table):
        fresh.insert(table)
        written.insert(table)
        makers[table] = statement.place
      case .insert(let table): written.insert(table)
      case .drop(let table):
        fresh.remove(Name(table))
        copied.remove(Name(table))
      default: continue
      }
    }
    if text.code.prefix(2).has(["CREATE", "TRIGGER"]) {
      let named = text.code.dropFirst(text.code.prefix(3).has(["TRIGGER", "IF"]) ? 5 : 2)
      let name = named.dropFirst(named.prefix(2).contains { $0.isSign(".") } ? 2 : 0).first
      makers[Self.name("trigger", name?.text ?? "")] = statement.place
    }
    // Every CREATE also writes to the schema's own table.
    noteCopies(to: written.filter { !$0.text.asciiLowercased().hasPrefix("sqlite_") }, text)
    for action in AlterStatement.actions(of: text.code) {
      switch action {
      case .rename(let table, let name): rename(Name(table), Name(name))
      case .add(let table, let column): added.insert(Self.name(table, column))
      case .renameColumn, .drop: break
      }
    }
  }

  /// `INSERT INTO new SELECT … FROM old`, or CREATE TABLE … AS, copies all rows if there is no
  /// WHERE.
  private mutating func noteCopies(to written: Set<Name>, _ text: SQLText) {
    let leavesSome = text.code.contains { $0.isWord("WHERE") || $0.isWord("LIMIT") }
    let select = text.code.firstIndex { $0.isWord("SELECT") }
    guard let select, !written.isEmpty, !leavesSome else { return }
    for token in text.code[select...] where token.kind != SQLToken.string {
      let name = Name(token.text)
      if makers[name] != nil, !written.contains(name) { copied.insert(name) }
    }
  }

  private mutating func rename(_ old: Name, _ new: Name) {
    makers[new] = makers.removeValue(forKey: old)
    if fresh.remove(old) != nil { fresh.insert(new) }
    if copied.remove(old) != nil { copied.insert(new) }
  }

  static func name(_ table: String, _ column: String) -> Name {
    Name(table + "." + column)
  }
}
