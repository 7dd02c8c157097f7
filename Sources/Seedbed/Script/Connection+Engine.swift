/// SQLite as one of the engines.
extension Connection: DatabaseSession {
  package var dialect: any Dialect { SQLiteDialect() }

  package func cursor(_ sql: String) throws -> any Cursor { Prepared(try prepare(sql)) }

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
    let real = try RealFunction(on: self)
    return try withExtendedLifetime(real, body)
  }

  package func run(
    _ script: Script, _ rules: ScriptRules,
    onRow: ([(name: String, value: Value)], Script.Piece) throws -> Void
  ) throws {
    let legacy = try pragma("legacy_alter_table")
    // > legacy_alter_table: it stays as it was set for the rest of the connection.
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
    return .script(
      ledgerTables: authorizer.ledgerTables,
      protectedTables: drops && enforcesForeignKeys ? try parentTables() : [])
  }

  /// The tables that others refer to.
  private func parentTables() throws -> Set<String> {
    let names = try rows(
      """
      SELECT DISTINCT lower(k."table")
      FROM pragma_table_list AS t, pragma_foreign_key_list(t.name) AS k
      WHERE t.schema = 'main' AND t.type = 'table' AND lower(k."table") <> lower(t.name)
      """)
    return Set(names.compactMap { $0[0].text })
  }

  package func damage() throws -> [String] {
    var sentences: [String] = []
    let check = try prepare("PRAGMA main.integrity_check(20)")
    do {
      while try check.step() { sentences += check.text(0).map { [$0] } ?? [] }
    } catch let failure as SQLiteFailure where failure.isDamage && !sentences.isEmpty {
      // It stops where the damage is too great to read on.
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

  /// The write lock is the whole database's.
  package func holdOffWriters(of tables: [String]) throws {}

  /// SQLite sees to that itself.
  package func noteIDs(of tables: [TableSchema]) throws {}

  package func protect(_ tables: Set<String>) { authorizer.ledgerTables = tables }

  package func forgetWritten() { authorizer.forgetWritten() }

  package func writtenTables(besides seeded: Set<String>) throws -> Set<String> {
    if isLent, !seeded.isEmpty {
      let vetting = try Vetting(self)
      for table in seeded { try vetting.noteTriggers(of: table) }
    }
    // SQLite does not report an INSERT for CREATE TABLE … AS: the table's rows show it.
    let filled = try authorizer.created.filter { name in
      guard try object(named: name)?.kind == .table else { return false }
      return try value("SELECT 1 FROM main.\(name.quoted) LIMIT 1") != nil
    }
    return authorizer.written.union(filled)
  }

  package func highestReference(
    _ column: ColumnSchema, of table: TableSchema
  ) throws -> Int64? {
    let (name, source) = (column.name.quoted, "main." + table.name.quoted)
    switch table.affinity(of: column) {
    case .integer, .numeric:
      // As it is, so that an index gives the answer.
      let sql = "SELECT max(\(name)) FROM \(source) WHERE typeof(\(name)) = 'integer'"
      return try value(sql)?.integer
    case .text, .blob, .real:
      return try value("SELECT max(CAST(\(name) AS INTEGER)) FROM \(source)")?.integer
    }
  }

  /// With their rows in `sqlite_stat1`, which DROP INDEX takes along.
  package func setAside(_ indexes: [String]) throws -> () throws -> Void {
    var definitions: [(sql: String, statistics: [[Value]])] = []
    let hasStatistics = try object(named: "sqlite_stat1") != nil
    for name in indexes {
      let sql = try value(
        "SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?", [.text(name)])?.text
      guard let sql else { continue }
      let statistics =
        hasStatistics
        ? try rows("SELECT tbl, idx, stat FROM main.sqlite_stat1 WHERE idx = ?", [.text(name)]) : []
      try execute("DROP INDEX main.\(name.quoted)")
      definitions.append((sql, statistics))
    }
    return { [self, definitions] in
      for definition in definitions {
        try execute(definition.sql)
        for row in definition.statistics {
          try execute("INSERT INTO main.sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", row)
        }
      }
    }
  }

  package func danglingRow() -> (child: String, parent: String)? {
    let found = try? rows("SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 1").first
    return found.map { ($0[0].text ?? "", $0[1].text ?? "") }
  }

  package func tables(beginningWith prefix: String) throws -> Set<String> {
    let found = try rows(
      "SELECT lower(name) FROM main.sqlite_schema WHERE type = 'table' AND lower(name) GLOB ?",
      [.text(prefix + "*")])
    return Set(found.compactMap { $0[0].text })
  }

  package func triggers(of table: String) throws -> [TriggerSchema] {
    try rows(
      "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ?",
      [.text(table)]
    ).map { TriggerSchema(name: $0[0].text ?? "", sql: $0[1].text ?? "") }
  }
}

extension SQLiteFailure: EngineFailure {}

extension RowTable: FileRows {}

extension Prepared: Cursor {
  package func bind(_ values: [Value]) { statement.bind(values) }
  package func step() throws -> Bool { try statement.step() }
  package func run(_ values: [Value]) throws { try statement.run(values) }
  package func integer(_ column: Int) -> Int64 { statement.integer(column) }
  package func text(_ column: Int) -> String? { statement.text(column) }
  package subscript(column: Int) -> Value { statement[column] }
  package func values(from first: Int) -> [Value] { statement.values(from: first) }
}
