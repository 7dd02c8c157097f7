/// Who refers to whom.
extension MergeContext {
  /// The columns by which a table's rows are known in the ledger.
  func keyColumns(of schema: TableSchema) -> [ColumnSchema] {
    let named = options.table(schema.name).key?.compactMap { schema.column($0) }
    return named ?? schema.primaryKey
  }

  /// Whether nobody but the seed can be the reason that a parent is missing from a table that this
  /// run created: it did not pass the row over for want of a parent of its own, and the row was not
  /// left to the user before `down` dropped the table.
  func noUserCanHaveRemoved(
    _ parent: String, _ columns: [String], _ values: [Value]
  ) throws -> Bool {
    let key = keyColumns(of: try connection.schema(of: parent))
    // The ledger knows rows by their keys; a reference to other columns may mean any of them.
    let isByKey = key.names == columns
    let left = try ledger.keysLeftToUser(table: parent, on: connection)
    if isByKey ? left.contains(RowJSON.collatedKey(key, values)) : !left.isEmpty { return false }
    return try !ledger.hasSkipped(
      table: parent, key: isByKey ? RowJSON.object(columns, values) : nil, on: connection)
  }

  /// The tables that refer to a table, by foreign keys and by references that the options declare.
  func children(of parent: String) throws -> [Reference] {
    if let known = childrenByParent[parent] { return known }
    var children: [Reference] = []
    let declared = keyOptions.references.filter { $0.key.parent == parent }.map(\.table)
    for name in try Set(connection.childNames(of: parent) + declared).ordered() {
      let schema = try connection.schema(of: name)
      for key in try connection.parentKeys(of: schema, and: keyOptions) where key.parent == parent {
        children.append(Reference(table: name, key: key))
      }
    }
    childrenByParent[parent] = children
    return children
  }

  /// Each row is an old key and then the new one. What was left to the user under the old key is
  /// left under the new one.
  func renameKeysLeftToUser(_ table: String, _ key: [ColumnSchema], _ rows: [[Value]]) throws {
    let left = Set(try ledger.keysLeftToUser(table: table, on: connection))
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
