/// References between tables, and the keys in them.
extension MergeContext {
  /// The columns that identify a table's rows in the ledger.
  func keyColumns(of schema: TableSchema) -> [ColumnSchema] {
    let named = options.table(schema.name).key?.compactMap { schema.column($0) }
    return named ?? schema.primaryKey
  }

  /// Whether only the seed can be the reason for a missing parent in a table that this run created:
  /// the run itself did not skip the parent, and it was not left to the user before `down` dropped
  /// the table.
  func noUserCanHaveRemoved(
    _ parent: String, _ columns: [String], _ values: [Value]
  ) throws -> Bool {
    let key = keyColumns(of: try connection.schema(of: parent))
    // The ledger has rows by their keys. A reference to other columns may mean any of them.
    let isByKey = key.names.hasSameNames(as: columns)
    let left = try ledger.keysLeftToUser(table: parent, on: connection)
    let isLeft = isByKey ? left.contains(text: RowJSON.collatedKey(key, values)) : !left.isEmpty
    if isLeft { return false }
    return try ledger.skipped(
      table: parent, key: isByKey ? RowJSON.object(columns, values) : nil, on: connection) == nil
  }

  /// The tables that refer to a table, by foreign keys and by references that the options declare.
  func children(of parent: String) throws -> [Reference] {
    if let known = childrenByParent[parent] { return known }
    var children: [Reference] = []
    let declared = keyOptions.references.filter { $0.key.parent.isSameText(as: parent) }.map(
      \.table)
    for name in try (connection.childNames(of: parent) + declared).asTexts.texts {
      let schema = try connection.schema(of: name)
      for key in try connection.parentKeys(of: schema, and: keyOptions)
      where key.parent.isSameText(as: parent) {
        children.append(Reference(table: name, key: key))
      }
    }
    childrenByParent[parent] = children
    return children
  }

  /// Each row holds an old key and then the new one. A key that was left to the user is now left to
  /// them in its new form.
  func renameKeysLeftToUser(_ table: String, _ key: [ColumnSchema], _ rows: [[Value]]) throws {
    let left = try ledger.keysLeftToUser(table: table, on: connection).asTexts
    let keys = rows.map { row in
      (
        old: RowJSON.collatedKey(key, Array(row.prefix(key.count))),
        new: RowJSON.collatedKey(key, Array(row.dropFirst(key.count)))
      )
    }
    try ledger.renameKeysLeftToUser(
      table: table, keys.filter { left.contains($0.old) }, on: connection)
  }
}
