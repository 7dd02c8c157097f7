/// SQLite as one of the engines.
extension Connection: DatabaseSession {
  package var dialect: any Dialect { SQLiteDialect.shared }

  package func cursor(_ sql: String) throws -> any Cursor { try prepare(sql) }

  package func read(
    _ reader: RowReader, types: [String],
    onChunk: @escaping (_ fileBytes: Int64, _ rows: Int) throws -> Void
  ) throws -> any FileRows {
    try RowTable(reader, types: types, on: self, onChunk: onChunk)
  }

  package var loadsDirectly: Bool { false }

  package func load(
    _ reader: RowReader, into table: String, columns: [String],
    onRows: (any FileRows) -> Void,
    onChunk: @escaping (_ fileBytes: Int64, _ rows: Int) throws -> Void
  ) throws {
    throw SeedbedError.rowsReadTwice(reader.place)
  }

  package func comparing<Result>(_ body: () throws -> Result) throws -> Result {
    let functions = try (
      RegisteredFunction.sameReal(on: self), RegisteredFunction.plainText(on: self),
      RegisteredFunction.mixed(on: self)
    )
    return try withExtendedLifetime(functions, body)
  }

  package func run(
    _ script: Script, _ rules: ScriptRules,
    onRow: ([(name: String, value: Value)], Script.Piece) throws -> Void
  ) throws {
    let legacy = try pragma("legacy_alter_table")
    // Without this, the setting of a script would last for the rest of the connection.
    defer { try? execute("PRAGMA legacy_alter_table=\(legacy.integer ?? 0)") }
    try script.run(on: self, rules: { try authorizerRules($0, rules) }) { statement, piece in
      let row = (0..<statement.columnCount).map { column in
        (name: statement.columnName(column), value: statement[column])
      }
      try onRow(row, piece)
    }
  }

  private func authorizerRules(
    _ piece: Script.Piece, _ rules: ScriptRules
  ) throws -> Authorizer.Rules {
    guard case .change(let enforcesForeignKeys) = rules else { return .readOnly }
    let drops = piece.sql.prefix(4).uppercased() == "DROP"
    let references = drops && enforcesForeignKeys ? try references() : []
    let others = references.filter { !$0.child.isSameName(as: $0.parent) }
    return .script(
      ledgerTables: authorizer.ledgerTables, protectedTables: others.map(\.parent).asNames)
  }

  package func damage() throws -> [String] {
    var sentences: [String] = []
    let check = try prepare("PRAGMA main.integrity_check(20)")
    do {
      while try check.step() { sentences += [check.text(0)].compactMap { $0 } }
    } catch let failure as SQLiteFailure where failure.isDamage && !sentences.isEmpty {
      // The check stops if the damage is too great to read on.
    }
    return sentences.filter { $0 != "ok" }
  }

  package func look(_ query: String) throws -> Value? {
    let statement = try prepare(query)
    // COMMIT and similar count as read-only, but have no columns.
    guard statement.isReadOnly, statement.columnCount > 0 else {
      throw SeedbedError(
        .usage, "'\(query.shortened(to: 80))' would write. This only looks at the database.")
    }
    return try statement.step() ? statement[0] : nil
  }

  /// In SQLite, the write lock covers the whole database.
  package var locksTables: Bool { false }
  /// The first release that lacks such rows begins again without enforcement.
  package func leaveToApp(_ column: String, of table: String) throws {}
  package func holdOffWriters(of tables: [String]) throws {}
  package func checkDeferredKeys() throws {}

  /// SQLite keeps track of its ids itself.
  package func noteIDs(of tables: [TableSchema]) throws {}

  package func protect(_ tables: Set<Name>) { authorizer.ledgerTables = tables }

  package func forgetWritten() { authorizer.forgetWritten() }

  package func writtenTables(besides seeded: Set<ExactText>) throws -> Set<ExactText> {
    if isLent, !seeded.isEmpty { try noteTriggers(of: seeded, Vetting(self)) }
    // SQLite reports no INSERT for CREATE TABLE … AS. Rows in the table show it.
    let filled = try authorizer.created.filter { name in
      guard try object(named: name.text)?.kind == .table else { return false }
      return try value("SELECT 1 FROM main.\(name.text.quoted) LIMIT 1") != nil
    }
    return authorizer.written.union(filled)
  }

  /// Records the tables that triggers of these tables write.
  func noteTriggers(of tables: Set<ExactText>, _ vetting: Vetting?) throws {
    for table in tables.map(\.text) {
      if let vetting { try vetting.noteTriggers(of: table); continue }
      // If a change cannot be prepared, nothing fires the trigger: a view does not accept it, or
      // the trigger names an object that does not exist.
      for change in try changes(ofRowsIn: table) { _ = try allowsTriggers(of: change) }
    }
  }

  /// A table that triggers only add to is not counted.
  package func watchTriggers(
    of seeded: Set<ExactText>
  ) throws -> () throws -> [ExactText: Int64] {
    authorizer.deletedByTriggers = []
    try authorizer.withoutNoting { try noteTriggers(of: seeded, isLent ? Vetting(self) : nil) }
    let tables = try authorizer.deletedByTriggers.subtracting(seeded)
      .filter { try object(named: $0.text)?.kind == .table }
    let count = { [self] (table: ExactText) in
      try value("SELECT count(*) FROM main.\(table.text.quoted)")?.integer ?? 0
    }
    let before = try tables.map { ($0, try count($0)) }
    return { Dictionary(try before.map { ($0, $1 - (try count($0))) }) { first, _ in first } }
  }

  package func highestReference(
    _ column: ColumnSchema, of table: TableSchema
  ) throws -> Int64? {
    let (name, source) = (column.name.quoted, "main." + table.name.quoted)
    let isWhole = [.integer, .numeric].contains(table.affinity(of: column))
    // An index answers max() of the bare column.
    let sql =
      isWhole
      ? "SELECT max(\(name)) FROM \(source) WHERE typeof(\(name)) = 'integer'"
      : "SELECT max(CAST(\(name) AS INTEGER)) FROM \(source)"
    return try value(sql)?.integer
  }

  /// Saves their rows in `sqlite_stat1` too, which DROP INDEX deletes.
  package func setAside(_ indexes: [String]) throws -> () throws -> Void {
    var statements: [(sql: String, values: [Value])] = []
    let hasStatistics = try object(named: "sqlite_stat1") != nil
    for name in indexes {
      let sql = try value(
        "SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?", [.text(name)])?.text
      guard let sql else { continue }
      statements.append((sql, []))
      if hasStatistics {
        statements += try rows(
          "SELECT tbl, idx, stat FROM main.sqlite_stat1 WHERE idx = ?", [.text(name)]
        ).map { ("INSERT INTO main.sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", $0) }
      }
      try execute("DROP INDEX main.\(name.quoted)")
    }
    return { [self, statements] in
      for (sql, values) in statements { try execute(sql, values) }
    }
  }

  package func danglingRow() throws -> (child: String, parent: String)? {
    try rows("SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 1").first.map {
      try ($0.text(0), $0.text(1))
    }
  }

  package func tables(beginningWith prefix: String) throws -> Set<Name> {
    try texts(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND lower(name) GLOB ?",
      [.text(prefix + "*")]
    ).asNames
  }

  package func triggers(of table: String) throws -> [TriggerSchema] {
    try rows(
      """
      SELECT name, sql FROM main.sqlite_schema
      WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE
      """, [.text(table)]
    ).map { try TriggerSchema(name: $0.text(0), sql: $0.text(1)) }
  }
}

extension SQLiteFailure: EngineFailure {}

extension RowTable: FileRows {}
