import CSeedbedSQLite

/// The part of the schema that was read so far, by name.
struct KnownSchema {
  var objects: [ExactText: (name: String, kind: TableKind)?] = [:]
  var tables: [ExactText: TableSchema] = [:]
}

extension Connection {
  /// Reads the schema of each table only once while `body` runs. `body` must not create, change or
  /// drop a table.
  package func withFixedSchema<Result>(_ body: () throws -> Result) rethrows -> Result {
    knownSchema = KnownSchema()
    defer { knownSchema = nil }
    return try body()
  }

  /// The object with a name in the main database: its spelling in the schema and its kind.
  package func object(named name: String) throws -> (name: String, kind: TableKind)? {
    if let known = knownSchema?.objects[name] { return known }
    let found = try readObject(named: name)
    knownSchema?.objects[name] = .some(found)
    return found
  }

  private func readObject(named name: String) throws -> (name: String, kind: TableKind)? {
    // The schema table cannot be looked up by its name (seen in 3.40).
    if ["sqlite_schema", "sqlite_master"].contains(name: name) {
      return ("sqlite_schema", .table)
    }
    // schema, name, type, ncol, wr, strict
    let rows = try rows("PRAGMA main.table_list(\(name.quoted))")
    guard let row = rows.first, let found = row[1].text, let type = row[2].text else { return nil }
    let kinds: [String: TableKind] = ["view": .view, "virtual": .virtual, "shadow": .shadow]
    return (found, kinds[type] ?? .table)
  }

  /// The ordinary tables of the main database, without SQLite's own.
  package func tableNames() throws -> [String] {
    try rows(
      """
      SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type IN ('table', 'virtual')
        AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY name
      """
    ).compactMap { $0[0].text }
  }

  /// The root pages of the main database's tables.
  package func tableNumbers() throws -> [Name: Int64] {
    let rows = try rows("SELECT name, rootpage FROM main.sqlite_schema WHERE type = 'table'")
    let pages = try rows.map { try (Name($0.text(0)), $0.integer(1)) }
    return Dictionary(pages) { first, _ in first }
  }

  /// A column's number is its position. Virtual tables have no root page.
  package func layouts() throws -> [TableLayout] {
    try TableLayout.read(
      rows(
        """
        SELECT t.name, t.rootpage, c.cid, c.name, c.pk > 0
        FROM main.sqlite_schema AS t, pragma_table_xinfo(t.name, 'main') AS c
        WHERE t.type = 'table' AND t.rootpage > 0 ORDER BY t.name, c.cid
        """))
  }

  /// Reads the schema of one table; `name` is spelled as `object(named:)` returns it.
  package func schema(of name: String) throws -> TableSchema {
    if let known = knownSchema?.tables[name] { return known }
    let schema = try readSchema(of: name)
    knownSchema?.tables[name] = schema
    return schema
  }

  private func readSchema(of name: String) throws -> TableSchema {
    // schema, name, type, ncol, wr, strict
    let facts = try rows("PRAGMA main.table_list(\(name.quoted))")
    return TableSchema(
      name: name, sql: SQLiteDialect.shared.table(name), isWithoutRowid: facts.first?[4] == 1,
      isStrict: facts.first?[5] == 1, columns: try columns(of: name),
      indexes: try indexes(of: name), foreignKeys: try foreignKeys(of: name))
  }

  private func columns(of table: String) throws -> [ColumnSchema] {
    // cid, name, type, notnull, dflt_value, pk, hidden
    let rows = try rows("PRAGMA main.table_xinfo(\(table.quoted))")
    let generated: [Value: ColumnSchema.Generated] = [2: .virtual, 3: .stored]
    return try rows.map { row in
      let name = try row.text(1)
      let (collation, isAutoincrement) = try metadata(of: name, in: table)
      return try ColumnSchema(
        name: name, declaredType: row.text(2), isNotNull: row[3] == 1,
        defaultSQL: row[4].text.map(Self.defaultExpression),
        primaryKeyPosition: Int(row.integer(5)), generated: generated[row[6]] ?? .no,
        collation: collation, isAutoincrement: isAutoincrement)
    }
  }

  /// Facts that no pragma shows.
  private func metadata(
    of column: String, in table: String
  ) throws -> (collation: String, isAutoincrement: Bool) {
    var name: UnsafePointer<CChar>?
    var isAutoincrement: Int32 = 0
    guard
      sqlite3_table_column_metadata(
        handle, "main", table, column, nil, &name, nil, nil, &isAutoincrement) == SQLITE_OK
    else { throw failure(nil) }
    return (name.map { String(cString: $0) } ?? "BINARY", isAutoincrement != 0)
  }

  private func indexes(of table: String) throws -> [IndexSchema] {
    // seq, name, unique, origin, partial
    try rows("PRAGMA main.index_list(\(table.quoted))").map { row in
      let name = try row.text(1)
      // seqno, cid, name, desc, coll, key
      let columns = try rows("PRAGMA main.index_xinfo(\(name.quoted))").filter { $0[5] == 1 }
      return IndexSchema(
        name: name, isUnique: row[2] == 1, origin: row[3].text ?? "c", isPartial: row[4] == 1,
        columns: columns.map { $0[2].text }, collations: columns.map { $0[4].text ?? "BINARY" })
    }
  }

  private func foreignKeys(of table: String) throws -> [ForeignKey] {
    var keys: [ForeignKey] = []
    // id, seq, table, from, to, on_update, on_delete, match
    for row in try rows("PRAGMA main.foreign_key_list(\(table.quoted))") {
      let id = try row.integer(0)
      if keys.last?.id != id {
        keys.append(
          try ForeignKey(
            id: id, parent: row.text(2), childColumns: [], parentColumns: [],
            onDelete: row.text(6).hasPrefix("SET") ? row.text(6) : nil))
      }
      keys[keys.count - 1].childColumns.append(try row.text(3))
      if let to = row[4].text { keys[keys.count - 1].parentColumns.append(to) }
    }
    return keys
  }
}
