import CSQLite

/// A table as the database's own schema spells it.
struct TableSchema: Sendable, Equatable {
  var name: String
  var isWithoutRowid: Bool
  var isStrict: Bool
  var columns: [ColumnSchema]
  var indexes: [IndexSchema]
  var foreignKeys: [ForeignKey]

  /// By SQLite's rule for names: ASCII letters without regard to case.
  func column(_ name: String) -> ColumnSchema? {
    let folded = name.asciiLowercased()
    return columns.first { $0.name.asciiLowercased() == folded }
  }

  /// The columns of the primary key in its order.
  var primaryKey: [ColumnSchema] {
    columns.filter { $0.primaryKeyPosition > 0 }
      .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }
  }

  /// The column that is the rowid under another name.
  var rowidAlias: ColumnSchema? {
    let key = primaryKey
    guard !isWithoutRowid, key.count == 1, key[0].declaredType.asciiLowercased() == "integer",
      !indexes.contains(where: { $0.origin == "pk" })
    else { return nil }
    return key[0]
  }

  /// What tells any two rows apart, also those that have no key of ours: the rowid, or the primary
  /// key where there is none.
  var identity: [String] { rowidName.map { [$0] } ?? primaryKey.map(\.name) }

  /// The names under which the rowid can be read, where no column has taken them all.
  var rowidName: String? {
    isWithoutRowid ? nil : ["rowid", "_rowid_", "oid"].first { column($0) == nil }
  }
}

struct ColumnSchema: Sendable, Equatable {
  enum Generated: Sendable { case no, virtual, stored }

  var name: String
  var declaredType: String
  var isNotNull: Bool
  /// The text of the DEFAULT clause.
  var defaultSQL: String?
  /// From 1; 0 where the column is not in the primary key.
  var primaryKeyPosition: Int
  var generated: Generated
  var collation: String
  var isAutoincrement = false
}

struct IndexSchema: Sendable, Equatable {
  var name: String
  var isUnique: Bool
  /// `c` for CREATE INDEX, `u` for a UNIQUE constraint, `pk` for the primary key.
  var origin: String
  var isPartial: Bool
  /// nil for an expression.
  var columns: [String?]
  var collations: [String]

  var isPlain: Bool { !isPartial && !columns.contains(nil) }
}

struct ForeignKey: Sendable, Equatable {
  var id: Int64
  /// As the declaration spells it.
  var parent: String
  var childColumns: [String]
  /// Empty where the declaration leaves them to the parent's primary key.
  var parentColumns: [String]
}

extension Connection {
  enum TableKind: Sendable { case table, view, virtual, shadow }

  /// What stands under a name in the main database: its own spelling and kind.
  func object(named name: String) throws -> (name: String, kind: TableKind)? {
    let rows = try rows(
      "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
      [.text(name)])
    guard let row = rows.first, let found = row[0].text, let type = row[1].text else { return nil }
    let kinds: [String: TableKind] = ["view": .view, "virtual": .virtual, "shadow": .shadow]
    return (found, kinds[type] ?? .table)
  }

  /// The ordinary tables of the main database, SQLite's own apart.
  func tableNames() throws -> [String] {
    try rows(
      """
      SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type IN ('table', 'virtual')
        AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY name
      """
    ).compactMap { $0[0].text }
  }

  /// The root pages of the main database's tables, by their names in lower case.
  func rootPages() throws -> [String: Int64] {
    let rows = try rows("SELECT name, rootpage FROM main.sqlite_schema WHERE type = 'table'")
    let pages = rows.map { (($0[0].text ?? "").asciiLowercased(), $0[1].integer ?? 0) }
    return Dictionary(pages) { first, _ in first }
  }

  /// The names of tables that were made since `before`: one that was rebuilt has its name from
  /// then, one that was renamed its root page.
  func createdTables(since before: [String: Int64]) throws -> Set<String> {
    let pages = Set(before.values)
    return Set(
      try rootPages().filter { before[$0.key] == nil && !pages.contains($0.value) }.keys)
  }

  /// Reads one table's schema; `name` is spelled as `object(named:)` says.
  func schema(of name: String) throws -> TableSchema {
    let facts = try rows(
      "SELECT wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?", [.text(name)])
    return TableSchema(
      name: name, isWithoutRowid: facts.first?[0] == 1, isStrict: facts.first?[1] == 1,
      columns: try columns(of: name), indexes: try indexes(of: name),
      foreignKeys: try foreignKeys(of: name))
  }

  private func columns(of table: String) throws -> [ColumnSchema] {
    let rows = try rows(
      """
      SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?, 'main')
      ORDER BY cid
      """, [.text(table)])
    return try rows.map { row in
      let name = row[0].text ?? ""
      let generated: ColumnSchema.Generated =
        switch row[5].integer {
        case 2: .virtual
        case 3: .stored
        default: .no
        }
      let (collation, isAutoincrement) = try metadata(of: name, in: table)
      return ColumnSchema(
        name: name, declaredType: row[1].text ?? "", isNotNull: row[2] == 1,
        defaultSQL: row[3].text, primaryKeyPosition: Int(row[4].integer ?? 0),
        generated: generated, collation: collation, isAutoincrement: isAutoincrement)
    }
  }

  /// What no pragma tells.
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
    try rows(
      "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?, 'main') ORDER BY seq",
      [.text(table)]
    ).map { row in
      let name = row[0].text ?? ""
      let columns = try rows(
        "SELECT name, coll FROM pragma_index_xinfo(?, 'main') WHERE key = 1 ORDER BY seqno",
        [.text(name)])
      return IndexSchema(
        name: name, isUnique: row[1] == 1, origin: row[2].text ?? "c", isPartial: row[3] == 1,
        columns: columns.map { $0[0].text }, collations: columns.map { $0[1].text ?? "BINARY" })
    }
  }

  private func foreignKeys(of table: String) throws -> [ForeignKey] {
    var keys: [ForeignKey] = []
    let rows = try rows(
      """
      SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?, 'main') ORDER BY id, seq
      """, [.text(table)])
    for row in rows {
      let id = row[0].integer ?? 0
      if keys.last?.id != id {
        keys.append(
          ForeignKey(id: id, parent: row[1].text ?? "", childColumns: [], parentColumns: []))
      }
      keys[keys.count - 1].childColumns.append(row[2].text ?? "")
      if let to = row[3].text { keys[keys.count - 1].parentColumns.append(to) }
    }
    return keys
  }
}
